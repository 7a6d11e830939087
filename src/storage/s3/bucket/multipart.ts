/** Multipart uploads, which join parts into one item. */
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { type BucketClient, rethrow } from './client.ts';
import { asS3Error, isConflict, isNotFound } from './errors.ts';
import { headItem, type S3Item } from './items.ts';
import { readBucketTime } from './time.ts';

/** A part of an upload: bytes, or the whole of another item. */
type S3Part = { body: Buffer } | { copyOf: S3Item };

/** Creates a part of an upload and passes it to `send`. */
export type SendPart = (
  index: number,
  send: (part: S3Part) => Promise<CompletedPart>,
) => Promise<CompletedPart>;

/**
 * Joins parts into one new item, `concurrency` of them at a time. All but the last must have at least
 * 5 MiB. Nothing remains if it fails.
 */
export async function putNewMultipartItem(
  bucket: BucketClient,
  key: string,
  count: number,
  concurrency: number,
  sendPart: SendPart,
): Promise<void> {
  const { client, locate } = bucket;
  let uploadId: string | undefined;
  try {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(locate(key)));
    uploadId = UploadId;
    const parts = await runInParallel(count, concurrency, (index) =>
      sendPart(index, (part) =>
        addPart(bucket, { ...locate(key), UploadId, PartNumber: index + 1 }, part),
      ),
    );
    await client.send(
      new CompleteMultipartUploadCommand({
        ...locate(key),
        UploadId,
        MultipartUpload: { Parts: parts },
        IfNoneMatch: '*',
      }),
    );
  } catch (error) {
    if (uploadId !== undefined) {
      // If this fails too, `abortMultipartItems` cleans up.
      const abort = new AbortMultipartUploadCommand({ ...locate(key), UploadId: uploadId });
      await client.send(abort).catch(() => undefined);
    }
    // Another process was first, or the previous request succeeded and its response was lost.
    if ((isConflict(error) || isNotFound(error)) && (await headItem(bucket, key))) return;
    throw asS3Error(error);
  }
}

async function addPart(
  { client, location }: BucketClient,
  target: { Bucket: string; Key: string; UploadId: string | undefined; PartNumber: number },
  part: S3Part,
): Promise<CompletedPart> {
  const { PartNumber } = target;
  if ('body' in part) {
    const { ETag, ChecksumCRC32 } = await client.send(
      new UploadPartCommand({ ...target, Body: part.body, ContentLength: part.body.length }),
    );
    return { PartNumber, ETag, ChecksumCRC32 };
  }
  const source = `${location.bucket}/${location.prefix}${part.copyOf.key}`;
  const { CopyPartResult } = await client.send(
    new UploadPartCopyCommand({
      ...target,
      CopySource: source.split('/').map(encodeURIComponent).join('/'),
      CopySourceIfMatch: part.copyOf.etag,
    }),
  );
  return {
    PartNumber,
    ETag: CopyPartResult?.ETag,
    ChecksumCRC32: CopyPartResult?.ChecksumCRC32,
  };
}

/** Aborts unfinished uploads that are at least this old; returns the number. */
export async function abortMultipartItems(
  bucket: BucketClient,
  olderThanMs: number,
): Promise<number> {
  const { client, location } = bucket;
  let aborted = 0;
  let now: number | undefined;
  let marker: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
  while (marker) {
    const page: ListMultipartUploadsCommandOutput = await client
      .send(
        new ListMultipartUploadsCommand({
          Bucket: location.bucket,
          Prefix: location.prefix,
          ...marker,
        }),
      )
      .catch(rethrow);
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Key || !UploadId || !Initiated) continue;
      now ??= await readBucketTime(bucket);
      if (now - Initiated.getTime() < olderThanMs) continue;
      const abort = new AbortMultipartUploadCommand({ Bucket: location.bucket, Key, UploadId });
      await client.send(abort).catch((error: unknown) => {
        if (!isNotFound(error)) throw asS3Error(error);
      });
      aborted += 1;
    }
    marker =
      page.IsTruncated && page.NextKeyMarker
        ? {
            KeyMarker: page.NextKeyMarker,
            ...(page.NextUploadIdMarker ? { UploadIdMarker: page.NextUploadIdMarker } : {}),
          }
        : undefined;
  }
  return aborted;
}

/**
 * Runs `work` for each index, several at a time. After a failure, it starts no more and waits for those
 * in progress.
 */
async function runInParallel<T>(
  count: number,
  concurrency: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results = new Array<T>(count);
  let next = 0;
  let hasFailed = false;
  const runNext = async () => {
    while (next < count && !hasFailed) {
      const index = next++;
      try {
        results[index] = await work(index);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const settled = await Promise.allSettled(
    Array.from({ length: Math.min(concurrency, count) }, runNext),
  );
  const failure = settled.find((end) => end.status === 'rejected');
  if (failure) throw failure.reason;
  return results;
}
