import { closeSync, openSync, writeSync } from 'node:fs';
import type { StripFields } from '../../../contracts/variants.ts';
import { EngineError } from '../../errors.ts';
import { damaged } from '../damaged.ts';
import {
  exifPointer,
  findEntry,
  keepPhoto,
  keptImageTags,
  openExifIn,
  orientationTag,
} from '../exif.ts';
import {
  type ByteSource,
  buildDirectory,
  buildHead,
  type Directory,
  numbersOf,
  offsetsValue,
  openTiff,
  pickValues,
  readDirectory,
  type Tiff,
  type Value,
  withFile,
} from '../tiff.ts';

/** What it takes to decode a page and to show it in its size and colours. */
const pixelTags: readonly number[] = [
  ...[254, 255, 256, 257, 258, 259, 262, 266, 277, 278, 280, 281, 282, 283, 284],
  ...[290, 291, 292, 293, 296, 297, 301, 317, 318, 319, 320, 321, 322, 323],
  ...[332, 334, 336, 338, 339, 340, 341, 347, 529, 530, 531, 532, 34_675, orientationTag],
];
/** Where the pixels are and how long each piece is: strips, or tiles. */
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

/**
 * Writes a TIFF anew: its pages, each with its pieces copied as they are and the tags that show
 * them. All else stays behind: GPS, GeoTIFF, XMP, IPTC, Photoshop's and makers' data, previews, and
 * whatever lay between. Raw pictures of cameras, which need more than that, are `unsupported`.
 */
export function stripTiff(path: string, outPath: string, fields: StripFields): void {
  withFile(path, (source) => {
    const tiff = openTiff(source);
    if (!tiff) throw damaged();
    const out = openSync(outPath, 'w');
    try {
      writePages(tiff, out, fields);
    } finally {
      closeSync(out);
    }
  });
}

function writePages(tiff: Tiff, out: number, fields: StripFields): void {
  let end = buildHead(tiff, 0).length;
  let pointerAt = -1;
  const seen = new Set<number>();
  for (let at = tiff.first; at !== 0; ) {
    const directory = readDirectory(tiff, at);
    // A chain that bites its own tail ends there, as for every reader.
    if (seen.has(at) || seen.size >= maxPages || !directory) break;
    seen.add(at);
    refuseRaw(tiff, directory);
    const tags = new Set(fields === 'all' ? pixelTags : [...pixelTags, ...keptImageTags]);
    const values = pickValues(tiff, directory, tags, maxValueBytes);
    end = copyPieces(tiff, directory, out, end, values);
    if (seen.size === 1) end = copyPhoto(tiff.source, out, end, values, fields);
    const built = buildDirectory(tiff, values, end, 0);
    writeSync(out, built, 0, built.length, end);
    if (pointerAt < 0) {
      const head = buildHead(tiff, end);
      writeSync(out, head, 0, head.length, 0);
    } else {
      // The offset alone, as the only value of a directory would hold it.
      const { raw } = offsetsValue(tiff, 0, [end]);
      writeSync(out, raw, 0, raw.length, pointerAt);
    }
    pointerAt = end + (tiff.big ? 8 + values.length * 20 : 2 + values.length * 12);
    end = even(end + built.length);
    at = directory.next;
  }
  if (seen.size === 0) throw damaged();
}

function refuseRaw(tiff: Tiff, directory: Directory): void {
  const kind = findEntry(directory, subfileType);
  const method = findEntry(directory, compression);
  const [reduced = 0] = kind ? numbersOf(tiff, kind, 1) : [];
  const [packed = 1] = method ? numbersOf(tiff, method, 1) : [];
  const hidden = findEntry(directory, 330) !== undefined && (reduced & 1) === 1;
  // 6 is JPEG as TIFF 6.0 had it, whose tables lie about the file.
  if (findEntry(directory, dngVersion) || hidden || packed === 6) {
    throw new EngineError('unsupported', 'The metadata of this image cannot be taken out.');
  }
}

/** Copies the pixels of a page, and adds to `values` where they are now; returns the new end. */
function copyPieces(
  tiff: Tiff,
  directory: Directory,
  out: number,
  from: number,
  values: Value[],
): number {
  let end = from;
  for (const [offsetTag, lengthTag] of pieceTags) {
    const offsetEntry = findEntry(directory, offsetTag);
    const lengthEntry = findEntry(directory, lengthTag);
    if (!offsetEntry || !lengthEntry) continue;
    const offsets = numbersOf(tiff, offsetEntry, maxPieces);
    const lengths = numbersOf(tiff, lengthEntry, maxPieces);
    if (offsets.length !== offsetEntry.count || lengths.length !== offsets.length) throw damaged();
    const moved: number[] = [];
    for (const [index, offset] of offsets.entries()) {
      const length = lengths[index] ?? 0;
      // Pieces that overlap would make a file of any size out of a small one.
      if (end + length > 2 * tiff.source.size) throw damaged();
      moved.push(length === 0 ? 0 : end);
      copy(tiff.source, offset, length, out, end);
      end = even(end + length);
    }
    values.push(offsetsValue(tiff, offsetTag, moved), offsetsValue(tiff, lengthTag, lengths));
  }
  return end;
}

function copyPhoto(
  source: ByteSource,
  out: number,
  end: number,
  values: Value[],
  fields: StripFields,
): number {
  const exif = openExifIn(source);
  const photo = exif ? keepPhoto(exif, fields) : [];
  if (!exif || photo.length === 0) return end;
  const built = buildDirectory(exif.tiff, photo, end, 0);
  writeSync(out, built, 0, built.length, end);
  values.push(offsetsValue(exif.tiff, exifPointer, [end]));
  return even(end + built.length);
}

function copy(source: ByteSource, from: number, length: number, out: number, to: number): void {
  if (from + length > source.size) throw damaged();
  const step = 2 ** 20;
  for (let done = 0; done < length; done += step) {
    const piece = source.read(from + done, Math.min(step, length - done));
    writeSync(out, piece, 0, piece.length, to + done);
  }
}

const even = (offset: number): number => offset + (offset % 2);
