import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { splitSettings } from '../access/secret-settings.ts';
import { endProcess, watchExit } from './processes.ts';
import { StartError } from './start-error.ts';
import type { Service } from './supervise.ts';

/** The project's root: commands work from any folder. */
export const checkout = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Node's arguments before a TypeScript file; the loader by its path, so that any folder will do. */
export const runTypeScript = [
  '--import',
  pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href,
] as const;

/** The entry files of our own processes. */
export interface Programs {
  server: string;
  worker: string;
  admin: string;
}

export const ownPrograms: Programs = {
  server: resolve(checkout, 'src/server.ts'),
  worker: resolve(checkout, 'src/worker.ts'),
  admin: resolve(checkout, 'src/admin.ts'),
};

/**
 * Starts one of our processes in a session of its own, so that Ctrl-C reaches only us. Its output
 * goes to ours, or to a file. It may take `graceMilliseconds` to finish what it has in hand.
 */
export function startProgram(program: {
  file: string;
  env: NodeJS.ProcessEnv;
  outputFile?: string;
  graceMilliseconds: number;
}): Service {
  const output = program.outputFile ? openSync(program.outputFile, 'a', 0o600) : undefined;
  // Secrets go through a pipe: whoever may look at the process sees its environment.
  const { env, secrets } = splitSettings(program.env);
  const child = spawn(process.execPath, [...runTypeScript, program.file], {
    cwd: checkout,
    env: { ...env, SETTINGS_FD: '3' },
    stdio: ['ignore', output ?? 'inherit', output ?? 'inherit', 'pipe'],
    detached: true,
  });
  const pipe = child.stdio[3];
  if (pipe && 'end' in pipe) {
    // A program that ends before it reads says why by itself.
    pipe.on('error', () => {});
    pipe.end(secrets);
  }
  if (output !== undefined) closeSync(output);
  const { pid } = child;
  child.on('error', () => {});
  if (pid === undefined) {
    throw new StartError(`The process ${program.file} could not be started: no process to be had.`);
  }
  return {
    pid,
    exited: watchExit(pid, child),
    stop: () => endProcess(pid, [{ signal: 'SIGTERM', milliseconds: program.graceMilliseconds }]),
  };
}

/** Runs the admin command line and returns what it printed. Its own message is the error's. */
export async function runAdmin(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...runTypeScript, file, ...args],
      { cwd: checkout, env },
    );
    return stdout;
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new StartError(
      `The command 'admin ${args.join(' ')}' failed${stderr ? `: ${stderr.split('\n').at(-1)}` : '.'}`,
    );
  }
}
