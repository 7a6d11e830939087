import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A program of the bench's own, as a process of its own. */
export interface Child {
  process: ChildProcess;
  pid: number;
  /** Its first message, which says what it has to say before it can be used. */
  told: unknown;
  /** Kills it, and waits for its end. */
  end(): Promise<void>;
}

/** Forks a program of this folder; it ends when this process does. What it prints goes nowhere. */
export async function startChild(file: string, env: NodeJS.ProcessEnv): Promise<Child> {
  const child = fork(join(import.meta.dirname, file), {
    execArgv: ['--import', 'tsx'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const ended = exited.then(([code]) => {
    throw new Error(`${file} ended with code ${code} before it was ready.`);
  });
  const [told] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return {
    process: child,
    pid: child.pid!,
    told,
    async end() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
