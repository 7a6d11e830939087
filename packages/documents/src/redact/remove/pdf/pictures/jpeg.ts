import sharp from 'sharp';
import { maxPicturePixels } from '../../../../limits.ts';
import { MustBurn } from '../must-burn.ts';
import type { Rect } from './samples.ts';

interface JpegHead {
  components: number;
  subsampled: boolean;
  progressive: boolean;
  quality: number;
}

/** Sum of the luminance quantisation table for quality 50 (ITU-T T.81 annex K.1). */
const standardTableSum = 3688;

/** Reads the encoding parameters of a JPEG; undefined if the bytes are not a JPEG. */
export function readJpegHead(bytes: Buffer): JpegHead | undefined {
  let quality = 75;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff || (marker >= 0xd0 && marker <= 0xd8) || marker === 0x01) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    const body = bytes.subarray(at + 4, at + 2 + length);
    if (marker === 0xdb && (body[0] ?? 0) === 0 && body.length >= 65) {
      const sum = body.subarray(1, 65).reduce((total, value) => total + value, 0);
      const scale = (100 * sum) / standardTableSum;
      quality = Math.round(scale <= 100 ? (200 - scale) / 2 : 5000 / scale);
    }
    if (marker >= 0xc0 && marker <= 0xc3) {
      const components = body[5] ?? 0;
      const subsampled = components > 1 && (body[7] ?? 0x11) !== 0x11;
      return { components, subsampled, progressive: marker === 0xc2, quality };
    }
    at += 2 + length;
  }
  return undefined;
}

/**
 * Extends a rectangle to whole blocks, because lossy encoding mixes the pixels of a block. Does not
 * extend it towards adjacent rectangles.
 */
export function alignToBlocks(rect: Rect, size: number, { width, height }: Size): Rect {
  const { x0, y0, x1, y1, beside } = rect;
  const [stepX, stepY] = [beside === 'x' ? 1 : size, beside === 'y' ? 1 : size];
  return {
    x0: Math.floor(x0 / stepX) * stepX,
    y0: Math.floor(y0 / stepY) * stepY,
    x1: Math.min(width, Math.ceil(x1 / stepX) * stepX),
    y1: Math.min(height, Math.ceil(y1 / stepY) * stepY),
  };
}

/** Minimum difference between two components of a coloured pixel. */
const minChroma = 24;

function isColoured(data: Uint8Array, width: number, rects: readonly Rect[]): boolean {
  return rects.some(({ x0, y0, x1, y1 }) => {
    for (let y = y0; y < y1; y += 1) {
      for (let at = (y * width + x0) * 3; at < (y * width + x1) * 3; at += 3) {
        const [r = 0, g = 0, b = 0] = [data[at], data[at + 1], data[at + 2]];
        if (Math.max(r, g, b) - Math.min(r, g, b) > minChroma) return true;
      }
    }
    return false;
  });
}

interface Size {
  width: number;
  height: number;
}

/**
 * Requires a picture to have the size stated in the PDF, because readers are inconsistent if the
 * sizes differ.
 * @throws MustBurn if the sizes differ
 */
export function requireSize(actual: Size, declared: Size): void {
  if (actual.width === declared.width && actual.height === declared.height) return;
  throw new MustBurn('a picture does not have its declared size');
}

/**
 * Paints rectangles over a grey or three-colour JPEG and encodes it with the same parameters;
 * undefined for other kinds of JPEG.
 * @throws MustBurn if the JPEG cannot be read or does not have its declared size
 */
export async function paintJpeg(
  bytes: Buffer,
  declared: Size,
  rects: readonly Rect[],
  isInverted: boolean,
): Promise<Uint8Array | undefined> {
  const head = readJpegHead(bytes);
  if (!head || (head.components !== 1 && head.components !== 3)) return undefined;
  let decoded: Awaited<ReturnType<typeof decode>>;
  try {
    decoded = await decode(bytes, head.components);
  } catch {
    throw new MustBurn('a picture cannot be read');
  }
  const { data, info } = decoded;
  const { width, height, channels } = info;
  requireSize(info, declared);
  if (channels !== head.components) return undefined;
  const blockSize = head.subsampled && isColoured(data, width, rects) ? 16 : 8;
  for (const rect of rects) {
    const { x0, y0, x1, y1 } = alignToBlocks(rect, blockSize, info);
    for (let y = y0; y < y1; y += 1) {
      data.fill(isInverted ? 255 : 0, (y * width + x0) * channels, (y * width + x1) * channels);
    }
  }
  const raw = { width, height, channels: head.components } as const;
  return encodeJpeg(data, raw, qualityLike(head), head);
}

/** Returns a quality similar to that of the source, within limits that keep boxes uniform. */
export const qualityLike = ({ quality }: Pick<JpegHead, 'quality'>): number =>
  Math.min(95, Math.max(25, quality));

const decode = (bytes: Buffer, components: number) =>
  sharp(bytes, { limitInputPixels: maxPicturePixels, failOn: 'none', ignoreIcc: true })
    .toColourspace(components === 1 ? 'b-w' : 'srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });

/** Encodes pixels as a JPEG without metadata. */
export async function encodeJpeg(
  data: Uint8Array,
  raw: { width: number; height: number; channels: 1 | 3 },
  quality: number,
  { subsampled, progressive }: { subsampled: boolean; progressive: boolean },
): Promise<Uint8Array> {
  const image = sharp(data, { raw, limitInputPixels: maxPicturePixels });
  const jpeg = await (raw.channels === 1 ? image.toColourspace('b-w') : image)
    .jpeg({ quality, progressive, chromaSubsampling: subsampled ? '4:2:0' : '4:4:4' })
    .toBuffer();
  return new Uint8Array(jpeg);
}
