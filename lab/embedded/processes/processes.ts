import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Step } from '../progress.ts';

/** Whether a process with this id exists, under any user. A zombie does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return !/^\d+ \(.*\) Z /s.test(readProc(pid, 'stat') ?? '');
}

/**
 * The start time of a process in clock ticks since boot, or undefined without /proc (macOS).
 * Together with the pid it identifies a process; pids alone are reused.
 */
export function startedAt(pid: number): string | undefined {
  const stat = readProc(pid, 'stat');
  // The name in parentheses may contain spaces; field 22 is the 20th after it.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

/** The working folder of a process, or undefined if unknown. */
export function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** Waits until a process has ended; false when it still runs after `milliseconds`. */
export async function waitForExit(pid: number, milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await delay(15);
  }
  return true;
}

/**
 * Waits until the id of an ended process is free, which its parent may delay: until then, signals
 * seem to reach it.
 */
export async function waitUntilReaped(pid: number, milliseconds: number): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!isAlive(pid) && readProc(pid, 'stat') !== undefined && Date.now() < deadline) {
    await delay(15);
  }
}

/**
 * Resolves when a process ends. A process that is not a child of this one is polled, without
 * keeping this process alive.
 */
export function watchExit(pid: number, child?: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child) {
      if (describeExit(child) !== undefined) resolve();
      else child.once('exit', () => resolve());
      return;
    }
    const timer = setInterval(() => {
      if (isAlive(pid)) return;
      clearInterval(timer);
      resolve();
    }, 500);
    timer.unref();
  });
}

/** Signals to send in turn, each with the milliseconds it has to take effect. */
type Shutdown = readonly { signal: NodeJS.Signals; milliseconds: number }[];

/**
 * Ends a process: each signal in turn, then SIGKILL. A process that has already ended is not an
 * error.
 */
export async function endProcess(pid: number, steps: Shutdown): Promise<void> {
  for (const { signal, milliseconds } of [...steps, { signal: 'SIGKILL', milliseconds: 10_000 }]) {
    if (!isAlive(pid)) return;
    sendSignal(pid, signal);
    if (await waitForExit(pid, milliseconds)) return;
  }
}

function sendSignal(pid: number, signal: string): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended between the check and the signal.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

interface ServiceCommand {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Output goes to this file, which is truncated first. */
  log: string;
  account?: { uid: number; gid: number } | undefined;
}

/**
 * Starts a server in its own session, so that Ctrl-C in a terminal reaches only this process, which
 * decides the order in which processes stop. Its output goes to a file, not a pipe, because it must
 * be able to outlive this process.
 */
export function spawnService(service: ServiceCommand): ChildProcess {
  // Root writes into a folder of the account here: do not follow a planted link.
  const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;
  const log = openSync(service.log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    return spawn(service.command, service.args, {
      cwd: service.cwd,
      env: service.env,
      stdio: ['ignore', log, log],
      detached: true,
      ...(service.account ? { uid: service.account.uid, gid: service.account.gid } : {}),
    });
  } finally {
    closeSync(log);
  }
}

/** How to check that a new process is ready. */
interface Readiness {
  /** Whether the process with this id responds as expected; polled. */
  isServing: (pid: number) => Promise<boolean>;
  step: Step;
  shutdown: Shutdown;
  /** The output since its start. */
  output: () => Promise<string>;
  /** Matches each line of its output that shows progress; the first group describes it. */
  advance?: RegExp;
}

type Outcome =
  | { ready: true; pid: number; exited: Promise<void> }
  /** `ending` is an exit code or a signal, or why it could not be started. */
  | { ready: false; ending: string; output: string };

/**
 * Waits until a process is ready or ends, as long as it makes progress. Otherwise it is ended.
 * @throws any error of `step.check`
 */
export async function waitUntilReady(child: ChildProcess, readiness: Readiness): Promise<Outcome> {
  const { isServing: serves, step, shutdown, output, advance } = readiness;
  let spawnError: Error | undefined;
  child.once('error', (error) => {
    spawnError = error;
  });
  try {
    return await step.pollUntil<Outcome>(async () => {
      if (spawnError) return { ready: false, ending: spawnError.message, output: '' };
      const ending = describeExit(child);
      if (ending !== undefined) return { ready: false, ending, output: await output() };
      const { pid } = child;
      if (pid !== undefined && (await serves(pid))) {
        return { ready: true, pid, exited: watchExit(pid, child) };
      }
      if (advance) {
        const detail = [...(await output()).matchAll(advance)].at(-1)?.[1];
        if (detail !== undefined) step.advance(detail);
      }
      return undefined;
    });
  } catch (error) {
    if (child.pid !== undefined) await endProcess(child.pid, shutdown);
    throw error;
  }
}

/** Describes how a child ended; undefined while it runs. */
function describeExit({ exitCode, signalCode }: ChildProcess): string | undefined {
  if (signalCode !== null) return signalCode;
  return exitCode === null ? undefined : `exit code ${exitCode}`;
}
