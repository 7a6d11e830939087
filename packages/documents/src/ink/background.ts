import type { GreyRaster } from './components.ts';

/** The tone of the background of a picture, measured in squares of `side` pixels. */
export interface Background {
  tones: Float32Array;
  columns: number;
  rows: number;
  side: number;
}

/**
 * Measures the tone of the background in each square. Squares that are covered by print get the
 * tone of the squares around them.
 * @param share the share of a square's pixels that are at least as dark as its background
 */
export function measureBackground(
  { data, width, height }: GreyRaster,
  side: number,
  share: number,
): Background {
  const [columns, rows] = [Math.ceil(width / side), Math.ceil(height / side)];
  const measured = new Float32Array(columns * rows);
  const counts = new Uint32Array(256);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      counts.fill(0);
      const [x0, y0] = [column * side, row * side];
      const [x1, y1] = [Math.min(width, x0 + side), Math.min(height, y0 + side)];
      for (let y = y0; y < y1; y += 1) {
        for (let at = y * width + x0; at < y * width + x1; at += 1) counts[data[at] ?? 0]! += 1;
      }
      const limit = share * (x1 - x0) * (y1 - y0);
      let [tone, pixels] = [0, counts[0]!];
      while (pixels < limit) pixels += counts[++tone]!;
      measured[row * columns + column] = tone;
    }
  }
  return { tones: medianFilter(measured, columns, rows), columns, rows, side };
}

/**
 * Replaces each tone with the median of itself and its neighbours. Letters and specks of dirt do
 * not change the median.
 */
function medianFilter(tones: Float32Array, columns: number, rows: number): Float32Array {
  return tones.map((_, at) => {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    const neighbours: number[] = [];
    for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y += 1) {
      for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x += 1) {
        neighbours.push(tones[y * columns + x]!);
      }
    }
    neighbours.sort((a, b) => a - b);
    return neighbours[neighbours.length >> 1]!;
  });
}

/**
 * Adjusts each tone to the background around it, which is interpolated between the centres of the
 * squares.
 * @param levelOf returns the level for the tone of a square
 * @param toneOf returns the new tone for a tone of the picture and its level; clamped to a byte
 */
export function adjustToBackground(
  { data, width, height }: GreyRaster,
  { tones, columns, rows, side }: Background,
  levelOf: (ground: number) => number,
  toneOf: (tone: number, level: number) => number,
): Uint8Array {
  const out = new Uint8ClampedArray(data.length);
  const row = new Float32Array(columns);
  for (let y = 0; y < height; y += 1) {
    const rowPosition = Math.min(rows - 1, Math.max(0, (y + 0.5) / side - 0.5));
    const above = Math.floor(rowPosition) * columns;
    const below = Math.min(rows - 1, Math.floor(rowPosition) + 1) * columns;
    const share = rowPosition - Math.floor(rowPosition);
    for (let x = 0; x < columns; x += 1) {
      row[x] = levelOf(tones[above + x]! * (1 - share) + tones[below + x]! * share);
    }
    for (let x = 0, at = y * width; x < width; x += 1, at += 1) {
      const columnPosition = Math.min(columns - 1, Math.max(0, (x + 0.5) / side - 0.5));
      const left = columnPosition | 0;
      const level =
        row[left]! + (row[Math.min(columns - 1, left + 1)]! - row[left]!) * (columnPosition - left);
      out[at] = toneOf(data[at]!, level);
    }
  }
  return new Uint8Array(out.buffer);
}
