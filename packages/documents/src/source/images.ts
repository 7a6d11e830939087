import { EngineError } from '@scriptorium/sandbox/errors';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { unsupportedVariantError } from '../imaging/unsupported-variant.ts';
import { maxImagePixels } from '../limits.ts';
import { extractPage, tiffPages } from './tiff-pages.ts';

sharp.cache(false);
sharp.concurrency(1);

/**
 * Restricts libvips to the loaders of these four formats, whatever type a file claims to have. The
 * other loaders (SVG, ImageMagick, PDF) are much larger attack surfaces. The restriction affects
 * the whole process; children call this function before they read any file.
 */
export function restrictLoaders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpeg',
      'VipsForeignLoadPng',
      'VipsForeignLoadTiff',
      'VipsForeignLoadWebp',
    ],
  });
}

/**
 * Translates a libvips error about a picture into an error for the client. System errors are
 * returned unchanged.
 */
export function imageError(error: unknown): unknown {
  if (error instanceof EngineError) return error;
  if (error instanceof Error && 'syscall' in error) return error;
  const text = error instanceof Error ? error.message : '';
  if (/pixel limit/i.test(text)) {
    return new EngineError('too_large', 'The image has more than 100 megapixels.');
  }
  if (/unsupported image format/i.test(text)) {
    return new EngineError('unsupported', 'The file is not an image of its declared type.');
  }
  return (
    unsupportedVariantError(text) ??
    new EngineError('damaged', 'The image is damaged and cannot be read.')
  );
}

/**
 * Opens a page of an image file without decoding it. EXIF orientation is not applied.
 * @throws EngineError `damaged` if the page is missing from a truncated TIFF.
 */
export function openImage(path: string, page: number): Sharp {
  return open(path, page, maxImagePixels);
}

function open(path: string, page: number, limitInputPixels: number | false): Sharp {
  const options = { limitInputPixels, failOn: 'error', sequentialRead: true } as const;
  const tiff = tiffPages(path);
  if (!tiff || tiff.isIntact) return sharp(path, { ...options, page: page - 1 });
  return sharp(extractPage(path, tiff, page), options);
}

/** An image page, with its size as displayed and its resolution. */
type ImagePage = {
  metadata: Metadata;
  pixelWidth: number;
  pixelHeight: number;
  /** The EXIF orientation, 1 to 8: a turn and mirroring. */
  orientation: number;
  widthPt: number;
  heightPt: number;
  dpi: number;
  /** False if `dpi` is an estimate, which must not be passed to the recogniser. */
  isDpiKnown: boolean;
};

const a4LongSideInches = 11.69;

/**
 * Returns the resolution of a picture and whether it is known. Files of unknown resolution often
 * state 72 dpi, and pages longer than 25 inches come from cameras. Both are assumed to show an A4
 * page, at 72 to 600 dpi.
 */
function resolutionOf(density: number | undefined, longSide: number): [number, boolean] {
  if (density !== undefined && density >= 60 && density <= 2400) {
    const inches = longSide / density;
    if (inches <= (Math.round(density) === 72 ? 12 : 25) && inches >= 0.1) return [density, true];
  }
  return [Math.min(600, Math.max(72, longSide / a4LongSideInches)), false];
}

/**
 * Reads the header of one page of an image.
 * @throws EngineError if the header cannot be read or the page is too large.
 */
export async function describeImage(path: string, page: number): Promise<ImagePage> {
  const found = await readHeader(path, page);
  if (found.pixelWidth * found.pixelHeight > maxImagePixels) {
    throw new EngineError('too_large', 'The image has more than 100 megapixels.');
  }
  return found;
}

/** Reads the header like `describeImage`, but without the limit on pixels. */
export async function readHeader(path: string, page: number): Promise<ImagePage> {
  try {
    const metadata = await open(path, page, false).metadata();
    const width = metadata.width;
    const height = metadata.pageHeight ?? metadata.height;
    const orientation = metadata.orientation ?? 1;
    const isSideways = orientation >= 5;
    const [dpi, isDpiKnown] = resolutionOf(metadata.density, Math.max(width, height));
    return {
      metadata,
      pixelWidth: isSideways ? height : width,
      pixelHeight: isSideways ? width : height,
      orientation,
      widthPt: ((isSideways ? height : width) / dpi) * 72,
      heightPt: ((isSideways ? width : height) / dpi) * 72,
      dpi,
      isDpiKnown,
    };
  } catch (error) {
    throw imageError(error);
  }
}
