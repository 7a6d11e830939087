import sharp, { type Sharp } from 'sharp';
import { pngChunk } from '../../../test/support/pictures.ts';

/** A picture as a person may see it: grey pixels, one byte each. */
export interface View {
  by: string;
  data: Buffer;
  width: number;
  height: number;
}

/** The pictures of generated files are not larger. */
const maxPixels = 40_000_000;
const backgrounds = { white: '#ffffff', black: '#000000' } as const;

/**
 * Every frame of a picture on white, on black, and without its alpha; identical views are returned
 * once.
 */
export async function viewsOf(picture: Buffer, by: string): Promise<View[]> {
  const views: View[] = [];
  for (const [at, frame] of (await framesOf(picture)).entries()) {
    const name = at === 0 ? by : `${by}, frame ${at + 1}`;
    const { hasAlpha } = await sharp(frame).metadata();
    if (hasAlpha) {
      for (const [backgroundName, background] of Object.entries(backgrounds)) {
        views.push(
          await grey(sharp(frame).rotate().flatten({ background }), `${name} on ${backgroundName}`),
        );
      }
    }
    views.push(
      await grey(sharp(frame).rotate().removeAlpha(), hasAlpha ? `${name}, no alpha` : name),
    );
  }
  return views;
}

/** The frames and pages of a picture, each as a separate picture. */
async function framesOf(picture: Buffer): Promise<Buffer[]> {
  const apng = framesOfPng(picture);
  if (apng.length > 0) return [picture, ...apng];
  const { pages = 1 } = await sharp(picture, { limitInputPixels: maxPixels }).metadata();
  if (pages === 1) return [picture];
  return Promise.all(
    Array.from({ length: pages }, (_, page) => sharp(picture, { page }).png().toBuffer()),
  );
}

/** Frames of an animated PNG that cover the whole picture, each as a PNG. */
function framesOfPng(bytes: Buffer): Buffer[] {
  if (bytes.toString('latin1', 1, 4) !== 'PNG') return [];
  const frames: Buffer[] = [];
  const headerChunks: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const kind = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 12 + bytes.readUInt32BE(at);
    if (kind === 'IEND') break;
    if (kind === 'fdAT') {
      const data = pngChunk('IDAT', bytes.subarray(at + 12, end - 4));
      frames.push(
        Buffer.concat([
          bytes.subarray(0, 8),
          ...headerChunks,
          data,
          pngChunk('IEND', Buffer.alloc(0)),
        ]),
      );
    } else if (['IHDR', 'PLTE', 'tRNS', 'gAMA', 'iCCP', 'sRGB'].includes(kind)) {
      headerChunks.push(bytes.subarray(at, end));
    }
  }
  return frames;
}

async function grey(picture: Sharp, by: string): Promise<View> {
  const { data, info } = await picture
    .toColourspace('srgb')
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  // One channel, whatever the source had.
  const { width, height, channels } = info;
  const pixels =
    channels === 1 ? data : data.filter((_value: number, at: number) => at % channels === 0);
  return { by, data: Buffer.from(pixels), width, height };
}

/** A pixel that differs from the corner by this much is not background. */
const minContrast = 6;

/** The part of a view that is not background; null if all of it is. */
export function contentOf({ by, data, width, height }: View): View | null {
  const background = data[0] ?? 255;
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (Math.abs((data[y * width + x] ?? background) - background) < minContrast) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  }
  if (right < 0) return null;
  const [partWidth, partHeight] = [right - left + 1, bottom - top + 1];
  const part = Buffer.alloc(partWidth * partHeight);
  for (let y = 0; y < partHeight; y += 1) {
    const from = (top + y) * width + left;
    data.copy(part, y * partWidth, from, from + partWidth);
  }
  return { by, data: part, width: partWidth, height: partHeight };
}

/** The side of a cell whose pixels are compared together. */
const cellSize = 6;
/** A difference in a cell's mean that letters would cause. */
const minDifference = 18;

/** Whether two views look the same to a reader: programs draw edges differently. */
export function isAlike(one: View, other: View): boolean {
  if (Math.abs(one.width - other.width) > 2 || Math.abs(one.height - other.height) > 2)
    return false;
  const [width, height] = [Math.min(one.width, other.width), Math.min(one.height, other.height)];
  for (let top = 0; top + cellSize <= height; top += cellSize) {
    for (let left = 0; left + cellSize <= width; left += cellSize) {
      if (Math.abs(meanOf(one, left, top) - meanOf(other, left, top)) > minDifference) return false;
    }
  }
  return true;
}

function meanOf({ data, width }: View, left: number, top: number): number {
  let sum = 0;
  for (let y = top; y < top + cellSize; y += 1) {
    for (let x = left; x < left + cellSize; x += 1) sum += data[y * width + x] ?? 0;
  }
  return sum / (cellSize * cellSize);
}
