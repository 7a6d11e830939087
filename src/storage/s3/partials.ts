/**
 * Partial files in a bucket: segments `.partial/<project_id>/<upload_id>/<number>`, all of them full
 * but the last. A listing shows any process what has arrived, even after a crash. The last segment is
 * rewritten as a whole when bytes are appended to it.
 */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { asStorageError, bytesOf, piecesOf, requireChecksum } from '../files.ts';
import { type Spool, startDigest } from '../spool.ts';
import { assertUpload, type Checksum, type Partials, StorageError } from '../storage.ts';
import type { S3Item } from './bucket.ts';
import { type Keeper, keepJoined, keyOf, partBytes, receivedAs } from './keep.ts';
import { openSegment, type Segment } from './segment.ts';

const root = '.partial/';

interface Appended {
  maxBytes: number;
  signal?: AbortSignal;
  checksum?: Checksum;
}

/** Partial files in a bucket: segments under one prefix for each upload. */
export function openS3Partials(keeper: Keeper, spool: Spool): Partials {
  const { bucket, buffers } = keeper;

  /** The segments that count, and those that an interrupted removal left behind a gap. */
  async function find(folder: string): Promise<{ counted: S3Item[]; strays: string[] }> {
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

  async function append(
    projectId: string,
    uploadId: string,
    from: number,
    stream: Readable,
    options: Appended,
  ): Promise<number> {
    let checked: string | undefined;
    try {
      const folder = folderOf(projectId, uploadId);
      const { counted, strays } = await find(folder);
      const there = sizeOf(counted);
      if (there !== from) {
        throw new StorageError(
          'offset_mismatch',
          `The size of the file is ${there}, but the offset is ${from}.`,
        );
      }
      await bucket.removeAll(strays);
      if (!options.checksum) return await add(folder, counted, stream, options);
      // Nothing may count before all of it is checked, so all of it waits on the disk.
      checked = await receiveChecked(stream, options, options.checksum);
      return await add(folder, counted, createReadStream(checked), { maxBytes: options.maxBytes });
    } catch (error) {
      // A sender in mid-stream must not fill buffers that are no longer read.
      stream.on('error', () => {});
      stream.destroy();
      throw asStorageError(error);
    } finally {
      if (checked !== undefined) await rm(checked, { force: true });
    }
  }

  /** Appends a stream to segments, storing each segment as soon as it is full. */
  async function add(
    folder: string,
    counted: S3Item[],
    stream: Readable,
    options: Omit<Appended, 'checksum'>,
  ): Promise<number> {
    const from = sizeOf(counted);
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
        await cutBack(folder, full, at, open);
      } else if (grew()) await put().catch(() => undefined);
      throw error;
    } finally {
      await segment.close();
    }
  }

  /** Undoes what was appended to `full` segments and the open one after them. */
  async function cutBack(
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

  /** A whole stream in a temporary file, once it matches its checksum. */
  async function receiveChecked(
    stream: Readable,
    options: Appended,
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
      await rm(path, { force: true });
      throw error;
    }
    return path;
  }

  async function drop(projectId: string, uploadId: string): Promise<boolean> {
    const { counted, strays } = await find(folderOf(projectId, uploadId));
    const keys = [...counted.map(({ key }) => key), ...strays];
    await bucket.removeAll(keys);
    return keys.length > 0;
  }

  return {
    append,
    drop,
    async offset(projectId, uploadId) {
      return sizeOf((await find(folderOf(projectId, uploadId))).counted);
    },
    async head(projectId, uploadId, bytes) {
      const { counted } = await find(folderOf(projectId, uploadId));
      const pieces: Buffer[] = [];
      let left = bytes;
      for (const { key } of counted) {
        if (left <= 0) break;
        const piece = (await bucket.read(key)).subarray(0, left);
        pieces.push(piece);
        left -= piece.length;
      }
      return Buffer.concat(pieces);
    },
    async complete(projectId, uploadId) {
      const { counted } = await find(folderOf(projectId, uploadId));
      if (counted.length === 0) {
        throw new StorageError('not_found', 'Nothing has arrived for this upload.');
      }
      const digest = startDigest();
      for (const { key } of counted) {
        await buffers.use(async () => digest.take(await bucket.read(key)));
      }
      const whole = digest.finish();
      return receivedAs(
        whole,
        () => keepJoined(keeper, keyOf(projectId, whole.sha256), counted, whole.sha256),
        () => drop(projectId, uploadId),
      );
    },
    async clean(olderThanMs) {
      const uploads = new Map<string, { keys: string[]; newest: number }>();
      for await (const { key, storedAt } of bucket.list(root)) {
        const folder = key.slice(0, key.lastIndexOf('/'));
        const upload = uploads.get(folder) ?? { keys: [], newest: 0 };
        upload.keys.push(key);
        upload.newest = Math.max(upload.newest, storedAt.getTime());
        uploads.set(folder, upload);
      }
      const old = [...uploads.values()].filter(({ newest }) => Date.now() - newest >= olderThanMs);
      for (const { keys } of old) await bucket.removeAll(keys);
      return old.length;
    },
  };
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

function folderOf(projectId: string, uploadId: string): string {
  assertUpload(projectId, uploadId);
  return `${root}${projectId}/${uploadId}/`;
}

/** Numbers of the same length, so that a listing returns them in order. 5 GiB are 640 segments. */
function segmentKey(folder: string, index: number): string {
  return `${folder}${String(index).padStart(6, '0')}`;
}

function sizeOf(segments: S3Item[]): number {
  return segments.reduce((sum, { bytes }) => sum + bytes, 0);
}
