/** EXIF: finds its directories, and writes new EXIF with only the permitted tags. */
import type { StripFields } from '@scriptorium/contracts/variants';
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
  sourceOf,
  type Tiff,
  type TiffEntry,
  type TiffValue,
} from './tiff.ts';

/** The EXIF directories with metadata of a picture. */
export interface Exif {
  tiff: Tiff;
  image: Directory;
  photo: Directory | null;
  gps: Directory | null;
}

export const exifPointer = 0x8769;
export const gpsPointer = 0x8825;
export const orientationTag = 0x0112;
/** The prefix of EXIF in JPEG files. */
export const exifPrefix = Buffer.from('Exif\0\0', 'latin1');

/** Opens EXIF with or without the JPEG prefix; null if the bytes are not EXIF. */
export function openExif(bytes: Buffer): Exif | null {
  const tiffBytes = bytes.subarray(0, 6).equals(exifPrefix) ? bytes.subarray(6) : bytes;
  return openExifIn(sourceOf(tiffBytes));
}

/** Opens the EXIF of a TIFF file, which has the same structure. */
export function openExifIn(source: ByteSource): Exif | null {
  const tiff = openTiff(source);
  const image = tiff && readDirectory(tiff, tiff.firstDirectory);
  if (!tiff || !image) return null;
  const subdirectory = (tag: number): Directory | null => {
    const pointer = image.entries.find((entry) => entry.tag === tag);
    const [at] = pointer ? entryNumbers(tiff, pointer, 1) : [];
    return at === undefined ? null : readDirectory(tiff, at);
  };
  return { tiff, image, photo: subdirectory(exifPointer), gps: subdirectory(gpsPointer) };
}

/** Returns the entry of a tag; undefined if the directory does not have it. */
export function findEntry(directory: Directory | null, tag: number): TiffEntry | undefined {
  return directory?.entries.find((entry) => entry.tag === tag);
}

/**
 * Tags of the first directory that are kept when the location is removed: display settings, author,
 * copyright, date and device. Free text that may name a place, such as descriptions and comments,
 * is not kept.
 */
export const keptImageTags: ReadonlySet<number> = new Set([
  0x010f, // Make
  0x0110, // Model
  orientationTag,
  0x011a, // XResolution, YResolution, ResolutionUnit
  0x011b,
  0x0128,
  0x0131, // Software
  0x0132, // DateTime
  0x013b, // Artist
  0x0213, // YCbCrPositioning
  0x8298, // Copyright
]);

/**
 * Tags of the photo directory that are kept when the location is removed. Maker notes, comments and
 * ambient data are not kept.
 */
const keptPhotoTags: ReadonlySet<number> = new Set([
  0x829a, 0x829d, 0x8822, 0x8824, 0x8827, 0x8830, 0x8831, 0x8832, 0x8833, 0x9000, 0x9003, 0x9004,
  0x9010, 0x9011, 0x9012, 0x9101, 0x9102, 0x9201, 0x9202, 0x9203, 0x9204, 0x9205, 0x9206, 0x9207,
  0x9208, 0x9209, 0x920a, 0x9290, 0x9291, 0x9292, 0xa000, 0xa001, 0xa002, 0xa003, 0xa20e, 0xa20f,
  0xa210, 0xa217, 0xa300, 0xa301, 0xa401, 0xa402, 0xa403, 0xa404, 0xa405, 0xa406, 0xa408, 0xa409,
  0xa40a, 0xa40c, 0xa430, 0xa431, 0xa432, 0xa433, 0xa434, 0xa435,
]);

/** Maximum size of a value that is kept, in bytes. Names and numbers are much shorter. */
const maxValueBytes = 1_024;

/**
 * Writes new EXIF without the prefix. `all` keeps only the orientation; `gps` keeps the tags in
 * `keptImageTags` and `keptPhotoTags`. No other bytes are kept, not even between values. Returns
 * null if no value is left.
 */
export function filterExif(bytes: Buffer, fields: StripFields): Buffer | null {
  const exif = openExif(bytes);
  if (!exif || exif.tiff.big) return null;
  const { tiff } = exif;
  const tags = fields === 'all' ? new Set([orientationTag]) : keptImageTags;
  const image = pickValues(tiff, exif.image, tags, maxValueBytes);
  const photo = pickPhotoValues(exif, fields);
  if (image.length + photo.length === 0) return null;
  if (photo.length === 0)
    return Buffer.concat([buildHeader(tiff, 8), buildDirectory(tiff, image, 8, 0)]);
  // The length of a directory does not depend on the offsets in it.
  const imageWithPointer = (at: number) => [...image, offsetsValue(tiff, exifPointer, [at])];
  const photoAt = 8 + buildDirectory(tiff, imageWithPointer(0), 8, 0).length;
  return Buffer.concat([
    buildHeader(tiff, 8),
    buildDirectory(tiff, imageWithPointer(photoAt), 8, 0),
    buildDirectory(tiff, photo, photoAt, 0),
  ]);
}

/** Returns the values of the photo directory to keep. */
export function pickPhotoValues({ tiff, photo }: Exif, fields: StripFields): TiffValue[] {
  return fields === 'all' || !photo ? [] : pickValues(tiff, photo, keptPhotoTags, maxValueBytes);
}

/** Empty EXIF, for formats that require EXIF. */
export const emptyExif: Buffer = Buffer.concat([
  buildHeader({ littleEndian: false, big: false }, 8),
  buildDirectory({ littleEndian: false, big: false }, [], 8, 0),
]);
