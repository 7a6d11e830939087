import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { clear, look } from './programs.ts';

/** The folder for the boxes of an engine's children. */
type Scratch = { path: string; remove(): Promise<void> };

const prefix = 'scriptorium-engine';
const touchMs = 60_000;
/** Longer than the interval at which running engines touch their folder. */
const abandonedMs = 60 * 60_000;

/**
 * Creates a folder for an engine, and removes those of engines that were killed: their process is
 * gone or, if another container created them, they were not touched for an hour.
 * @param everyMs how often it touches its own; tests do it more often
 */
export function makeScratch(parent: string, name: string, everyMs = touchMs): Scratch {
  mkdirSync(parent, { recursive: true });
  const path = mkdtempSync(join(parent, `${prefix}-${name}-${ownMark()}-`));
  const madeAt = look(path)?.mtimeMs ?? Date.now();
  const fileClockAhead = madeAt - performance.now();
  removeAbandoned(parent, madeAt);
  const touch = setInterval(() => {
    try {
      touchFolder(path, fileClockAhead + performance.now());
    } catch {
      // The folder was removed; the next child reports it.
    }
  }, everyMs);
  touch.unref();
  return {
    path,
    remove: async () => {
      clearInterval(touch);
      // On a disk that has become read-only; the next engine removes it.
      await clear(path).catch(() => undefined);
    },
  };
}

/**
 * Refuses a folder that children of other accounts cannot reach: every task would fail.
 * @throws Error that names the folder to open
 */
export function refuseClosed(parent: string): void {
  for (let folder = resolve(parent); ; folder = dirname(folder)) {
    const found = look(folder);
    if (found && (found.mode & 0o001) === 0) {
      throw new Error(
        `Engine children run as separate accounts here, which cannot enter '${folder}'. Run \`chmod o+x\` on it, or set ENGINE_SCRATCH_PATH to a folder that all accounts can reach.`,
      );
    }
    if (folder === dirname(folder)) return;
  }
}

/** @param now the time by the clock of the file system, in case it has room for nothing new to set it */
function touchFolder(path: string, now: number): void {
  try {
    rmdirSync(mkdtempSync(join(path, 'touch-')));
  } catch {
    utimesSync(path, now / 1_000, now / 1_000);
  }
}

const host = hostname().replace(/[^a-zA-Z0-9]/g, '');
const ownMark = () => `${host}-${process.pid}`;

/** @param now by the clock of the file system: that of this process may be hours off */
function removeAbandoned(parent: string, now: number): void {
  for (const name of readdirSync(parent)) {
    const [, where, pid] = new RegExp(`^${prefix}-[a-z]+-([a-zA-Z0-9]*)-(\\d+)-`).exec(name) ?? [];
    if (where === undefined || pid === undefined) continue;
    const path = join(parent, name);
    const found = look(path);
    const isLate = found !== undefined && now - found.mtimeMs > abandonedMs;
    const isOurs = found?.uid === process.getuid?.();
    if (isOurs && (isLate || (where === host && !isAlive(Number(pid))))) {
      void clear(path).catch(() => undefined);
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
