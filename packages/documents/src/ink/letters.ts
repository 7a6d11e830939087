import { type GreyRaster, type InkPiece, inkMap, inkPieces } from './components.ts';
import { oncePerPicture } from './per-picture.ts';

/**
 * Number of scales at which letters are searched for, each a third of the previous one: for print,
 * headings and posters.
 */
const scaleCount = 3;
const scaleFactor = 3;
/** Range of letter heights at each scale, in pixels. */
const minLetterHeight = 5;
export const maxLetterHeight = 48;
/** Maximum width of a letter, in heights. A wider piece is a rule or an entire line. */
const maxAspectRatio = 14;

/** A picture as sums over squares of `side` × `side` pixels. */
type Sums = { sums: Uint8Array | Uint16Array; width: number; height: number; side: number };

/** Computes sums over squares three times as wide from existing sums. */
function reduceSums({ sums, width, height, side }: Sums): Sums {
  const outWidth = Math.floor(width / scaleFactor);
  const outHeight = Math.floor(height / scaleFactor);
  const out = new Uint16Array(outWidth * outHeight);
  for (let y = 0; y < outHeight; y += 1) {
    let first = y * scaleFactor * width;
    let second = first + width;
    let third = second + width;
    for (let at = y * outWidth; at < (y + 1) * outWidth; at += 1) {
      out[at] =
        sums[first]! +
        sums[first + 1]! +
        sums[first + 2]! +
        sums[second]! +
        sums[second + 1]! +
        sums[second + 2]! +
        sums[third]! +
        sums[third + 1]! +
        sums[third + 2]!;
      first += scaleFactor;
      second += scaleFactor;
      third += scaleFactor;
    }
  }
  return { sums: out, width: outWidth, height: outHeight, side: side * scaleFactor };
}

/** Returns the picture that the sums describe. Each pixel is the mean of its square. */
function meanOf({ sums, width, height, side }: Sums): GreyRaster {
  const data = new Uint8Array(sums.length);
  const pixels = side * side;
  for (let at = 0; at < data.length; at += 1) data[at] = sums[at]! / pixels;
  return { data, width, height };
}

/** Whether a piece of this size may be a letter, or several touching letters. */
export function isLetter(width: number, height: number, ink: number): boolean {
  if (height < minLetterHeight || height > maxLetterHeight || width < 1) return false;
  if (width > maxAspectRatio * height) return false;
  const filled = ink / (width * height);
  // Solid blocks are not letters, but upright strokes fill their whole box.
  return filled >= 0.12 && (filled <= 0.85 || width <= 0.5 * height);
}

const isPossibleLetter = (width: number, height: number, ink: number): boolean =>
  isLetter(width, height, ink) || isLetter(height, width, ink);

/** A picture scaled down. Each pixel is the mean of a square of `factor` × `factor` pixels. */
export type ScaledPicture = { factor: number; picture: GreyRaster };

/**
 * Returns the scaled versions of a picture of about 150 dpi that are large enough to contain
 * letters.
 */
function scalesOf(picture: GreyRaster): ScaledPicture[] {
  const versions: ScaledPicture[] = [];
  let { width, height } = picture;
  let sums: Sums = { sums: picture.data, width, height, side: 1 };
  for (let scale = 0; scale < scaleCount; scale += 1) {
    if (scale > 0) sums = reduceSums(sums);
    ({ width, height } = sums);
    if (width < 3 * minLetterHeight || height < minLetterHeight) break;
    versions.push({ factor: sums.side, picture: scale === 0 ? picture : meanOf(sums) });
  }
  return versions;
}

/** Returns a picture at half its size. */
export function halve({ data, width, height }: GreyRaster): ScaledPicture {
  const [outWidth, outHeight] = [width >> 1, height >> 1];
  const out = new Uint8Array(outWidth * outHeight);
  for (let y = 0; y < outHeight; y += 1) {
    for (let x = 0; x < outWidth; x += 1) {
      const at = 2 * y * width + 2 * x;
      out[y * outWidth + x] =
        (data[at]! + data[at + 1]! + data[at + width]! + data[at + width + 1]!) >> 2;
    }
  }
  return { factor: 2, picture: { data: out, width: outWidth, height: outHeight } };
}

/** A scaled picture and its ink (`inkMap`). */
export type InkAtScale = ScaledPicture & { map: Uint8Array };

/** Returns the ink of a picture of about 150 dpi, at each scale. */
export const inkScalesOf = oncePerPicture((picture): InkAtScale[] =>
  scalesOf(picture).map((scale) => ({ ...scale, map: inkMap(scale.picture) })),
);

/** Possible letters of a picture at one scale. */
export type LettersAtScale = InkAtScale & { dark: InkPiece[]; light: InkPiece[] };

/** Returns the possible letters of a picture of about 150 dpi, at each scale. */
export function lettersOf(picture: GreyRaster): LettersAtScale[] {
  return inkScalesOf(picture).map((scale) => ({
    ...scale,
    ...inkPieces(scale.picture, isPossibleLetter, scale.map),
  }));
}
