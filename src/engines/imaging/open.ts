import { readFile, stat } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { limits } from '../../contracts/limits.ts';
import type { imageMimes } from '../../contracts/wire/images.ts';
import { EngineError } from '../errors.ts';
import { damaged } from './damaged.ts';
import { hasEndlessExif } from './endless-exif.ts';
import { withFile } from './tiff.ts';

export type ImageMime = (typeof imageMimes)[number];

sharp.cache(false);
sharp.concurrency(1);

/**
 * The one loader of libvips that may open a file of each type. SVG comes out of memory: from a file
 * librsvg would follow references to the files beside it.
 */
const loaders: Readonly<Record<ImageMime, string>> = {
  'image/jpeg': 'VipsForeignLoadJpegFile',
  'image/png': 'VipsForeignLoadPngFile',
  'image/webp': 'VipsForeignLoadWebpFile',
  'image/avif': 'VipsForeignLoadHeifFile',
  'image/gif': 'VipsForeignLoadNsgifFile',
  'image/tiff': 'VipsForeignLoadTiffFile',
  'image/svg+xml': 'VipsForeignLoadSvgBuffer',
};

/** The types whose EXIF is read by a library that does not mind how long it takes. */
const exifMimes: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
]);

/** Text that draws: an SVG of more than this is no picture that a library shows. */
const maxSvgBytes = 20 * 2 ** 20;

/** The type, when it is one that can be looked at. Throws EngineError `unsupported`. */
export function requireImage(mime: string): ImageMime {
  const known = Object.entries(loaders).find(([name]) => name === mime);
  if (known) return known[0] as ImageMime;
  throw new EngineError('unsupported', `A file of type ${mime} is not an image that can be read.`);
}

/** A picture whose head has been read; pixels come with the first output asked of `decode`. */
export interface Picture {
  metadata: Metadata;
  /** Of its first frame or page, before EXIF's turn. */
  width: number;
  height: number;
  /** EXIF's turn, 1 to 8. */
  orientation: number;
  /** `density` is for SVG only: 72 draws it in its own size. */
  decode(density?: number): Sharp;
}

/**
 * Opens a picture as what it is said to be and as nothing else. An animation is its first frame, a
 * file with pages its first page, and the limit of pixels is for that one, since no other is ever
 * decoded: a scan of many pages is an image too. Throws EngineError `empty`, `unsupported`,
 * `too_many_pixels`, `too_large` or `damaged`.
 */
export async function openPicture(path: string, mime: string): Promise<Picture> {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: [loaders[requireImage(mime)]] });
  const { size } = await stat(path);
  if (size === 0) throw new EngineError('empty', 'The file is empty.');
  const isSvg = mime === 'image/svg+xml';
  if (isSvg && size > maxSvgBytes) {
    throw new EngineError('too_large', 'The drawing has more than 20 MiB.');
  }
  if (exifMimes.has(mime) && withFile(path, hasEndlessExif)) throw damaged();
  const input = isSvg ? await readFile(path) : path;
  const options: SharpOptions = {
    limitInputPixels: limits.image_pixels,
    // A file that ends too soon is an upload that failed, which half a picture would hide. Warnings
    // of decoders are in many good files.
    failOn: 'error',
    sequentialRead: true,
  };
  const decode = (density?: number): Sharp =>
    sharp(input, { ...options, ...(isSvg && density !== undefined ? { density } : {}) });
  try {
    const metadata = await decode().metadata();
    const width = metadata.width;
    const height = metadata.pageHeight ?? metadata.height;
    if (width * height > limits.image_pixels) throw tooManyPixels();
    return { metadata, width, height, orientation: metadata.orientation ?? 1, decode };
  } catch (error) {
    throw pictureError(error);
  }
}

function tooManyPixels(): EngineError {
  const megapixels = limits.image_pixels / 1e6;
  return new EngineError('too_many_pixels', `The image has more than ${megapixels} megapixels.`);
}

/**
 * Puts into words for the customer what libvips said about a picture; what the system said of the
 * machine stays as it is.
 */
export function pictureError(error: unknown): unknown {
  if (error instanceof EngineError) return error;
  if (error instanceof Error && 'syscall' in error) return error;
  const text = error instanceof Error ? error.message : '';
  if (/pixel limit/i.test(text)) return tooManyPixels();
  if (/unsupported image format/i.test(text)) {
    return new EngineError('unsupported', 'The file is not an image of the kind it is said to be.');
  }
  return damaged();
}
