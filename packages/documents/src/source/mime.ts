import { closeSync, openSync, readSync } from 'node:fs';
import { pagedMimes, type SourceMime } from '@scriptorium/contracts/documents/sources';
import { EngineError } from '@scriptorium/sandbox/errors';

/** Rejects types that are not supported, and files whose first bytes belong to another type. */
export async function checkMime(path: string, mime: string): Promise<SourceMime> {
  const supported = pagedMimes.find((candidate) => candidate === mime);
  if (!supported) {
    throw new EngineError('unsupported', `Pages cannot be read from a file of type ${mime}.`);
  }
  // Synchronous: the child has no other work, and a promise costs more than reading a few bytes.
  const file = openSync(path, 'r');
  const head = Buffer.alloc(16);
  try {
    if (readSync(file, head, 0, 16, 0) === 0) throw new EngineError('empty', 'The file is empty.');
  } finally {
    closeSync(file);
  }
  const text = head.toString('latin1');
  const isMatch =
    supported === 'application/pdf' ||
    (supported === 'image/png' && text.startsWith('\x89PNG')) ||
    (supported === 'image/jpeg' && text.startsWith('\xff\xd8')) ||
    (supported === 'image/tiff' && /^(II[*+]\0|MM\0[*+])/.test(text)) ||
    (supported === 'image/webp' && text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP');
  if (!isMatch) throw new EngineError('unsupported', `The file is not of type ${mime}.`);
  return supported;
}
