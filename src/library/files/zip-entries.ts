/** Lists the entries of a ZIP file, and reads small ones, without reading the whole file. */
import { constants, inflateRawSync } from 'node:zlib';

/** A range of bytes in a file; its end is exclusive. */
interface ByteRange {
  start: number;
  end: number;
}

/** A generator that yields ranges of a file, one at a time, and receives their bytes. */
export type RangeReader<T> = Generator<ByteRange, T, Buffer>;

export interface ArchiveEntry {
  name: string;
  method: number;
  /** Compressed size; 0 if it is only written after the data. */
  compressedBytes: number;
  /** The position of its local header. */
  headerOffset: number;
}

/** The end record with the longest comment (APPNOTE 4.3.16). */
const maxEndBytes = 22 + 65_535;
/** Larger directories are not read. */
const maxDirectoryBytes = 2 ** 21;
const maxHeaderBytes = 30 + 2 * 65_535;
const maxHeadEntries = 200;

/** The entries in the directory of an archive (4.3.12); null if it cannot be read. */
export function* entriesInDirectory(size: number): RangeReader<ArchiveEntry[] | null> {
  const tail = yield { start: Math.max(0, size - maxEndBytes), end: size };
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0 || end + 22 > tail.length) return null;
  const count = tail.readUInt16LE(end + 10);
  const length = tail.readUInt32LE(end + 12);
  const start = tail.readUInt32LE(end + 16);
  if (length > maxDirectoryBytes || start + length > size) return null;
  const directory = yield { start, end: start + length };
  const entries: ArchiveEntry[] = [];
  for (let at = 0; entries.length < count; ) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50) return null;
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    if (nameEnd > directory.length) return null;
    entries.push({
      name: directory.toString('utf8', at + 46, nameEnd),
      method: directory.readUInt16LE(at + 10),
      compressedBytes: directory.readUInt32LE(at + 20),
      headerOffset: directory.readUInt32LE(at + 42),
    });
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** The entries whose local headers (4.3.7) are in the first bytes of an archive. */
export function entriesInHead(head: Buffer): ArchiveEntry[] {
  const entries: ArchiveEntry[] = [];
  for (let at = 0; entries.length < maxHeadEntries; ) {
    at = head.indexOf('PK\x03\x04', at, 'latin1');
    if (at < 0 || at + 30 > head.length) break;
    const nameEnd = at + 30 + head.readUInt16LE(at + 26);
    const data = nameEnd + head.readUInt16LE(at + 28);
    const compressedBytes = head.readUInt32LE(at + 18);
    entries.push({
      name: head.toString('utf8', at + 30, Math.min(nameEnd, head.length)),
      method: head.readUInt16LE(at + 8),
      compressedBytes,
      headerOffset: at,
    });
    // Skips the data if its size is known, so that a ZIP inside a ZIP adds no names.
    at =
      compressedBytes > 0 && data + compressedBytes <= head.length
        ? data + compressedBytes
        : at + 4;
  }
  return entries;
}

/** The beginning of an entry, unpacked, up to `max` bytes; empty if it cannot be unpacked. */
export function* contentOf(entry: ArchiveEntry, max: number): RangeReader<Buffer> {
  const start = entry.headerOffset;
  const compressedBytes = entry.compressedBytes > 0 ? Math.min(entry.compressedBytes, max) : max;
  const localHeader = yield { start, end: start + maxHeaderBytes + compressedBytes };
  if (localHeader.length < 30 || localHeader.readUInt32LE(0) !== 0x04034b50) return Buffer.alloc(0);
  const dataStart = 30 + localHeader.readUInt16LE(26) + localHeader.readUInt16LE(28);
  const data = localHeader.subarray(dataStart, dataStart + compressedBytes);
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
