import type { IncomingMessage } from 'node:http';
import { Problem } from '../../contracts/problems.ts';
import { declaredType } from '../../library/files/declared.ts';
import { cleanFilename } from '../../library/files/filename.ts';
import type { UploadFacts } from '../../policies/enforce.ts';
import { valuesOf } from '../requests/credentials.ts';
import { textFault } from '../requests/json.ts';
import { decodeFilenameHeader } from './header-values.ts';

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

/** The name that a client says a raw upload has; null where it says none that can be one. */
export function announcedFilename(request: IncomingMessage): string | null {
  const [header, ...more] = valuesOf(request, 'x-filename');
  if (header === undefined || more.length > 0) return null;
  try {
    const given = decodeFilenameHeader(header);
    return textFault(given) ? null : cleanFilename(given);
  } catch (error) {
    // Told to the client when the upload itself is looked at.
    if (error instanceof Problem) return null;
    throw error;
  }
}
