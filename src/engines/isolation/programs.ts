import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { type Stats, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';

const systemFolders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** What is at a path; undefined where there is nothing, or nothing that we may see. */
export function look(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** A program of the system by name: null where it has none. */
export function findProgram(name: string, folders: readonly string[] = systemFolders) {
  for (const folder of folders) {
    const path = join(folder, name);
    if (look(path)?.isFile()) return path;
  }
  return null;
}

/** The absolute folders of a PATH. */
export function foldersOf(path = process.env.PATH ?? ''): string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder));
}

/** What a program says for arguments that only ask; null where it cannot be started. */
export function ask(program: string, args: readonly string[]): string | null {
  const { stdout, error } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: 10_000,
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return error ? null : stdout;
}

/**
 * Runs a program from inside a child, on what it is given on stdin. It sees what the child sees, and
 * is bounded also when nobody waits for it any more: its address space and its processor time.
 */
export function runBounded(
  program: string,
  args: readonly string[],
  bounds: { seconds: number; memoryBytes: number },
): ChildProcess {
  return spawn(...bounded(program, args, bounds), {
    // No secrets, one thread (the pool of children is the parallelism), no language of the machine.
    env: { OMP_THREAD_LIMIT: '1', LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

function bounded(
  program: string,
  args: readonly string[],
  { seconds, memoryBytes }: { seconds: number; memoryBytes: number },
): [string, string[]] {
  // A box holds no shell.
  const prlimit = findProgram('prlimit');
  if (prlimit) {
    const limits = ['--core=0', `--cpu=${seconds}`, `--as=${memoryBytes}`];
    return [prlimit, [...limits, '--', program, ...args]];
  }
  // Where a system knows no limit of memory the others hold.
  const script = 'ulimit -c 0; ulimit -t "$1"; ulimit -v "$2" 2>/dev/null; shift 2; exec "$@"';
  const kilobytes = String(Math.floor(memoryBytes / 1024));
  return ['/bin/sh', ['-c', script, 'sh', String(seconds), kilobytes, program, ...args]];
}

/** Removes a folder of a child that is gone, also what it closed to us or nested too deep. */
export async function clear(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    const script = 'chmod -R u+rwX -- "$1" 2>/dev/null; rm -rf -- "$1"';
    await promisify(execFile)('/bin/sh', ['-c', script, 'sh', path], { env: {} });
  }
}
