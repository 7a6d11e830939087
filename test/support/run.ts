import { spawn } from 'node:child_process';
import { runTypeScript } from '../../lab/embedded/programs.ts';

interface ProgramResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export { checkout } from '../../lab/embedded/programs.ts';

/** Runs a program to its end and returns what it said. */
export function run(
  command: string,
  args: readonly string[],
  options: {
    cwd?: string;
    env?: NodeJS.ProcessEnv;
    uid?: number;
    gid?: number;
  } = {},
): Promise<ProgramResult> {
  return new Promise((finish, fail) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.once('error', fail);
    child.once('close', (code, signal) => finish({ code, signal, stdout, stderr }));
  });
}

/** Runs a TypeScript file to its end. */
export function runFile(
  file: string,
  args: readonly string[] = [],
  options: Parameters<typeof run>[2] = {},
): Promise<ProgramResult> {
  return run(process.execPath, [...runTypeScript, file, ...args], options);
}
