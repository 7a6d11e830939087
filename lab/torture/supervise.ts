import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { readyPattern } from '../../test/support/fleet.ts';
import { checkout } from '../../test/support/run.ts';
import { endWithRun } from '../../test/support/services.ts';
import { runTypeScript } from '../embedded/programs.ts';

/** A program that is restarted whenever it exits, as systemd or Kubernetes does. */
export interface SupervisedProgram {
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
  unexpectedExits: string[];
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
): SupervisedProgram {
  let child: ChildProcess;
  let isEnded = false;
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
      if (isEnded) return;
      const runLog = log().slice(startedAt);
      if (!readyPattern.test(log())) failure = runLog.slice(-2_000);
      if (!isKilled && readyPattern.test(runLog))
        deaths.push(`${name} ended: ${runLog.slice(-2_000)}`);
      await delay(restartMs);
      if (!isEnded) start();
    });
  };
  start();
  return {
    name,
    unexpectedExits: deaths,
    failure: () => failure,
    log,
    killedAt: () => killedAt,
    async kill() {
      const restart = restarted;
      isKilled = true;
      killedAt = Date.now();
      child.kill('SIGKILL');
      await restart;
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async end() {
      isEnded = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
