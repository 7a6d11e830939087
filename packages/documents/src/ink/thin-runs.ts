import { wordsOfMap } from './components.ts';

/** The size of a map, and the maximum length of a run in it, in pixels. */
export interface RunLimits {
  width: number;
  height: number;
  thickest: number;
}

/** Receives a run: the number of its row or column, its first pixel, and its end, exclusive. */
type VisitRun = (line: number, from: number, to: number) => void;

/** Visits the short runs of ink along the rows of a map, in order. */
export function eachRunInRows(
  map: Uint8Array,
  { width, height, thickest }: RunLimits,
  visit: VisitRun,
): void {
  const words = wordsOfMap(map);
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    for (let x = 0; x < width; x += 1) {
      const at = row + x;
      if ((at & 3) === 0 && x + 4 <= width && words[at >> 2] === 0) {
        x += 3;
        continue;
      }
      if (map[at] !== 1) continue;
      const from = x;
      while (x < width && map[row + x] === 1) x += 1;
      if (x - from <= thickest) visit(y, from, x);
    }
  }
}

/**
 * Visits the short runs of ink along the columns of a map. Reads the map row by row, so the runs of
 * different columns alternate. Those of one column are in order.
 */
export function eachRunInColumns(
  map: Uint8Array,
  { width, height, thickest }: RunLimits,
  visit: VisitRun,
): void {
  /** The start of the open run of each column, or -1. */
  const starts = new Int32Array(width).fill(-1);
  const close = (x: number, end: number): void => {
    const start = starts[x]!;
    if (end - start <= thickest) visit(x, start, end);
    starts[x] = -1;
  };
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      if (map[at] === 1) {
        if (starts[x]! < 0) starts[x] = y;
      } else if (starts[x]! >= 0) close(x, y);
    }
  }
  for (let x = 0; x < width; x += 1) if (starts[x]! >= 0) close(x, height);
}
