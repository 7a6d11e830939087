import { execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { splitSettings } from '../access/secret-settings.ts';
import { endProcess, watchExit } from './processes/processes.ts';
import type { Service } from './processes/supervise.ts';
import { StartError } from './start-error.ts';

/** What our source files end in: `.ts`, or `.js` where the tests run compiled. */
export const extension = extname(fileURLToPath(import.meta.url));

const source = dirname(dirname(fileURLToPath(import.meta.url)));

/** The project's root, so that commands work from any folder. */
export const checkout = rootAbove(source);

/** Node's arguments before one of our files. The loader is named by its path, so any folder will do. */
export const runTypeScript: readonly string[] =
  extension === '.ts'
    ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
    : [];

/** The entry files of our processes. */
export interface Programs {
  server: string;
  worker: string;
  admin: string;
}

export const ownPrograms: Programs = {
  server: join(source, `server${extension}`),
  worker: join(source, `worker${extension}`),
  admin: join(source, `admin${extension}`),
};

/** The nearest folder with a lockfile: compiled code lies deeper than its source. */
function rootAbove(folder: string): string {
  if (existsSync(join(folder, 'package-lock.json')) || folder === dirname(folder)) return folder;
  return rootAbove(dirname(folder));
}

/**
 * Starts one of our processes in its own session, so that Ctrl-C reaches only us. Its output goes
 * to ours, or to a file. It has `graceMilliseconds` to finish work in progress.
 */
export function startProgram(program: {
  file: string;
  env: NodeJS.ProcessEnv;
  outputFile?: string;
  graceMilliseconds: number;
}): Service {
  const output = program.outputFile ? openSync(program.outputFile, 'a', 0o600) : undefined;
  // Secrets are passed by a pipe, since other users may read the environment of a process.
  const { env, secrets } = splitSettings(program.env);
  const child = spawn(process.execPath, [...runTypeScript, program.file], {
    cwd: checkout,
    env: { ...env, SETTINGS_FD: '3' },
    stdio: ['ignore', output ?? 'inherit', output ?? 'inherit', 'pipe'],
    detached: true,
  });
  const pipe = child.stdio[3];
  if (pipe && 'end' in pipe) {
    // A program that ends before it reads reports the reason itself.
    pipe.on('error', () => {});
    pipe.end(secrets);
  }
  if (output !== undefined) closeSync(output);
  const { pid } = child;
  child.on('error', () => {});
  if (pid === undefined) {
    throw new StartError(`The process ${program.file} could not be started.`);
  }
  return {
    pid,
    exited: watchExit(pid, child),
    stop: () => endProcess(pid, [{ signal: 'SIGTERM', milliseconds: program.graceMilliseconds }]),
  };
}

/** Runs the admin command line and returns its output. Its error message becomes the error's. */
export async function runAdminProgram(
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
