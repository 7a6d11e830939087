import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A helper program of the benchmark, in a separate process. */
export interface Child {
  process: ChildProcess;
  pid: number;
  /** Its first message, sent when it is ready. */
  firstMessage: unknown;
  /** Kills it and waits for it to exit. */
  kill(): Promise<void>;
}

/** Forks a program of this folder, which exits with this process. Its output is discarded. */
export async function startChild(file: string, env: NodeJS.ProcessEnv): Promise<Child> {
  const child = fork(join(import.meta.dirname, file), {
    execArgv: ['--import', 'tsx'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const earlyExit = exited.then(([code]) => {
    throw new Error(`${file} exited with code ${code} before it was ready.`);
  });
  const [told] = await Promise.race([once(child, 'message'), earlyExit]);
  earlyExit.catch(() => undefined);
  return {
    process: child,
    pid: child.pid!,
    firstMessage: told,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
