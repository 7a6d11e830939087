/** Partial files on a local disk: `<root>/<project_id>/<upload_id>`. */

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import {
  type FileHandle,
  mkdir,
  open as openFile,
  readFile,
  rm,
  stat as statFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  asStorageError,
  fileClock,
  ignoreDiskFailure,
  nullWhenMissing,
  pathsIn,
  piecesOf,
  readUpTo,
  requireChecksum,
  syncFolder,
  throwStorageError,
  writeAll,
} from './files.ts';
import { digestFile, type SpooledFile } from './spool.ts';
import {
  assertUpload,
  type Checksum,
  type Partials,
  type ReceivedBytes,
  StorageError,
} from './storage.ts';

/** Turns a finished file into received bytes; `discard` removes the file. */
type ToReceived = (
  projectId: string,
  file: SpooledFile,
  discard: (path: string) => Promise<unknown>,
) => ReceivedBytes;

/**
 * The suffix of a file that exists while a stream with a checksum is appended. It contains the end of the
 * confirmed bytes.
 */
const MARK_SUFFIX = '.confirmed';

/** Opens the folder of partial files, which may not exist yet. */
export function openLocalPartials(root: string, toReceived: ToReceived): Partials {
  function pathOf(projectId: string, uploadId: string): string {
    assertUpload(projectId, uploadId);
    return join(root, projectId, uploadId);
  }

  return {
    offset: async (projectId, uploadId) =>
      confirmedSize(pathOf(projectId, uploadId)).catch(throwStorageError),
    async append(projectId, uploadId, from, stream, options) {
      let file: FileHandle | undefined;
      try {
        const path = pathOf(projectId, uploadId);
        file = await openForAppend(root, path, from);
        if (options.checksum) await writeMark(path, from);
        else await removeMark(path);
        return await writeStream(file, path, from, stream, options);
      } catch (error) {
        // A sender in mid-stream must not fill buffers that are no longer read.
        stream.on('error', () => {});
        stream.destroy();
        throw asStorageError(error);
      } finally {
        await file?.close();
      }
    },
    async head(projectId, uploadId, bytes) {
      const path = pathOf(projectId, uploadId);
      const file = await openFile(path, 'r').catch(nullWhenMissing);
      if (!file) return Buffer.alloc(0);
      try {
        const { size } = await file.stat();
        const length = Math.min(bytes, size, (await readMark(path)) ?? size);
        return await readUpTo(file, 0, length);
      } finally {
        await file.close();
      }
    },
    async complete(projectId, uploadId) {
      const path = pathOf(projectId, uploadId);
      return toReceived(projectId, await digestConfirmed(path), (it) =>
        removeFile(it).catch(ignoreDiskFailure),
      );
    },
    drop: async (projectId, uploadId) =>
      removeFile(pathOf(projectId, uploadId)).catch(throwStorageError),
    clean: (olderThanMs) => cleanFolder(root, olderThanMs),
  };
}

/** The number of confirmed bytes of a file, after syncing them; 0 if it does not exist. */
async function confirmedSize(path: string): Promise<number> {
  const file = await openFile(path, 'r+').catch(nullWhenMissing);
  if (!file) return 0;
  try {
    // The bytes that a killed process wrote may be only in the kernel's cache.
    await file.datasync();
    const { size } = await file.stat();
    return Math.min(size, (await readMark(path)) ?? size);
  } finally {
    await file.close();
  }
}

/**
 * Opens or creates a file for appending at `from`, where its confirmed bytes must end.
 * @throws StorageError `offset_mismatch`
 */
async function openForAppend(root: string, path: string, from: number): Promise<FileHandle> {
  const confirmedBytes = await confirmedSize(path);
  if (confirmedBytes !== from) {
    throw new StorageError(
      'offset_mismatch',
      `The size of the file is ${confirmedBytes}, but the offset is ${from}.`,
    );
  }
  await makeFolder(root, dirname(path));
  const file = await openFile(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    // A process that ended while it appended a checked stream left these bytes. Remove them before the mark.
    await file.truncate(from);
    await file.sync();
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** New folders are entries of their parent folders, which must be synced too. */
async function makeFolder(root: string, path: string): Promise<void> {
  const created = await mkdir(path, { recursive: true });
  if (created === undefined) return;
  await syncFolder(root);
  await syncFolder(dirname(root));
}

/**
 * Hashes a file whose bytes have all arrived, and makes it durable.
 * @throws StorageError `not_found`
 */
function digestConfirmed(path: string): Promise<SpooledFile> {
  return digestFile(path, async (file) => {
    const end = await readMark(path);
    if (end !== null) await file.truncate(end);
  });
}

/** Removes the files that have not been written to for this long; returns the number. */
async function cleanFolder(root: string, olderThanMs: number): Promise<number> {
  let removed = 0;
  const now = await fileClock(root);
  for await (const project of pathsIn(root)) {
    for await (const path of pathsIn(project)) {
      const stats = await statFile(path).catch(() => null);
      if (!stats || now - stats.mtimeMs < olderThanMs) continue;
      if (path.endsWith(MARK_SUFFIX)) await rm(path, { force: true });
      else if (await removeFile(path)) removed += 1;
    }
  }
  return removed;
}

/** Writes a stream at `from` and makes the kept bytes durable. */
async function writeStream(
  file: FileHandle,
  path: string,
  from: number,
  stream: Readable,
  options: { maxBytes: number; signal?: AbortSignal; checksum?: Checksum },
): Promise<number> {
  const { checksum } = options;
  const hash = checksum && createHash(checksum.algorithm);
  let position = from;
  try {
    for await (const chunk of piecesOf(stream, options)) {
      hash?.update(chunk);
      await writeAll(file, chunk, position);
      position += chunk.length;
    }
    if (checksum && hash) requireChecksum(hash.digest(), checksum);
  } catch (error) {
    const keepsNothing =
      checksum !== undefined || (error instanceof StorageError && error.code === 'too_large');
    if (keepsNothing) await file.truncate(from);
    await confirmAll(file, path);
    throw error;
  }
  await confirmAll(file, path);
  return position;
}

/** Makes the bytes and the name durable, and confirms all bytes. */
async function confirmAll(file: FileHandle, path: string): Promise<void> {
  await file.sync();
  await removeMark(path);
  await syncFolder(dirname(path));
}

/** Until the mark is removed, bytes after `offset` are unconfirmed, even after a crash. */
async function writeMark(path: string, offset: number): Promise<void> {
  const file = await openFile(path + MARK_SUFFIX, 'w', 0o600);
  try {
    await file.writeFile(String(offset));
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(dirname(path));
}

async function removeMark(path: string): Promise<void> {
  await rm(path + MARK_SUFFIX, { force: true });
}

/** The end of the confirmed bytes; null if all are confirmed. */
async function readMark(path: string): Promise<number | null> {
  const text = await readFile(path + MARK_SUFFIX, 'utf8').catch(nullWhenMissing);
  // An empty mark means that its creation was interrupted, before anything was appended.
  return text ? Number(text) : null;
}

async function removeFile(path: string): Promise<boolean> {
  const existed = await rm(path).then(() => true, nullWhenMissing);
  await rm(path + MARK_SUFFIX, { force: true });
  return existed === true;
}
