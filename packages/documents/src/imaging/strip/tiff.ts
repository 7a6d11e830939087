import { closeSync, openSync, writeSync } from 'node:fs';
import type { StripFields } from '@scriptorium/contracts/variants';
import { EngineError } from '@scriptorium/sandbox/errors';
import { damagedError } from '../errors.ts';
import {
  exifPointer,
  findEntry,
  keptImageTags,
  openExifIn,
  orientationTag,
  pickPhotoValues,
} from '../exif.ts';
import {
  type ByteSource,
  buildDirectory,
  buildHeader,
  type Directory,
  entryNumbers,
  offsetsValue,
  openTiff,
  pickValues,
  readDirectory,
  type Tiff,
  type TiffValue,
  withFile,
} from '../tiff.ts';

/** Tags needed to decode a page and to display it in its size and colours. */
const pixelTags: readonly number[] = [
  254,
  255,
  256,
  257,
  258,
  259,
  262,
  266,
  277,
  278,
  280,
  281,
  282,
  283,
  284,
  290,
  291,
  292,
  293,
  296,
  297,
  301,
  317,
  318,
  319,
  320,
  321,
  322,
  323,
  332,
  334,
  336,
  338,
  339,
  340,
  341,
  347,
  529,
  530,
  531,
  532,
  34_675,
  orientationTag,
];
/** Tags of the offsets and lengths of strips or tiles. */
const pieceTags: readonly (readonly [number, number])[] = [
  [273, 279],
  [324, 325],
];
const maxValueBytes = 64 * 2 ** 20;
const maxPieces = 4e6;
const maxPages = 10_000;
const dngVersion = 50_706;
const subfileType = 254;
const compression = 259;
const subIfds = 330;

/**
 * Rewrites a TIFF: copies the strips or tiles of its pages unchanged, with the tags needed to
 * display them. Everything else is dropped: GPS, GeoTIFF, XMP, IPTC, data of Photoshop and of
 * makers, previews, and any bytes in between.
 * @throws EngineError `unsupported` for raw camera files, which need more tags.
 */
export function stripTiff(path: string, outPath: string, fields: StripFields): void {
  withFile(path, (source) => {
    const tiff = openTiff(source);
    if (!tiff) throw damagedError();
    const out = openSync(outPath, 'w');
    try {
      writePages(tiff, out, fields);
    } finally {
      closeSync(out);
    }
  });
}

function writePages(tiff: Tiff, out: number, fields: StripFields): void {
  let end = buildHeader(tiff, 0).length;
  let pointerAt = -1;
  const seen = new Set<number>();
  for (let at = tiff.firstDirectory; at !== 0; ) {
    const directory = readDirectory(tiff, at);
    // A circular chain ends where it closes, as in all readers.
    if (seen.has(at) || seen.size >= maxPages || !directory) break;
    seen.add(at);
    rejectRaw(tiff, directory);
    const tags = new Set(fields === 'all' ? pixelTags : [...pixelTags, ...keptImageTags]);
    const values = pickValues(tiff, directory, tags, maxValueBytes);
    end = copyPieces(tiff, directory, out, end, values);
    if (seen.size === 1) end = copyExif(tiff.source, out, end, values, fields);
    const directoryBytes = buildDirectory(tiff, values, end, 0);
    writeAll(out, directoryBytes, end);
    if (pointerAt < 0) {
      const head = buildHeader(tiff, end);
      writeAll(out, head, 0);
    } else {
      // The offset alone, encoded like the only value of a directory.
      const { raw } = offsetsValue(tiff, 0, [end]);
      writeAll(out, raw, pointerAt);
    }
    pointerAt = end + (tiff.big ? 8 + values.length * 20 : 2 + values.length * 12);
    end = roundUpToEven(end + directoryBytes.length);
    at = directory.next;
  }
  if (seen.size === 0) throw damagedError();
}

function rejectRaw(tiff: Tiff, directory: Directory): void {
  const kind = findEntry(directory, subfileType);
  const method = findEntry(directory, compression);
  const [subfileFlags = 0] = kind ? entryNumbers(tiff, kind, 1) : [];
  const [compressionMethod = 1] = method ? entryNumbers(tiff, method, 1) : [];
  const hasHiddenImage = findEntry(directory, subIfds) !== undefined && (subfileFlags & 1) === 1;
  // 6 is the JPEG of TIFF 6.0, whose tables are elsewhere in the file.
  if (findEntry(directory, dngVersion) || hasHiddenImage || compressionMethod === 6) {
    throw new EngineError('unsupported', 'The metadata of this image cannot be removed.');
  }
}

/**
 * Copies the pixels of a page and adds their new locations to `values`. Returns the new end of the
 * file.
 */
function copyPieces(
  tiff: Tiff,
  directory: Directory,
  out: number,
  from: number,
  values: TiffValue[],
): number {
  let end = from;
  for (const [offsetTag, lengthTag] of pieceTags) {
    const offsetEntry = findEntry(directory, offsetTag);
    const lengthEntry = findEntry(directory, lengthTag);
    if (!offsetEntry || !lengthEntry) continue;
    const offsets = entryNumbers(tiff, offsetEntry, maxPieces);
    const lengths = entryNumbers(tiff, lengthEntry, maxPieces);
    if (offsets.length !== offsetEntry.count || lengths.length !== offsets.length)
      throw damagedError();
    const newOffsets: number[] = [];
    for (const [index, offset] of offsets.entries()) {
      const length = lengths[index] ?? 0;
      // Overlapping pieces could expand a small file to any size.
      if (end + length > 2 * tiff.source.size) throw damagedError();
      newOffsets.push(length === 0 ? 0 : end);
      copyBytes(tiff.source, offset, length, out, end);
      end = roundUpToEven(end + length);
    }
    values.push(offsetsValue(tiff, offsetTag, newOffsets), offsetsValue(tiff, lengthTag, lengths));
  }
  return end;
}

function copyExif(
  source: ByteSource,
  out: number,
  end: number,
  values: TiffValue[],
  fields: StripFields,
): number {
  const exif = openExifIn(source);
  const photo = exif ? pickPhotoValues(exif, fields) : [];
  if (!exif || photo.length === 0) return end;
  const directoryBytes = buildDirectory(exif.tiff, photo, end, 0);
  writeAll(out, directoryBytes, end);
  values.push(offsetsValue(exif.tiff, exifPointer, [end]));
  return roundUpToEven(end + directoryBytes.length);
}

function copyBytes(
  source: ByteSource,
  from: number,
  length: number,
  out: number,
  to: number,
): void {
  if (from + length > source.size) throw damagedError();
  const step = 2 ** 20;
  for (let copied = 0; copied < length; copied += step) {
    const piece = source.read(from + copied, Math.min(step, length - copied));
    writeAll(out, piece, to + copied);
  }
}

/**
 * Writes all bytes. On a full disk, a write may be partial, and only the next write fails.
 */
function writeAll(out: number, bytes: Buffer, at: number): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(out, bytes, written, bytes.length - written, at + written);
  }
}

const roundUpToEven = (offset: number): number => offset + (offset % 2);
