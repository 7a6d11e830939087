import type { Grey } from './components.ts';

/** The tone of the background of a picture, measured in squares of `side` pixels. */
export interface Ground {
  tones: Float32Array;
  across: number;
  down: number;
  side: number;
}

/**
 * Measures the tone of the background in each square. Squares that are covered by print get the
 * tone of the squares around them.
 * @param share the share of a square's pixels that are at least as dark as its background
 */
export function groundOf({ data, width, height }: Grey, side: number, share: number): Ground {
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
      const most = share * (x1 - x0) * (y1 - y0);
      let [tone, seen] = [0, counts[0]!];
      while (seen < most) seen += counts[++tone]!;
      measured[row * across + column] = tone;
    }
  }
  return { tones: smoothed(measured, across, down), across, down, side };
}

/**
 * Replaces each tone with the median of itself and its neighbours. Letters and specks of dirt do
 * not change the median.
 */
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

/**
 * Adjusts each tone to the background around it, which is interpolated between the centres of the
 * squares.
 * @param levelOf returns the level for the tone of a square
 * @param toneOf returns the new tone for a tone of the picture and its level; clamped to a byte
 */
export function byGround(
  { data, width, height }: Grey,
  { tones, across, down, side }: Ground,
  levelOf: (ground: number) => number,
  toneOf: (tone: number, level: number) => number,
): Uint8Array {
  const out = new Uint8ClampedArray(data.length);
  const row = new Float32Array(across);
  for (let y = 0; y < height; y += 1) {
    const high = Math.min(down - 1, Math.max(0, (y + 0.5) / side - 0.5));
    const above = Math.floor(high) * across;
    const below = Math.min(down - 1, Math.floor(high) + 1) * across;
    const share = high - Math.floor(high);
    for (let x = 0; x < across; x += 1) {
      row[x] = levelOf(tones[above + x]! * (1 - share) + tones[below + x]! * share);
    }
    for (let x = 0, at = y * width; x < width; x += 1, at += 1) {
      const wide = Math.min(across - 1, Math.max(0, (x + 0.5) / side - 0.5));
      const left = wide | 0;
      const level =
        row[left]! + (row[Math.min(across - 1, left + 1)]! - row[left]!) * (wide - left);
      out[at] = toneOf(data[at]!, level);
    }
  }
  return new Uint8Array(out.buffer);
}
