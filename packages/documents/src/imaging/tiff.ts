/**
 * The structure shared by TIFF files and EXIF: directories of tagged values. Safe for hostile
 * input: every access is bounds-checked, and every loop terminates.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A source of bytes with random access. */
export interface ByteSource {
  size: number;
  /** Reads `length` bytes, or fewer at the end of the source. */
  read(offset: number, length: number): Buffer;
}

/** A tagged value of a directory. */
export interface TiffEntry {
  tag: number;
  type: number;
  /** The number of values of this type. */
  count: number;
  /** The location and the length of the value, in bytes. */
  offset: number;
  bytes: number;
}

export interface Directory {
  entries: TiffEntry[];
  /** The location of the next directory; 0 for the last one. */
  next: number;
}

export interface Tiff {
  source: ByteSource;
  littleEndian: boolean;
  /** Whether the file is a BigTIFF, whose offsets and counts have 64 bits. */
  big: boolean;
  firstDirectory: number;
}

/** Size of a value of each type, in bytes, by type number (TIFF 6.0 §2, BigTIFF). */
const typeSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];
/** Maximum number of entries of a directory. Real directories have a few dozen. */
const maxEntries = 1_000;

/** Returns a source for bytes in memory. */
export function sourceOf(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) => bytes.subarray(Math.min(offset, bytes.length), offset + length),
  };
}

/** Opens a file of any size as a source while `use` runs. */
export function withFile<T>(path: string, use: (source: ByteSource) => T): T {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    return use({
      size,
      read(offset, length) {
        const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
        if (bytes.length === 0) return bytes;
        return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset));
      },
    });
  } finally {
    closeSync(file);
  }
}

/** Reads the header of a TIFF structure; null if it is invalid. */
export function openTiff(source: ByteSource): Tiff | null {
  const header = source.read(0, 16);
  if (header.length < 8) return null;
  const order = header.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return null;
  const littleEndian = order === 'II';
  const tiff: Tiff = { source, littleEndian, big: false, firstDirectory: 0 };
  const magic = readUnsigned(tiff, header.subarray(2, 4));
  if (magic === 42) return { ...tiff, firstDirectory: readUnsigned(tiff, header.subarray(4, 8)) };
  if (magic !== 43 || header.length < 16) return null;
  return { ...tiff, big: true, firstDirectory: readUnsigned(tiff, header.subarray(8, 16)) };
}

/**
 * Reads a directory. Entries of an unknown type, or with a value out of bounds, are skipped. Null
 * if the offset has no directory.
 */
export function readDirectory(tiff: Tiff, at: number): Directory | null {
  const { source, big } = tiff;
  const countBytes = big ? 8 : 2;
  const entryBytes = big ? 20 : 12;
  const wordBytes = big ? 8 : 4;
  if (at < 8 || at + countBytes > source.size) return null;
  const count = readUnsigned(tiff, source.read(at, countBytes));
  if (count === 0 || count > maxEntries) return null;
  const table = source.read(at + countBytes, count * entryBytes + wordBytes);
  const entries: TiffEntry[] = [];
  for (let start = 0; start + entryBytes <= count * entryBytes; start += entryBytes) {
    const raw = table.subarray(start, start + entryBytes);
    if (raw.length < entryBytes) break;
    const type = readUnsigned(tiff, raw.subarray(2, 4));
    const values = readUnsigned(tiff, raw.subarray(4, 4 + wordBytes));
    const bytes = values * (typeSizes[type] ?? 0);
    if (bytes === 0 || bytes > source.size) continue;
    const offset =
      bytes <= wordBytes
        ? at + countBytes + start + 4 + wordBytes
        : readUnsigned(tiff, raw.subarray(4 + wordBytes));
    if (offset + bytes > source.size) continue;
    entries.push({
      tag: readUnsigned(tiff, raw.subarray(0, 2)),
      type,
      count: values,
      offset,
      bytes,
    });
  }
  const end = table.subarray(count * entryBytes);
  return { entries, next: end.length === wordBytes ? readUnsigned(tiff, end) : 0 };
}

/**
 * Returns the targets of all pointers with these tags in a directory, and its number of entries,
 * without validation, as a naive reader would read them.
 */
export function pointersOf(
  tiff: Tiff,
  at: number,
  tags: ReadonlySet<number>,
): { pointers: number[]; entries: number; next: number } {
  const { source } = tiff;
  if (at < 8 || at + 2 > source.size) return { pointers: [], entries: 0, next: 0 };
  const count = readUnsigned(tiff, source.read(at, 2));
  const table = source.read(at + 2, count * 12 + 4);
  const pointers: number[] = [];
  const end = Math.min(count * 12, table.length - (table.length % 12));
  for (let start = 0; start + 12 <= end; start += 12) {
    if (!tags.has(readUnsigned(tiff, table.subarray(start, start + 2)))) continue;
    pointers.push(readUnsigned(tiff, table.subarray(start + 8, start + 12)));
  }
  const tail = table.subarray(count * 12);
  return { pointers, entries: count, next: tail.length === 4 ? readUnsigned(tiff, tail) : 0 };
}

/**
 * Returns an integer of 1, 2, 4 or 8 bytes in the byte order of the file. Integers of 8 bytes have
 * the precision of a double.
 */
function readUnsigned(tiff: Pick<Tiff, 'littleEndian'>, bytes: Buffer): number {
  if (bytes.length === 1) return bytes[0] ?? 0;
  if (bytes.length === 8) {
    return Number(tiff.littleEndian ? bytes.readBigUInt64LE() : bytes.readBigUInt64BE());
  }
  return tiff.littleEndian ? bytes.readUIntLE(0, bytes.length) : bytes.readUIntBE(0, bytes.length);
}

/** Returns the first bytes of a value, at most `max`. */
export function entryBytes(tiff: Tiff, entry: TiffEntry, max: number): Buffer {
  return tiff.source.read(entry.offset, Math.min(entry.bytes, max));
}

/**
 * Returns the first numbers of a value: integers, and fractions as quotients (NaN if the
 * denominator is 0). Empty for values of other types.
 */
export function entryNumbers(tiff: Tiff, entry: TiffEntry, max = 16): number[] {
  const size = typeSizes[entry.type] ?? 0;
  const count = Math.min(entry.count, max);
  const raw = tiff.source.read(entry.offset, count * size);
  const numbers: number[] = [];
  for (let at = 0; size > 0 && at + size <= raw.length; at += size) {
    const value = numberOf(tiff, entry.type, raw.subarray(at, at + size));
    if (value === null) return [];
    numbers.push(value);
  }
  return numbers;
}

function numberOf(tiff: Tiff, type: number, raw: Buffer): number | null {
  switch (type) {
    case 1: // BYTE, SHORT, LONG, IFD, LONG8, IFD8
    case 3:
    case 4:
    case 13:
    case 16:
    case 18:
      return readUnsigned(tiff, raw);
    case 5: // RATIONAL
      return quotient(readUnsigned(tiff, raw.subarray(0, 4)), readUnsigned(tiff, raw.subarray(4)));
    case 10: // SRATIONAL
      return quotient(readSigned(tiff, raw.subarray(0, 4)), readSigned(tiff, raw.subarray(4)));
    case 6: // SBYTE, SSHORT, SLONG
    case 8:
    case 9:
      return readSigned(tiff, raw);
    default:
      return null;
  }
}

function quotient(numerator: number, denominator: number): number {
  return denominator === 0 ? Number.NaN : numerator / denominator;
}

function readSigned(tiff: Tiff, raw: Buffer): number {
  return tiff.littleEndian ? raw.readIntLE(0, raw.length) : raw.readIntBE(0, raw.length);
}

/** A value to write, in the byte order of the file. */
export interface TiffValue {
  tag: number;
  type: number;
  count: number;
  raw: Buffer;
}

type Layout = Pick<Tiff, 'littleEndian' | 'big'>;

/**
 * Returns the values of a directory whose tags are in the set and whose size is at most the limit,
 * each tag once.
 */
export function pickValues(
  tiff: Tiff,
  directory: Directory,
  tags: ReadonlySet<number>,
  maxBytes: number,
): TiffValue[] {
  const values = new Map<number, TiffValue>();
  for (const entry of directory.entries) {
    if (!tags.has(entry.tag) || entry.bytes > maxBytes || values.has(entry.tag)) continue;
    const { tag, type, count } = entry;
    values.set(tag, { tag, type, count, raw: entryBytes(tiff, entry, maxBytes) });
  }
  return [...values.values()];
}

/** Returns integers as a value of the offset type. */
export function offsetsValue(layout: Layout, tag: number, offsets: readonly number[]): TiffValue {
  const raw = Buffer.concat(offsets.map((offset) => encodeWord(layout, offset)));
  return { tag, type: layout.big ? 16 : 4, count: offsets.length, raw };
}

/** Returns a directory and its values for the location `at`. */
export function buildDirectory(
  layout: Layout,
  values: readonly TiffValue[],
  at: number,
  next: number,
): Buffer {
  const { big } = layout;
  const inlineBytes = big ? 8 : 4;
  const table: Buffer[] = [encodeInteger(layout, values.length, big ? 8 : 2)];
  const data: Buffer[] = [];
  let end = at + (big ? 8 : 2) + values.length * (big ? 20 : 12) + inlineBytes;
  for (const { tag, type, count, raw } of [...values].sort((a, b) => a.tag - b.tag)) {
    table.push(
      encodeInteger(layout, tag, 2),
      encodeInteger(layout, type, 2),
      encodeWord(layout, count),
    );
    if (raw.length <= inlineBytes) {
      table.push(raw, Buffer.alloc(inlineBytes - raw.length));
      continue;
    }
    table.push(encodeWord(layout, end));
    // Values start at even offsets (TIFF 6.0 §2).
    data.push(raw, Buffer.alloc(raw.length % 2));
    end += raw.length + (raw.length % 2);
  }
  return Buffer.concat([...table, encodeWord(layout, next), ...data]);
}

/** Returns the header of a file with its first directory at an offset. */
export function buildHeader(layout: Layout, firstDirectory: number): Buffer {
  const order = Buffer.from(layout.littleEndian ? 'II' : 'MM');
  return layout.big
    ? Buffer.concat([
        order,
        ...[43, 8, 0].map((n) => encodeInteger(layout, n, 2)),
        encodeWord(layout, firstDirectory),
      ])
    : Buffer.concat([order, encodeInteger(layout, 42, 2), encodeWord(layout, firstDirectory)]);
}

function encodeWord(layout: Layout, value: number): Buffer {
  return encodeInteger(layout, value, layout.big ? 8 : 4);
}

function encodeInteger({ littleEndian }: Layout, value: number, bytes: 2 | 4 | 8): Buffer {
  const raw = Buffer.alloc(bytes);
  if (bytes === 8) raw.writeBigUInt64BE(BigInt(value));
  else raw.writeUIntBE(value, 0, bytes);
  return littleEndian ? raw.reverse() : raw;
}
