/**
 * Bytes in a bucket: `<prefix><project_id>/<sha256>`. Incoming bytes wait on this machine's disk until
 * their hash is known, and are stored under their key in one step. So rejected bytes never reach the
 * bucket, a put whose answer is lost is sent again, and what a sweep removed can be restored.
 */
import { join } from 'node:path';
import { leaveIfBroken } from '../files.ts';
import { openSpool, type Spooled } from '../spool.ts';
import {
  assertReference,
  type ByteRange,
  isSha256,
  type Received,
  type Storage,
  StorageError,
} from '../storage.ts';
import { type Bucket, openBucket } from './bucket/bucket.ts';
import { defaultPatience, type S3Patience } from './bucket/client.ts';
import { parseS3Url } from './bucket/url.ts';
import { openCopies } from './copies.ts';
import { openS3Partials } from './partials.ts';
import { openSlots } from './slots.ts';
import { keyOf, receivedAs, storeFile, type Uploader } from './store.ts';

/** How many buffers of 8 MiB a process sends at once. */
const bufferCount = 4;
/** Files that killed processes left on this machine's disk are removed at the start. */
const forgottenMs = 24 * 3_600_000;

interface S3Options {
  /** A folder for incoming bytes; processes may share it. */
  spoolPath: string;
  patience?: Partial<S3Patience>;
}

/**
 * Opens the storage of an s3: URL; sends no request to the bucket yet.
 * @throws StorageError `url_invalid`
 */
export async function openS3Storage(url: string, options: S3Options): Promise<Storage> {
  const bucket = openBucket(parseS3Url(url), { ...defaultPatience, ...options.patience });
  const spool = await openSpool(options.spoolPath);
  // Beside the spool, not in it, because other processes must not take over copies.
  const copySpool = await openSpool(join(options.spoolPath, 'copies'));
  const cleanSpools = async (olderThanMs: number) =>
    (await spool.clean(olderThanMs)) + (await copySpool.clean(olderThanMs));
  await cleanSpools(forgottenMs).catch(leaveIfBroken);
  const copies = openCopies(copySpool, (key) => bucket.get(key));
  const uploader: Uploader = { bucket, buffers: openSlots(bufferCount) };

  function received(projectId: string, file: Spooled): Received {
    const key = keyOf(projectId, file.sha256);
    return receivedAs(
      file,
      () => storeFile(uploader, key, file),
      () => spool.forget(file.path),
    );
  }

  return {
    async receive(projectId, stream, limits) {
      assertReference(projectId);
      return received(projectId, await spool.receive(stream, limits));
    },
    async receiveFile(projectId, path) {
      assertReference(projectId);
      return received(projectId, await spool.takeOver(path));
    },
    async open(projectId, sha256, range = {}) {
      const key = keyOf(projectId, sha256);
      return bucket.get(key, rangeOf(range));
    },
    async stat(projectId, sha256) {
      const found = await bucket.head(keyOf(projectId, sha256));
      return found && { sha256, bytes: found.bytes, storedAt: found.storedAt };
    },
    async localPath(projectId, sha256) {
      return copies.take(keyOf(projectId, sha256), sha256);
    },
    async remove(projectId, sha256) {
      await bucket.remove(keyOf(projectId, sha256));
    },
    now: bucket.askTime,
    list: (projectId, after) => listHashes(bucket, projectId, after),
    partials: openS3Partials(uploader, spool),
    tempFile: spool.tempFile,
    async cleanTemp(olderThanMs) {
      return (await cleanSpools(olderThanMs)) + (await bucket.endJoins(olderThanMs));
    },
    async close() {
      await copies.close();
      bucket.close();
    },
  };
}

/** Undefined for the whole file. Rejects an invalid range even if nothing is stored. */
function rangeOf({ start, end }: ByteRange): ByteRange | undefined {
  if (start === undefined && end === undefined) return undefined;
  const from = start ?? 0;
  const valid = Number.isSafeInteger(from) && from >= 0;
  if (!valid || (end !== undefined && !(Number.isSafeInteger(end) && end >= from))) {
    throw new StorageError('range_invalid', 'The range is outside the file.');
  }
  return { start: from, ...(end === undefined ? {} : { end }) };
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
