/** Copies of stored bytes on this machine's disk, for programs that need a path. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { asStorageError, fileClock, ignoreDiskFailure } from '../files.ts';
import type { Spool } from '../spool.ts';
import { type LocalPath, StorageError } from '../storage.ts';

/** The maximum total size of unused copies kept for later requests, in bytes. */
const maxUnusedBytes = 1024 * 1024 * 1024;
const maxAttempts = 3;

interface Copy {
  file: Promise<{ path: string; bytes: number }>;
  /** The number of requests that wait for it or use it. */
  users: number;
}

export interface Copies {
  /**
   * The bytes of a key as a separate file, until released: an existing copy, or a new one.
   * @throws StorageError `not_found`, `storage_full`, `unavailable`
   */
  acquire(key: string, sha256: string): Promise<LocalPath>;
  /** Removes all copies. */
  close(): Promise<void>;
}

/** Keeps copies for one process, in a separate spool. */
export function openCopies(spool: Spool, get: (key: string) => Promise<Readable>): Copies {
  // In order of last use, oldest first.
  const copies = new Map<string, Copy>();

  async function acquire(key: string, sha256: string): Promise<LocalPath> {
    const copy = copies.get(key) ?? { file: fetchCopy(spool, () => get(key), sha256), users: 0 };
    copies.set(key, copy);
    copy.users += 1;
    try {
      const { path } = await copy.file;
      await touch(path);
      return { path, release: releaseOnce(key, copy) };
    } catch (error) {
      if (copies.get(key) === copy) copies.delete(key);
      // Another program removed the file of the copy: download it again.
      if (error instanceof CopyMissing) return acquire(key, sha256);
      throw error;
    }
  }

  function releaseOnce(key: string, copy: Copy): () => Promise<void> {
    let isReleased = false;
    return async () => {
      if (isReleased) return;
      isReleased = true;
      copy.users -= 1;
      if (copies.get(key) === copy) {
        copies.delete(key);
        copies.set(key, copy);
      }
      await evict();
    };
  }

  /** Removes the least recently used copies until the other unused ones fit. */
  async function evict(): Promise<void> {
    const unused = [...copies].filter(([, copy]) => copy.users === 0);
    const files = await Promise.all(unused.map(([, copy]) => copy.file));
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    for (const [index, [key, copy]] of unused.entries()) {
      if (bytes <= maxUnusedBytes) return;
      // The copy may be in use again.
      if (copy.users > 0 || copies.get(key) !== copy) continue;
      copies.delete(key);
      bytes -= files[index]!.bytes;
      await rm(files[index]!.path, { force: true });
    }
  }

  return {
    acquire,
    async close() {
      const files = await Promise.allSettled([...copies.values()].map((copy) => copy.file));
      copies.clear();
      for (const file of files) {
        if (file.status === 'fulfilled') {
          await rm(file.value.path, { force: true }).catch(ignoreDiskFailure);
        }
      }
    },
  };
}

/** Downloads bytes into a file and checks them against their hash. */
async function fetchCopy(
  spool: Spool,
  get: () => Promise<Readable>,
  sha256: string,
): Promise<{ path: string; bytes: number }> {
  for (let attempt = 1; ; attempt++) {
    const path = spool.newPath();
    // The client has already retried this request.
    const stream = await get();
    try {
      const hash = createHash('sha256');
      let bytes = 0;
      await pipeline(
        stream,
        async function* (pieces: AsyncIterable<Buffer>) {
          for await (const piece of pieces) {
            hash.update(piece);
            bytes += piece.length;
            yield piece;
          }
        },
        createWriteStream(path, { flags: 'wx', mode: 0o600 }),
      );
      if (hash.digest('hex') === sha256) return { path, bytes };
      throw new Error('The bytes do not match the hash in their name.');
    } catch (error) {
      await rm(path, { force: true }).catch(ignoreDiskFailure);
      const failure = asStorageError(error);
      if (failure instanceof StorageError && failure.code === 'storage_full') throw failure;
      if (attempt === maxAttempts) {
        throw new StorageError('unavailable', 'The bytes did not arrive completely.', {
          cause: error,
        });
      }
    }
  }
}

class CopyMissing extends Error {}

/** Keeps a file from being removed as stale. */
async function touch(path: string): Promise<void> {
  const seconds = (await fileClock(dirname(path))) / 1_000;
  await utimes(path, seconds, seconds).catch((error: unknown) => {
    throw new CopyMissing('The copy no longer exists.', { cause: error });
  });
}
