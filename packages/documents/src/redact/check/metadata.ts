type PictureKind = 'jpeg' | 'png' | 'webp' | 'jp2';

/**
 * Describes, for the verdict, any content of a coded picture other than its pixels and their
 * colours; undefined if it has no such content. A picture that cannot be parsed counts as having
 * other content.
 */
export function describeMetadata(kind: PictureKind, data: Uint8Array): string | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  switch (kind) {
    case 'jpeg':
      return checkJpeg(bytes);
    case 'png':
      return checkPng(bytes);
    case 'webp':
      return checkWebp(bytes);
    case 'jp2':
      return checkJp2(bytes);
  }
}

const damagedDetail = 'A picture cannot be parsed.';
const extraDetail = 'A picture contains more than its pixels.';
const trailingDetail = 'A picture continues after its end.';

/**
 * Allows tables, frames, scans, restart markers (ITU-T T.81, table B.1) and the start of an Adobe
 * segment.
 */
function checkJpeg(bytes: Buffer): string | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return damagedDetail;
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return damagedDetail;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    const body = bytes.subarray(at + 4, at + 2 + length);
    if (length < 2 || at + 2 + length > bytes.length) return damagedDetail;
    if (!isPixelSegment(marker, body)) return extraDetail;
    at += 2 + length;
    if (marker !== 0xda) continue;
    at = endOfScan(bytes, at);
    if (at < 0) return damagedDetail;
    if (bytes[at + 1] === 0xd9) return isEnd(bytes.subarray(at + 2)) ? undefined : trailingDetail;
  }
  return damagedDetail;
}

function isPixelSegment(marker: number, body: Buffer): boolean {
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
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'cICP',
  'sBIT',
  'bKGD',
  'pHYs',
]);

function checkPng(bytes: Buffer): string | undefined {
  let at = 8;
  while (at + 12 <= bytes.length) {
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (!pngChunks.has(kind)) return extraDetail;
    at += 12 + bytes.readUInt32BE(at);
    if (kind === 'IEND') return at === bytes.length ? undefined : trailingDetail;
  }
  return damagedDetail;
}

const webpChunks = new Set(['VP8X', 'ICCP', 'ALPH', 'VP8 ', 'VP8L']);

function checkWebp(bytes: Buffer): string | undefined {
  if (bytes.length < 12 || bytes.readUInt32LE(4) + 8 !== bytes.length) return trailingDetail;
  let at = 12;
  while (at + 8 <= bytes.length) {
    if (!webpChunks.has(bytes.toString('latin1', at, at + 4))) return extraDetail;
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return at === bytes.length ? undefined : damagedDetail;
}

const jp2Boxes = new Set(['jP  ', 'ftyp', 'jp2h', 'jp2c']);

/** Checks JPEG 2000: a bare code stream, or boxes (ISO 15444-1 annex I) without XML and UUIDs. */
function checkJp2(bytes: Buffer): string | undefined {
  if (bytes.length < 12) return damagedDetail;
  if (bytes.readUInt16BE(0) === 0xff4f) return checkCodestream(bytes);
  let at = 0;
  while (at + 8 <= bytes.length) {
    let length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (!jp2Boxes.has(kind)) return extraDetail;
    if (length === 0) length = bytes.length - at;
    if (length < 8) return damagedDetail;
    const found =
      kind === 'jp2c' ? checkCodestream(bytes.subarray(at + 8, at + length)) : undefined;
    if (found) return found;
    at += length;
  }
  return at === bytes.length ? undefined : damagedDetail;
}

const encoderPattern = /^(Created by OpenJPEG|Kakadu-|Created by: ?JJ2000|Adobe)/;

/**
 * Checks a code stream. Its main header and its tile-part headers may contain comments (COM,
 * 0xff64), but only the usual identification of an encoder.
 */
function checkCodestream(bytes: Buffer): string | undefined {
  const found = readHeader(bytes, 2, 0xff90);
  if (typeof found === 'string') return found;
  let at = found;
  while (at + 12 <= bytes.length && bytes.readUInt16BE(at) === 0xff90) {
    const data = readHeader(bytes, at + 12, 0xff93);
    if (typeof data === 'string') return data;
    const length = bytes.readUInt32BE(at + 6);
    if (length === 0) break;
    if (at + length < data) return damagedDetail;
    at += length;
  }
  return bytes.subarray(-2).equals(Buffer.from([0xff, 0xd9])) ? undefined : trailingDetail;
}

/**
 * Returns the position of `endMarker`, at which a header ends. If the header contains anything other
 * than the picture, returns a description of it.
 */
function readHeader(bytes: Buffer, from: number, endMarker: number): number | string {
  for (let at = from; at + 4 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at);
    if (marker === endMarker) return at;
    if (marker === 0xff64 && !encoderPattern.test(bytes.toString('latin1', at + 6, at + 60)))
      return extraDetail;
  }
  return damagedDetail;
}
