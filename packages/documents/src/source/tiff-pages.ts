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
  cutOff: boolean;
  /** False if libtiff fails on one of the directories. It then fails for every page. */
  sound: boolean;
}

const widthTag = 256;
const heightTag = 257;

let last: { key: string; pages: TiffPages | null } | undefined;

/**
 * Follows the chain of directories; returns null for files other than TIFF. The result for the last
 * file is cached.
 */
export function tiffPages(path: string): TiffPages | null {
  const { size, mtimeMs, ino } = statSync(path);
  const key = `${ino}:${size}:${mtimeMs}:${path}`;
  if (last?.key !== key) {
    last = { key, pages: withFile(path, (source) => followChain(openTiff(source))) };
  }
  return last.pages;
}

function followChain(tiff: Tiff | null): TiffPages | null {
  if (!tiff) return null;
  const { littleEndian, big, source } = tiff;
  const found: TiffPages = { littleEndian, big, directories: [], cutOff: false, sound: true };
  const seen = new Set<number>();
  let at = tiff.first;
  while (at !== 0 && !seen.has(at) && found.directories.length <= maxPages) {
    seen.add(at);
    const directory = readDirectory(tiff, at);
    if (!directory) return { ...found, cutOff: true, sound: false };
    const entries = source.read(at, big ? 8 : 2);
    const count = big ? Number(wide(entries, littleEndian)) : narrow(entries, littleEndian);
    const next = at + (big ? 8 + count * 20 : 2 + count * 12);
    found.directories.push({ at, next });
    const sizes = directory.entries.filter(({ tag }) => tag === widthTag || tag === heightTag);
    const drawn =
      sizes.length === 2 && sizes.every((entry) => (entryNumbers(tiff, entry)[0] ?? 0) > 0);
    if (!drawn || next + (big ? 8 : 4) > source.size) found.sound = false;
    at = directory.next;
  }
  return found;
}

function narrow(bytes: Buffer, littleEndian: boolean): number {
  return littleEndian ? bytes.readUInt16LE() : bytes.readUInt16BE();
}

function wide(bytes: Buffer, littleEndian: boolean): bigint {
  return littleEndian ? bytes.readBigUInt64LE() : bytes.readBigUInt64BE();
}

/**
 * Returns a copy of the file that contains only one page, so that faulty directories of other pages
 * have no effect.
 * @throws EngineError `damaged` if the chain does not reach the page.
 */
export function isolatedPage(path: string, pages: TiffPages, number: number): Buffer {
  const place = pages.directories[number - 1];
  if (!place) {
    throw new EngineError('damaged', 'The TIFF is damaged: it does not contain this page.');
  }
  const { big, littleEndian } = pages;
  const word = big ? 8 : 4;
  const file = readFileSync(path);
  // In a truncated file, the pointer to the next page may be beyond the end of the file.
  const lacking = place.next + word - file.length;
  const bytes = lacking > 0 ? Buffer.concat([file, Buffer.alloc(lacking)]) : file;
  const first = Buffer.alloc(word);
  if (big) first.writeBigUInt64LE(BigInt(place.at));
  else first.writeUInt32LE(place.at);
  bytes.set(littleEndian ? first : first.reverse(), big ? 8 : 4);
  bytes.fill(0, place.next, place.next + word);
  return bytes;
}
