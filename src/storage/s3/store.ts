/** Stores received bytes under the key of their hash. */
import { open as openFile } from 'node:fs/promises';
import { readExactly } from '../files.ts';
import type { SpooledFile } from '../spool.ts';
import { assertReference, type ReceivedBytes } from '../storage.ts';
import type { Bucket } from './bucket/bucket.ts';
import type { S3Item } from './bucket/items.ts';
import type { Slots } from './slots.ts';

/** The size of a part. If its response is lost, the whole part is sent again. */
export const partBytes = 8 * 1024 * 1024;
/** The number of parts of an item that are sent at once. */
const partConcurrency = 4;

/** The key of stored bytes. @throws StorageError `reference_invalid` */
export function keyOf(projectId: string, sha256: string): string {
  assertReference(projectId, sha256);
  return `${projectId}/${sha256}`;
}

/** A bucket, and the buffers for sending to it. */
export interface Uploader {
  bucket: Bucket;
  /** Bounds the memory of all that this process sends at once. */
  buffers: Slots;
}

/** Stores a file of the spool under a key. Succeeds if the same bytes are stored already. */
export async function storeFile(uploader: Uploader, key: string, file: SpooledFile): Promise<void> {
  if (await uploader.bucket.head(key)) return;
  if (file.bytes <= partBytes) {
    await uploader.buffers.use(async () =>
      uploader.bucket.putNew(key, await readPart(file, 0), file.sha256),
    );
    return;
  }
  await uploader.bucket.putNewMultipart(
    key,
    Math.ceil(file.bytes / partBytes),
    partConcurrency,
    (index, send) => uploader.buffers.use(async () => send({ body: await readPart(file, index) })),
  );
}

/** Stores items of the bucket, in their order, as one. Succeeds if the same bytes are stored already. */
export async function storeJoined(
  uploader: Uploader,
  key: string,
  items: S3Item[],
  sha256: string,
): Promise<void> {
  if (await uploader.bucket.head(key)) return;
  const [only] = items;
  if (only && items.length === 1) {
    await uploader.buffers.use(async () =>
      uploader.bucket.putNew(key, await uploader.bucket.read(only.key), sha256),
    );
    return;
  }
  await uploader.bucket.putNewMultipart(key, items.length, partConcurrency, (index, send) =>
    send({ copyOf: items[index]! }),
  );
}

/** Received bytes with the functions that commit and discard them. */
export function createReceived(
  { sha256, bytes, head }: Omit<SpooledFile, 'path'>,
  commit: () => Promise<void>,
  discard: () => Promise<unknown>,
): ReceivedBytes {
  return {
    sha256,
    bytes,
    head,
    commit,
    async discard() {
      await discard();
    },
  };
}

async function readPart(file: SpooledFile, index: number): Promise<Buffer> {
  const start = index * partBytes;
  const length = Math.min(partBytes, file.bytes - start);
  const handle = await openFile(file.path, 'r');
  try {
    return await readExactly(handle, start, length);
  } finally {
    await handle.close();
  }
}
