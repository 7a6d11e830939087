/** Appends streams to the segments of a partial file. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { bytesOf, leaveIfBroken, piecesOf, requireChecksum } from '../files.ts';
import type { Spool } from '../spool.ts';
import { type Checksum, StorageError } from '../storage.ts';
import type { Bucket } from './bucket/bucket.ts';
import type { S3Item } from './bucket/items.ts';
import { openSegment, type Segment } from './segment.ts';
import { partBytes, type Uploader } from './store.ts';

interface Limits {
  maxBytes: number;
  signal?: AbortSignal;
}

/**
 * Appends a stream to the segments in a folder, whose bytes must end at `from`; returns the new size.
 * @throws StorageError `offset_mismatch`, `checksum_mismatch`, `too_large`, `aborted`
 */
export async function appendSegments(
  uploader: Uploader,
  spool: Spool,
  { folder, from }: { folder: string; from: number },
  stream: Readable,
  options: Limits & { checksum?: Checksum },
): Promise<number> {
  const { counted, strays } = await findSegments(uploader.bucket, folder);
  const there = segmentsSize(counted);
  if (there !== from) {
    throw new StorageError(
      'offset_mismatch',
      `The size of the file is ${there}, but the offset is ${from}.`,
    );
  }
  await uploader.bucket.removeAll(strays);
  if (!options.checksum) return add(uploader, spool, folder, counted, stream, options);
  // Nothing may count before all of it is checked, so the stream is first stored on disk.
  const checked = await receiveChecked(spool, stream, options, options.checksum);
  const bytes = createReadStream(checked);
  // Nothing else listens for errors until it is read.
  bytes.on('error', () => {});
  try {
    const { maxBytes } = options;
    return await add(uploader, spool, folder, counted, bytes, { maxBytes });
  } finally {
    bytes.destroy();
    await rm(checked, { force: true }).catch(leaveIfBroken);
  }
}

/** The segments that count, and those after a gap that an interrupted removal left. */
export async function findSegments(
  bucket: Bucket,
  folder: string,
): Promise<{ counted: S3Item[]; strays: string[] }> {
  const counted: S3Item[] = [];
  const strays: string[] = [];
  for await (const item of bucket.list(folder)) {
    const follows =
      item.key === segmentKey(folder, counted.length) &&
      (counted.at(-1)?.bytes ?? partBytes) === partBytes;
    if (follows) counted.push(item);
    else strays.push(item.key);
  }
  return { counted, strays };
}

/** Appends a stream to segments, storing each segment as soon as it is full. */
async function add(
  { bucket, buffers }: Uploader,
  spool: Spool,
  folder: string,
  counted: S3Item[],
  stream: Readable,
  options: Limits,
): Promise<number> {
  const from = segmentsSize(counted);
  const last = counted.at(-1);
  const open = last !== undefined && last.bytes < partBytes ? last : null;
  const full = counted.length - (open ? 1 : 0);
  let at = full;
  let added = 0;
  const segment = await openSegment(spool.newPath());
  const put = async () => {
    await buffers.use(async () => bucket.put(segmentKey(folder, at), await segment.read()));
    await segment.clear();
    at += 1;
  };
  const grew = () => segment.bytes() > (at === full && open ? open.bytes : 0);
  try {
    if (open) await segment.write(await bucket.read(open.key));
    for await (const chunk of piecesOf(stream, options)) {
      added += chunk.length;
      await fill(segment, chunk, put);
    }
    // The first request of an empty file creates it.
    if (grew() || (at === 0 && !open)) await put();
    return from + added;
  } catch (error) {
    if (error instanceof StorageError && error.code === 'too_large') {
      await cutBack({ bucket, buffers }, folder, full, at, open);
    } else if (grew()) await put().catch(() => undefined);
    throw error;
  } finally {
    await segment.close();
  }
}

/** Removes the appended data: the `full` segments and the open one after them. */
async function cutBack(
  { bucket, buffers }: Uploader,
  folder: string,
  full: number,
  at: number,
  open: S3Item | null,
): Promise<void> {
  const put = Array.from({ length: at - full }, (_, n) => segmentKey(folder, full + n));
  await bucket.removeAll(open ? put.slice(1) : put);
  if (!open || put.length === 0) return;
  await buffers.use(async () => {
    const grown = await bucket.read(open.key);
    await bucket.put(open.key, grown.subarray(0, open.bytes));
  });
}

/** Stores a whole stream in a temporary file, once it matches its checksum. */
async function receiveChecked(
  spool: Spool,
  stream: Readable,
  options: Limits,
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
    await rm(path, { force: true }).catch(leaveIfBroken);
    throw error;
  }
  return path;
}

/** Appends bytes to a segment and stores it whenever it is full. */
async function fill(segment: Segment, chunk: Buffer, put: () => Promise<void>): Promise<void> {
  for (let used = 0; used < chunk.length; ) {
    const piece = chunk.subarray(used, used + partBytes - segment.bytes());
    await segment.write(piece);
    used += piece.length;
    if (segment.bytes() === partBytes) await put();
  }
}

/** Fixed-width numbers, so that a listing returns them in order. 5 GiB are 640 segments. */
function segmentKey(folder: string, index: number): string {
  return `${folder}${String(index).padStart(6, '0')}`;
}

/** The total size of segments in bytes. */
export function segmentsSize(segments: S3Item[]): number {
  return segments.reduce((sum, { bytes }) => sum + bytes, 0);
}
