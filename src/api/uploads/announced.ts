import type { IncomingMessage } from 'node:http';
import { declaredType } from '../../library/files/declared.ts';
import type { UploadFacts } from '../../policies/enforce.ts';

/**
 * What a client says of an upload before it sends the bytes: the type it declares, and the length. Of
 * a form neither is known before its file has come.
 */
export function announcedFacts(request: IncomingMessage): UploadFacts {
  const mime = declaredType(request.headers['content-type']);
  if (mime?.startsWith('multipart/')) return {};
  const length = request.headers['content-length'];
  return {
    ...(mime === null ? {} : { mime }),
    ...(length !== undefined && /^\d{1,15}$/.test(length) ? { bytes: Number(length) } : {}),
  };
}
