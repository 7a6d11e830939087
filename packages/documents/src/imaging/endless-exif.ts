import { exifPointer, gpsPointer } from './exif.ts';
import { type ByteSource, openTiff, pointersOf, type Tiff } from './tiff.ts';

/** Directories that the EXIF library follows, once for every pointer to them. */
const pointerTags: ReadonlySet<number> = new Set([exifPointer, gpsPointer, 0xa005]);
/** Maximum number of pointers; real EXIF has three. */
const maxPointers = 64;
/** Maximum number of headers; real pictures have one, plus a few in embedded pictures. */
const maxHeads = 1_000;
const maxTotalEntries = 1_000_000;
const pieceBytes = 2 ** 20;
const heads = [Buffer.from('II*\0', 'latin1'), Buffer.from('MM\0*', 'latin1')];

/**
 * Whether EXIF anywhere in a picture would keep the EXIF library busy for minutes: it follows every
 * pointer, and a few kilobytes can hold thousands of pointers back to themselves. EXIF is found by
 * its first bytes, wherever the format puts it.
 */
export function hasEndlessExif(source: ByteSource): boolean {
  let found = 0;
  let entries = 0;
  for (const at of headsIn(source)) {
    found += 1;
    const walked = walk(openTiff(from(source, at)));
    entries += walked.entries;
    if (walked.pointers > maxPointers || found > maxHeads || entries > maxTotalEntries) return true;
  }
  return false;
}

/** Returns the number of pointers and entries in all reachable directories. */
function walk(tiff: Tiff | null): { pointers: number; entries: number } {
  const sum = { pointers: 0, entries: 0 };
  const waiting = tiff ? [tiff.first] : [];
  const seen = new Set<number>();
  for (let at = waiting.pop(); tiff && at !== undefined; at = waiting.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const { entries, pointers, next } = pointersOf(tiff, at, pointerTags);
    sum.entries += entries;
    sum.pointers += pointers.length;
    if (sum.pointers > maxPointers) break;
    waiting.push(...pointers, next);
    // A long chain of directories counts as endless.
    if (seen.size > maxPointers) return { ...sum, pointers: seen.size };
  }
  return sum;
}

function* headsIn(source: ByteSource): Iterable<number> {
  // Chunks overlap, so that a header on a boundary is seen whole once.
  for (let start = 0; start < source.size; start += pieceBytes) {
    const piece = source.read(start, pieceBytes + 3);
    for (const head of heads) {
      let at = piece.indexOf(head);
      while (at >= 0) {
        yield start + at;
        at = piece.indexOf(head, at + head.length);
      }
    }
  }
}

/** Returns the bytes from an offset on. */
function from(source: ByteSource, start: number): ByteSource {
  return {
    size: source.size - start,
    read: (offset, length) => source.read(start + offset, length),
  };
}
