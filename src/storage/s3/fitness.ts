/** The operations that a process must be permitted to do in its bucket, tried once at the start. */
import { randomUUID } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { type BucketClient, openClient } from './bucket/client.ts';
import { parseS3Url } from './bucket/url.ts';

/**
 * A store that does not respond delays the start only briefly: it may be unavailable for a while.
 */
const patience = { connectMs: 2_000, answerMs: 5_000, idleMs: 5_000, attempts: 2 };

const faults: Record<string, string> = {
  NoSuchBucket: 'names a bucket that does not exist: create it, or correct the name',
  InvalidAccessKeyId:
    'names a store that does not know the access key: check AWS_ACCESS_KEY_ID and the endpoint',
  SignatureDoesNotMatch:
    'names a store that rejects the secret of the access key: check AWS_SECRET_ACCESS_KEY',
  ExpiredToken: 'names a store whose session token has expired: renew AWS_SESSION_TOKEN',
  RequestTimeTooSkewed:
    'names a store whose clock differs from this machine’s by too much: synchronise both with NTP',
};

/** The requests of the storage, by the permission that each needs. Nothing remains if it fails. */
async function tryAll({ client, place, at }: BucketClient, tidies: boolean): Promise<void> {
  const Bucket = place.bucket;
  const Prefix = place.prefix;
  // Different at each start, so that processes that start together do not remove each other's test
  // item.
  const item = at(`start-check-${randomUUID()}`);
  await needing('s3:ListBucket', () =>
    client.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 })),
  );
  await thenAlways(
    async () => {
      await needing('s3:PutObject', () =>
        client.send(new PutObjectCommand({ ...item, Body: Buffer.from('x') })),
      );
      await needing('s3:GetObject', async () => {
        const { Body } = await client.send(new GetObjectCommand(item));
        await Body?.transformToByteArray();
      });
      const { UploadId } = await needing('s3:PutObject', () =>
        client.send(new CreateMultipartUploadCommand(item)),
      );
      await thenAlways(
        async () => {
          if (!tidies) return;
          await needing('s3:ListBucketMultipartUploads', () =>
            client.send(new ListMultipartUploadsCommand({ Bucket, Prefix })),
          );
        },
        () =>
          needing('s3:AbortMultipartUpload', () =>
            client.send(new AbortMultipartUploadCommand({ ...item, UploadId })),
          ),
      );
    },
    () => needing('s3:DeleteObject', () => client.send(new DeleteObjectCommand(item))),
  );
}

/** Like `finally`, but an error of `work` takes precedence. */
async function thenAlways(
  work: () => Promise<void>,
  cleanUp: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    await cleanUp().catch(() => undefined);
    throw error;
  }
  await cleanUp();
}

async function needing<T>(permission: string, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof S3ServiceException)) throw error;
    const fault = faults[error.name];
    if (fault) throw new UnfitBucket(`STORAGE_URL ${fault}.`);
    // Other rejections, such as by a full store, do not prevent the start.
    if (error.name !== 'AccessDenied') throw error;
    throw new UnfitBucket(
      `STORAGE_URL names a bucket on which the access key lacks a permission: grant it ${permission}.`,
    );
  }
}

class UnfitBucket extends Error {
  override readonly name = 'UnfitBucket';
}

/**
 * Rejects a bucket in which this process lacks a permission, with a message that names it. An
 * unavailable or full store is accepted.
 * @param tidies whether this process also aborts what others left unfinished
 */
export async function rejectUnfitBucket(url: string, tidies: boolean): Promise<void> {
  const bucket = openClient(parseS3Url(url), patience);
  try {
    await tryAll(bucket, tidies);
  } catch (error) {
    if (error instanceof UnfitBucket) throw error;
  } finally {
    bucket.client.destroy();
  }
}
