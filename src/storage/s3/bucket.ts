/** Requests to a bucket, under a prefix, with errors as StorageError. */
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import type { ByteRange } from '../storage.ts';
import { StorageError } from '../storage.ts';
import { asS3Error, isConflict, isNotFound } from './errors.ts';
import type { S3Place } from './url.ts';

/** Timeouts in milliseconds, and the number of attempts. */
export interface S3Patience {
  connectMs: number;
  /** Until an answer begins. */
  answerMs: number;
  /** Without a byte in either direction. */
  idleMs: number;
  attempts: number;
}

export const defaultPatience: S3Patience = {
  connectMs: 5_000,
  answerMs: 60_000,
  idleMs: 30_000,
  attempts: 3,
};

export interface S3Item {
  key: string;
  bytes: number;
  storedAt: Date;
  etag: string;
}

/** A part of an upload: bytes, or the whole of another item. */
type S3Part = { body: Buffer } | { copyOf: S3Item };

/** Creates a part of an upload and passes it to `send`. */
type SendPart = (
  index: number,
  send: (part: S3Part) => Promise<CompletedPart>,
) => Promise<CompletedPart>;

export interface Bucket {
  /** @throws StorageError `not_found`, `range_invalid` */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** A small item, whole. @throws StorageError `not_found` */
  read(key: string): Promise<Buffer>;
  /** Null if the item does not exist. */
  head(key: string): Promise<S3Item | null>;
  put(key: string, body: Buffer, sha256?: string): Promise<void>;
  /** Creates an item; an existing one is left unchanged and counts as success. */
  putNew(key: string, body: Buffer, sha256: string): Promise<void>;
  /**
   * Joins parts, of which all but the last have 5 MiB or more, into one new item, `atOnce` of them at a
   * time. Nothing remains if it fails.
   */
  joinNew(key: string, count: number, atOnce: number, sendPart: SendPart): Promise<void>;
  remove(key: string): Promise<void>;
  removeAll(keys: string[]): Promise<void>;
  /** In order of keys, optionally after one of them. */
  list(prefix: string, after?: string): AsyncIterable<S3Item>;
  /** Aborts unfinished multipart copies that began this long ago; returns the number. */
  endJoins(olderThanMs: number): Promise<number>;
  close(): void;
}

/** How many keys one request removes. */
const perRemoval = 1_000;

/** The bucket requests of the storage; connects with the first of them. */
export function openBucket(place: S3Place, patience: S3Patience = defaultPatience): Bucket {
  const client = new S3Client({
    ...(place.region === undefined ? {} : { region: place.region }),
    ...(place.endpoint === undefined ? {} : { endpoint: place.endpoint }),
    forcePathStyle: place.pathStyle,
    maxAttempts: patience.attempts,
    requestHandler: {
      connectionTimeout: patience.connectMs,
      requestTimeout: patience.answerMs,
      socketTimeout: patience.idleMs,
      throwOnRequestTimeout: true,
      // Downloads hold a connection for as long as their reader takes.
      httpAgent: { maxSockets: 256 },
      httpsAgent: { maxSockets: 256 },
    },
  });
  const at = (key: string) => ({ Bucket: place.bucket, Key: place.prefix + key });

  async function head(key: string): Promise<S3Item | null> {
    try {
      const found = await client.send(new HeadObjectCommand(at(key)));
      return itemOf(key, found.ContentLength, found.LastModified, found.ETag);
    } catch (error) {
      if (isNotFound(error)) return null;
      throw asS3Error(error);
    }
  }

  async function put(key: string, body: Buffer, more: object): Promise<void> {
    await client.send(
      new PutObjectCommand({ ...at(key), Body: body, ContentLength: body.length, ...more }),
    );
  }

  async function joinNew(
    key: string,
    count: number,
    atOnce: number,
    sendPart: SendPart,
  ): Promise<void> {
    let uploadId: string | undefined;
    try {
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(at(key)));
      uploadId = UploadId;
      const parts = await inLanes(count, atOnce, (index) =>
        sendPart(index, (part) => addPart({ ...at(key), UploadId, PartNumber: index + 1 }, part)),
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
        // If this fails, too, endJoins cleans up.
        const abort = new AbortMultipartUploadCommand({ ...at(key), UploadId: uploadId });
        await client.send(abort).catch(() => undefined);
      }
      // Another process was first, or the previous request succeeded and its answer was lost.
      if ((isConflict(error) || isNotFound(error)) && (await head(key))) return;
      throw asS3Error(error);
    }
  }

  async function addPart(
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

  async function get(key: string, range?: ByteRange): Promise<Readable> {
    const bytes = range && `bytes=${range.start ?? 0}-${range.end ?? ''}`;
    try {
      const { Body } = await client.send(
        new GetObjectCommand({ ...at(key), ...(bytes ? { Range: bytes } : {}) }),
      );
      // Its type covers browsers, too.
      if (!(Body instanceof Readable)) throw new TypeError('A body is a stream in Node.');
      return Body;
    } catch (error) {
      throw asS3Error(error);
    }
  }

  /** The SDK retries an answer that did not begin; one that broke off is retried here. */
  async function read(key: string): Promise<Buffer> {
    for (let attempt = 1; ; attempt++) {
      const stream = await get(key);
      try {
        const pieces: Buffer[] = [];
        for await (const piece of stream) pieces.push(piece);
        return Buffer.concat(pieces);
      } catch (error) {
        if (attempt === patience.attempts) throw asS3Error(error);
      }
    }
  }

  return {
    head,
    joinNew,
    get,
    read,
    async put(key, body) {
      await put(key, body, {}).catch(rethrow);
    },
    async putNew(key, body, sha256) {
      // The store itself checks the bytes against the hash they are stored under.
      const checksum = Buffer.from(sha256, 'hex').toString('base64');
      try {
        await put(key, body, { ChecksumSHA256: checksum, IfNoneMatch: '*' });
      } catch (error) {
        if (isConflict(error) && (await head(key))) return;
        throw asS3Error(error);
      }
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(at(key))).catch(rethrow);
    },
    async removeAll(keys) {
      for (let from = 0; from < keys.length; from += perRemoval) {
        const Objects = keys.slice(from, from + perRemoval).map((key) => ({ Key: at(key).Key }));
        const { Errors } = await client
          .send(
            new DeleteObjectsCommand({ Bucket: place.bucket, Delete: { Objects, Quiet: true } }),
          )
          .catch(rethrow);
        if (Errors && Errors.length > 0) {
          throw new StorageError('unavailable', 'Some items could not be removed.');
        }
      }
    },
    async *list(prefix, after) {
      let token: string | undefined;
      do {
        const page = await client
          .send(
            new ListObjectsV2Command({
              Bucket: place.bucket,
              Prefix: place.prefix + prefix,
              ...(token === undefined ? {} : { ContinuationToken: token }),
              ...(after === undefined ? {} : { StartAfter: place.prefix + after }),
            }),
          )
          .catch(rethrow);
        for (const found of page.Contents ?? []) {
          const key = (found.Key ?? '').slice(place.prefix.length);
          yield itemOf(key, found.Size, found.LastModified, found.ETag);
        }
        token = page.NextContinuationToken;
      } while (token !== undefined);
    },
    async endJoins(olderThanMs) {
      let ended = 0;
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
          if (Date.now() - Initiated.getTime() < olderThanMs) continue;
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
    },
    close: () => client.destroy(),
  };
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

function rethrow(error: unknown): never {
  throw asS3Error(error);
}

/** Does numbered work, some at a time; after a failure it starts nothing new and waits for the rest. */
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
