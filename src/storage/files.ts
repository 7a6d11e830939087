/** What both kinds of files on a local disk need. */
import { opendir, open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from './storage.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** The paths in a folder; none when it is not there. */
export async function* folder(path: string): AsyncIterable<string> {
  try {
    for await (const entry of await opendir(path)) yield join(path, entry.name);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
  }
}

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await openFile(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems know no sync of a folder; they order renames themselves.
    if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'EPERM') throw error;
  } finally {
    await handle.close();
  }
}

/** A piece of a stream of bytes. */
export function bytesOf(piece: unknown): Buffer {
  if (Buffer.isBuffer(piece)) return piece;
  if (piece instanceof Uint8Array) return Buffer.from(piece);
  if (typeof piece === 'string') return Buffer.from(piece);
  throw new TypeError('A stream of bytes is needed, not of objects.');
}

/** What a file system says, in the words of this room; other errors as they are. */
export function asStorageError(error: unknown): unknown {
  if (error instanceof StorageError) return error;
  const code = codeOf(error);
  if (FULL.has(code)) {
    return new StorageError('storage_full', 'There is no room left to store this.', {
      cause: error,
    });
  }
  if (code === 'ABORT_ERR' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET') {
    return new StorageError('aborted', 'The upload ended before it was complete.', {
      cause: error,
    });
  }
  return error;
}

/** @throws StorageError `not_found` for a file that is not there */
export function failNotFound(error: unknown): never {
  if (codeOf(error) === 'ENOENT') {
    throw new StorageError('not_found', 'Nothing is stored under this hash.');
  }
  throw error;
}

/** The code of a system error; empty when it has none. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return '';
}
