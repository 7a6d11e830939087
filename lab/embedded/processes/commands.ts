import { spawn } from 'node:child_process';
import type { Step } from '../progress.ts';

interface Command {
  command: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  account?: { uid: number; gid: number } | undefined;
}

interface CommandResult {
  /** Null if a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a program until it ends, as long as it writes output now and then. Otherwise it is killed.
 * @throws any error of `step.check`
 */
export async function runCommand(
  { command, args, cwd, env, account }: Command,
  step: Step,
): Promise<CommandResult> {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      step.advance(output[name].trimEnd().split('\n').at(-1) ?? '');
    });
  }
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  try {
    return { code: await step.waitFor(closed), ...output };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}
