import type { IncomingMessage } from 'node:http';
import { Problem } from '@scriptorium/contracts/problems';
import { declaredType } from '../../library/files/declared-type.ts';
import { cleanFilename } from '../../library/files/filename.ts';
import type { UploadFacts } from '../../policies/enforce.ts';
import { headerValues } from '../requests/headers.ts';
import { textFault } from '../requests/json.ts';
import { decodeFilenameHeader } from './header-values.ts';

/**
 * The type and length that the headers of an upload declare. For a form, neither is known until the
 * file arrives.
 */
export function readDeclaredFacts(request: IncomingMessage): UploadFacts {
  const mime = declaredType(request.headers['content-type']);
  if (mime?.startsWith('multipart/')) return {};
  const length = request.headers['content-length'];
  return {
    ...(mime === null ? {} : { mime }),
    ...(length !== undefined && /^\d{1,15}$/.test(length) ? { bytes: Number(length) } : {}),
  };
}

/** The declared filename of a raw upload; null if it is missing or invalid. */
export function readDeclaredFilename(request: IncomingMessage): string | null {
  const [header, ...more] = headerValues(request, 'x-filename');
  if (header === undefined || more.length > 0) return null;
  try {
    const filename = decodeFilenameHeader(header);
    return textFault(filename) ? null : cleanFilename(filename);
  } catch (error) {
    // The error is reported later, when the upload is validated.
    if (error instanceof Problem) return null;
    throw error;
  }
}
