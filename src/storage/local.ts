/** Bytes on a local disk: `<root>/<project_id>/<ab>/<cd>/<sha256>`, `<root>/.partial` and `<root>/.tmp`. */

import {
  link,
  mkdir,
  open as openFile,
  readdir,
  rename,
  rm,
  stat as statFile,
} from 'node:fs/promises';
import { dirname, join, resolve as resolvePath } from 'node:path';
import type { Readable } from 'node:stream';
import {
  asStorageError,
  codeOf,
  fileClock,
  nullWhenMissing,
  syncFolder,
  throwNotFound,
} from './files.ts';
import { openLocalPartials } from './local-partials.ts';
import { openSpool, type SpooledFile } from './spool.ts';
import {
  assertReference,
  type ByteRange,
  isSha256,
  type ReceivedBytes,
  type Storage,
  StorageError,
} from './storage.ts';

/** Opens (and creates) a storage in a folder for its exclusive use. */
export async function openLocalStorage(root: string): Promise<Storage> {
  const base = resolvePath(root);
  const spool = await openSpool(join(base, '.tmp'));

  function pathOf(projectId: string, sha256: string): string {
    assertReference(projectId, sha256);
    return join(base, projectId, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  }

  /** Received bytes in a file, which `discard` removes. */
  function toReceived(
    projectId: string,
    { path, sha256, bytes, head }: SpooledFile,
    discard: (path: string) => Promise<unknown>,
  ): ReceivedBytes {
    let isCommitted = false;
    return {
      sha256,
      bytes,
      head,
      async commit() {
        const to = pathOf(projectId, sha256);
        try {
          if (!isCommitted || !(await exists(to))) {
            await linkFile({ from: path, to, base, second: spool.newPath() });
          }
        } catch (error) {
          throw asStorageError(error);
        }
        isCommitted = true;
      },
      async discard() {
        await discard(path);
      },
    };
  }

  return {
    async receive(projectId, stream, options) {
      assertReference(projectId);
      return toReceived(projectId, await spool.receive(stream, options), spool.remove);
    },
    async receiveFile(projectId, path) {
      assertReference(projectId);
      return toReceived(projectId, await spool.takeOver(path), spool.remove);
    },
    async open(projectId, sha256, range = {}) {
      return openRange(pathOf(projectId, sha256), range);
    },
    async stat(projectId, sha256) {
      const found = await statFile(pathOf(projectId, sha256)).catch(nullWhenMissing);
      // The time at which it got its name, by the clock of the file system, however long the upload took.
      return found && { sha256, bytes: found.size, storedAt: found.ctime };
    },
    async localPath(projectId, sha256) {
      const path = pathOf(projectId, sha256);
      await statFile(path).catch(throwNotFound);
      return { path, release: async () => {} };
    },
    async remove(projectId, sha256) {
      await rm(pathOf(projectId, sha256), { force: true });
    },
    // Rounded like file times, so that it is never before them.
    now: async () => Math.round(await fileClock(join(base, '.tmp'))),
    async *list(projectId, after = '') {
      assertReference(projectId);
      yield* hashesIn(join(base, projectId), after);
    },
    partials: openLocalPartials(join(base, '.partial'), toReceived),
    tempFile: spool.tempFile,
    cleanTemp: spool.clean,
    close: async () => {},
  };
}

/**
 * Links a finished file under a second name and renames the link, so that the file can be restored
 * while the first name exists. Durable on return: the bytes were synced before, and the name is
 * synced with its folders up to `base`.
 */
async function linkFile({
  from,
  second,
  to,
  base,
}: Record<'from' | 'second' | 'to' | 'base', string>): Promise<void> {
  await link(from, second);
  let created: string | undefined;
  try {
    created = await mkdir(dirname(to), { recursive: true });
    // Always replaces an existing file: its bytes are the same by their hash, and if the disk has
    // damaged the old copy, this repairs it.
    await rename(second, to);
  } finally {
    await rm(second, { force: true });
  }
  await syncFolder(dirname(to));
  // New folders are entries of their parent folders, which must be synced too.
  for (let at = dirname(to); created !== undefined && at !== base; ) {
    at = dirname(at);
    await syncFolder(at);
  }
}

/** @throws StorageError `not_found`, `range_invalid` */
async function openRange(path: string, range: ByteRange): Promise<Readable> {
  const file = await openFile(path, 'r').catch(throwNotFound);
  try {
    const { size } = await file.stat();
    const start = range.start ?? 0;
    const end = Math.min(range.end ?? size - 1, size - 1);
    const isWhole = range.start === undefined && range.end === undefined;
    const isValid = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0;
    if (!isValid || (!isWhole && start > end)) {
      throw new StorageError(
        'range_invalid',
        `The range is outside the file, whose size is ${size}.`,
      );
    }
    // `createReadStream` does not accept an empty range, such as all of an empty file.
    return file.createReadStream(size === 0 ? {} : { start, end });
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The hashes of the files in a project's folder after `after`, in order. */
async function* hashesIn(folder: string, after: string): AsyncIterable<string> {
  // Folders before those of `after` are skipped.
  for (const first of await namesIn(folder, after.slice(0, 2))) {
    const from = first === after.slice(0, 2) ? after.slice(2, 4) : '';
    for (const second of await namesIn(join(folder, first), from)) {
      for (const name of await namesIn(join(folder, first, second), '')) {
        if (isSha256(name) && name.startsWith(first + second) && name > after) yield name;
      }
    }
  }
}

/** The names in a folder that are not less than `from`, in order; none if the folder does not exist. */
async function namesIn(folder: string, from: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name >= from).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await statFile(path).catch(nullWhenMissing)) !== null;
}
