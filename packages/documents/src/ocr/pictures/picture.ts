import sharp, { type Sharp } from 'sharp';
import { applyToBox, invert, type Matrix } from '../../geometry.ts';
import { channelsOf } from '../../ink/channels.ts';
import type { GreyRaster } from '../../ink/components.ts';
import { maxPagePixels } from '../../limits.ts';
import type { Box } from '../../results.ts';
import { imageError } from '../../source/images.ts';
import type { BackgroundColour } from '../../transparency.ts';
import type { GreyPicture } from '../tesseract/recogniser.ts';

/** A page as a greyscale picture, with the part of the displayed page that it covers. */
export type PagePicture = GreyPicture & {
  box: Box;
  /** The resolution above which a picture of the page would show no more detail. */
  finestDpi: number;
  /** The resolution of this picture, known or estimated. */
  usedDpi: number;
};

/**
 * Maximum resolution for recognition. At 300 dpi, small print has all the detail that the
 * recogniser can use.
 */
export const fineDpi = 300;

/**
 * Minimum resolution. Below it, letters are too small for the recogniser, so the picture is
 * enlarged.
 */
const minDpi = 120;

/** Returns the resolution for recognition of a source with `sourceDpi`, at most `maxDpi`. */
export function workingDpi(
  sourceDpi: number,
  maxDpi: number,
  widthPt: number,
  heightPt: number,
): number {
  const preferredDpi =
    sourceDpi < minDpi ? Math.min(maxDpi, sourceDpi * 3) : Math.min(sourceDpi, maxDpi);
  const inches2 = (widthPt / 72) * (heightPt / 72);
  return Math.min(preferredDpi, Math.sqrt(maxPagePixels / inches2));
}

/**
 * Converts a picture to greyscale and scales it to `width` × `height`, without padding. Transparent
 * parts show `ground`.
 */
export async function toGrey(
  image: Sharp,
  width: number,
  height: number,
  ground: BackgroundColour = '#ffffff',
): Promise<GreyPicture> {
  try {
    const { data, info } = await image
      .flatten({ background: ground })
      .toColourspace('b-w')
      .resize(width, height, { fit: 'fill' })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    if (info.channels === 1)
      return { data, width: info.width, height: info.height, dpi: undefined };
    const grey = Buffer.alloc(info.width * info.height);
    for (let at = 0; at < grey.length; at += 1) grey[at] = data[at * info.channels] ?? 0;
    return { data: grey, width: info.width, height: info.height, dpi: undefined };
  } catch (error) {
    throw imageError(error);
  }
}

/**
 * Returns the channels of a colour picture as greyscale pictures, scaled to `width` × `height`; one
 * picture if all channels are equal. Transparent parts show `ground`.
 */
export async function toChannels(
  image: Sharp,
  width: number,
  height: number,
  ground: BackgroundColour = '#ffffff',
): Promise<GreyRaster[]> {
  try {
    const { data, info } = await image
      .flatten({ background: ground })
      .toColourspace('srgb')
      .resize(width, height, { fit: 'fill' })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return channelsOf(data, info);
  } catch (error) {
    throw imageError(error);
  }
}

/** Returns the most frequent tone. Only one in `step` pixels is examined. */
export function toneOfPaper({ data }: Pick<GreyPicture, 'data'>, step = 1): number {
  const counts = new Uint32Array(256);
  for (let at = 0; at < data.length; at += step) counts[data[at] ?? 0]! += 1;
  return counts.indexOf(Math.max(...counts));
}

/** Returns the map from pixels of the picture to points on the displayed page. */
export function pictureToDisplay({ width, height, box: [x0, y0, x1, y1] }: PagePicture): Matrix {
  return [(x1 - x0) / width, 0, 0, (y1 - y0) / height, x0, y0];
}

/** Returns the part of the picture that covers `box` of the page, in whole pixels. */
export function cropPicture(picture: PagePicture, box: Box): PagePicture {
  const map = pictureToDisplay(picture);
  const [left, top, right, bottom] = applyToBox(invert(map), box);
  const x0 = Math.min(picture.width - 1, Math.max(0, Math.floor(left)));
  const y0 = Math.min(picture.height - 1, Math.max(0, Math.floor(top)));
  const width = Math.min(picture.width, Math.max(x0 + 1, Math.ceil(right))) - x0;
  const height = Math.min(picture.height, Math.max(y0 + 1, Math.ceil(bottom))) - y0;
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const from = (y0 + y) * picture.width + x0;
    data.set(picture.data.subarray(from, from + width), y * width);
  }
  return {
    ...picture,
    data,
    width,
    height,
    box: applyToBox(map, [x0, y0, x0 + width, y0 + height]),
  };
}

/**
 * Sampling interval for measuring the tone of the paper, in pixels. It does not divide common
 * widths.
 */
const samplingStep = 7;

/**
 * Returns a picture in which only some parts of the page are visible, because recognising lines
 * that are already known is the most expensive step.
 */
export function keepParts(picture: PagePicture, parts: readonly Box[]): PagePicture {
  const { data, width, height } = picture;
  const out = new Uint8Array(data.length).fill(toneOfPaper(picture, samplingStep));
  const toPixels = invert(pictureToDisplay(picture));
  for (const part of parts) {
    const [left, top, right, bottom] = applyToBox(toPixels, part);
    const [x0, x1] = [Math.max(0, Math.floor(left)), Math.min(width, Math.ceil(right))];
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, Math.ceil(bottom)); y += 1) {
      if (x1 > x0) out.set(data.subarray(y * width + x0, y * width + x1), y * width + x0);
    }
  }
  return { ...picture, data: out };
}

/** Turns a picture clockwise by quarter turns. */
export async function turnPicture(picture: GreyPicture, degrees: number): Promise<GreyPicture> {
  const { width, height, data, dpi } = picture;
  const { data: turned, info } = await sharp(data, { raw: { width, height, channels: 1 } })
    .rotate(degrees)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: turned, width: info.width, height: info.height, dpi };
}

/** Whether a picture has only one tone, and therefore no writing. */
export function isBlankPicture({ data }: GreyPicture): boolean {
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (const tone of data) {
    sum += tone;
    squares += tone * tone;
    count += 1;
    // The deviation can only grow, so most pages are decided after their first lines.
    if (count % 4096 === 0 && isUneven(sum, squares, count, data.length)) return false;
  }
  return !isUneven(sum, squares, count, data.length);
}

/** Whether the standard deviation over `total` pixels is at least 1. */
function isUneven(sum: number, squares: number, count: number, total: number): boolean {
  return squares - (sum * sum) / count >= total - 1;
}
