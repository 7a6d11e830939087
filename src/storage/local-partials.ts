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
  failAsStorage,
  fileClock,
  folder,
  leaveIfBroken,
  nullWhenMissing,
  piecesOf,
  readUpTo,
  requireChecksum,
  syncFolder,
  writeAll,
} from './files.ts';
import { digestFile, type Spooled } from './spool.ts';
import {
  assertUpload,
  type Checksum,
  type Partials,
  type Received,
  StorageError,
} from './storage.ts';

/** Turns a finished file into received bytes; `discard` removes the file. */
type Receive = (
  projectId: string,
  file: Spooled,
  discard: (path: string) => Promise<unknown>,
) => Received;

/**
 * A file beside the partial file while a checked stream is appended: it records where the confirmed
 * bytes end.
 */
const MARK = '.confirmed';

/** Opens the folder of partial files, which may not exist yet. */
export function openLocalPartials(root: string, received: Receive): Partials {
  function pathOf(projectId: string, uploadId: string): string {
    assertUpload(projectId, uploadId);
    return join(root, projectId, uploadId);
  }

  return {
    offset: async (projectId, uploadId) =>
      confirmedSize(pathOf(projectId, uploadId)).catch(failAsStorage),
    async append(projectId, uploadId, from, stream, options) {
      let file: FileHandle | undefined;
      try {
        const path = pathOf(projectId, uploadId);
        file = await openAt(root, path, from);
        if (options.checksum) await mark(path, from);
        else await unmark(path);
        return await write(file, path, from, stream, options);
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
        const length = Math.min(bytes, size, (await confirmed(path)) ?? size);
        return await readUpTo(file, 0, length);
      } finally {
        await file.close();
      }
    },
    async complete(projectId, uploadId) {
      const path = pathOf(projectId, uploadId);
      return received(projectId, await finish(path), (it) => drop(it).catch(leaveIfBroken));
    },
    drop: async (projectId, uploadId) => drop(pathOf(projectId, uploadId)).catch(failAsStorage),
    clean: (olderThanMs) => cleanFolder(root, olderThanMs),
  };
}

/** How many bytes of a file count; 0 if it does not exist. */
async function confirmedSize(path: string): Promise<number> {
  const file = await openFile(path, 'r+').catch(nullWhenMissing);
  if (!file) return 0;
  try {
    // The bytes that a killed process wrote may be only in the kernel's cache.
    await file.datasync();
    const { size } = await file.stat();
    return Math.min(size, (await confirmed(path)) ?? size);
  } finally {
    await file.close();
  }
}

/**
 * Opens or creates a file for appending at `from`, where its confirmed bytes must end.
 * @throws StorageError `offset_mismatch`
 */
async function openAt(root: string, path: string, from: number): Promise<FileHandle> {
  const there = await confirmedSize(path);
  if (there !== from) {
    throw new StorageError(
      'offset_mismatch',
      `The size of the file is ${there}, but the offset is ${from}.`,
    );
  }
  await makeFolder(root, dirname(path));
  const file = await openFile(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    // Left by a process that ended while it appended a checked stream. Removed before its mark.
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
  const made = await mkdir(path, { recursive: true });
  if (made === undefined) return;
  await syncFolder(root);
  await syncFolder(dirname(root));
}

/**
 * Hashes a file whose bytes have all arrived, and makes it durable.
 * @throws StorageError `not_found`
 */
function finish(path: string): Promise<Spooled> {
  return digestFile(path, async (file) => {
    const end = await confirmed(path);
    if (end !== null) await file.truncate(end);
  });
}

/** Removes the files that have not been written to for this long; returns the number. */
async function cleanFolder(root: string, olderThanMs: number): Promise<number> {
  let removed = 0;
  const now = await fileClock(root);
  for await (const project of folder(root)) {
    for await (const path of folder(project)) {
      const found = await statFile(path).catch(() => null);
      if (!found || now - found.mtimeMs < olderThanMs) continue;
      if (path.endsWith(MARK)) await rm(path, { force: true });
      else if (await drop(path)) removed += 1;
    }
  }
  return removed;
}

/** Writes a stream at `from` and makes the bytes that count durable. */
async function write(
  file: FileHandle,
  path: string,
  from: number,
  stream: Readable,
  options: { maxBytes: number; signal?: AbortSignal; checksum?: Checksum },
): Promise<number> {
  const { checksum } = options;
  const hash = checksum && createHash(checksum.algorithm);
  let at = from;
  try {
    for await (const chunk of piecesOf(stream, options)) {
      hash?.update(chunk);
      await writeAll(file, chunk, at);
      at += chunk.length;
    }
    if (checksum && hash) requireChecksum(hash.digest(), checksum);
  } catch (error) {
    const nothing =
      checksum !== undefined || (error instanceof StorageError && error.code === 'too_large');
    if (nothing) await file.truncate(from);
    await settle(file, path);
    throw error;
  }
  await settle(file, path);
  return at;
}

/** Makes bytes and name durable, then counts all of them. */
async function settle(file: FileHandle, path: string): Promise<void> {
  await file.sync();
  await unmark(path);
  await syncFolder(dirname(path));
}

/** Until the mark is removed, nothing after `offset` counts, even after a crash. */
async function mark(path: string, offset: number): Promise<void> {
  const file = await openFile(path + MARK, 'w', 0o600);
  try {
    await file.writeFile(String(offset));
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(dirname(path));
}

async function unmark(path: string): Promise<void> {
  await rm(path + MARK, { force: true });
}

/** The end of the confirmed bytes; null if all are confirmed. */
async function confirmed(path: string): Promise<number | null> {
  const text = await readFile(path + MARK, 'utf8').catch(nullWhenMissing);
  // An empty mark means that its creation was interrupted, before anything was appended.
  return text ? Number(text) : null;
}

async function drop(path: string): Promise<boolean> {
  const there = await rm(path).then(() => true, nullWhenMissing);
  await rm(path + MARK, { force: true });
  return there === true;
}
