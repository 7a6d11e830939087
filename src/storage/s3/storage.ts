/**
 * Bytes in a bucket: `<prefix><project_id>/<sha256>`. Incoming bytes wait on this machine's disk until
 * their hash is known, and are stored under their key in one step. Therefore rejected bytes never reach
 * the bucket, a put whose response is lost can be sent again, and bytes that a sweep removed can be
 * restored.
 */
import { join } from 'node:path';
import { ignoreDiskFailure } from '../files.ts';
import { openSpool, type SpooledFile } from '../spool.ts';
import {
  assertReference,
  type ByteRange,
  isSha256,
  type ReceivedBytes,
  type Storage,
  StorageError,
} from '../storage.ts';
import { type Bucket, openBucket } from './bucket/bucket.ts';
import { defaultRequestOptions, type S3RequestOptions } from './bucket/client.ts';
import { parseS3Url } from './bucket/url.ts';
import { openCopies } from './copies.ts';
import { openS3Partials } from './partials.ts';
import { openSlots } from './slots.ts';
import { createReceived, keyOf, storeFile, type Uploader } from './store.ts';

/** The number of buffers of 8 MiB that a process sends at once. */
const bufferCount = 4;
/** Older files that killed processes left on this machine's disk are removed at the start. */
const staleMs = 24 * 3_600_000;

interface S3Options {
  /** A folder for incoming bytes; processes may share it. */
  spoolPath: string;
  requestOptions?: Partial<S3RequestOptions>;
}

/**
 * Opens the storage of an s3: URL; sends no request to the bucket yet.
 * @throws StorageError `url_invalid`
 */
export async function openS3Storage(url: string, options: S3Options): Promise<Storage> {
  const bucket = openBucket(parseS3Url(url), {
    ...defaultRequestOptions,
    ...options.requestOptions,
  });
  const spool = await openSpool(options.spoolPath);
  // A separate spool, because other processes must not take over copies.
  const copySpool = await openSpool(join(options.spoolPath, 'copies'));
  const cleanSpools = async (olderThanMs: number) =>
    (await spool.clean(olderThanMs)) + (await copySpool.clean(olderThanMs));
  await cleanSpools(staleMs).catch(ignoreDiskFailure);
  const copies = openCopies(copySpool, (key) => bucket.get(key));
  const uploader: Uploader = { bucket, buffers: openSlots(bufferCount) };

  function toReceived(projectId: string, file: SpooledFile): ReceivedBytes {
    const key = keyOf(projectId, file.sha256);
    return createReceived(
      file,
      () => storeFile(uploader, key, file),
      () => spool.remove(file.path),
    );
  }

  return {
    async receive(projectId, stream, limits) {
      assertReference(projectId);
      return toReceived(projectId, await spool.receive(stream, limits));
    },
    async receiveFile(projectId, path) {
      assertReference(projectId);
      return toReceived(projectId, await spool.takeOver(path));
    },
    async open(projectId, sha256, range = {}) {
      const key = keyOf(projectId, sha256);
      return bucket.get(key, validRange(range));
    },
    async stat(projectId, sha256) {
      const found = await bucket.head(keyOf(projectId, sha256));
      return found && { sha256, bytes: found.bytes, storedAt: found.storedAt };
    },
    async localPath(projectId, sha256) {
      return copies.acquire(keyOf(projectId, sha256), sha256);
    },
    async remove(projectId, sha256) {
      await bucket.remove(keyOf(projectId, sha256));
    },
    now: bucket.readTime,
    list: (projectId, after) => listHashes(bucket, projectId, after),
    partials: openS3Partials(uploader, spool),
    tempFile: spool.tempFile,
    async cleanTemp(olderThanMs) {
      return (await cleanSpools(olderThanMs)) + (await bucket.abortMultipart(olderThanMs));
    },
    async close() {
      await copies.close();
      bucket.close();
    },
  };
}

/** Undefined for the whole file. Rejects an invalid range even if nothing is stored. */
function validRange({ start, end }: ByteRange): ByteRange | undefined {
  if (start === undefined && end === undefined) return undefined;
  const first = start ?? 0;
  const isValid = Number.isSafeInteger(first) && first >= 0;
  if (!isValid || (end !== undefined && !(Number.isSafeInteger(end) && end >= first))) {
    throw new StorageError('range_invalid', 'The range is outside the file.');
  }
  return { start: first, ...(end === undefined ? {} : { end }) };
}

async function* listHashes(
  bucket: Bucket,
  projectId: string,
  after: string | undefined,
): AsyncIterable<string> {
  assertReference(projectId);
  const folder = `${projectId}/`;
  for await (const { key } of bucket.list(folder, after && folder + after)) {
    const name = key.slice(folder.length);
    if (isSha256(name)) yield name;
  }
}
