/**
 * Partial files in a bucket: segments `.partial/<project_id>/<upload_id>/<number>`, all of them
 * full except the last. Any process can list what has arrived, even after a crash. The last segment
 * is rewritten as a whole when bytes are appended to it.
 */

import { asStorageError } from '../files.ts';
import { type Spool, startDigest } from '../spool.ts';
import { assertUpload, type Partials, StorageError } from '../storage.ts';
import { appendSegments, findSegments, segmentsSize } from './append.ts';
import { createReceived, keyOf, storeJoined, type Uploader } from './store.ts';

const rootPrefix = '.partial/';

/** Partial files in a bucket: segments under one prefix for each upload. */
export function openS3Partials(uploader: Uploader, spool: Spool): Partials {
  const { bucket, buffers } = uploader;

  async function drop(projectId: string, uploadId: string): Promise<boolean> {
    const { counted, strayKeys } = await findSegments(bucket, folderOf(projectId, uploadId));
    const keys = [...counted.map(({ key }) => key), ...strayKeys];
    await bucket.removeAll(keys);
    return keys.length > 0;
  }

  return {
    drop,
    async append(projectId, uploadId, from, stream, options) {
      try {
        const folder = folderOf(projectId, uploadId);
        return await appendSegments(uploader, spool, { folder, from }, stream, options);
      } catch (error) {
        // A sender in mid-stream must not fill buffers that are no longer read.
        stream.on('error', () => {});
        stream.destroy();
        throw asStorageError(error);
      }
    },
    async offset(projectId, uploadId) {
      return segmentsSize((await findSegments(bucket, folderOf(projectId, uploadId))).counted);
    },
    async head(projectId, uploadId, bytes) {
      const { counted } = await findSegments(bucket, folderOf(projectId, uploadId));
      const pieces: Buffer[] = [];
      let remaining = bytes;
      for (const { key } of counted) {
        if (remaining <= 0) break;
        const piece = (await bucket.read(key)).subarray(0, remaining);
        pieces.push(piece);
        remaining -= piece.length;
      }
      return Buffer.concat(pieces);
    },
    async complete(projectId, uploadId) {
      const { counted } = await findSegments(bucket, folderOf(projectId, uploadId));
      if (counted.length === 0) {
        throw new StorageError('not_found', 'Nothing has arrived for this upload.');
      }
      const digest = startDigest();
      for (const { key } of counted) {
        await buffers.use(async () => digest.update(await bucket.read(key)));
      }
      const digested = digest.finish();
      return createReceived(
        digested,
        () => storeJoined(uploader, keyOf(projectId, digested.sha256), counted, digested.sha256),
        // A failed removal must not undo the work on the bytes. `clean` removes them later.
        () => drop(projectId, uploadId).catch(() => undefined),
      );
    },
    async clean(olderThanMs) {
      const uploads = new Map<string, { keys: string[]; newest: number }>();
      for await (const { key, storedAt } of bucket.list(rootPrefix)) {
        const folder = key.slice(0, key.lastIndexOf('/'));
        const upload = uploads.get(folder) ?? { keys: [], newest: 0 };
        upload.keys.push(key);
        upload.newest = Math.max(upload.newest, storedAt.getTime());
        uploads.set(folder, upload);
      }
      if (uploads.size === 0) return 0;
      const now = await bucket.readTime();
      const stale = [...uploads.values()].filter(({ newest }) => now - newest >= olderThanMs);
      for (const { keys } of stale) await bucket.removeAll(keys);
      return stale.length;
    },
  };
}

function folderOf(projectId: string, uploadId: string): string {
  assertUpload(projectId, uploadId);
  return `${rootPrefix}${projectId}/${uploadId}/`;
}
