import { open } from 'node:fs/promises';
import type { SourceMime } from '@scriptorium/contracts/documents/sources';
import { EngineError } from '@scriptorium/sandbox/errors';
import { decode } from '../../files/encoding/index.ts';
import type { NormalDocument } from '../document.ts';
import { isContainer, readAsDocument, readFileAsDocument } from './index.ts';

/** The maximum number of bytes that are read. A page of text is much shorter. */
const beginningBytes = 256 * 1024;

/**
 * Reads the beginning of a file without pages. Files that contain other files are read completely.
 * Throws EngineError.
 */
export async function readBeginning(path: string, mime: SourceMime): Promise<NormalDocument> {
  if (isContainer(mime)) return readFileAsDocument(path, mime);
  return readAsDocument(await firstBytes(path), mime);
}

/** Reads the beginning of a plain text file. Throws EngineError. */
export async function readPlainText(path: string): Promise<string> {
  return decode(await firstBytes(path)).text;
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size === 0) throw new EngineError('empty', 'The file is empty.');
    const bytes = new Uint8Array(Math.min(size, beginningBytes));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    const read = bytes.subarray(0, bytesRead);
    return bytesRead < size ? truncateToLineEnd(read) : read;
  } finally {
    await file.close();
  }
}

/**
 * Truncates bytes after the last line end to avoid splitting a character. A code unit may have two
 * bytes.
 */
function truncateToLineEnd(bytes: Uint8Array): Uint8Array {
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end === 0) return bytes;
  return bytes.subarray(0, bytes.includes(0) ? end + (end % 2) : end);
}
