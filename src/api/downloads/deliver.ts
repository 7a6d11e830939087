import type { IncomingHttpHeaders } from 'node:http';
import { contentDisposition } from '../../library/files/filename.ts';
import type { DownloadContent } from '../../library/objects/delivery.ts';
import type { Storage } from '../../storage/storage.ts';
import type { WaitingRequest } from './await-variant.ts';
import { storedBytesReply } from './stored-bytes.ts';
import { awaitStrippedBytes } from './stripped-bytes.ts';

/** A download request. */
interface DownloadRequest extends WaitingRequest {
  deps: WaitingRequest['deps'] & { storage: Storage };
  method: string;
  headers: IncomingHttpHeaders;
}

/**
 * Returns the content that the policies chose.
 * @throws Problem 409 `state_conflict` while it is being prepared, 416 `range_not_satisfiable`
 */
export async function deliver(
  download: DownloadRequest,
  { object, strip }: DownloadContent,
  disposition: 'attachment' | 'inline',
): ReturnType<typeof storedBytesReply> {
  const { deps, method, headers } = download;
  const { sha256, bytes } = strip ? await awaitStrippedBytes(download, object, strip) : object;
  return storedBytesReply({
    method,
    headers,
    storage: deps.storage,
    projectId: object.projectId,
    sha256,
    bytes,
    responseHeaders: {
      'Content-Type': object.mime,
      'Content-Disposition': contentDisposition(object.filename, disposition),
      // Revalidated on each use, because the key may have been revoked.
      'Cache-Control': 'private, no-cache',
    },
  });
}
