/** Temporary files of this machine: where bytes wait until their hash is known. */
import { createHash, randomUUID } from 'node:crypto';
import {
  type FileHandle,
  mkdir,
  opendir,
  open as openFile,
  rm,
  stat as statFile,
} from 'node:fs/promises';
import { join, relative, resolve as resolvePath, sep } from 'node:path';
import type { Readable } from 'node:stream';
import {
  asStorageError,
  bytesOf,
  codeOf,
  fileClock,
  ignoreDiskFailure,
  piecesOf,
  throwNotFound,
} from './files.ts';
import { HEAD_BYTES, StorageError, type TempFile } from './storage.ts';

const READ_BYTES = 1024 * 1024;

/** A temporary file that is complete, durable and hashed. */
export interface SpooledFile {
  path: string;
  sha256: string;
  bytes: number;
  /** The first 64 KiB. */
  head: Buffer;
}

/** A folder of temporary files. Nothing else may use the folder. */
export interface Spool {
  /**
   * Writes a stream to a file and hashes it at the same time. Nothing remains if it fails.
   * @throws StorageError `too_large`, `storage_full`, `aborted`
   */
  receive(
    stream: Readable,
    options: { maxBytes: number; signal?: AbortSignal },
  ): Promise<SpooledFile>;
  /**
   * Hashes a finished file of `tempFile()`.
   * @throws StorageError `reference_invalid` for any other file, `not_found`
   */
  takeOver(path: string): Promise<SpooledFile>;
  /** A new name in the folder, without a file yet. */
  newPath(): string;
  tempFile(): Promise<TempFile>;
  /** Removes one of its files; succeeds if it does not exist. */
  remove(path: string): Promise<void>;
  /** Removes files that were not written to for this long and returns the number. */
  clean(olderThanMs: number): Promise<number>;
}

/** Opens (and creates) a spool. */
export async function openSpool(path: string): Promise<Spool> {
  const folder = resolvePath(path);
  await mkdir(folder, { recursive: true });
  const newPath = () => join(folder, randomUUID());

  async function receive(
    stream: Readable,
    options: { maxBytes: number; signal?: AbortSignal },
  ): Promise<SpooledFile> {
    const path = newPath();
    let file: FileHandle | undefined;
    try {
      file = await openFile(path, 'wx', 0o600);
      const digest = startDigest();
      for await (const chunk of piecesOf(stream, options)) {
        digest.update(chunk);
        await file.writeFile(chunk);
      }
      await file.sync();
      await file.close();
      file = undefined;
      return { path, ...digest.finish() };
    } catch (error) {
      await file?.close().catch(() => {});
      await rm(path, { force: true }).catch(() => {});
      // A sender in mid-stream must not fill buffers that are no longer read.
      stream.on('error', () => {});
      stream.destroy();
      throw asStorageError(error);
    }
  }

  async function takeOver(path: string): Promise<SpooledFile> {
    // Only a path that `tempFile` returned: any other file belongs to someone else.
    const relativePath = relative(folder, resolvePath(path));
    if (relativePath === '' || relativePath.startsWith('..') || relativePath.includes(sep)) {
      throw new StorageError('reference_invalid', 'Only a temporary file can be taken over.');
    }
    return digestFile(path);
  }

  async function tempFile(): Promise<TempFile> {
    const path = newPath();
    const file = await openFile(path, 'wx', 0o600).catch((error: unknown) => {
      throw asStorageError(error);
    });
    await file.close();
    return { path, release: () => remove(path) };
  }

  const remove = (path: string) => rm(path, { force: true }).catch(ignoreDiskFailure);

  async function clean(olderThanMs: number): Promise<number> {
    let removed = 0;
    const now = await fileClock(folder);
    for await (const entry of await opendir(folder)) {
      if (!entry.isFile()) continue;
      const path = join(folder, entry.name);
      const found = await statFile(path).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return null; // removed by its owner
        throw error;
      });
      // A file that is still being written has a recent time, however long the upload takes.
      if (found && now - found.mtimeMs >= olderThanMs) {
        await rm(path, { force: true });
        removed += 1;
      }
    }
    return removed;
  }

  return { receive, takeOver, newPath, tempFile, remove, clean };
}

/**
 * Hashes a complete file and makes it durable.
 * @param prepare runs first, on the open file
 * @throws StorageError `not_found`
 */
export async function digestFile(
  path: string,
  prepare?: (file: FileHandle) => Promise<void>,
): Promise<SpooledFile> {
  const file = await openFile(path, 'r+').catch(throwNotFound);
  try {
    await prepare?.(file);
    const digest = startDigest();
    const pieces = file.createReadStream({ autoClose: false, start: 0, highWaterMark: READ_BYTES });
    for await (const piece of pieces) digest.update(bytesOf(piece));
    await file.sync();
    return { path, ...digest.finish() };
  } catch (error) {
    throw asStorageError(error);
  } finally {
    await file.close();
  }
}

/** Hashes a stream of bytes and keeps its beginning. */
export function startDigest() {
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  let bytes = 0;
  return {
    update(chunk: Buffer): void {
      hash.update(chunk);
      if (bytes < HEAD_BYTES) head.push(Buffer.from(chunk.subarray(0, HEAD_BYTES - bytes)));
      bytes += chunk.length;
    },
    finish: () => ({ sha256: hash.digest('hex'), bytes, head: Buffer.concat(head) }),
  };
}
