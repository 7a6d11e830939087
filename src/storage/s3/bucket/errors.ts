/** Translates a store's errors into StorageErrors. */
import { S3ServiceException } from '@aws-sdk/client-s3';
import { StorageError } from '../../storage.ts';

/** The error names that stores use for a lack of space; Amazon never reports one. */
const storageFullNames = new Set(['XMinioStorageFull', 'InsufficientStorage', 'QuotaExceeded']);

/** An error of the SDK as a StorageError; a StorageError is returned unchanged. */
export function asS3Error(error: unknown): unknown {
  if (error instanceof StorageError) return error;
  const options = { cause: error };
  if (isNotFound(error)) {
    return new StorageError('not_found', 'Nothing is stored under this hash.', options);
  }
  if (statusOf(error) === 416) {
    return new StorageError('range_invalid', 'The range is outside the file.', options);
  }
  if (statusOf(error) === 507 || (error instanceof Error && storageFullNames.has(error.name))) {
    return new StorageError('storage_full', 'No space left to store the file.', options);
  }
  // No connection, a timeout, a 5xx response, or a denial. The cause has the details for the operator.
  return new StorageError('unavailable', 'The store is not available.', options);
}

/** Whether the item or upload does not exist. A missing bucket is a different error. */
export function isNotFound(error: unknown): boolean {
  return statusOf(error) === 404 && error instanceof Error && error.name !== 'NoSuchBucket';
}

/** The key already exists, or another process is about to write it. */
export function isConflict(error: unknown): boolean {
  return statusOf(error) === 412 || statusOf(error) === 409;
}

/** Whether the store does not support the request. */
export function isNotImplemented(error: unknown): boolean {
  return statusOf(error) === 501;
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}
