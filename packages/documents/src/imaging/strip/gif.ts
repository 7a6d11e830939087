import { damagedError } from '../errors.ts';

/** Application extensions for loops and colour profiles, which affect the display. */
const keptApplications: ReadonlySet<string> = new Set([
  'NETSCAPE2.0',
  'ANIMEXTS1.0',
  'ICCRGBG1012',
]);
const trailer = 0x3b;
const imageBlock = 0x2c;
const extensionBlock = 0x21;
const graphicControlLabel = 0xf9;
const applicationLabel = 0xff;

/**
 * Returns a GIF with only its pictures. Comments, XMP, plain text and any data after the end are
 * dropped.
 */
export function stripGif(bytes: Buffer): Buffer {
  let at = 13 + colourTableBytes(bytes[10]);
  const blocks: Buffer[] = [bytes.subarray(0, at)];
  for (;;) {
    const start = at;
    const kind = bytes[at];
    // A file that is truncated, or that continues with invalid data, ends where decoders stop.
    if (kind !== imageBlock && kind !== extensionBlock) break;
    if (kind === imageBlock) {
      at = endOfBlocks(bytes, at + 10 + colourTableBytes(bytes[at + 9]) + 1);
      blocks.push(bytes.subarray(start, at));
      continue;
    }
    const label = bytes[at + 1];
    const name = bytes.toString('latin1', at + 3, at + 14);
    at = endOfBlocks(bytes, at + 2);
    if (
      label === graphicControlLabel ||
      (label === applicationLabel && keptApplications.has(name))
    ) {
      blocks.push(bytes.subarray(start, at));
    }
  }
  return Buffer.concat([...blocks, Buffer.from([trailer])]);
}

function colourTableBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}

/** Returns the end of a sequence of blocks, each with a length prefix. */
function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const length = bytes[at];
    if (length === undefined) throw damagedError();
    at += 1 + length;
    if (length === 0) return at;
  }
}
