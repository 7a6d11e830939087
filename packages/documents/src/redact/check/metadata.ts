type PictureKind = 'jpeg' | 'png' | 'webp' | 'jp2';

/**
 * Describes, for the verdict, any content of a coded picture other than its pixels and their
 * colours; undefined if it has no such content. A picture that cannot be parsed counts as having
 * other content.
 */
export function metadataIn(kind: PictureKind, data: Uint8Array): string | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  switch (kind) {
    case 'jpeg':
      return inJpeg(bytes);
    case 'png':
      return inPng(bytes);
    case 'webp':
      return inWebp(bytes);
    case 'jp2':
      return inJp2(bytes);
  }
}

const damaged = 'A picture cannot be parsed.';
const extra = 'A picture holds more than its pixels.';
const trailing = 'A picture continues after its end.';

/**
 * Allows tables, frames, scans, restart markers (ITU-T T.81, table B.1) and the start of an Adobe
 * segment.
 */
function inJpeg(bytes: Buffer): string | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return damaged;
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return damaged;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    const body = bytes.subarray(at + 4, at + 2 + length);
    if (length < 2 || at + 2 + length > bytes.length) return damaged;
    if (!isOfPixels(marker, body)) return extra;
    at += 2 + length;
    if (marker !== 0xda) continue;
    at = endOfScan(bytes, at);
    if (at < 0) return damaged;
    if (bytes[at + 1] === 0xd9) return isEnd(bytes.subarray(at + 2)) ? undefined : trailing;
  }
  return damaged;
}

function isOfPixels(marker: number, body: Buffer): boolean {
  const starts = (text: string): boolean => body.toString('latin1', 0, text.length) === text;
  if (marker === 0xe0) return starts('JFIF\0') && body.length === 14 && body.readUInt16BE(12) === 0;
  if (marker === 0xe2) return starts('ICC_PROFILE\0');
  if (marker === 0xee) return starts('Adobe') && body.length === 12;
  return (
    (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) || (marker >= 0xda && marker <= 0xdf)
  );
}

function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) return -1;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return -1;
}

/** Allows at most a line break, because some writers pad their output. */
function isEnd(rest: Buffer): boolean {
  return rest.length <= 2 && rest.every((byte) => byte === 0 || byte === 0x0a || byte === 0x0d);
}

const pngChunks = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS'],
  ...['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'sBIT', 'bKGD', 'pHYs'],
]);

function inPng(bytes: Buffer): string | undefined {
  let at = 8;
  while (at + 12 <= bytes.length) {
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (!pngChunks.has(kind)) return extra;
    at += 12 + bytes.readUInt32BE(at);
    if (kind === 'IEND') return at === bytes.length ? undefined : trailing;
  }
  return damaged;
}

const webpChunks = new Set(['VP8X', 'ICCP', 'ALPH', 'VP8 ', 'VP8L']);

function inWebp(bytes: Buffer): string | undefined {
  if (bytes.length < 12 || bytes.readUInt32LE(4) + 8 !== bytes.length) return trailing;
  let at = 12;
  while (at + 8 <= bytes.length) {
    if (!webpChunks.has(bytes.toString('latin1', at, at + 4))) return extra;
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return at === bytes.length ? undefined : damaged;
}

const jp2Boxes = new Set(['jP  ', 'ftyp', 'jp2h', 'jp2c']);

/** Checks JPEG 2000: a bare code stream, or boxes (ISO 15444-1 annex I) without XML and UUIDs. */
function inJp2(bytes: Buffer): string | undefined {
  if (bytes.length < 12) return damaged;
  if (bytes.readUInt16BE(0) === 0xff4f) return inCodestream(bytes);
  let at = 0;
  while (at + 8 <= bytes.length) {
    let length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (!jp2Boxes.has(kind)) return extra;
    if (length === 0) length = bytes.length - at;
    if (length < 8) return damaged;
    const found = kind === 'jp2c' ? inCodestream(bytes.subarray(at + 8, at + length)) : undefined;
    if (found) return found;
    at += length;
  }
  return at === bytes.length ? undefined : damaged;
}

const coders = /^(Created by OpenJPEG|Kakadu-|Created by: ?JJ2000|Adobe)/;

/**
 * Checks a code stream. Its main header and its tile-part headers may contain comments (COM,
 * 0xff64), but only the usual identification of an encoder.
 */
function inCodestream(bytes: Buffer): string | undefined {
  const found = inHeader(bytes, 2, 0xff90);
  if (typeof found === 'string') return found;
  let at = found;
  while (at + 12 <= bytes.length && bytes.readUInt16BE(at) === 0xff90) {
    const data = inHeader(bytes, at + 12, 0xff93);
    if (typeof data === 'string') return data;
    const length = bytes.readUInt32BE(at + 6);
    if (length === 0) break;
    if (at + length < data) return damaged;
    at += length;
  }
  return bytes.subarray(-2).equals(Buffer.from([0xff, 0xd9])) ? undefined : trailing;
}

/**
 * Returns the position at which a header ends, at the marker `last`. If the header contains
 * anything other than the picture, returns a description of it.
 */
function inHeader(bytes: Buffer, from: number, last: number): number | string {
  for (let at = from; at + 4 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at);
    if (marker === last) return at;
    if (marker === 0xff64 && !coders.test(bytes.toString('latin1', at + 6, at + 60))) return extra;
  }
  return damaged;
}
