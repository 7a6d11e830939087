import { exifPointer, gpsPointer } from './exif.ts';
import { type ByteSource, openTiff, pointersOf, type Tiff } from './tiff.ts';

/** The directories that the EXIF library follows, once for each pointer to them. */
const pointerTags: ReadonlySet<number> = new Set([exifPointer, gpsPointer, 0xa005]);
/** Maximum number of pointers. Real EXIF has three. */
const maxPointers = 64;
/** Maximum number of headers. Real pictures have one, and a few more in embedded pictures. */
const maxHeaders = 1_000;
const maxTotalEntries = 1_000_000;
const chunkBytes = 2 ** 20;
const tiffHeaders = [Buffer.from('II*\0', 'latin1'), Buffer.from('MM\0*', 'latin1')];

/**
 * Whether the EXIF of a picture would keep the EXIF library busy for minutes. The library follows
 * every pointer, and a few kilobytes can contain thousands of circular pointers. EXIF is found by
 * its first bytes, anywhere in the file.
 */
export function hasEndlessExif(source: ByteSource): boolean {
  let headerCount = 0;
  let entries = 0;
  for (const at of headerOffsets(source)) {
    headerCount += 1;
    const counts = countDirectories(openTiff(sliceFrom(source, at)));
    entries += counts.entries;
    if (counts.pointers > maxPointers || headerCount > maxHeaders || entries > maxTotalEntries)
      return true;
  }
  return false;
}

/** Returns the number of pointers and of entries in all reachable directories. */
function countDirectories(tiff: Tiff | null): { pointers: number; entries: number } {
  const sum = { pointers: 0, entries: 0 };
  const pending = tiff ? [tiff.firstDirectory] : [];
  const seen = new Set<number>();
  for (let at = pending.pop(); tiff && at !== undefined; at = pending.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const { entries, pointers, next } = pointersOf(tiff, at, pointerTags);
    sum.entries += entries;
    sum.pointers += pointers.length;
    if (sum.pointers > maxPointers) break;
    pending.push(...pointers, next);
    // A long chain of directories counts as endless.
    if (seen.size > maxPointers) return { ...sum, pointers: seen.size };
  }
  return sum;
}

function* headerOffsets(source: ByteSource): Iterable<number> {
  // Chunks overlap, so that a header at a boundary is complete in one of them.
  for (let start = 0; start < source.size; start += chunkBytes) {
    const chunk = source.read(start, chunkBytes + 3);
    for (const head of tiffHeaders) {
      let at = chunk.indexOf(head);
      while (at >= 0) {
        yield start + at;
        at = chunk.indexOf(head, at + head.length);
      }
    }
  }
}

/** Returns the bytes that start at an offset. */
function sliceFrom(source: ByteSource, start: number): ByteSource {
  return {
    size: source.size - start,
    read: (offset, length) => source.read(start + offset, length),
  };
}
