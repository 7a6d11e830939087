import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { splitSettings } from '../../src/access/secret-settings.ts';
import { readStartReport, startedStep } from '../../src/start-report.ts';
import { runCommand } from './processes/commands.ts';
import { endProcess, waitUntilReady } from './processes/processes.ts';
import type { Service } from './processes/supervise.ts';
import type { Progress, Step } from './progress.ts';
import { StartError } from './start-error.ts';

/** The extension of source files: `.ts`, or `.js` where the tests run compiled. */
export const extension = extname(fileURLToPath(import.meta.url));

const source = fileURLToPath(new URL('../../src', import.meta.url));

/** The project's root, so that commands work from any folder. */
export const checkout = rootAbove(source);

/**
 * Node's arguments before one of this project's files. The loader is given by its path, so any
 * working folder can be used.
 */
export const runTypeScript: readonly string[] =
  extension === '.ts'
    ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
    : [];

/** The entry files of the service's processes. */
export interface Programs {
  server: string;
  worker: string;
  admin: string;
}

export const checkoutPrograms: Programs = {
  server: join(source, `server${extension}`),
  worker: join(source, `worker${extension}`),
  admin: join(source, `admin${extension}`),
};

/** The nearest folder with a lockfile: compiled code is deeper than its source. */
function rootAbove(folder: string): string {
  if (existsSync(join(folder, 'package-lock.json')) || folder === dirname(folder)) return folder;
  return rootAbove(dirname(folder));
}

export interface Program {
  /** The display name, such as 'server'. */
  name: string;
  file: string;
  env: NodeJS.ProcessEnv;
  /** Where its output is appended. Default: the output of this process. */
  outputFile?: string;
  /** How long it may take to finish work in progress. */
  graceMilliseconds: number;
  /**
   * Whether it serves requests, once it has reported that it has started; polled. Default: it does.
   */
  serves?: () => Promise<boolean>;
}

/**
 * Starts one of the service's processes in its own session, so that Ctrl-C reaches only this
 * process, and waits until it is ready. It reports the steps of its start.
 * @param spawned is called with its process id as soon as it has one
 * @throws StartError with its last output if it ends before
 */
export async function startProgram(
  program: Program,
  progress: Progress,
  spawned: (pid: number) => void,
): Promise<Service> {
  const { name, outputFile, graceMilliseconds, serves = async () => true } = program;
  const shutdown = [{ signal: 'SIGTERM', milliseconds: graceMilliseconds }] as const;
  const writtenBefore = outputFile ? sizeOf(outputFile) : 0;
  const outcome = await progress.during(
    `starting the ${name}`,
    (step) => {
      const child = launch(program);
      if (child.pid !== undefined) spawned(child.pid);
      let hasStarted = false;
      step.advance('loading code');
      child.on('message', (message) => {
        const report = readStartReport(message);
        hasStarted ||= report === startedStep;
        if (report !== undefined) step.advance(hasStarted ? 'not ready yet' : report);
      });
      return waitUntilReady(child, {
        isServing: async () => hasStarted && (await serves()),
        step,
        shutdown,
        output: async () =>
          outputFile ? (await readFile(outputFile)).subarray(writtenBefore).toString() : '',
      });
    },
    { ...(outputFile && { logFile: outputFile }) },
  );
  if (!outcome.ready) throw startFailure(program, outcome);
  const { pid, exited } = outcome;
  return { pid, exited, stop: () => endProcess(pid, shutdown) };
}

function launch({ file, env: settings, outputFile }: Program): ChildProcess {
  const output = outputFile ? openSync(outputFile, 'a', 0o600) : undefined;
  // Secrets are passed through a pipe, because other users may read the environment of a process.
  const { env, secrets } = splitSettings(settings);
  const child = spawn(process.execPath, [...runTypeScript, file], {
    cwd: checkout,
    env: { ...env, SETTINGS_FD: '3' },
    stdio: ['ignore', output ?? 'inherit', output ?? 'inherit', 'pipe', 'ipc'],
    detached: true,
  });
  const pipe = child.stdio[3];
  if (pipe && 'end' in pipe) {
    // A program that ends before it reads reports the reason itself.
    pipe.on('error', () => {});
    pipe.end(secrets);
  }
  if (output !== undefined) closeSync(output);
  child.on('error', () => {});
  return child;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** How many lines of its output an error repeats. */
const maxLogLines = 10;

function startFailure(
  { name, outputFile }: Program,
  { ending, output }: { ending: string; output: string },
): StartError {
  const what = `The ${name} exited during startup (${ending})`;
  if (!outputFile) return new StartError(`${what}. See its output above.`);
  const lines = output.trimEnd().split('\n').slice(-maxLogLines);
  return new StartError(`${what}. The end of ${outputFile}:\n${lines.join('\n')}`);
}

/** Runs the admin command line and returns its output. Its error message becomes the error's. */
export async function runAdminProgram(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  step: Step,
): Promise<string> {
  const { code, stdout, stderr } = await runCommand(
    { command: process.execPath, args: [...runTypeScript, file, ...args], cwd: checkout, env },
    step,
  );
  if (code === 0) return stdout;
  const reason = stderr.trim().split('\n').at(-1);
  throw new StartError(
    `The command 'admin ${args.join(' ')}' failed${reason ? `: ${reason}` : '.'}`,
  );
}
