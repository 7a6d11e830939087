/** EXIF: finding its directories, and writing a new one that holds only what is meant to be kept. */
import type { StripFields } from '../../contracts/variants.ts';
import {
  type ByteSource,
  buildDirectory,
  buildHead,
  type Directory,
  type Entry,
  numbersOf,
  offsetsValue,
  openTiff,
  pickValues,
  readDirectory,
  sourceOf,
  type Tiff,
  type Value,
} from './tiff.ts';

/** The directories of EXIF that say something about a picture. */
export interface Exif {
  tiff: Tiff;
  image: Directory;
  photo: Directory | null;
  gps: Directory | null;
}

export const exifPointer = 0x8769;
export const gpsPointer = 0x8825;
export const orientationTag = 0x0112;
/** What EXIF starts with in JPEG files. */
export const exifPrefix = Buffer.from('Exif\0\0', 'latin1');

/** Opens EXIF, with or without the prefix it has in JPEG files; null for what is none. */
export function openExif(bytes: Buffer): Exif | null {
  const plain = bytes.subarray(0, 6).equals(exifPrefix) ? bytes.subarray(6) : bytes;
  return openExifIn(sourceOf(plain));
}

/** The same in a TIFF file, which is built like it. */
export function openExifIn(source: ByteSource): Exif | null {
  const tiff = openTiff(source);
  const image = tiff && readDirectory(tiff, tiff.first);
  if (!tiff || !image) return null;
  const below = (tag: number): Directory | null => {
    const pointer = image.entries.find((entry) => entry.tag === tag);
    const [at] = pointer ? numbersOf(tiff, pointer, 1) : [];
    return at === undefined ? null : readDirectory(tiff, at);
  };
  return { tiff, image, photo: below(exifPointer), gps: below(gpsPointer) };
}

/** The entry of a tag, where there is one. */
export function findEntry(directory: Directory | null, tag: number): Entry | undefined {
  return directory?.entries.find((entry) => entry.tag === tag);
}

/**
 * What is kept of a picture's first directory when its place must not be told: how it is shown, who
 * made it and with what. Free text that may name a place (descriptions, comments) is not.
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

/** The same of the directory about the shot: no maker's note, no comment, no surroundings. */
const keptPhotoTags: ReadonlySet<number> = new Set([
  ...[0x829a, 0x829d, 0x8822, 0x8824, 0x8827, 0x8830, 0x8831, 0x8832, 0x8833],
  ...[0x9000, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9101, 0x9102],
  ...[0x9201, 0x9202, 0x9203, 0x9204, 0x9205, 0x9206, 0x9207, 0x9208, 0x9209, 0x920a],
  ...[0x9290, 0x9291, 0x9292, 0xa000, 0xa001, 0xa002, 0xa003],
  ...[0xa20e, 0xa20f, 0xa210, 0xa217, 0xa300, 0xa301],
  ...[0xa401, 0xa402, 0xa403, 0xa404, 0xa405, 0xa406, 0xa408, 0xa409, 0xa40a, 0xa40c],
  ...[0xa430, 0xa431, 0xa432, 0xa433, 0xa434, 0xa435],
]);

/** Longest value that is taken over: names and numbers are far shorter. */
const maxValueBytes = 1_024;

/**
 * EXIF anew, without prefix: `all` leaves the orientation alone, `gps` what `keptImageTags` and
 * `keptPhotoTags` name. Nothing else of the old bytes is in it, not even between the values. Null
 * when nothing is left to say.
 */
export function keepExif(bytes: Buffer, fields: StripFields): Buffer | null {
  const exif = openExif(bytes);
  if (!exif || exif.tiff.big) return null;
  const { tiff } = exif;
  const tags = fields === 'all' ? new Set([orientationTag]) : keptImageTags;
  const image = pickValues(tiff, exif.image, tags, maxValueBytes);
  const photo = keepPhoto(exif, fields);
  if (image.length + photo.length === 0) return null;
  if (photo.length === 0)
    return Buffer.concat([buildHead(tiff, 8), buildDirectory(tiff, image, 8, 0)]);
  // The length of a directory does not depend on what its offsets say.
  const pointTo = (at: number) => [...image, offsetsValue(tiff, exifPointer, [at])];
  const photoAt = 8 + buildDirectory(tiff, pointTo(0), 8, 0).length;
  return Buffer.concat([
    buildHead(tiff, 8),
    buildDirectory(tiff, pointTo(photoAt), 8, 0),
    buildDirectory(tiff, photo, photoAt, 0),
  ]);
}

/** What is kept of the directory about the shot. */
export function keepPhoto({ tiff, photo }: Exif, fields: StripFields): Value[] {
  return fields === 'all' || !photo ? [] : pickValues(tiff, photo, keptPhotoTags, maxValueBytes);
}

/** EXIF that says nothing, where a format wants some. */
export const emptyExif: Buffer = Buffer.concat([
  buildHead({ littleEndian: false, big: false }, 8),
  buildDirectory({ littleEndian: false, big: false }, [], 8, 0),
]);
