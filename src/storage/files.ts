/** Helpers for files and streams that all storages use. */

import { randomUUID, timingSafeEqual } from 'node:crypto';
import { type FileHandle, opendir, open as openFile, rm, stat as statFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Checksum, StorageError } from './storage.ts';

const FULL_CODES = new Set(['ENOSPC', 'EDQUOT']);
/** The disk is read-only, for example after an error, or it fails. */
const BROKEN_CODES = new Set(['EROFS', 'EIO']);

/** The paths in a folder; none if it does not exist. */
export async function* pathsIn(path: string): AsyncIterable<string> {
  try {
    for await (const entry of await opendir(path)) yield join(path, entry.name);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
  }
}

/**
 * Milliseconds since 1970 by the clock that dates the files of a folder: the clock of this process may
 * be hours off, and other machines may use the same folder. If no file can be created, returns the time
 * of the folder's last change, which is never in the future; 0 if the folder cannot be read either.
 */
export async function fileClock(folder: string): Promise<number> {
  const path = join(folder, `.clock-${randomUUID()}`);
  try {
    const file = await openFile(path, 'wx', 0o600);
    try {
      return (await file.stat()).mtimeMs;
    } finally {
      await file.close();
      await rm(path, { force: true });
    }
  } catch (error) {
    const code = codeOf(error);
    if (!isBroken(error) && !FULL_CODES.has(code) && code !== 'ENOENT') throw error;
    return (await statFile(folder).catch(() => null))?.mtimeMs ?? 0;
  }
}

/** Syncs the names in a folder to disk. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await openFile(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems cannot sync a folder. They order renames themselves.
    if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'EPERM') throw error;
  } finally {
    await handle.close();
  }
}

/** A piece of a byte stream. */
export function bytesOf(piece: unknown): Buffer {
  if (Buffer.isBuffer(piece)) return piece;
  if (piece instanceof Uint8Array) return Buffer.from(piece);
  if (typeof piece === 'string') return Buffer.from(piece);
  throw new TypeError('Expected a stream of bytes, not of objects.');
}

/**
 * The pieces of a stream, until the signal stops it.
 * @throws StorageError `too_large` before a piece that exceeds `maxBytes`, `aborted`
 */
export async function* piecesOf(
  stream: Readable,
  { maxBytes, signal }: { maxBytes: number; signal?: AbortSignal },
): AsyncGenerator<Buffer> {
  const stop = () => stream.destroy(new StorageError('aborted', 'The upload was stopped.'));
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  let bytes = 0;
  try {
    for await (const piece of stream) {
      const chunk = bytesOf(piece);
      bytes += chunk.length;
      if (bytes > maxBytes) {
        throw new StorageError(
          'too_large',
          `The maximum size is ${maxBytes.toLocaleString('en')} bytes.`,
        );
      }
      yield chunk;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** @throws StorageError `checksum_mismatch` */
export function requireChecksum(digest: Buffer, checksum: Checksum): void {
  const expected = checksum.digest;
  if (digest.length === expected.length && timingSafeEqual(digest, expected)) return;
  throw new StorageError('checksum_mismatch', 'The bytes do not match their checksum.');
}

/** Up to `length` bytes of a file, starting at a position. */
export async function readUpTo(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let totalRead = 0;
  while (totalRead < length) {
    const { bytesRead } = await file.read(bytes, totalRead, length - totalRead, start + totalRead);
    if (bytesRead === 0) break;
    totalRead += bytesRead;
  }
  return bytes.subarray(0, totalRead);
}

/** Reads a range that a temporary file must contain completely. */
export async function readExactly(
  file: FileHandle,
  start: number,
  length: number,
): Promise<Buffer> {
  const bytes = await readUpTo(file, start, length);
  if (bytes.length < length) throw new Error('A temporary file is shorter than expected.');
  return bytes;
}

/** Writes all of the bytes at a position in a file. */
export async function writeAll(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, at + written);
    written += bytesWritten;
  }
}

/** A file-system error as a StorageError; other errors unchanged. */
export function asStorageError(error: unknown): unknown {
  if (error instanceof StorageError) return error;
  const code = codeOf(error);
  if (FULL_CODES.has(code)) {
    return new StorageError('storage_full', 'No space left to store the file.', {
      cause: error,
    });
  }
  if (code === 'ABORT_ERR' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET') {
    return new StorageError('aborted', 'The upload ended before it was complete.', {
      cause: error,
    });
  }
  // On a read-only disk, Node's recursive mkdir fails with ENOENT.
  const isFolderMissing = code === 'ENOENT' && syscallOf(error) === 'mkdir';
  if (isBroken(error) || isFolderMissing) {
    return new StorageError(
      'unavailable',
      'The disk of the storage cannot be written to or read.',
      {
        cause: error,
      },
    );
  }
  return error;
}

/** Whether the file system is read-only or fails. */
function isBroken(error: unknown): boolean {
  return BROKEN_CODES.has(codeOf(error));
}

/**
 * Ignores a failure to remove a file on a disk that is read-only, broken, or too full to remove files
 * (possible with btrfs and ZFS): the work on the file must not be undone. `clean` removes the file later.
 */
export function ignoreDiskFailure(error: unknown): void {
  if (!isBroken(error) && !FULL_CODES.has(codeOf(error))) throw error;
}

/** @throws StorageError if the file system failed; otherwise the error itself */
export function throwStorageError(error: unknown): never {
  throw asStorageError(error);
}

/** @throws StorageError `not_found` for a missing file */
export function throwNotFound(error: unknown): never {
  if (codeOf(error) === 'ENOENT') {
    throw new StorageError('not_found', 'Nothing is stored under this hash.');
  }
  throw asStorageError(error);
}

/** Null for a missing file; other errors are thrown. */
export function nullWhenMissing(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null;
  throw error;
}

function syscallOf(error: unknown): unknown {
  return error instanceof Error && 'syscall' in error ? error.syscall : undefined;
}

/** The code of a system error; empty without one. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return '';
}
