import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ready } from '../../test/support/fleet.ts';
import { checkout } from '../../test/support/run.ts';
import { endWithRun } from '../../test/support/services.ts';
import { runTypeScript } from '../embedded/programs.ts';

/** A program that is restarted whenever it exits, as systemd or Kubernetes does. */
export interface Supervised {
  name: string;
  /** SIGKILL; resolves when the program has been restarted. */
  kill(): Promise<void>;
  /** When that last happened; 0 if never. */
  killedAt(): number;
  /** SIGSTOP, and SIGCONT. */
  freeze(): void;
  thaw(): void;
  /** Ends it permanently. */
  end(): Promise<void>;
  /** How often it exited unexpectedly after it had been ready, with the end of its log. */
  deaths: string[];
  /** The end of its log, if it exited before it was ready for the first time. */
  failure(): string | null;
  log(): string;
}

const restartMs = 100;

export function supervise(
  name: string,
  file: string,
  env: NodeJS.ProcessEnv,
  logFile: string,
): Supervised {
  let child: ChildProcess;
  let isOver = false;
  let isKilled = false;
  let killedAt = 0;
  let startedAt = 0;
  let restarted: Promise<void> = Promise.resolve();
  let failure: string | null = null;
  const deaths: string[] = [];
  const log = () => readFileSync(logFile, 'utf8');
  const start = (): void => {
    const output = openSync(logFile, 'a', 0o600);
    startedAt = log().length;
    isKilled = false;
    child = spawn(process.execPath, [...runTypeScript, file], {
      cwd: checkout,
      env,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    void endWithRun(child);
    restarted = once(child, 'exit').then(async () => {
      if (isOver) return;
      const own = log().slice(startedAt);
      if (!ready.test(log())) failure = own.slice(-2_000);
      if (!isKilled && ready.test(own)) deaths.push(`${name} ended: ${own.slice(-2_000)}`);
      await delay(restartMs);
      if (!isOver) start();
    });
  };
  start();
  return {
    name,
    deaths,
    failure: () => failure,
    log,
    killedAt: () => killedAt,
    async kill() {
      const again = restarted;
      isKilled = true;
      killedAt = Date.now();
      child.kill('SIGKILL');
      await again;
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async end() {
      isOver = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
