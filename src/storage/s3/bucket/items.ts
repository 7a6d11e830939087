/** Requests for single items of a bucket. */
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { type ByteRange, StorageError } from '../../storage.ts';
import { type BucketClient, rethrow } from './client.ts';
import { asS3Error, isConflict, isNotFound, isNotImplemented } from './errors.ts';
import { withMd5 } from './md5.ts';

export interface S3Item {
  key: string;
  bytes: number;
  storedAt: Date;
  etag: string;
}

/** The maximum number of keys in one removal. */
const maxKeysPerRemoval = 1_000;

/** Null if the item does not exist. */
export async function headItem(
  { client, locate }: BucketClient,
  key: string,
): Promise<S3Item | null> {
  try {
    const found = await client.send(new HeadObjectCommand(locate(key)));
    return itemOf(key, found.ContentLength, found.LastModified, found.ETag);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw asS3Error(error);
  }
}

/** Stores an item; throws the SDK's errors unchanged. */
export async function putItem(
  { client, locate }: BucketClient,
  key: string,
  body: Buffer,
  conditions: { ChecksumSHA256?: string; IfNoneMatch?: '*' } = {},
): Promise<void> {
  await client.send(
    new PutObjectCommand({ ...locate(key), Body: body, ContentLength: body.length, ...conditions }),
  );
}

/** Creates an item; an existing one is left unchanged and counts as success. */
export async function putNewItem(
  bucket: BucketClient,
  key: string,
  body: Buffer,
  sha256: string,
): Promise<void> {
  // The store compares the bytes with the hash in their name.
  const ChecksumSHA256 = Buffer.from(sha256, 'hex').toString('base64');
  try {
    await putItem(bucket, key, body, { ChecksumSHA256, IfNoneMatch: '*' });
  } catch (error) {
    if (isConflict(error) && (await headItem(bucket, key))) return;
    if (!isNotImplemented(error)) throw asS3Error(error);
    // Swift does not support conditional puts. A replaced item has the same bytes.
    await putItem(bucket, key, body, { ChecksumSHA256 }).catch(rethrow);
  }
}

/** @throws StorageError `not_found`, `range_invalid`; the stream fails with `unavailable` */
export async function getItem(
  { client, locate }: BucketClient,
  key: string,
  range?: ByteRange,
): Promise<Readable> {
  const bytes = range && `bytes=${range.start ?? 0}-${range.end ?? ''}`;
  try {
    const { Body } = await client.send(
      new GetObjectCommand({ ...locate(key), ...(bytes ? { Range: bytes } : {}) }),
    );
    // In browsers, the SDK returns other kinds of streams.
    if (!(Body instanceof Readable))
      throw new TypeError('The SDK returned a body that is not a Node stream.');
    return withStorageErrors(Body);
  } catch (error) {
    throw asS3Error(error);
  }
}

/** The same stream, with StorageErrors: the errors of the SDK have no code. */
function withStorageErrors(body: Readable): Readable {
  // Until the stream is read, nothing else listens for errors.
  body.on('error', () => {});
  const pieces = async function* () {
    try {
      yield* body;
    } catch (error) {
      throw asS3Error(error);
    }
  };
  // If a reader stops before the first piece, the generator never starts and cannot end the body.
  return Readable.from(pieces(), { objectMode: false }).once('close', () => body.destroy());
}

/**
 * A small item, whole. The SDK retries a response that did not begin; one that was interrupted is
 * retried here.
 * @throws StorageError `not_found`
 */
export async function readItem(bucket: BucketClient, key: string): Promise<Buffer> {
  for (let attempt = 1; ; attempt++) {
    const stream = await getItem(bucket, key);
    try {
      const pieces: Buffer[] = [];
      for await (const piece of stream) pieces.push(piece);
      return Buffer.concat(pieces);
    } catch (error) {
      if (attempt === bucket.requestOptions.attempts) throw asS3Error(error);
    }
  }
}

export async function removeItem({ client, locate }: BucketClient, key: string): Promise<void> {
  await client.send(new DeleteObjectCommand(locate(key))).catch(rethrow);
}

export async function removeItems(
  { client, location, locate }: BucketClient,
  keys: string[],
): Promise<void> {
  for (let start = 0; start < keys.length; start += maxKeysPerRemoval) {
    const Objects = keys
      .slice(start, start + maxKeysPerRemoval)
      .map((key) => ({ Key: locate(key).Key }));
    const command = new DeleteObjectsCommand({
      Bucket: location.bucket,
      Delete: { Objects, Quiet: true },
    });
    const { Errors } = await client.send(withMd5(command)).catch(rethrow);
    if (Errors && Errors.length > 0) {
      throw new StorageError('unavailable', 'Some items could not be removed.');
    }
  }
}

/** In order of keys, optionally after a given one. */
export async function* listItems(
  { client, location }: BucketClient,
  prefix: string,
  after?: string,
): AsyncIterable<S3Item> {
  let token: string | undefined;
  do {
    const page = await client
      .send(
        new ListObjectsV2Command({
          Bucket: location.bucket,
          Prefix: location.prefix + prefix,
          ...(token === undefined ? {} : { ContinuationToken: token }),
          ...(after === undefined ? {} : { StartAfter: location.prefix + after }),
        }),
      )
      .catch(rethrow);
    for (const found of page.Contents ?? []) {
      const key = (found.Key ?? '').slice(location.prefix.length);
      yield itemOf(key, found.Size, found.LastModified, found.ETag);
    }
    token = page.NextContinuationToken;
  } while (token !== undefined);
}

function itemOf(
  key: string,
  bytes: number | undefined,
  storedAt: Date | undefined,
  etag: string | undefined,
): S3Item {
  if (bytes === undefined || storedAt === undefined) {
    throw new StorageError('unavailable', 'The store did not return the size and time of an item.');
  }
  return { key, bytes, storedAt, etag: etag ?? '' };
}
