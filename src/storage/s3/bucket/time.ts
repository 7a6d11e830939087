/** The clock of a bucket, which dates its items. */
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { StorageError } from '../../storage.ts';
import { type BucketClient, rethrow } from './client.ts';

/**
 * Milliseconds since 1970 by the clock of the bucket: the `Date` of a response, in whole seconds, so up
 * to a second behind.
 */
export async function readBucketTime({ client, location }: BucketClient): Promise<number> {
  const command = new ListObjectsV2Command({
    Bucket: location.bucket,
    Prefix: location.prefix,
    MaxKeys: 1,
  });
  let time = Number.NaN;
  command.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      time = dateOf(result.response);
      return result;
    },
    // Placed where the response still has its headers.
    { step: 'deserialize', priority: 'low', name: 'date' },
  );
  await client.send(command).catch(rethrow);
  if (Number.isNaN(time)) {
    throw new StorageError('unavailable', 'The store did not return its time.');
  }
  return time;
}

function dateOf(response: unknown): number {
  if (!hasHeaders(response)) return Number.NaN;
  return Date.parse(response.headers.date ?? '');
}

function hasHeaders(value: unknown): value is { headers: Record<string, string> } {
  return typeof value === 'object' && value !== null && 'headers' in value;
}
