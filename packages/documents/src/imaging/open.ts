import { readFile, stat } from 'node:fs/promises';
import { limits } from '@scriptorium/contracts/limits';
import type { imageMimes } from '@scriptorium/contracts/wire/library/images';
import { EngineError } from '@scriptorium/sandbox/errors';
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { hasEndlessExif } from './endless-exif.ts';
import { damagedError, tooManyPixelsError } from './errors.ts';
import { readMetadataItems } from './strip/avif.ts';
import { withFile } from './tiff.ts';
import { unsupportedVariantError } from './unsupported-variant.ts';

export type ImageMime = (typeof imageMimes)[number];

sharp.cache(false);
sharp.concurrency(1);

/**
 * The only libvips loader that may open each type; null if none may. SVG is loaded from memory,
 * because librsvg would follow references to files in the folder of a file.
 */
const loaders: Readonly<Record<ImageMime, string | null>> = {
  'image/jpeg': 'VipsForeignLoadJpegFile',
  'image/png': 'VipsForeignLoadPngFile',
  'image/webp': 'VipsForeignLoadWebpFile',
  'image/avif': 'VipsForeignLoadHeifFile',
  // This build of libvips does not support HEVC. `heic` decodes it.
  'image/heic': null,
  'image/gif': 'VipsForeignLoadNsgifFile',
  'image/tiff': 'VipsForeignLoadTiffFile',
  'image/svg+xml': 'VipsForeignLoadSvgBuffer',
};

/** Types whose EXIF is read by a library without a time limit. */
const exifMimes: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
]);

/** Maximum size of an SVG, in bytes. Larger files are not suitable as pictures. */
const maxSvgBytes = 20 * 2 ** 20;

/** Maximum size of a HEIC, in bytes, because it is decoded from memory. */
const maxHeicBytes = 100 * 2 ** 20;

/**
 * Returns the type if it is a supported image type.
 * @throws EngineError `unsupported` for other types.
 */
export function requireImage(mime: string): ImageMime {
  const entry = Object.entries(loaders).find(([name]) => name === mime);
  if (entry) return entry[0] as ImageMime;
  throw new EngineError('unsupported', `A file of type ${mime} is not an image that can be read.`);
}

/**
 * A picture whose header has been read. The pixels are decoded when the first output is requested.
 */
export interface OpenPicture {
  metadata: Pick<Metadata, 'exif' | 'xmp' | 'iptc' | 'tifftagPhotoshop'>;
  /** Size of the first frame or page, before EXIF orientation. */
  width: number;
  height: number;
  /** EXIF orientation, 1 to 8. */
  orientation: number;
  /** `density` is for SVG only: 72 renders it at its natural size. */
  decode(density?: number): Sharp;
}

/**
 * Opens a picture as its declared type only. Only the first frame of an animation or the first page
 * of a file is decoded, so the limit on pixels applies to that frame or page: a scan of many pages
 * is also an image.
 * @throws EngineError `empty`, `unsupported`, `too_many_pixels`, `too_large` or `damaged`.
 */
export async function openPicture(path: string, mime: string): Promise<OpenPicture> {
  sharp.block({ operation: ['VipsForeignLoad'] });
  const loader = loaders[requireImage(mime)];
  if (loader) sharp.unblock({ operation: [loader] });
  const { size } = await stat(path);
  if (size === 0) throw new EngineError('empty', 'The file is empty.');
  if (mime === 'image/heic') {
    if (size > maxHeicBytes)
      throw new EngineError('too_large', 'The image is larger than 100 MiB.');
    return openHeicPicture(await readFile(path));
  }
  const isSvg = mime === 'image/svg+xml';
  if (isSvg && size > maxSvgBytes) {
    throw new EngineError('too_large', 'The drawing is larger than 20 MiB.');
  }
  if (exifMimes.has(mime) && withFile(path, hasEndlessExif)) throw damagedError();
  const input = isSvg ? await readFile(path) : path;
  const options: SharpOptions = {
    limitInputPixels: limits.image_pixels,
    // A truncated file is a failed upload and must not be shown as half a picture. Warnings also
    // occur for many valid files.
    failOn: 'error',
    sequentialRead: true,
  };
  const decode = (density?: number): Sharp =>
    sharp(input, { ...options, ...(isSvg && density !== undefined ? { density } : {}) });
  try {
    const metadata = await decode().metadata();
    const width = metadata.width;
    const height = metadata.pageHeight ?? metadata.height;
    if (width * height > limits.image_pixels) throw tooManyPixelsError();
    return { metadata, width, height, orientation: metadata.orientation ?? 1, decode };
  } catch (error) {
    throw pictureError(error);
  }
}

async function openHeicPicture(bytes: Buffer): Promise<OpenPicture> {
  // Loaded for these pictures only, because the decoder is large.
  const { openHeic } = await import('./heic.ts');
  const { width, height, decode } = openHeic(bytes);
  return {
    metadata: readMetadataItems(bytes),
    width,
    height,
    // The decoder applies rotations and mirroring. HEIC does not use the EXIF orientation.
    orientation: 1,
    decode: () => {
      const { data, ...size } = decode();
      return sharp(data, { raw: { ...size, channels: 4 }, limitInputPixels: limits.image_pixels });
    },
  };
}

/**
 * Translates a libvips error about a picture into an error for the client. System errors are
 * returned unchanged.
 */
export function pictureError(error: unknown): unknown {
  if (error instanceof EngineError) return error;
  if (error instanceof Error && 'syscall' in error) return error;
  const text = error instanceof Error ? error.message : '';
  if (/pixel limit/i.test(text)) return tooManyPixelsError();
  if (/unsupported image format/i.test(text)) {
    return new EngineError('unsupported', 'The file is not an image of its declared type.');
  }
  return unsupportedVariantError(text) ?? damagedError();
}
