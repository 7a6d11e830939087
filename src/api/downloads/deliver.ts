import type { IncomingHttpHeaders } from 'node:http';
import { contentDisposition } from '../../library/files/filename.ts';
import type { DownloadContent } from '../../library/objects/delivery.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Waiting } from './await-variant.ts';
import { storedBytes } from './stored-bytes.ts';
import { strippedBytes } from './stripped-bytes.ts';

/** A download request, and how long it may wait. */
interface Download extends Waiting {
  deps: Waiting['deps'] & { storage: Storage };
  method: string;
  headers: IncomingHttpHeaders;
}

/**
 * Returns the content that the policies chose.
 * @throws Problem 409 `state_conflict` while it is being prepared, 416 `range_not_satisfiable`
 */
export async function deliver(
  download: Download,
  { object, strip }: DownloadContent,
  disposition: 'attachment' | 'inline',
): ReturnType<typeof storedBytes> {
  const { deps, method, headers } = download;
  const { sha256, bytes } = strip ? await strippedBytes(download, object, strip) : object;
  return storedBytes({
    ...{ method, headers, storage: deps.storage, projectId: object.projectId, sha256, bytes },
    answer: {
      'Content-Type': object.mime,
      'Content-Disposition': contentDisposition(object.filename, disposition),
      // Revalidated on each use, because the key may have been revoked.
      'Cache-Control': 'private, no-cache',
    },
  });
}
