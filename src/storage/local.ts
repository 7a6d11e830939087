/** Bytes on a local disk: `<root>/<project_id>/<ab>/<cd>/<sha256>`, `<root>/.partial` and `<root>/.tmp`. */
import { createHash, randomUUID } from 'node:crypto';
import {
  type FileHandle,
  mkdir,
  open as openFile,
  rename,
  rm,
  stat as statFile,
} from 'node:fs/promises';
import { dirname, join, relative, resolve as resolvePath, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { asStorageError, bytesOf, codeOf, failNotFound, folder, syncFolder } from './files.ts';
import { openLocalPartials } from './local-partials.ts';
import {
  assertReference,
  type ByteRange,
  HEAD_BYTES,
  type Received,
  type Storage,
  StorageError,
  type StoredBytes,
} from './storage.ts';

const TEMP = '.tmp';
const PARTIAL = '.partial';

/** Opens (and creates) a storage in a folder that belongs to it alone. */
export async function openLocalStorage(root: string): Promise<Storage> {
  const base = resolvePath(root);
  const temp = join(base, TEMP);
  await mkdir(temp, { recursive: true });

  function pathOf(projectId: string, sha256: string): string {
    assertReference(projectId, sha256);
    return join(base, projectId, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  }

  function tempPath(): string {
    return join(temp, randomUUID());
  }

  async function receive(
    projectId: string,
    stream: Readable,
    options: { maxBytes: number; signal?: AbortSignal },
  ): Promise<Received> {
    const path = tempPath();
    let file: FileHandle | undefined;
    try {
      assertReference(projectId);
      file = await openFile(path, 'wx', 0o600);
      const hash = createHash('sha256');
      const head: Buffer[] = [];
      let headBytes = 0;
      let bytes = 0;
      const stopped = () => stream.destroy(new StorageError('aborted', 'The upload was stopped.'));
      if (options.signal?.aborted) stopped();
      options.signal?.addEventListener('abort', stopped, { once: true });
      try {
        for await (const piece of stream) {
          const chunk = bytesOf(piece);
          bytes += chunk.length;
          if (bytes > options.maxBytes) {
            throw new StorageError(
              'too_large',
              `There are more than the ${options.maxBytes} bytes that are allowed.`,
            );
          }
          hash.update(chunk);
          if (headBytes < HEAD_BYTES) {
            const part = chunk.subarray(0, HEAD_BYTES - headBytes);
            head.push(part);
            headBytes += part.length;
          }
          await file.writeFile(chunk);
        }
      } finally {
        options.signal?.removeEventListener('abort', stopped);
      }
      await file.sync();
      await file.close();
      file = undefined;
      return received(projectId, path, hash.digest('hex'), bytes, Buffer.concat(head));
    } catch (error) {
      await file?.close().catch(() => {});
      await rm(path, { force: true }).catch(() => {});
      // A sender in mid-stream must not fill buffers that nobody reads any more.
      stream.on('error', () => {});
      stream.destroy();
      throw asStorageError(error);
    }
  }

  async function receiveFile(projectId: string, path: string): Promise<Received> {
    assertReference(projectId);
    // Only what tempFile() gave out: anything else would be moved away from its owner.
    const inside = relative(temp, resolvePath(path));
    if (inside === '' || inside.startsWith('..') || inside.includes(sep)) {
      throw new StorageError('reference_invalid', 'Only a temporary file can be taken over.');
    }
    const file = await openFile(path, 'r+').catch(failNotFound);
    try {
      const hash = createHash('sha256');
      const head: Buffer[] = [];
      let bytes = 0;
      for await (const piece of file.createReadStream({ autoClose: false })) {
        const chunk = bytesOf(piece);
        hash.update(chunk);
        if (bytes < HEAD_BYTES) head.push(chunk.subarray(0, HEAD_BYTES - bytes));
        bytes += chunk.length;
      }
      await file.sync();
      return received(projectId, path, hash.digest('hex'), bytes, Buffer.concat(head));
    } catch (error) {
      throw asStorageError(error);
    } finally {
      await file.close();
    }
  }

  function received(
    projectId: string,
    path: string,
    sha256: string,
    bytes: number,
    head: Buffer,
  ): Received {
    let committed = false;
    return {
      sha256,
      bytes,
      head,
      async commit() {
        if (committed) return;
        try {
          await keep(path, pathOf(projectId, sha256));
        } catch (error) {
          throw asStorageError(error);
        }
        committed = true;
      },
      async discard() {
        if (!committed) await rm(path, { force: true });
      },
    };
  }

  /** Durable when it returns: the bytes were synced, the name is synced with its folders. */
  async function keep(from: string, to: string): Promise<void> {
    const made = await mkdir(dirname(to), { recursive: true });
    // Always over what is there: the bytes are the same by their hash, and if the disk has damaged
    // the old copy this heals it.
    await rename(from, to);
    await syncFolder(dirname(to));
    // New folders are names, too, in the folder above each of them.
    for (let at = dirname(to); made !== undefined && at !== base; ) {
      at = dirname(at);
      await syncFolder(at);
    }
  }

  async function open(projectId: string, sha256: string, range: ByteRange = {}): Promise<Readable> {
    const file = await openFile(pathOf(projectId, sha256), 'r').catch(failNotFound);
    try {
      const { size } = await file.stat();
      const start = range.start ?? 0;
      const end = Math.min(range.end ?? size - 1, size - 1);
      const whole = range.start === undefined && range.end === undefined;
      const valid = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0;
      if (!valid || (!whole && start > end)) {
        throw new StorageError('range_invalid', `The range does not fit into ${size} bytes.`);
      }
      // createReadStream takes no empty range, which is what all of nothing is.
      return file.createReadStream(size === 0 ? {} : { start, end });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async function stat(projectId: string, sha256: string): Promise<StoredBytes | null> {
    try {
      const found = await statFile(pathOf(projectId, sha256));
      return { sha256, bytes: found.size, storedAt: found.mtime };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
  }

  async function localPath(projectId: string, sha256: string) {
    const path = pathOf(projectId, sha256);
    await statFile(path).catch(failNotFound);
    return { path, release: async () => {} };
  }

  async function remove(projectId: string, sha256: string): Promise<boolean> {
    try {
      await rm(pathOf(projectId, sha256));
      return true;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    }
  }

  async function* list(projectId: string): AsyncIterable<StoredBytes> {
    assertReference(projectId);
    for await (const first of folder(join(base, projectId))) {
      for await (const second of folder(first)) {
        for await (const path of folder(second)) {
          const found = await statFile(path).catch((error: unknown) => {
            if (codeOf(error) === 'ENOENT') return null; // removed while we listed
            throw error;
          });
          const sha256 = path.slice(path.lastIndexOf(sep) + 1);
          if (found?.isFile()) yield { sha256, bytes: found.size, storedAt: found.mtime };
        }
      }
    }
  }

  async function tempFile() {
    const path = tempPath();
    const file = await openFile(path, 'wx', 0o600).catch((error: unknown) => {
      throw asStorageError(error);
    });
    await file.close();
    return { path, release: () => rm(path, { force: true }) };
  }

  async function cleanTemp(olderThanMs: number): Promise<number> {
    let removed = 0;
    for await (const path of folder(temp)) {
      const found = await statFile(path).catch(() => null);
      // A file that is still written to has a fresh time, however long the upload takes.
      if (found && Date.now() - found.mtimeMs >= olderThanMs) {
        await rm(path, { force: true });
        removed += 1;
      }
    }
    return removed;
  }

  return {
    receive,
    receiveFile,
    open,
    stat,
    localPath,
    remove,
    list,
    partials: openLocalPartials(join(base, PARTIAL), (from, projectId, sha256) =>
      keep(from, pathOf(projectId, sha256)),
    ),
    tempFile,
    cleanTemp,
    close: async () => {},
  };
}
