/** What needs a file system: files to upload, and downloads into files. */
import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Scriptorium } from './client.ts';
import { ScriptoriumError } from './error.ts';
import type { Uploadable } from './upload/source.ts';

/** A file to upload; it is read piece by piece. Close it when it is done. */
export async function openFile(path: string) {
  const handle = await open(path, 'r');
  const stat = await handle.stat();
  if (!stat.isFile()) {
    await handle.close();
    throw new TypeError(`'${path}' is not a file.`);
  }
  return {
    filename: basename(path),
    bytes: stat.size,
    async read(start: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
      const bytes = new Uint8Array(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await handle.read(bytes, filled, length - filled, start + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      if (filled < Math.min(length, stat.size - start)) {
        throw new TypeError(`'${path}' became shorter while it was read.`);
      }
      return bytes.subarray(0, filled);
    },
    close: () => handle.close(),
  } satisfies Uploadable & { close(): Promise<void> };
}

export interface DownloadOptions {
  signal?: AbortSignal | undefined;
  /** Takes the place of a file that is there. */
  overwrite?: boolean | undefined;
  onProgress?: ((progress: { received: number; total: number | null }) => void) | undefined;
}

/**
 * Downloads an object into a file. It appears under its name when all of it is there and has the
 * SHA-256 that the service said.
 * @returns how many bytes it has
 * @throws ScriptoriumError, and what the file system throws: EEXIST when there is a file already
 */
export async function downloadTo(
  client: Scriptorium,
  objectId: string,
  path: string,
  { signal, overwrite = false, onProgress }: DownloadOptions = {},
): Promise<number> {
  const response = await client.objects.download(objectId, { signal });
  const length = response.headers.get('content-length');
  const total = length === null ? null : Number(length);
  const partial = `${path}.part-${crypto.randomUUID().slice(0, 8)}`;
  const hash = createHash('sha256');
  let received = 0;
  const file = await open(partial, 'wx');
  try {
    // Its types leave out that a body of Node's fetch can be iterated.
    for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      await file.write(piece);
      hash.update(piece);
      received += piece.byteLength;
      onProgress?.({ received, total });
    }
    await file.close();
    checkDigest(objectId, response.headers.get('etag'), hash.digest('hex'));
    // Takes the name first, so that nobody else's file is lost.
    if (!overwrite) await (await open(path, 'wx')).close();
    await rename(partial, path);
    return received;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof TypeError && error.message === 'terminated') {
      const detail = `The download of ${objectId} broke off after ${received} bytes.`;
      throw ScriptoriumError.local('connection_failed', detail, error);
    }
    throw error;
  } finally {
    await file.close().catch(() => undefined);
    await rm(partial, { force: true });
  }
}

/**
 * Downloads an object into a folder, under its own name made harmless; beside a file of that name as
 * `name-2.pdf`.
 * @returns the path it has
 */
export async function downloadInto(
  client: Scriptorium,
  object: { id: string; filename: string },
  folder: string,
  options: Omit<DownloadOptions, 'overwrite'> = {},
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const name = harmlessName(object.filename) || object.id;
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? name : `${stem}-${number}${extension}`);
    if (await exists(path)) continue;
    await downloadTo(client, object.id, path, options);
    return path;
  }
}

/** A file name without folders and without what terminals and shells take for something else. */
export function harmlessName(filename: string): string {
  return filename
    .split(/[/\\]/)
    .at(-1)!
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}:*?"<>|]/gu, '_')
    .replace(/^[.\s-]+/, '')
    .slice(0, 200);
}

async function exists(path: string): Promise<boolean> {
  try {
    await (await open(path, 'r')).close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** The ETag of an object's bytes is their SHA-256. */
function checkDigest(objectId: string, etag: string | null, digest: string): void {
  const said = /^"([0-9a-f]{64})/.exec(etag ?? '')?.[1];
  if (said === undefined || said === digest) return;
  const detail = `What came of ${objectId} is not what the service has: its SHA-256 is another. Try again.`;
  throw ScriptoriumError.local('content_mismatch', detail);
}
