import type { StripFields } from '../../../contracts/variants.ts';
import { damaged } from '../damaged.ts';
import { emptyExif, keepExif } from '../exif.ts';

/** A box of ISO BMFF (ISO/IEC 14496-12 §4.2): `head` bytes of size and kind, then what it holds. */
interface Box {
  kind: string;
  start: number;
  head: number;
  end: number;
}

/** An item of the file (§8.11): a picture, a part of one, or words about it. */
interface Item {
  kind: string;
  /** Where its bytes are in the file. */
  extents: { start: number; end: number }[];
}

/** What of the box `meta` says how items become a picture. */
const keptInMeta = ['hdlr', 'pitm', 'iloc', 'iinf', 'iref', 'iprp', 'grpl', 'dinf', 'idat'];
/** Properties that show a picture; descriptions for people are not among them. */
const keptProperties = [
  ...['ispe', 'pixi', 'av1C', 'colr', 'irot', 'imir', 'auxC', 'clap', 'pasp'],
  ...['clli', 'mdcv', 'cclv', 'a1op', 'a1lx', 'lsel', 'amve', 'ndwt', 'reve'],
];
/** Items that are pictures or put pictures together. */
const pictureItems = ['av01', 'grid', 'iovl', 'iden', 'tmap'];
/** In a film: boxes that hold words, whoever's they are. */
const wordsInMovie = ['udta', 'meta', 'uuid'];
const nothingOfXmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>';

/**
 * An AVIF of the same length, so that every offset in it stays true: the boxes and the bytes of
 * pictures are copied, EXIF is written anew in its old place, and all else becomes zeros.
 */
export function stripAvif(bytes: Buffer, fields: StripFields): Buffer {
  const out = Buffer.alloc(bytes.length);
  const top = [...boxesOf(bytes, 0, bytes.length)];
  const meta = top.find(({ kind }) => kind === 'meta');
  const animated = top.some(({ kind }) => kind === 'moov');
  for (const box of top) {
    if (box.kind === 'ftyp') copyBox(bytes, out, box);
    // The samples of a film are anywhere in here.
    else if (box.kind === 'mdat' && animated) copyBox(bytes, out, box);
    else if (box.kind === 'mdat') copyHead(bytes, out, box);
    else if (box.kind === 'moov') copyMovie(bytes, out, box, 0);
    else if (box !== meta) blank(bytes, out, box);
  }
  if (meta) copyMeta(bytes, out, meta, fields);
  return out;
}

function copyMeta(bytes: Buffer, out: Buffer, meta: Box, fields: StripFields): void {
  const body = meta.start + meta.head;
  bytes.copy(out, meta.start, meta.start, body + 4);
  const boxes = [...boxesOf(bytes, body + 4, meta.end)];
  for (const box of boxes) {
    if (!keptInMeta.includes(box.kind)) blank(bytes, out, box);
    else if (box.kind === 'idat') copyHead(bytes, out, box);
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
    const room = first && item.extents.length === 1 ? first.end - first.start : 0;
    if (!first || room === 0) continue;
    const words = wordsInstead(item.kind, bytes.subarray(first.start, first.end), fields, room);
    words.copy(out, first.start, 0, room);
  }
}

/** New EXIF behind its four bytes of offset, or XMP that says nothing; as long as what was there. */
function wordsInstead(kind: string, old: Buffer, fields: StripFields, room: number): Buffer {
  if (kind === 'Exif' && room >= 4 + emptyExif.length) {
    const start = 4 + old.readUInt32BE(0);
    const kept = keepExif(old.subarray(start), fields) ?? emptyExif;
    const fits = 4 + kept.length <= room ? kept : emptyExif;
    return Buffer.concat([Buffer.alloc(4), fits]);
  }
  return kind === 'mime' && room >= nothingOfXmp.length
    ? Buffer.from(nothingOfXmp.padEnd(room))
    : Buffer.alloc(0);
}

function copyProperties(bytes: Buffer, out: Buffer, box: Box): void {
  copyHead(bytes, out, box);
  for (const inner of boxesOf(bytes, box.start + box.head, box.end)) {
    if (inner.kind !== 'ipco') {
      copyBox(bytes, out, inner);
      continue;
    }
    copyHead(bytes, out, inner);
    for (const property of boxesOf(bytes, inner.start + inner.head, inner.end)) {
      // Properties are known by their number, so a blank stays in the place of each.
      if (keptProperties.includes(property.kind)) copyBox(bytes, out, property);
      else blank(bytes, out, property);
    }
  }
}

function copyMovie(bytes: Buffer, out: Buffer, box: Box, depth: number): void {
  if (!['moov', 'trak', 'mdia', 'minf', 'edts'].includes(box.kind) || depth > 8) {
    copyBox(bytes, out, box);
    return;
  }
  copyHead(bytes, out, box);
  for (const inner of boxesOf(bytes, box.start + box.head, box.end)) {
    if (wordsInMovie.includes(inner.kind)) blank(bytes, out, inner);
    else copyMovie(bytes, out, inner, depth + 1);
  }
}

function copyBox(bytes: Buffer, out: Buffer, { start, end }: Box): void {
  bytes.copy(out, start, start, end);
}

function copyHead(bytes: Buffer, out: Buffer, { start, head }: Box): void {
  bytes.copy(out, start, start, start + head);
}

/** Leaves a box of the same size that means nothing and holds zeros. */
function blank(bytes: Buffer, out: Buffer, box: Box): void {
  copyHead(bytes, out, box);
  out.write('free', box.start + 4, 'latin1');
}

function* boxesOf(bytes: Buffer, from: number, to: number): Iterable<Box> {
  let start = from;
  while (start + 8 <= to) {
    const short = bytes.readUInt32BE(start);
    const head = short === 1 ? 16 : 8;
    if (start + head > to) throw damaged();
    const size =
      short === 1 ? Number(bytes.readBigUInt64BE(start + 8)) : short === 0 ? to - start : short;
    const end = start + size;
    if (size < head || end > to) throw damaged();
    yield { kind: bytes.toString('latin1', start + 4, start + 8), start, head, end };
    start = end;
  }
}

/** The items of a file: their kinds from `iinf`, their places from `iloc` (§8.11.3, §8.11.6). */
function itemsOf(bytes: Buffer, boxes: readonly Box[]): Item[] {
  const kinds = kindsOf(bytes, boxes);
  const iloc = boxes.find(({ kind }) => kind === 'iloc');
  if (!iloc) return [];
  const idat = boxes.find(({ kind }) => kind === 'idat');
  const read = reader(bytes.subarray(iloc.start + iloc.head, iloc.end));
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
    // 2 is inside of another item, which only pictures put together are.
    if (method > 1) throw damaged();
    read(2);
    const base = read(baseSize) + (method === 1 && idat ? idat.start + idat.head : 0);
    const extents: Item['extents'] = [];
    const extentCount = read(2);
    for (let extent = 0; extent < extentCount; extent += 1) {
      read(indexSize);
      const start = base + read(offsetSize);
      const length = read(lengthSize);
      // No length is all the rest.
      const end = length === 0 ? bytes.length : start + length;
      if (start > end || end > bytes.length) throw damaged();
      extents.push({ start, end });
    }
    items.push({ kind: kinds.get(id) ?? '', extents });
  }
  // Words come first: what they share with a picture is the picture's.
  return items.sort(
    (a, b) => Number(pictureItems.includes(a.kind)) - Number(pictureItems.includes(b.kind)),
  );
}

function kindsOf(bytes: Buffer, boxes: readonly Box[]): Map<number, string> {
  const kinds = new Map<number, string>();
  const iinf = boxes.find(({ kind }) => kind === 'iinf');
  if (!iinf) return kinds;
  const body = iinf.start + iinf.head;
  const version = bytes[body] ?? 0;
  for (const infe of boxesOf(bytes, body + (version === 0 ? 6 : 8), iinf.end)) {
    const at = infe.start + infe.head;
    const wide = bytes[at] === 3;
    const read = reader(bytes.subarray(at + 4, infe.end));
    const id = read(wide ? 4 : 2);
    read(2);
    kinds.set(id, bytes.toString('latin1', at + (wide ? 10 : 8), at + (wide ? 14 : 12)));
  }
  return kinds;
}

/** Reads big-endian integers of 0 to 8 bytes, one after the other. */
function reader(bytes: Buffer): (length: number) => number {
  let at = 0;
  return (length) => {
    if (at + length > bytes.length) throw damaged();
    let value = 0;
    for (const byte of bytes.subarray(at, at + length)) value = value * 256 + byte;
    at += length;
    return value;
  };
}
