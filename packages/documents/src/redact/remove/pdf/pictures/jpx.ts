/** Boxes of JP2 files that belong to the picture (ISO 15444-1 annex I). All others are dropped. */
const pictureBoxes: ReadonlySet<string> = new Set(['jP  ', 'ftyp', 'jp2h', 'jp2c']);

/** Markers of code streams (ISO 15444-1 annex A). */
const startOfCodestream = 0xff4f;
const startOfTilePart = 0xff90;
const startOfData = 0xff93;
const commentMarker = 0xff64;

/**
 * Returns a JPEG 2000 picture that contains only pixels. A picture that cannot be parsed is
 * returned unchanged.
 */
export function stripJpx(bytes: Buffer): Buffer {
  if (bytes.length >= 2 && bytes.readUInt16BE(0) === startOfCodestream) {
    return stripCodestream(bytes) ?? bytes;
  }
  if (bytes.length < 12 || bytes.toString('latin1', 4, 8) !== 'jP  ') return bytes;
  const boxes: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + 8 > bytes.length) return bytes;
    const kind = bytes.toString('latin1', at + 4, at + 8);
    // A length of 0 means up to the end of the file, 1 means that an eight-byte length follows.
    const length = bytes.readUInt32BE(at);
    const body = at + (length === 1 ? 16 : 8);
    const longLength =
      length === 1 && body <= bytes.length ? Number(bytes.readBigUInt64BE(at + 8)) : 0;
    const end = length === 0 ? bytes.length : at + (longLength || length);
    if (end < body || end > bytes.length) return bytes;
    if (kind === 'jp2c') {
      const picture = stripCodestream(bytes.subarray(body, end));
      if (!picture) return bytes;
      const header = Buffer.from('\0\0\0\0jp2c', 'latin1');
      header.writeUInt32BE(picture.length + 8);
      boxes.push(header, picture);
    } else if (pictureBoxes.has(kind)) boxes.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(boxes);
}

/** Returns a code stream without comments in its main header and its tile-part headers. */
function stripCodestream(bytes: Buffer): Buffer | undefined {
  const main = stripHeader(bytes, 2, startOfTilePart);
  if (!main) return undefined;
  const segments = [bytes.subarray(0, 2), ...main.kept];
  let at = main.end;
  while (at + 12 <= bytes.length && bytes.readUInt16BE(at) === startOfTilePart) {
    // A length of 0 means up to the end of the code stream.
    const length = bytes.readUInt32BE(at + 6);
    const end = length === 0 ? bytes.length : at + length;
    const header = stripHeader(bytes, at + 12, startOfData);
    if (!header || end < header.end || end > bytes.length) return undefined;
    const start = Buffer.from(bytes.subarray(at, at + 12));
    const removedBytes =
      header.end - at - 12 - header.kept.reduce((sum, part) => sum + part.length, 0);
    if (length !== 0) start.writeUInt32BE(length - removedBytes, 6);
    segments.push(start, ...header.kept, bytes.subarray(header.end, end));
    at = end;
  }
  return Buffer.concat([...segments, bytes.subarray(at)]);
}

/** Returns the marker segments of a header up to its final marker, without comments. */
function stripHeader(
  bytes: Buffer,
  from: number,
  endMarker: number,
): { kept: Buffer[]; end: number } | undefined {
  const segments: Buffer[] = [];
  for (let at = from; at + 2 <= bytes.length; ) {
    const marker = bytes.readUInt16BE(at);
    if (marker === endMarker) return { kept: segments, end: at };
    if (at + 4 > bytes.length) return undefined;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end < at + 4 || end > bytes.length) return undefined;
    if (marker !== commentMarker) segments.push(bytes.subarray(at, end));
    at = end;
  }
  return undefined;
}
