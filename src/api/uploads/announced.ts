import type { IncomingMessage } from 'node:http';
import type { UploadFacts } from '../../policies/enforce.ts';

/** What clients send that do not know or say what they send. */
const saysNothing = new Set([
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-www-form-urlencoded',
  'text/plain',
]);

/**
 * What a client says of an upload before it sends the bytes: the type it declares, and the length. Of
 * a form neither is known before its file has come.
 */
export function announcedFacts(request: IncomingMessage): UploadFacts {
  const declared = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (declared.startsWith('multipart/')) return {};
  const length = request.headers['content-length'];
  return {
    ...(declared !== '' && !saysNothing.has(declared) ? { mime: declared } : {}),
    ...(length !== undefined && /^\d{1,15}$/.test(length) ? { bytes: Number(length) } : {}),
  };
}
