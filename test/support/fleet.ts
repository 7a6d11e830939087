import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import type { Installation } from './service.ts';
import { endWithRun } from './services.ts';

/** A process of a fleet, with its log in a file. */
export interface FleetProcess {
  name: string;
  pid: number;
  /** Resolves once it has logged that it serves. @throws with its log if it ends before, or takes too long */
  untilServing(): Promise<void>;
  /** SIGTERM, and waits for the end. @throws with its log if it did not end in order */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Whether it ended before it was asked to. */
  hasDied(): boolean;
  log(): string;
}

/** The log line of a program that is ready to serve. */
export const readyPattern = /"msg":"(listening|workers running)"/;
/** Maximum time until it serves, in milliseconds. */
const startTimeoutMs = 300_000;

/** Starts a server or a worker of an installation. */
export function startFleetProcess(
  { folder, nodeArguments, programs }: Installation,
  options: {
    name: string;
    kind: keyof Installation['programs'];
    env: NodeJS.ProcessEnv;
    logs: string;
  },
): FleetProcess {
  const { name, kind, env, logs } = options;
  const file = join(logs, `${name}.log`);
  const output = openSync(file, 'a', 0o600);
  const child = spawn(process.execPath, [...nodeArguments, programs[kind]], {
    cwd: folder,
    env,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  void endWithRun(child);
  let isStopRequested = false;
  const exited = once(child, 'exit');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const log = () => readFileSync(file, 'utf8');
  const failure = (what: string) => new Error(`${name} ${what}: ${log().slice(-3_000)}`);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    isStopRequested = true;
    if (!hasEnded()) child.kill(signal);
    await exited;
  };
  return {
    name,
    pid: child.pid!,
    log,
    hasDied: () => hasEnded() && !isStopRequested,
    async untilServing() {
      const isServing = () => readyPattern.test(log());
      await eventually(async () => isServing() || hasEnded(), startTimeoutMs).catch(() => {
        throw failure('does not serve in time');
      });
      if (!isServing()) throw failure(`ended with ${child.exitCode ?? child.signalCode}`);
    },
    async stop() {
      if (hasEnded()) throw failure(`had ended with ${child.exitCode}`);
      await end('SIGTERM');
      if (child.exitCode !== 0) throw failure(`stopped with ${child.exitCode ?? child.signalCode}`);
    },
    kill: () => end('SIGKILL'),
  };
}
