/** Opens a storage by its URL. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLocalStorage } from './local.ts';
import { type Storage, StorageError } from './storage.ts';

/**
 * Opens the storage that a URL names: `file:///var/lib/scriptorium`, a plain path, or
 * `s3://bucket/prefix?region=…&endpoint=…&path_style=true`.
 * @param spoolPath a folder for bytes on their way to S3, which survives a crash; by default a new
 *   temporary folder
 * @throws StorageError `scheme_not_supported`, `url_invalid`
 */
export async function openStorage(url: string, spoolPath?: string): Promise<Storage> {
  if (url.startsWith('file:')) return openLocalStorage(fileURLToPath(url));
  if (/^(?:\.{0,2}\/|[^:]+$)/.test(url) && url !== '') return openLocalStorage(url);
  if (url.startsWith('s3:')) {
    // Imported lazily: the SDK is large, and most processes use a disk.
    const { openS3Storage } = await import('./s3/storage.ts');
    return openS3Storage(url, {
      spoolPath: spoolPath ?? (await mkdtemp(join(tmpdir(), 'scriptorium-spool-'))),
    });
  }
  const scheme = url.slice(0, Math.max(0, url.indexOf(':') + 1));
  throw new StorageError(
    'scheme_not_supported',
    `STORAGE_URL does not support ${scheme === '' ? 'an empty URL' : JSON.stringify(scheme)}. Use a file: URL, such as file:///var/lib/scriptorium, or an s3: URL.`,
  );
}

/**
 * Rejects a bucket in which this process lacks a permission, with a message that names the permission.
 * Other storages are accepted.
 * @param cleansUp whether this process calls `cleanTemp`
 */
export async function checkStoragePermissions(url: string, cleansUp: boolean): Promise<void> {
  if (!url.startsWith('s3:')) return;
  const { checkBucketPermissions } = await import('./s3/check-permissions.ts');
  await checkBucketPermissions(url, cleansUp);
}
