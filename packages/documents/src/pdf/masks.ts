import { readSync } from 'node:fs';

/** Number of bytes of a file that are read at once. */
const blockSize = 2 ** 20;
/** The keys in a picture's dictionary that refer to its mask (ISO 32000-2 table 87). */
const maskKeys = ['/SMask', '/Mask'];
const maxKeyLength = Math.max(...maskKeys.map(({ length }) => length));

/**
 * Whether a picture in a PDF may have a mask. A picture's dictionary is never compressed or
 * encrypted, so the bytes of the file are searched for its keys. The same keys outside pictures are
 * found as well.
 */
export function mayHaveMasks(descriptor: number, size: number): boolean {
  const buffer = Buffer.alloc(Math.min(blockSize, size));
  for (let position = 0; position < size; position += blockSize - maxKeyLength) {
    const length = readSync(descriptor, buffer, 0, buffer.length, position);
    const bytes = buffer.subarray(0, length);
    if (maskKeys.some((key) => bytes.includes(key, 0, 'latin1'))) return true;
    if (length < blockSize) break;
  }
  return false;
}
