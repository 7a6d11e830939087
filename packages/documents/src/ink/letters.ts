import { type Grey, type InkPiece, inkPieces } from './components.ts';

/**
 * Number of scales at which letters are searched for, each a third of the previous one: for print,
 * headings and posters.
 */
const scales = 3;
const shrink = 3;
/** Range of letter heights at each scale, in pixels. */
const minHeight = 5;
export const maxHeight = 48;
/** Maximum width of a letter, in heights. A wider piece is a rule or an entire line. */
const widest = 14;

/** A picture as sums over squares of `side` × `side` pixels. */
type Sums = { sums: Uint8Array | Uint16Array; width: number; height: number; side: number };

/** Computes sums over squares three times as wide from existing sums. */
function summed({ sums, width, height, side }: Sums): Sums {
  const wide = Math.floor(width / shrink);
  const high = Math.floor(height / shrink);
  const out = new Uint16Array(wide * high);
  for (let y = 0; y < high; y += 1) {
    let first = y * shrink * width;
    let second = first + width;
    let third = second + width;
    for (let at = y * wide; at < (y + 1) * wide; at += 1) {
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
      first += shrink;
      second += shrink;
      third += shrink;
    }
  }
  return { sums: out, width: wide, height: high, side: side * shrink };
}

/** Returns the picture that the sums describe. Each pixel is the mean of its square. */
function meanOf({ sums, width, height, side }: Sums): Grey {
  const data = new Uint8Array(sums.length);
  const pixels = side * side;
  for (let at = 0; at < data.length; at += 1) data[at] = sums[at]! / pixels;
  return { data, width, height };
}

/** Whether a piece of this size may be a letter, or several touching letters. */
export function isLetter(width: number, height: number, ink: number): boolean {
  if (height < minHeight || height > maxHeight || width < 1) return false;
  if (width > widest * height) return false;
  const filled = ink / (width * height);
  // Solid blocks are not letters, but upright strokes fill their whole box.
  return filled >= 0.12 && (filled <= 0.85 || width <= 0.5 * height);
}

const isEitherWay = (width: number, height: number, ink: number): boolean =>
  isLetter(width, height, ink) || isLetter(height, width, ink);

/** A picture scaled down. Each pixel is the mean of a square of `by` × `by` pixels. */
export type Scaled = { by: number; picture: Grey };

/**
 * Returns the scaled versions of a picture of about 150 dpi, as far as they are large enough for
 * letters.
 */
export function scalesOf(picture: Grey): Scaled[] {
  const found: Scaled[] = [];
  let { width, height } = picture;
  let sums: Sums = { sums: picture.data, width, height, side: 1 };
  for (let scale = 0; scale < scales; scale += 1) {
    if (scale > 0) sums = summed(sums);
    ({ width, height } = sums);
    if (width < 3 * minHeight || height < minHeight) break;
    found.push({ by: sums.side, picture: scale === 0 ? picture : meanOf(sums) });
  }
  return found;
}

/** Returns a picture at half its size. */
export function halved({ data, width, height }: Grey): Scaled {
  const [wide, high] = [width >> 1, height >> 1];
  const out = new Uint8Array(wide * high);
  for (let y = 0; y < high; y += 1) {
    for (let x = 0; x < wide; x += 1) {
      const at = 2 * y * width + 2 * x;
      out[y * wide + x] =
        (data[at]! + data[at + 1]! + data[at + width]! + data[at + width + 1]!) >> 2;
    }
  }
  return { by: 2, picture: { data: out, width: wide, height: high } };
}

/** Possible letters of a picture at one scale. */
export type Scale = Scaled & { dark: InkPiece[]; light: InkPiece[] };

/** Returns the possible letters of a picture of about 150 dpi, at each scale. */
export function lettersOf(picture: Grey): Scale[] {
  return scalesOf(picture).map((scale) => ({
    ...scale,
    ...inkPieces(scale.picture, isEitherWay),
  }));
}
