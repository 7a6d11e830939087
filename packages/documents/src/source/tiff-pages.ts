import { readFileSync, statSync } from 'node:fs';
import { EngineError } from '@scriptorium/sandbox/errors';
import { entryNumbers, openTiff, readDirectory, type Tiff, withFile } from '../imaging/tiff.ts';
import { maxPages } from '../limits.ts';

/** The pages of a TIFF, read from its chain of directories. */
interface TiffPages {
  littleEndian: boolean;
  /** Whether the file is a BigTIFF, whose offsets have 64 bits. */
  big: boolean;
  /** The position of the directory of each page, and of the pointer to the next directory. */
  directories: { at: number; next: number }[];
  /** Whether the chain leads to a missing directory, which means that pages are lost. */
  isTruncated: boolean;
  /** False if libtiff cannot read one of the directories. It then fails for every page. */
  isIntact: boolean;
}

const widthTag = 256;
const heightTag = 257;

let cached: { key: string; pages: TiffPages | null } | undefined;

/**
 * Follows the chain of directories; returns null for files other than TIFF. The result for the last
 * file is cached.
 */
export function tiffPages(path: string): TiffPages | null {
  const { size, mtimeMs, ino } = statSync(path);
  const key = `${ino}:${size}:${mtimeMs}:${path}`;
  if (cached?.key !== key) {
    cached = { key, pages: withFile(path, (source) => followChain(openTiff(source))) };
  }
  return cached.pages;
}

function followChain(tiff: Tiff | null): TiffPages | null {
  if (!tiff) return null;
  const { littleEndian, big, source } = tiff;
  const found: TiffPages = {
    littleEndian,
    big,
    directories: [],
    isTruncated: false,
    isIntact: true,
  };
  const visited = new Set<number>();
  let at = tiff.firstDirectory;
  while (at !== 0 && !visited.has(at) && found.directories.length <= maxPages) {
    visited.add(at);
    const directory = readDirectory(tiff, at);
    if (!directory) return { ...found, isTruncated: true, isIntact: false };
    const entries = source.read(at, big ? 8 : 2);
    const count = big
      ? Number(readUInt64(entries, littleEndian))
      : readUInt16(entries, littleEndian);
    const next = at + (big ? 8 + count * 20 : 2 + count * 12);
    found.directories.push({ at, next });
    const sizes = directory.entries.filter(({ tag }) => tag === widthTag || tag === heightTag);
    const hasSize =
      sizes.length === 2 && sizes.every((entry) => (entryNumbers(tiff, entry)[0] ?? 0) > 0);
    if (!hasSize || next + (big ? 8 : 4) > source.size) found.isIntact = false;
    at = directory.next;
  }
  return found;
}

function readUInt16(bytes: Buffer, littleEndian: boolean): number {
  return littleEndian ? bytes.readUInt16LE() : bytes.readUInt16BE();
}

function readUInt64(bytes: Buffer, littleEndian: boolean): bigint {
  return littleEndian ? bytes.readBigUInt64LE() : bytes.readBigUInt64BE();
}

/**
 * Returns a copy of the file that contains only one page. Faulty directories of other pages then
 * have no effect.
 * @throws EngineError `damaged` if the chain does not reach the page.
 */
export function extractPage(path: string, pages: TiffPages, number: number): Buffer {
  const directory = pages.directories[number - 1];
  if (!directory) {
    throw new EngineError('damaged', 'The TIFF is damaged: it does not contain this page.');
  }
  const { big, littleEndian } = pages;
  const pointerBytes = big ? 8 : 4;
  const file = readFileSync(path);
  // In a truncated file, the pointer to the next page may be beyond the end of the file.
  const missingBytes = directory.next + pointerBytes - file.length;
  const bytes = missingBytes > 0 ? Buffer.concat([file, Buffer.alloc(missingBytes)]) : file;
  const first = Buffer.alloc(pointerBytes);
  if (big) first.writeBigUInt64LE(BigInt(directory.at));
  else first.writeUInt32LE(directory.at);
  bytes.set(littleEndian ? first : first.reverse(), big ? 8 : 4);
  bytes.fill(0, directory.next, directory.next + pointerBytes);
  return bytes;
}
