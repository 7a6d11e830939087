/** What a store's errors mean for those who store bytes. */
import { S3ServiceException } from '@aws-sdk/client-s3';
import { StorageError } from '../storage.ts';

/** Names that stores give to having no room left; Amazon's never says so. */
const full = new Set(['XMinioStorageFull', 'InsufficientStorage', 'QuotaExceeded']);

/** An error of the SDK as a StorageError; errors of our own as they are. */
export function asS3Error(error: unknown): unknown {
  if (error instanceof StorageError) return error;
  const options = { cause: error };
  if (isNotFound(error)) {
    return new StorageError('not_found', 'Nothing is stored under this hash.', options);
  }
  if (statusOf(error) === 416) {
    return new StorageError('range_invalid', 'The range does not fit into the bytes.', options);
  }
  if (statusOf(error) === 507 || (error instanceof Error && full.has(error.name))) {
    return new StorageError('storage_full', 'There is no room left to store this.', options);
  }
  // No connection, no answer in time, an answer of 5xx, and a refusal: an operator sees which.
  return new StorageError('unavailable', 'The store of the bytes does not answer.', options);
}

/** No such item, or no such upload; a bucket that is missing is another matter. */
export function isNotFound(error: unknown): boolean {
  return statusOf(error) === 404 && error instanceof Error && error.name !== 'NoSuchBucket';
}

/** Something is there already, or somebody is about to put it there. */
export function isConflict(error: unknown): boolean {
  return statusOf(error) === 412 || statusOf(error) === 409;
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}
