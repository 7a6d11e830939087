import { crc32, inflateRawSync } from 'node:zlib';
import { EngineError } from '@scriptorium/sandbox/errors';
import { type Zippable, zipSync } from 'fflate';

const maxEntries = 10_000;
/** The maximum total size of all inflated parts, in bytes. */
const maxInflatedBytes = 384 * 2 ** 20;

const damagedError = (): EngineError =>
  new EngineError('damaged', 'The file is damaged: it is not a readable ZIP archive.');

const oleMagic = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/**
 * Reads the parts of a package by name, from the archive's directory (APPNOTE 4.3). Parts may be
 * stored or deflated; their checksums and sizes are verified. Rejects names outside the archive,
 * duplicate names, overlapping parts, data that inflates beyond the limits, and encryption. Throws
 * EngineError.
 * @param isWanted selects the parts to read by name and size in bytes. Default: all.
 */
export function readZip(
  bytes: Uint8Array,
  isWanted: (name: string, size: number) => boolean = () => true,
): Map<string, Uint8Array> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.subarray(0, 8).equals(oleMagic)) {
    const isEncrypted = file.includes(Buffer.from('EncryptedPackage', 'utf16le'));
    throw isEncrypted
      ? new EngineError('encrypted', 'The file is encrypted with a password.')
      : new EngineError('unsupported', 'The file is in an old binary Office format.');
  }
  if (file.length < 22 || file.readUInt32LE(0) !== 0x04034b50) {
    throw new EngineError('unsupported', 'The file is not of its declared type.');
  }
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0 || end + 22 > file.length) throw damagedError();
  const count = file.readUInt16LE(end + 10);
  if (count === 0xffff || file.readUInt32LE(end + 16) === 0xffffffff) {
    throw new EngineError('unsupported', 'ZIP64 archives are not supported.');
  }
  if (count > maxEntries) throw new EngineError('too_large', 'The file has too many parts.');
  const parts = new Map<string, Uint8Array>();
  const names = new Set<string>();
  let at = file.readUInt32LE(end + 16);
  let totalInflated = 0;
  let totalPacked = 0;
  for (let index = 0; index < count; index += 1) {
    const entry = readEntry(file, at);
    at = entry.next;
    totalInflated += entry.size;
    totalPacked += entry.packed;
    if (totalInflated > maxInflatedBytes) {
      throw new EngineError('too_large', 'The file is larger than 384 MiB unpacked.');
    }
    // The sum exceeds the file size, so parts overlap, as in archive bombs.
    if (totalPacked > file.length) throw damagedError();
    if (entry.name.endsWith('/')) continue;
    const key = entry.name.toLowerCase();
    if (/(^|\/)\.\.?(\/|$)|^\/|\\|\0/.test(entry.name) || names.has(key)) throw damagedError();
    names.add(key);
    if (isWanted(entry.name, entry.size)) parts.set(entry.name, contentOf(file, entry));
  }
  return parts;
}

interface Entry {
  name: string;
  method: number;
  crc: number;
  packed: number;
  size: number;
  offset: number;
  next: number;
}

function readEntry(file: Buffer, at: number): Entry {
  if (at + 46 > file.length || file.readUInt32LE(at) !== 0x02014b50) throw damagedError();
  if ((file.readUInt16LE(at + 8) & 0x2041) !== 0) {
    throw new EngineError('encrypted', 'Parts of the file are encrypted.');
  }
  const nameLength = file.readUInt16LE(at + 28);
  const next = at + 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  if (next > file.length) throw damagedError();
  return {
    name: file.toString('utf8', at + 46, at + 46 + nameLength),
    method: file.readUInt16LE(at + 10),
    crc: file.readUInt32LE(at + 16),
    packed: file.readUInt32LE(at + 20),
    size: file.readUInt32LE(at + 24),
    offset: file.readUInt32LE(at + 42),
    next,
  };
}

function contentOf(file: Buffer, { offset, packed, size, method, crc }: Entry): Uint8Array {
  if (offset + 30 > file.length || file.readUInt32LE(offset) !== 0x04034b50) throw damagedError();
  const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
  if (start + packed > file.length) throw damagedError();
  const data = file.subarray(start, start + packed);
  let content: Buffer;
  if (method === 0) content = data;
  else if (method === 8) {
    try {
      content = inflateRawSync(data, { maxOutputLength: Math.max(1, size) });
    } catch {
      // The data is not deflate, is truncated, or is longer than declared.
      throw damagedError();
    }
  } else
    throw new EngineError('unsupported', 'The compression method of the file is not supported.');
  if (content.length !== size || crc32(content) !== crc) throw damagedError();
  return content;
}

/**
 * Returns an archive of parts in their order. The same parts always result in the same bytes. A part
 * `mimetype` is stored without compression, so that programs can recognise the type of the file (ODF
 * 1.3 part 2, 3.3; EPUB 3.3, 4.2.3).
 */
export function writeZip(parts: ReadonlyMap<string, Uint8Array>): Uint8Array {
  // The format uses local time from 1 January 1980 on. Noon is on that day in every time zone.
  const mtime = new Date(1980, 0, 1, 12);
  const files = [...parts].map(([name, bytes]): [string, Zippable[string]] => [
    name,
    name === 'mimetype' ? [bytes, { level: 0 }] : bytes,
  ]);
  return zipSync(Object.fromEntries(files), { level: 6, mtime, os: 0, attrs: 0 });
}
