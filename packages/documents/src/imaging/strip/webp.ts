import type { StripFields } from '@scriptorium/contracts/variants';
import { damagedError } from '../errors.ts';
import { filterExif } from '../exif.ts';

/** Chunks of a file, and of a frame of an animation, that affect the display. */
const keptChunks: ReadonlySet<string> = new Set(['ICCP', 'ANIM', 'ALPH', 'VP8 ', 'VP8L']);
const keptFrameChunks: ReadonlySet<string> = new Set(['ALPH', 'VP8 ', 'VP8L']);
const frameHeadBytes = 16;
const exifFlag = 0x08;
const xmpFlag = 0x04;

/** Returns a WebP with new EXIF, without XMP and unknown chunks. */
export function stripWebp(bytes: Buffer, fields: StripFields): Buffer {
  if (bytes.length < 12) throw damagedError();
  const chunks: Buffer[] = [];
  let features: Buffer | undefined;
  let exif: Buffer | null = null;
  const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(4));
  for (const { kind, body } of chunksOf(bytes.subarray(12, end))) {
    if (kind === 'VP8X') features ??= Buffer.from(body);
    else if (kind === 'EXIF') exif ??= filterExif(body, fields);
    else if (kind === 'ANMF') chunks.push(buildChunk(kind, stripFrame(body)));
    else if (keptChunks.has(kind)) chunks.push(buildChunk(kind, body));
  }
  if (features) {
    const flags = (features[0] ?? 0) & ~(exifFlag | xmpFlag);
    features[0] = exif ? flags | exifFlag : flags;
    chunks.unshift(buildChunk('VP8X', features));
    if (exif) chunks.push(buildChunk('EXIF', exif));
  }
  return buildChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
}

function stripFrame(body: Buffer): Buffer {
  const chunks = [...chunksOf(body.subarray(frameHeadBytes))]
    .filter(({ kind }) => keptFrameChunks.has(kind))
    .map((found) => buildChunk(found.kind, found.body));
  return Buffer.concat([body.subarray(0, frameHeadBytes), ...chunks]);
}

function* chunksOf(bytes: Buffer): Iterable<{ kind: string; body: Buffer }> {
  let at = 0;
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > bytes.length) throw damagedError();
    yield {
      kind: bytes.toString('latin1', at, at + 4),
      body: bytes.subarray(at + 8, at + 8 + length),
    };
    at += 8 + length + (length % 2);
  }
}

/** Returns a chunk. It is padded to an even length; its length field does not count the padding. */
function buildChunk(kind: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(kind, 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}
