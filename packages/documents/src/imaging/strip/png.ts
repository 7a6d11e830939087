import { crc32 } from 'node:zlib';
import type { StripFields } from '@scriptorium/contracts/variants';
import { damagedError } from '../errors.ts';
import { filterExif } from '../exif.ts';

const signatureBytes = 8;

/** Chunks needed for pixels, colours and animation. Text chunks are not included. */
const keptChunks: ReadonlySet<string> = new Set(
  `IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs acTL fcTL fdAT`.split(
    /\s+/,
  ),
);

/** Returns a PNG with new EXIF, without text chunks and any data after the end. */
export function stripPng(bytes: Buffer, fields: StripFields): Buffer {
  const chunks: Buffer[] = [];
  let exif: Buffer | null = null;
  let at = signatureBytes;
  while (at + 12 <= bytes.length) {
    const kind = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) throw damagedError();
    if (kind === 'eXIf') exif ??= filterExif(bytes.subarray(at + 8, end - 4), fields);
    else if (keptChunks.has(kind)) chunks.push(bytes.subarray(at, end));
    at = end;
    if (kind === 'IEND') break;
  }
  const [header, ...rest] = chunks;
  if (!header) throw damagedError();
  return Buffer.concat([
    bytes.subarray(0, signatureBytes),
    header,
    ...(exif ? [buildChunk('eXIf', exif)] : []),
    ...rest,
  ]);
}

function buildChunk(kind: string, body: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + body.length);
  bytes.writeUInt32BE(body.length, 0);
  bytes.write(kind, 4, 'latin1');
  body.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + body.length)), 8 + body.length);
  return bytes;
}
