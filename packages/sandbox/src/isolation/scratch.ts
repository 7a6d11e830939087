import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { removeFolder, statIfExists } from './programs.ts';

/** The folder for the boxes of an engine's children. */
type Scratch = { path: string; remove(): Promise<void> };

const prefix = 'scriptorium-engine';
const touchMs = 60_000;
/**
 * Time after which an untouched folder is abandoned, in milliseconds. It is longer than the
 * interval at which running engines touch their folders.
 */
const abandonedMs = 60 * 60_000;

/**
 * Creates the folder of an engine, and removes folders of engines that were killed: their process
 * has exited or, if another container created them, they were not touched for an hour.
 * @param everyMs the interval at which the engine touches its folder, in milliseconds; shorter in
 * tests
 */
export function createScratch(parent: string, name: string, everyMs = touchMs): Scratch {
  mkdirSync(parent, { recursive: true });
  const path = mkdtempSync(join(parent, `${prefix}-${name}-${processTag()}-`));
  const createdAt = statIfExists(path)?.mtimeMs ?? Date.now();
  const fileClockAhead = createdAt - performance.now();
  removeAbandoned(parent, createdAt);
  const touch = setInterval(() => {
    try {
      touchFolder(path, fileClockAhead + performance.now());
    } catch {
      // The folder was removed. The next child reports the error.
    }
  }, everyMs);
  touch.unref();
  return {
    path,
    remove: async () => {
      clearInterval(touch);
      // The disk may have become read-only. The next engine removes the folder.
      await removeFolder(path).catch(() => undefined);
    },
  };
}

/**
 * Rejects a folder that children of other accounts cannot access, because every task would fail.
 * @throws Error with the name of the folder whose permissions must be changed.
 */
export function requireAccessible(parent: string): void {
  for (let folder = resolve(parent); ; folder = dirname(folder)) {
    const stats = statIfExists(folder);
    if (stats && (stats.mode & 0o001) === 0) {
      throw new Error(
        `Engine children run as separate accounts here, which cannot enter '${folder}'. Run \`chmod o+x\` on it, or set ENGINE_SCRATCH_PATH to a folder that all accounts can reach.`,
      );
    }
    if (folder === dirname(folder)) return;
  }
}

/**
 * @param now the time by the clock of the file system, used if the disk has no space for a new file
 * to read it from
 */
function touchFolder(path: string, now: number): void {
  try {
    rmdirSync(mkdtempSync(join(path, 'touch-')));
  } catch {
    utimesSync(path, now / 1_000, now / 1_000);
  }
}

const host = hostname().replace(/[^a-zA-Z0-9]/g, '');
const processTag = () => `${host}-${process.pid}`;

/**
 * @param now the time by the clock of the file system, which may differ from that of this process
 * by hours
 */
function removeAbandoned(parent: string, now: number): void {
  for (const name of readdirSync(parent)) {
    const [, hostTag, pid] =
      new RegExp(`^${prefix}-[a-z]+-([a-zA-Z0-9]*)-(\\d+)-`).exec(name) ?? [];
    if (hostTag === undefined || pid === undefined) continue;
    const path = join(parent, name);
    const stats = statIfExists(path);
    const isAbandoned = stats !== undefined && now - stats.mtimeMs > abandonedMs;
    const isOwned = stats?.uid === process.getuid?.();
    if (isOwned && (isAbandoned || (hostTag === host && !isAlive(Number(pid))))) {
      void removeFolder(path).catch(() => undefined);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
