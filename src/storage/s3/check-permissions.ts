/** Tries the operations for which a process needs permissions in its bucket, once at the start. */
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
 * A store that does not respond, which may be temporary, delays the start only briefly.
 */
const requestOptions = { connectMs: 2_000, responseMs: 5_000, idleMs: 5_000, attempts: 2 };

const faultMessages: Record<string, string> = {
  NoSuchBucket: 'names a bucket that does not exist: create it, or correct the name',
  InvalidAccessKeyId:
    'names a store that does not know the access key: check AWS_ACCESS_KEY_ID and the endpoint',
  SignatureDoesNotMatch:
    'names a store that rejects the secret of the access key: check AWS_SECRET_ACCESS_KEY',
  ExpiredToken: 'names a store whose session token has expired: renew AWS_SESSION_TOKEN',
  RequestTimeTooSkewed:
    'names a store whose clock differs from this machine’s by too much: synchronise both with NTP',
};

/** Sends a request for each permission that the storage needs. Nothing remains if one fails. */
async function tryRequests(
  { client, location, locate }: BucketClient,
  cleansUp: boolean,
): Promise<void> {
  const Bucket = location.bucket;
  const Prefix = location.prefix;
  // Different at each start, so that processes that start together do not remove each other's test
  // item.
  const item = locate(`start-check-${randomUUID()}`);
  await withPermission('s3:ListBucket', () =>
    client.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 })),
  );
  await withCleanUp(
    async () => {
      await withPermission('s3:PutObject', () =>
        client.send(new PutObjectCommand({ ...item, Body: Buffer.from('x') })),
      );
      await withPermission('s3:GetObject', async () => {
        const { Body } = await client.send(new GetObjectCommand(item));
        await Body?.transformToByteArray();
      });
      const { UploadId } = await withPermission('s3:PutObject', () =>
        client.send(new CreateMultipartUploadCommand(item)),
      );
      await withCleanUp(
        async () => {
          if (!cleansUp) return;
          await withPermission('s3:ListBucketMultipartUploads', () =>
            client.send(new ListMultipartUploadsCommand({ Bucket, Prefix })),
          );
        },
        () =>
          withPermission('s3:AbortMultipartUpload', () =>
            client.send(new AbortMultipartUploadCommand({ ...item, UploadId })),
          ),
      );
    },
    () => withPermission('s3:DeleteObject', () => client.send(new DeleteObjectCommand(item))),
  );
}

/** Like `finally`, but an error of `work` takes precedence. */
async function withCleanUp(
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

async function withPermission<T>(permission: string, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof S3ServiceException)) throw error;
    const fault = faultMessages[error.name];
    if (fault) throw new BucketRejected(`STORAGE_URL ${fault}.`);
    // Other rejections, such as by a full store, do not prevent the start.
    if (error.name !== 'AccessDenied') throw error;
    throw new BucketRejected(
      `STORAGE_URL names a bucket on which the access key lacks a permission: grant it ${permission}.`,
    );
  }
}

class BucketRejected extends Error {
  override readonly name = 'BucketRejected';
}

/**
 * Rejects a bucket in which this process lacks a permission, with a message that names it. An
 * unavailable or full store is accepted.
 * @param cleansUp whether this process also aborts unfinished uploads of others
 */
export async function checkBucketPermissions(url: string, cleansUp: boolean): Promise<void> {
  const bucket = openClient(parseS3Url(url), requestOptions);
  try {
    await tryRequests(bucket, cleansUp);
  } catch (error) {
    if (error instanceof BucketRejected) throw error;
  } finally {
    bucket.client.destroy();
  }
}
