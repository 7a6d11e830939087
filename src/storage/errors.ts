/** What the errors of a disk mean for those who store bytes. */
import { StorageError } from './storage.ts';

const full = new Set(['ENOSPC', 'EDQUOT']);
const brokenOff = new Set(['ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET']);

/** An error as a StorageError, where it is one that callers can do something about. */
export function asStorageError(error: unknown): unknown {
  if (error instanceof StorageError) return error;
  const code = codeOf(error);
  if (full.has(code)) {
    return new StorageError('storage_full', 'There is no room left to store this.', {
      cause: error,
    });
  }
  if (brokenOff.has(code)) {
    return new StorageError('aborted', 'The upload ended before it was complete.', {
      cause: error,
    });
  }
  return error;
}

/** @throws StorageError `not_found` for a file that is not there, else the error itself */
export function failNotFound(error: unknown): never {
  if (codeOf(error) === 'ENOENT') {
    throw new StorageError('not_found', 'Nothing is stored under this hash.');
  }
  throw error;
}

/** The code of a system error, or an empty string. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return '';
}
