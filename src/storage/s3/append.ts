/** Appends streams to the segments of a partial file. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { bytesOf, ignoreDiskFailure, piecesOf, requireChecksum } from '../files.ts';
import type { Spool } from '../spool.ts';
import { type Checksum, StorageError } from '../storage.ts';
import type { Bucket } from './bucket/bucket.ts';
import type { S3Item } from './bucket/items.ts';
import { openSegment, type Segment } from './segment.ts';
import { partBytes, type Uploader } from './store.ts';

interface StreamLimits {
  maxBytes: number;
  signal?: AbortSignal;
}

/**
 * Appends a stream to the segments in a folder, whose bytes must end at `from`; returns the new
 * size.
 * @throws StorageError `offset_mismatch`, `checksum_mismatch`, `too_large`, `aborted`
 */
export async function appendSegments(
  uploader: Uploader,
  spool: Spool,
  { folder, from }: { folder: string; from: number },
  stream: Readable,
  options: StreamLimits & { checksum?: Checksum },
): Promise<number> {
  const { counted, strayKeys } = await findSegments(uploader.bucket, folder);
  const size = segmentsSize(counted);
  if (size !== from) {
    throw new StorageError(
      'offset_mismatch',
      `The size of the file is ${size}, but the offset is ${from}.`,
    );
  }
  await uploader.bucket.removeAll(strayKeys);
  if (!options.checksum) return appendStream(uploader, spool, folder, counted, stream, options);
  // The whole stream must be checked before any of it is stored, so it is first written to disk.
  const checkedPath = await receiveChecked(spool, stream, options, options.checksum);
  const bytes = createReadStream(checkedPath);
  // Until the stream is read, nothing else listens for errors.
  bytes.on('error', () => {});
  try {
    const { maxBytes } = options;
    return await appendStream(uploader, spool, folder, counted, bytes, { maxBytes });
  } finally {
    bytes.destroy();
    await rm(checkedPath, { force: true }).catch(ignoreDiskFailure);
  }
}

/** The valid segments, and the keys of those after a gap, which an interrupted removal leaves. */
export async function findSegments(
  bucket: Bucket,
  folder: string,
): Promise<{ counted: S3Item[]; strayKeys: string[] }> {
  const segments: S3Item[] = [];
  const strayKeys: string[] = [];
  for await (const item of bucket.list(folder)) {
    const isNext =
      item.key === segmentKey(folder, segments.length) &&
      (segments.at(-1)?.bytes ?? partBytes) === partBytes;
    if (isNext) segments.push(item);
    else strayKeys.push(item.key);
  }
  return { counted: segments, strayKeys };
}

/** Appends a stream to segments, storing each segment as soon as it is full. */
async function appendStream(
  { bucket, buffers }: Uploader,
  spool: Spool,
  folder: string,
  segments: S3Item[],
  stream: Readable,
  options: StreamLimits,
): Promise<number> {
  const from = segmentsSize(segments);
  const last = segments.at(-1);
  const openItem = last !== undefined && last.bytes < partBytes ? last : null;
  const fullCount = segments.length - (openItem ? 1 : 0);
  let nextIndex = fullCount;
  let added = 0;
  const segment = await openSegment(spool.newPath());
  const putSegment = async () => {
    await buffers.use(async () => bucket.put(segmentKey(folder, nextIndex), await segment.read()));
    await segment.clear();
    nextIndex += 1;
  };
  const hasGrown = () =>
    segment.bytes() > (nextIndex === fullCount && openItem ? openItem.bytes : 0);
  try {
    if (openItem) await segment.write(await bucket.read(openItem.key));
    for await (const chunk of piecesOf(stream, options)) {
      added += chunk.length;
      await fillSegments(segment, chunk, putSegment);
    }
    // The first request of an empty file creates it.
    if (hasGrown() || (nextIndex === 0 && !openItem)) await putSegment();
    return from + added;
  } catch (error) {
    if (error instanceof StorageError && error.code === 'too_large') {
      await removeAppended({ bucket, buffers }, folder, fullCount, nextIndex, openItem);
    } else if (hasGrown()) await putSegment().catch(() => undefined);
    throw error;
  } finally {
    await segment.close();
  }
}

/**
 * Removes the appended data: new segments, and the bytes added to the segment that was not full.
 */
async function removeAppended(
  { bucket, buffers }: Uploader,
  folder: string,
  fullCount: number,
  nextIndex: number,
  openItem: S3Item | null,
): Promise<void> {
  const appendedKeys = Array.from({ length: nextIndex - fullCount }, (_, n) =>
    segmentKey(folder, fullCount + n),
  );
  await bucket.removeAll(openItem ? appendedKeys.slice(1) : appendedKeys);
  if (!openItem || appendedKeys.length === 0) return;
  await buffers.use(async () => {
    const content = await bucket.read(openItem.key);
    await bucket.put(openItem.key, content.subarray(0, openItem.bytes));
  });
}

/** Stores a whole stream in a temporary file, once it matches its checksum. */
async function receiveChecked(
  spool: Spool,
  stream: Readable,
  options: StreamLimits,
  checksum: Checksum,
): Promise<string> {
  const hash = createHash(checksum.algorithm);
  const hashed = Readable.from(
    (async function* () {
      for await (const piece of stream) {
        hash.update(bytesOf(piece));
        yield piece;
      }
    })(),
  );
  const { path } = await spool.receive(hashed, options);
  try {
    requireChecksum(hash.digest(), checksum);
  } catch (error) {
    await rm(path, { force: true }).catch(ignoreDiskFailure);
    throw error;
  }
  return path;
}

/** Appends bytes to a segment and stores it whenever it is full. */
async function fillSegments(
  segment: Segment,
  chunk: Buffer,
  putSegment: () => Promise<void>,
): Promise<void> {
  for (let used = 0; used < chunk.length; ) {
    const piece = chunk.subarray(used, used + partBytes - segment.bytes());
    await segment.write(piece);
    used += piece.length;
    if (segment.bytes() === partBytes) await putSegment();
  }
}

/**
 * Returns the key of a segment. Its number has a fixed width, so that a listing returns segments in
 * order. 5 GiB are 640 segments.
 */
function segmentKey(folder: string, index: number): string {
  return `${folder}${String(index).padStart(6, '0')}`;
}

/** The total size of segments in bytes. */
export function segmentsSize(segments: S3Item[]): number {
  return segments.reduce((sum, { bytes }) => sum + bytes, 0);
}
