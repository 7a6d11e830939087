import { exifPointer, gpsPointer } from './exif.ts';
import { type ByteSource, openTiff, pointersOf, type Tiff } from './tiff.ts';

/** The directories that the EXIF library follows, once for each pointer to them. */
const pointerTags: ReadonlySet<number> = new Set([exifPointer, gpsPointer, 0xa005]);
/** Maximum number of pointers. Real EXIF has three. */
const maxPointers = 64;
/** Maximum number of headers. Real pictures have one, and a few more in embedded pictures. */
const maxHeads = 1_000;
const maxTotalEntries = 1_000_000;
const pieceBytes = 2 ** 20;
const heads = [Buffer.from('II*\0', 'latin1'), Buffer.from('MM\0*', 'latin1')];

/**
 * Whether the EXIF of a picture would keep the EXIF library busy for minutes. The library follows
 * every pointer, and a few kilobytes can contain thousands of circular pointers. EXIF is found by
 * its first bytes, in any place of the file.
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

/** Returns the number of pointers and of entries in all reachable directories. */
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
  // Chunks overlap, so that a header at a boundary is complete in one of them.
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

/** Returns the bytes that start at an offset. */
function from(source: ByteSource, start: number): ByteSource {
  return {
    size: source.size - start,
    read: (offset, length) => source.read(start + offset, length),
  };
}
