/** File system helpers: uploads from files and downloads to files. */
import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Scriptorium } from './client.ts';
import { ScriptoriumError } from './error.ts';
import type { Uploadable } from './upload/source.ts';

/** Opens a file for upload, read in chunks. The caller must close it. */
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
        throw new TypeError(`'${path}' was truncated while being read.`);
      }
      return bytes.subarray(0, filled);
    },
    close: () => handle.close(),
  } satisfies Uploadable & { close(): Promise<void> };
}

export interface DownloadOptions {
  signal?: AbortSignal | undefined;
  /** Overwrites an existing file. */
  overwrite?: boolean | undefined;
  onProgress?: ((progress: { received: number; total: number | null }) => void) | undefined;
}

/**
 * Downloads an object to a file. The file appears once it is complete and its SHA-256 is verified.
 * @returns the number of bytes
 * @throws ScriptoriumError, or a file system error: EEXIST if the file exists
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
  const partialPath = `${path}.part-${crypto.randomUUID().slice(0, 8)}`;
  const hash = createHash('sha256');
  let received = 0;
  const file = await open(partialPath, 'wx');
  try {
    // The types do not declare that a body of Node's fetch is iterable.
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      await file.write(chunk);
      hash.update(chunk);
      received += chunk.byteLength;
      onProgress?.({ received, total });
    }
    await file.close();
    checkDigest(objectId, response.headers.get('etag'), hash.digest('hex'));
    // Claims the name first, so that an existing file is not overwritten.
    if (!overwrite) await (await open(path, 'wx')).close();
    await rename(partialPath, path);
    return received;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof TypeError && error.message === 'terminated') {
      const detail = `The connection broke after ${received} bytes of ${objectId}.`;
      throw ScriptoriumError.local('connection_failed', detail, error);
    }
    throw error;
  } finally {
    await file.close().catch(() => undefined);
    await rm(partialPath, { force: true });
  }
}

/**
 * Downloads an object into a folder under its sanitised filename. If that exists, appends a number:
 * `name-2.pdf`.
 * @returns the path of the file
 */
export async function downloadInto(
  client: Scriptorium,
  object: { id: string; filename: string },
  folder: string,
  options: Omit<DownloadOptions, 'overwrite'> = {},
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const name = safeFilename(object.filename) || object.id;
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? name : `${stem}-${number}${extension}`);
    if (await exists(path)) continue;
    await downloadTo(client, object.id, path, options);
    return path;
  }
}

/** Removes folders, and characters that are special in terminals and shells, from a filename. */
export function safeFilename(filename: string): string {
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
  const expected = /^"([0-9a-f]{64})/.exec(etag ?? '')?.[1];
  if (expected === undefined || expected === digest) return;
  const detail = `The SHA-256 of the download of ${objectId} does not match. Try again.`;
  throw ScriptoriumError.local('content_mismatch', detail);
}
