import type { IncomingHttpHeaders } from 'node:http';
import { contentDisposition } from '../../library/files/filename.ts';
import type { Delivery } from '../../library/objects/delivery.ts';
import type { Storage } from '../../storage/storage.ts';
import { storedBytes } from './stored-bytes.ts';
import { strippedBytes, type Waiting } from './stripped-bytes.ts';

/** A download: how it may wait, and the request that is answered. */
interface Download extends Waiting {
  deps: Waiting['deps'] & { storage: Storage };
  method: string;
  headers: IncomingHttpHeaders;
}

/**
 * Answers a download with what the policies chose to deliver.
 * @throws Problem 409 `state_conflict` while it is made ready, 416 `range_not_satisfiable`
 */
export async function deliver(
  download: Download,
  { object, strip }: Delivery,
  disposition: 'attachment' | 'inline',
): ReturnType<typeof storedBytes> {
  const { deps, method, headers } = download;
  const { sha256, bytes } = strip ? await strippedBytes(download, object, strip) : object;
  return storedBytes({
    ...{ method, headers, storage: deps.storage, projectId: object.projectId, sha256, bytes },
    answer: {
      'Content-Type': object.mime,
      'Content-Disposition': contentDisposition(object.filename, disposition),
      // Kept, but asked for again each time: a key may have been revoked meanwhile.
      'Cache-Control': 'private, no-cache',
    },
  });
}
