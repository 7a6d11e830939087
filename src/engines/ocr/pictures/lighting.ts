import type { Grey } from '../../ink/components.ts';

/** The tone of the paper is measured in squares of this many points: higher than a line of print. */
const squarePt = 16;
/** The share of the pixels of a square that are at most as light as its paper. */
const ofPaper = 0.85;
/** Paper that is darker than this share of the lightest is in shadow. */
const inShadow = 0.85;
/** With a smaller share of such squares, a page is lit evenly. */
const leastShadow = 0.08;
/** Ground that is darker than this share of the lightest is a bar or a photo, and is not lightened further. */
const darkest = 0.25;
/** The tone that all paper is given. */
const paper = 245;

/** The tone of the paper, measured in squares. */
type Ground = { tones: Float32Array; across: number; down: number; side: number };

/** The tone of the paper in each square; where print covers it, that of the squares around. */
function groundOf({ data, width, height }: Grey, side: number): Ground {
  const [across, down] = [Math.ceil(width / side), Math.ceil(height / side)];
  const measured = new Float32Array(across * down);
  const counts = new Uint32Array(256);
  for (let row = 0; row < down; row += 1) {
    for (let column = 0; column < across; column += 1) {
      counts.fill(0);
      const [x0, y0] = [column * side, row * side];
      const [x1, y1] = [Math.min(width, x0 + side), Math.min(height, y0 + side)];
      for (let y = y0; y < y1; y += 1) {
        for (let at = y * width + x0; at < y * width + x1; at += 1) counts[data[at] ?? 0]! += 1;
      }
      const most = ofPaper * (x1 - x0) * (y1 - y0);
      let [tone, seen] = [0, counts[0]!];
      while (seen < most) seen += counts[++tone]!;
      measured[row * across + column] = tone;
    }
  }
  return { tones: smoothed(measured, across, down), across, down, side };
}

/** Each tone as the median of it and its neighbours, which a letter or a mark of dirt does not change. */
function smoothed(tones: Float32Array, across: number, down: number): Float32Array {
  return tones.map((_, at) => {
    const [column, row] = [at % across, Math.floor(at / across)];
    const near: number[] = [];
    for (let y = Math.max(0, row - 1); y <= Math.min(down - 1, row + 1); y += 1) {
      for (let x = Math.max(0, column - 1); x <= Math.min(across - 1, column + 1); x += 1) {
        near.push(tones[y * across + x]!);
      }
    }
    near.sort((a, b) => a - b);
    return near[near.length >> 1]!;
  });
}

/** The tone of the lightest paper, without the few squares that glare. */
function lightest({ tones }: Ground): number {
  const sorted = tones.slice().sort();
  return sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 255;
}

/** Divides each pixel by the tone of the paper around it, between the middles of the squares. */
function divided({ data, width, height }: Grey, ground: Ground, least: number): Uint8Array {
  const { tones, across, down, side } = ground;
  const out = new Uint8Array(data.length);
  const row = new Float32Array(across);
  for (let y = 0; y < height; y += 1) {
    const high = Math.min(down - 1, Math.max(0, (y + 0.5) / side - 0.5));
    const above = Math.floor(high) * across;
    const below = Math.min(down - 1, Math.floor(high) + 1) * across;
    const share = high - Math.floor(high);
    for (let x = 0; x < across; x += 1) {
      const tone = tones[above + x]! * (1 - share) + tones[below + x]! * share;
      row[x] = paper / Math.max(least, tone);
    }
    for (let x = 0, at = y * width; x < width; x += 1, at += 1) {
      const wide = Math.min(across - 1, Math.max(0, (x + 0.5) / side - 0.5));
      const left = wide | 0;
      const by = row[left]! + (row[Math.min(across - 1, left + 1)]! - row[left]!) * (wide - left);
      const tone = data[at]! * by;
      out[at] = tone > 255 ? 255 : tone;
    }
  }
  return out;
}

/**
 * A picture of a page as if it were lit evenly: what lies in a shadow, or in the fold of a book, is as clear
 * as the rest. Null if the page is lit evenly.
 */
export function evenlyLit<Picture extends Grey>(picture: Picture, dpi: number): Picture | null {
  const side = Math.max(4, Math.round((squarePt / 72) * dpi));
  const ground = groundOf(picture, side);
  const most = lightest(ground);
  const least = Math.max(1, darkest * most);
  const shadow = ground.tones.filter((tone) => tone >= least && tone < inShadow * most).length;
  if (shadow < leastShadow * ground.tones.length) return null;
  return { ...picture, data: divided(picture, ground, least) };
}
