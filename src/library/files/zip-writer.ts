/** Writes ZIP files of any size in one pass, without compression (APPNOTE 6.3.10). */
import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';

export interface ZipEntry {
  name: string;
  /** Its length if known; null for an entry that is created while it is written. */
  bytes: number | null;
  open(): Promise<AsyncIterable<unknown>>;
}

/** An entry does not have the announced length, so the archive cannot be completed. */
class ZipEntryChanged extends Error {}

const max32 = 0xffff_ffff;
const max16 = 0xffff;
// UTF-8 names; sizes and checksum after the bytes, since the checksum is only known then.
const flags = 0x0808;
// 1980-01-01, the earliest date, so that the same files produce the same bytes.
const date = 0x0021;
const localHeaderBytes = 30;
const zip64LocalExtraBytes = 20;
const descriptorBytes = 24;
const centralHeaderBytes = 46;
const zip64CentralExtraBytes = 28;
const zip64EndRecordBytes = 56 + 20;
const endRecordBytes = 22;

/** The length of the archive in bytes. */
export function zipLength(entries: readonly { name: string; bytes: number }[]): number {
  return entries.reduce(
    (sum, { name, bytes }) =>
      sum +
      (localHeaderBytes + zip64LocalExtraBytes + bytes + descriptorBytes) +
      (centralHeaderBytes + zip64CentralExtraBytes) +
      2 * Buffer.byteLength(name),
    zip64EndRecordBytes + endRecordBytes,
  );
}

/**
 * Writes the archive. Each entry is opened when its turn comes. All entries are ZIP64, so the
 * length depends on names and sizes only.
 * @throws ZipEntryChanged
 */
export async function* streamZip(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
): AsyncGenerator<Buffer> {
  const centralHeaders: Buffer[] = [];
  let offset = 0;
  for await (const entry of entries) {
    const name = Buffer.from(entry.name);
    const start = offset;
    yield localHeader(name);
    let crc = 0;
    let bytes = 0;
    for await (const piece of await entry.open()) {
      if (!(piece instanceof Uint8Array)) throw new TypeError('Expected a stream of bytes.');
      const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
      crc = crc32(chunk, crc);
      bytes += chunk.length;
      if (entry.bytes !== null && bytes > entry.bytes) break;
      yield chunk;
    }
    if (entry.bytes !== null && bytes !== entry.bytes) {
      throw new ZipEntryChanged(`The length of '${entry.name}' has changed.`);
    }
    yield dataDescriptor(crc, bytes);
    offset += localHeaderBytes + zip64LocalExtraBytes + name.length + bytes + descriptorBytes;
    centralHeaders.push(centralHeader(name, crc, bytes, start));
  }
  const directory = Buffer.concat(centralHeaders);
  yield directory;
  yield endRecord(centralHeaders.length, directory.length, offset);
}

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(localHeaderBytes);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(45, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt16LE(date, 12);
  header.writeUInt32LE(max32, 18);
  header.writeUInt32LE(max32, 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(zip64LocalExtraBytes, 28);
  const extra = Buffer.alloc(zip64LocalExtraBytes);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(16, 2);
  return Buffer.concat([header, name, extra]);
}

function dataDescriptor(crc: number, bytes: number): Buffer {
  const part = Buffer.alloc(descriptorBytes);
  part.writeUInt32LE(0x0807_4b50, 0);
  part.writeUInt32LE(crc, 4);
  part.writeBigUInt64LE(BigInt(bytes), 8);
  part.writeBigUInt64LE(BigInt(bytes), 16);
  return part;
}

function centralHeader(name: Buffer, crc: number, bytes: number, start: number): Buffer {
  const header = Buffer.alloc(centralHeaderBytes);
  header.writeUInt32LE(0x0201_4b50, 0);
  // Made by Unix, so that the file mode below applies.
  header.writeUInt16LE((3 << 8) | 45, 4);
  header.writeUInt16LE(45, 6);
  header.writeUInt16LE(flags, 8);
  header.writeUInt16LE(date, 14);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(max32, 20);
  header.writeUInt32LE(max32, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(zip64CentralExtraBytes, 30);
  header.writeUInt32LE((0o100644 << 16) >>> 0, 38);
  header.writeUInt32LE(max32, 42);
  const extra = Buffer.alloc(zip64CentralExtraBytes);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  extra.writeBigUInt64LE(BigInt(bytes), 4);
  extra.writeBigUInt64LE(BigInt(bytes), 12);
  extra.writeBigUInt64LE(BigInt(start), 20);
  return Buffer.concat([header, name, extra]);
}

function endRecord(count: number, directoryBytes: number, directoryAt: number): Buffer {
  const part = Buffer.alloc(zip64EndRecordBytes + endRecordBytes);
  part.writeUInt32LE(0x0606_4b50, 0);
  part.writeBigUInt64LE(44n, 4);
  part.writeUInt16LE((3 << 8) | 45, 12);
  part.writeUInt16LE(45, 14);
  part.writeBigUInt64LE(BigInt(count), 24);
  part.writeBigUInt64LE(BigInt(count), 32);
  part.writeBigUInt64LE(BigInt(directoryBytes), 40);
  part.writeBigUInt64LE(BigInt(directoryAt), 48);
  part.writeUInt32LE(0x0706_4b50, 56);
  part.writeBigUInt64LE(BigInt(directoryAt + directoryBytes), 64);
  part.writeUInt32LE(1, 72);
  part.writeUInt32LE(0x0605_4b50, 76);
  part.writeUInt16LE(max16, 84);
  part.writeUInt16LE(max16, 86);
  part.writeUInt32LE(max32, 88);
  part.writeUInt32LE(max32, 92);
  return part;
}
