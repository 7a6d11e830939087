import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, startedAt } from './processes.ts';

export interface Lock {
  release(): void;
}

export interface LockHolder {
  pid: number;
}

/**
 * Takes the lock on a data folder, or returns the process that holds it. A lock of a dead process
 * is taken over; process id and start time together identify a process.
 */
export function takeLock(dataDir: string): Lock | LockHolder {
  const file = lockFile(dataDir);
  const ownEntry = `${process.pid} ${startedAt(process.pid) ?? ''}\n`;
  // Linked instead of written in place, so that no process reads an incomplete lock as a stale one.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, ownEntry, { mode: 0o600 });
  try {
    while (!isLinked(draft, file)) {
      const holder = findHolder(dataDir);
      if (holder) return holder;
      rmSync(file, { force: true });
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    release: () => {
      if (readLockFile(file) === ownEntry) rmSync(file, { force: true });
    },
  };
}

function isLinked(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** The living process that holds the lock. */
export function findHolder(dataDir: string): LockHolder | undefined {
  const [pidText, start] = readLockFile(lockFile(dataDir)).trim().split(' ');
  const pid = Number(pidText);
  if (!(pid > 0) || !isAlive(pid)) return undefined;
  const actualStart = startedAt(pid);
  return actualStart === undefined || start === undefined || actualStart === start
    ? { pid }
    : undefined;
}

function lockFile(dataDir: string): string {
  return join(dataDir, 'server.lock');
}

function readLockFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
