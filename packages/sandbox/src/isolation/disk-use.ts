import type { BigIntStats } from 'node:fs';
import { lstat, opendir, readdir, stat } from 'node:fs/promises';

/**
 * Maximum number of files and folders that a child may leave in its box or keep open. Tasks need
 * fewer than 200.
 */
const maxEntries = 5_000;
const blockBytes = 512n;
const separator = Buffer.from('/');

/**
 * The disk use of a child compared with its limits. `unclear`: files were moved during the
 * measurement.
 */
export type DiskUse = 'within' | 'exceeded' | 'unclear';

/**
 * Measures the disk use of a child: the space and number of the files and folders in its folders,
 * and the removed files that its processes keep open. Removed files that are only mapped, or in
 * transit through a socket, are not found. A child may make its folders hard to read, so unreadable
 * entries count as exceeding the limits.
 * @throws the error of the system if the machine is at fault.
 */
export async function measureDisk(
  folders: readonly string[],
  maxBytes: number,
  pids: readonly number[] = [],
): Promise<DiskUse> {
  try {
    return await measureEntries(folders, maxBytes, pids);
  } catch (error) {
    if (isUnreadable(error)) return 'exceeded';
    throw error;
  }
}

/**
 * Walks folders without the recursive option of Node.js, which in version 20 lists only 32 entries
 * of each subfolder, stops at the first error, and decodes names as UTF-8.
 */
async function measureEntries(
  folders: readonly string[],
  maxBytes: number,
  pids: readonly number[],
): Promise<DiskUse> {
  const used = new UsedSpace();
  const pending = folders.map((folder) => Buffer.from(folder));
  let entries = 0;
  let hasMoved = false;
  for (const pid of pids) {
    for (const path of await descriptorsOf(pid)) {
      entries += 1;
      if (entries > maxEntries) return 'exceeded';
      const stats = await stat(path, { bigint: true }).catch(() => undefined);
      if (stats?.isFile() && stats.nlink === 0n) used.add(stats);
    }
  }
  for (let path = pending.pop(); path; path = pending.pop()) {
    try {
      const stats = await lstat(path, { bigint: true });
      used.add(stats);
      if (used.bytes > maxBytes) return 'exceeded';
      if (!stats.isDirectory()) continue;
      // Latin-1 preserves every byte of a name.
      for await (const { name } of await opendir(path, { encoding: 'latin1' })) {
        entries += 1;
        if (entries > maxEntries) return 'exceeded';
        pending.push(Buffer.concat([path, separator, Buffer.from(name, 'latin1')]));
      }
    } catch (error) {
      if (!isGone(error)) throw error;
      hasMoved = true;
    }
  }
  return hasMoved ? 'unclear' : 'within';
}

/** The space of files on disk. Sparse files may appear larger than any disk. */
class UsedSpace {
  bytes = 0;
  /** Files with several names, or removed files with several descriptors, are counted once. */
  readonly #shared = new Set<string>();

  add(stats: BigIntStats): void {
    if (stats.nlink !== 1n && !stats.isDirectory()) {
      const identity = `${stats.dev}:${stats.ino}`;
      if (this.#shared.has(identity)) return;
      this.#shared.add(identity);
    }
    this.bytes += Number(stats.blocks * blockBytes);
  }
}

/**
 * Returns the open files of a process; empty if the process has exited or /proc does not list them.
 */
async function descriptorsOf(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  return names.map((name) => `${folder}/${name}`);
}

/** Whether a path, or a folder in it, was removed or replaced after it was listed. */
function isGone(error: unknown): boolean {
  return hasCode(error, ['ENOENT', 'ENOTDIR', 'ELOOP']);
}

function isUnreadable(error: unknown): boolean {
  return hasCode(error, ['EACCES', 'EPERM', 'ENAMETOOLONG']);
}

function hasCode(error: unknown, codes: readonly unknown[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(error.code);
}
