/** Picks a storage by its URL. */
import { fileURLToPath } from 'node:url';
import { openLocalStorage } from './local.ts';
import { type Storage, StorageError } from './storage.ts';

/**
 * Opens the storage that a URL names: `file:///var/lib/scriptorium`, or a plain path.
 * @throws StorageError `scheme_not_supported`
 */
export async function openStorage(url: string): Promise<Storage> {
  if (url.startsWith('file:')) return openLocalStorage(fileURLToPath(url));
  if (/^(?:\.{0,2}\/|[^:]+$)/.test(url) && url !== '') return openLocalStorage(url);
  if (url.startsWith('s3:')) {
    throw new StorageError(
      'scheme_not_supported',
      'Storage on S3 is not built yet; use a file: URL, such as file:///var/lib/scriptorium.',
    );
  }
  const scheme = url.slice(0, Math.max(0, url.indexOf(':') + 1));
  throw new StorageError(
    'scheme_not_supported',
    `There is no storage for ${scheme === '' ? 'an empty URL' : JSON.stringify(scheme)}; use a file: URL, such as file:///var/lib/scriptorium.`,
  );
}
