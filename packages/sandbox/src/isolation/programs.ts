import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { type Stats, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';

const systemFolders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** Returns the status of a path; undefined if it does not exist or is not accessible. */
export function statIfExists(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Returns the path of a system program; null if it is not installed. */
export function findProgram(name: string, folders: readonly string[] = systemFolders) {
  for (const folder of folders) {
    const path = join(folder, name);
    if (statIfExists(path)?.isFile()) return path;
  }
  return null;
}

/** Returns the absolute folders of a PATH. */
export function foldersOf(path = process.env.PATH ?? ''): string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder));
}

/**
 * Returns the output of a program for harmless arguments such as `--version`; null if it cannot be
 * started.
 */
export function outputOf(program: string, args: readonly string[]): string | null {
  const { stdout, error } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: 10_000,
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return error ? null : stdout;
}

/**
 * Runs a program from inside a child, with piped stdin. The program has the same access as the
 * child. Its address space and processor time are limited even if it outlives the call.
 */
export function runBounded(
  program: string,
  args: readonly string[],
  bounds: { seconds: number; memoryBytes: number },
): ChildProcess {
  return spawn(...boundedCommand(program, args, bounds), {
    // No secrets, one thread (the pool runs children in parallel), and no locale of the machine.
    env: { OMP_THREAD_LIMIT: '1', LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

function boundedCommand(
  program: string,
  args: readonly string[],
  { seconds, memoryBytes }: { seconds: number; memoryBytes: number },
): [string, string[]] {
  // A box contains no shell.
  const prlimit = findProgram('prlimit');
  if (prlimit) {
    const limits = ['--core=0', `--cpu=${seconds}`, `--as=${memoryBytes}`];
    return [prlimit, [...limits, '--', program, ...args]];
  }
  // If the system does not support a memory limit, the other limits still apply.
  const script = 'ulimit -c 0; ulimit -t "$1"; ulimit -v "$2" 2>/dev/null; shift 2; exec "$@"';
  const kilobytes = String(Math.floor(memoryBytes / 1024));
  return ['/bin/sh', ['-c', script, 'sh', String(seconds), kilobytes, program, ...args]];
}

/**
 * Removes the folder of a child that has exited, including entries that it made inaccessible or
 * nested too deeply.
 */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    const script = 'chmod -R u+rwX -- "$1" 2>/dev/null; rm -rf -- "$1"';
    await promisify(execFile)('/bin/sh', ['-c', script, 'sh', path], { env: {} });
  }
}
