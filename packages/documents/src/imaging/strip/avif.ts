import type { StripFields } from '@scriptorium/contracts/variants';
import { damagedError } from '../errors.ts';
import { emptyExif, filterExif } from '../exif.ts';

/**
 * A box of ISO BMFF (ISO/IEC 14496-12 §4.2): a header of `headerBytes` with its size and type, then
 * its content.
 */
interface Box {
  kind: string;
  start: number;
  headerBytes: number;
  end: number;
}

/** An item of the file (§8.11): a picture, a part of a picture, or metadata. */
interface Item {
  kind: string;
  /** The location of the item in the file. */
  extents: { start: number; end: number }[];
}

/** The boxes in `meta` that combine items into a picture. */
const keptMetaBoxes = ['hdlr', 'pitm', 'iloc', 'iinf', 'iref', 'iprp', 'grpl', 'dinf', 'idat'];
/** The properties needed to display a picture. Descriptions are not included. */
const keptProperties =
  `ispe pixi av1C hvcC colr irot imir auxC clap pasp clli mdcv cclv a1op a1lx lsel amve ndwt reve`.split(
    /\s+/,
  );
/** Types of items that are pictures or combine pictures. */
const pictureItems = ['av01', 'hvc1', 'grid', 'iovl', 'iden', 'tmap'];
/** Boxes of a movie that contain metadata, at any level. */
const metadataBoxes = ['udta', 'meta', 'uuid'];
const emptyXmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>';

/**
 * Returns the EXIF, without the bytes before it, and the XMP of an AVIF or HEIC file.
 * @throws EngineError `damaged` if the structure is invalid.
 */
export function readMetadataItems(bytes: Buffer): { exif?: Buffer; xmp?: Buffer } {
  const meta = [...boxesOf(bytes, 0, bytes.length)].find(({ kind }) => kind === 'meta');
  if (!meta) return {};
  const items = itemsOf(bytes, [...boxesOf(bytes, meta.start + meta.headerBytes + 4, meta.end)]);
  const textOf = (itemKind: string): Buffer | undefined => {
    const item = items.find(({ kind }) => kind === itemKind);
    const parts = item?.extents.map(({ start, end }) => bytes.subarray(start, end));
    return parts && Buffer.concat(parts);
  };
  const [exif, xmp] = [textOf('Exif'), textOf('mime')];
  const start = exif && exif.length >= 4 ? 4 + exif.readUInt32BE(0) : Number.POSITIVE_INFINITY;
  return {
    ...(exif && start < exif.length ? { exif: exif.subarray(start) } : {}),
    ...(xmp ? { xmp } : {}),
  };
}

/**
 * Returns an AVIF or HEIC file of the same length, so that all offsets in the file stay valid.
 * Boxes and bytes of pictures are copied, EXIF is rewritten in place, and all other bytes are set
 * to zero.
 */
export function stripAvif(bytes: Buffer, fields: StripFields): Buffer {
  const out = Buffer.alloc(bytes.length);
  const topBoxes = [...boxesOf(bytes, 0, bytes.length)];
  const meta = topBoxes.find(({ kind }) => kind === 'meta');
  const isAnimated = topBoxes.some(({ kind }) => kind === 'moov');
  for (const box of topBoxes) {
    if (box.kind === 'ftyp') copyBox(bytes, out, box);
    // The samples of an animation may be anywhere in this box.
    else if (box.kind === 'mdat' && isAnimated) copyBox(bytes, out, box);
    else if (box.kind === 'mdat') copyHeader(bytes, out, box);
    else if (box.kind === 'moov') copyMovie(bytes, out, box, 0);
    else if (box !== meta) blankOut(bytes, out, box);
  }
  if (meta) copyMeta(bytes, out, meta, fields);
  return out;
}

function copyMeta(bytes: Buffer, out: Buffer, meta: Box, fields: StripFields): void {
  const body = meta.start + meta.headerBytes;
  bytes.copy(out, meta.start, meta.start, body + 4);
  const boxes = [...boxesOf(bytes, body + 4, meta.end)];
  for (const box of boxes) {
    if (!keptMetaBoxes.includes(box.kind)) blankOut(bytes, out, box);
    else if (box.kind === 'idat') copyHeader(bytes, out, box);
    else if (box.kind === 'iprp') copyProperties(bytes, out, box);
    else copyBox(bytes, out, box);
  }
  for (const item of itemsOf(bytes, boxes)) {
    const [first] = item.extents;
    if (pictureItems.includes(item.kind)) {
      for (const { start, end } of item.extents) bytes.copy(out, start, start, end);
      continue;
    }
    for (const { start, end } of item.extents) out.fill(0, start, end);
    const capacity = first && item.extents.length === 1 ? first.end - first.start : 0;
    if (!first || capacity === 0) continue;
    const replacement = replacementFor(
      item.kind,
      bytes.subarray(first.start, first.end),
      fields,
      capacity,
    );
    replacement.copy(out, first.start, 0, capacity);
  }
}

/** Returns new EXIF after its four-byte offset, or empty XMP, padded to the old length. */
function replacementFor(kind: string, old: Buffer, fields: StripFields, capacity: number): Buffer {
  if (kind === 'Exif' && capacity >= 4 + emptyExif.length) {
    const start = 4 + old.readUInt32BE(0);
    const rewritten = filterExif(old.subarray(start), fields) ?? emptyExif;
    const replacement = 4 + rewritten.length <= capacity ? rewritten : emptyExif;
    return Buffer.concat([Buffer.alloc(4), replacement]);
  }
  return kind === 'mime' && capacity >= emptyXmp.length
    ? Buffer.from(emptyXmp.padEnd(capacity))
    : Buffer.alloc(0);
}

function copyProperties(bytes: Buffer, out: Buffer, box: Box): void {
  copyHeader(bytes, out, box);
  for (const inner of boxesOf(bytes, box.start + box.headerBytes, box.end)) {
    if (inner.kind !== 'ipco') {
      copyBox(bytes, out, inner);
      continue;
    }
    copyHeader(bytes, out, inner);
    for (const property of boxesOf(bytes, inner.start + inner.headerBytes, inner.end)) {
      // Properties are referenced by number, so a dropped property leaves a blank in its place.
      if (keptProperties.includes(property.kind)) copyBox(bytes, out, property);
      else blankOut(bytes, out, property);
    }
  }
}

function copyMovie(bytes: Buffer, out: Buffer, box: Box, depth: number): void {
  if (!['moov', 'trak', 'mdia', 'minf', 'edts'].includes(box.kind) || depth > 8) {
    copyBox(bytes, out, box);
    return;
  }
  copyHeader(bytes, out, box);
  for (const inner of boxesOf(bytes, box.start + box.headerBytes, box.end)) {
    if (metadataBoxes.includes(inner.kind)) blankOut(bytes, out, inner);
    else copyMovie(bytes, out, inner, depth + 1);
  }
}

function copyBox(bytes: Buffer, out: Buffer, { start, end }: Box): void {
  bytes.copy(out, start, start, end);
}

function copyHeader(bytes: Buffer, out: Buffer, { start, headerBytes }: Box): void {
  bytes.copy(out, start, start, start + headerBytes);
}

/** Replaces a box with a `free` box of the same size, filled with zeros. */
function blankOut(bytes: Buffer, out: Buffer, box: Box): void {
  copyHeader(bytes, out, box);
  out.write('free', box.start + 4, 'latin1');
}

function* boxesOf(bytes: Buffer, from: number, to: number): Iterable<Box> {
  let start = from;
  while (start + 8 <= to) {
    const size32 = bytes.readUInt32BE(start);
    const head = size32 === 1 ? 16 : 8;
    if (start + head > to) throw damagedError();
    const size =
      size32 === 1 ? Number(bytes.readBigUInt64BE(start + 8)) : size32 === 0 ? to - start : size32;
    const end = start + size;
    if (size < head || end > to) throw damagedError();
    yield { kind: bytes.toString('latin1', start + 4, start + 8), start, headerBytes: head, end };
    start = end;
  }
}

/**
 * Returns the items of a file, with types from `iinf` and locations from `iloc` (§8.11.3, §8.11.6).
 */
function itemsOf(bytes: Buffer, boxes: readonly Box[]): Item[] {
  const kinds = kindsOf(bytes, boxes);
  const iloc = boxes.find(({ kind }) => kind === 'iloc');
  if (!iloc) return [];
  const idat = boxes.find(({ kind }) => kind === 'idat');
  const read = integerReader(bytes.subarray(iloc.start + iloc.headerBytes, iloc.end));
  const version = read(1);
  read(3);
  const sizes = read(2);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version > 0 ? sizes & 15 : 0;
  const count = read(version < 2 ? 2 : 4);
  const items: Item[] = [];
  for (let index = 0; index < count; index += 1) {
    const id = read(version < 2 ? 2 : 4);
    const method = version > 0 ? read(2) & 15 : 0;
    // 2 means a location in another item, which only derived pictures use.
    if (method > 1) throw damagedError();
    read(2);
    const base = read(baseSize) + (method === 1 && idat ? idat.start + idat.headerBytes : 0);
    const extents: Item['extents'] = [];
    const extentCount = read(2);
    for (let extent = 0; extent < extentCount; extent += 1) {
      read(indexSize);
      const start = base + read(offsetSize);
      const length = read(lengthSize);
      // A length of 0 means to the end of the file.
      const end = length === 0 ? bytes.length : start + length;
      if (start > end || end > bytes.length) throw damagedError();
      extents.push({ start, end });
    }
    items.push({ kind: kinds.get(id) ?? '', extents });
  }
  // Metadata comes first: bytes that it shares with a picture belong to the picture.
  return items.sort(
    (a, b) => Number(pictureItems.includes(a.kind)) - Number(pictureItems.includes(b.kind)),
  );
}

function kindsOf(bytes: Buffer, boxes: readonly Box[]): Map<number, string> {
  const kinds = new Map<number, string>();
  const iinf = boxes.find(({ kind }) => kind === 'iinf');
  if (!iinf) return kinds;
  const body = iinf.start + iinf.headerBytes;
  const version = bytes[body] ?? 0;
  for (const infe of boxesOf(bytes, body + (version === 0 ? 6 : 8), iinf.end)) {
    const at = infe.start + infe.headerBytes;
    const hasLongId = bytes[at] === 3;
    const read = integerReader(bytes.subarray(at + 4, infe.end));
    const id = read(hasLongId ? 4 : 2);
    read(2);
    kinds.set(id, bytes.toString('latin1', at + (hasLongId ? 10 : 8), at + (hasLongId ? 14 : 12)));
  }
  return kinds;
}

/** Returns a function that reads consecutive big-endian integers of 0 to 8 bytes. */
function integerReader(bytes: Buffer): (length: number) => number {
  let at = 0;
  return (length) => {
    if (at + length > bytes.length) throw damagedError();
    let value = 0;
    for (const byte of bytes.subarray(at, at + length)) value = value * 256 + byte;
    at += length;
    return value;
  };
}
