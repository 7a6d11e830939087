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
import { askTime } from './time.ts';

/** A part of an upload: bytes, or the whole of another item. */
type S3Part = { body: Buffer } | { copyOf: S3Item };

/** Creates a part of an upload and passes it to `send`. */
export type SendPart = (
  index: number,
  send: (part: S3Part) => Promise<CompletedPart>,
) => Promise<CompletedPart>;

/**
 * Joins parts, of which all but the last have 5 MiB or more, into one new item, `atOnce` of them at a
 * time. Nothing remains if it fails.
 */
export async function joinItem(
  bucket: BucketClient,
  key: string,
  count: number,
  atOnce: number,
  sendPart: SendPart,
): Promise<void> {
  const { client, at } = bucket;
  let uploadId: string | undefined;
  try {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(at(key)));
    uploadId = UploadId;
    const parts = await inLanes(count, atOnce, (index) =>
      sendPart(index, (part) =>
        addPart(bucket, { ...at(key), UploadId, PartNumber: index + 1 }, part),
      ),
    );
    await client.send(
      new CompleteMultipartUploadCommand({
        ...at(key),
        UploadId,
        MultipartUpload: { Parts: parts },
        IfNoneMatch: '*',
      }),
    );
  } catch (error) {
    if (uploadId !== undefined) {
      // If this fails too, endJoins cleans up.
      const abort = new AbortMultipartUploadCommand({ ...at(key), UploadId: uploadId });
      await client.send(abort).catch(() => undefined);
    }
    // Another process was first, or the previous request succeeded and its response was lost.
    if ((isConflict(error) || isNotFound(error)) && (await headItem(bucket, key))) return;
    throw asS3Error(error);
  }
}

async function addPart(
  { client, place }: BucketClient,
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
  const source = `${place.bucket}/${place.prefix}${part.copyOf.key}`;
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

/** Aborts unfinished uploads that began this long ago; returns the number. */
export async function endJoins(bucket: BucketClient, olderThanMs: number): Promise<number> {
  const { client, place } = bucket;
  let ended = 0;
  let now: number | undefined;
  let marker: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
  while (marker) {
    const page: ListMultipartUploadsCommandOutput = await client
      .send(
        new ListMultipartUploadsCommand({
          Bucket: place.bucket,
          Prefix: place.prefix,
          ...marker,
        }),
      )
      .catch(rethrow);
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Key || !UploadId || !Initiated) continue;
      now ??= await askTime(bucket);
      if (now - Initiated.getTime() < olderThanMs) continue;
      const abort = new AbortMultipartUploadCommand({ Bucket: place.bucket, Key, UploadId });
      await client.send(abort).catch((error: unknown) => {
        if (!isNotFound(error)) throw asS3Error(error);
      });
      ended += 1;
    }
    marker =
      page.IsTruncated && page.NextKeyMarker
        ? {
            KeyMarker: page.NextKeyMarker,
            ...(page.NextUploadIdMarker ? { UploadIdMarker: page.NextUploadIdMarker } : {}),
          }
        : undefined;
  }
  return ended;
}

/**
 * Runs numbered pieces of work, several at a time; after a failure it starts no more and waits for
 * those in progress.
 */
async function inLanes<T>(
  count: number,
  lanes: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const done = new Array<T>(count);
  let next = 0;
  let failed = false;
  const lane = async () => {
    while (next < count && !failed) {
      const index = next++;
      try {
        done[index] = await work(index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(lanes, count) }, lane));
  const broken = ends.find((end) => end.status === 'rejected');
  if (broken) throw broken.reason;
  return done;
}
