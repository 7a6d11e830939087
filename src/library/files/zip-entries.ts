/** Lists the entries of a ZIP file, and reads small ones, without reading the whole file. */
import { constants, inflateRawSync } from 'node:zlib';

/** A piece of a file; its end is exclusive. */
interface Piece {
  start: number;
  end: number;
}

/** Work that requests pieces of a file one after the other, and receives their bytes. */
export type Reading<T> = Generator<Piece, T, Buffer>;

export interface Entry {
  name: string;
  method: number;
  /** Compressed size; 0 if it is only written after the data. */
  packed: number;
  /** The position of its local header. */
  header: number;
}

/** The end record with the longest comment (APPNOTE 4.3.16). */
const maxTail = 22 + 65_535;
/** More entries than any reader here accepts. */
const maxDirectory = 2 ** 21;
const maxHeader = 30 + 2 * 65_535;
const maxHeadEntries = 200;

/** The entries in the directory of an archive (4.3.12), as readers see them; null if it cannot be read. */
export function* entriesInDirectory(size: number): Reading<Entry[] | null> {
  const tail = yield { start: Math.max(0, size - maxTail), end: size };
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0 || end + 22 > tail.length) return null;
  const count = tail.readUInt16LE(end + 10);
  const length = tail.readUInt32LE(end + 12);
  const start = tail.readUInt32LE(end + 16);
  if (length > maxDirectory || start + length > size) return null;
  const directory = yield { start, end: start + length };
  const entries: Entry[] = [];
  for (let at = 0; entries.length < count; ) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50) return null;
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    if (nameEnd > directory.length) return null;
    entries.push({
      name: directory.toString('utf8', at + 46, nameEnd),
      method: directory.readUInt16LE(at + 10),
      packed: directory.readUInt32LE(at + 20),
      header: directory.readUInt32LE(at + 42),
    });
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** The entries whose local headers (4.3.7) are in the first bytes of an archive. */
export function entriesInHead(head: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; entries.length < maxHeadEntries; ) {
    at = head.indexOf('PK\x03\x04', at, 'latin1');
    if (at < 0 || at + 30 > head.length) break;
    const nameEnd = at + 30 + head.readUInt16LE(at + 26);
    const data = nameEnd + head.readUInt16LE(at + 28);
    const packed = head.readUInt32LE(at + 18);
    entries.push({
      name: head.toString('utf8', at + 30, Math.min(nameEnd, head.length)),
      method: head.readUInt16LE(at + 8),
      packed,
      header: at,
    });
    // Skips the data if its size is known, so that a ZIP inside a ZIP adds no names.
    at = packed > 0 && data + packed <= head.length ? data + packed : at + 4;
  }
  return entries;
}

/** The beginning of an entry, unpacked, up to `max` bytes; empty if it cannot be unpacked. */
export function* contentOf(entry: Entry, max: number): Reading<Buffer> {
  const start = entry.header;
  const packed = entry.packed > 0 ? Math.min(entry.packed, max) : max;
  const local = yield { start, end: start + maxHeader + packed };
  if (local.length < 30 || local.readUInt32LE(0) !== 0x04034b50) return Buffer.alloc(0);
  const from = 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  const data = local.subarray(from, from + packed);
  if (entry.method === 0) return data;
  if (entry.method !== 8) return Buffer.alloc(0);
  try {
    // Accepts truncated data.
    return inflateRawSync(data, { maxOutputLength: max, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    // Not deflated, or longer than `max`: the names of the entries decide.
    return Buffer.alloc(0);
  }
}
