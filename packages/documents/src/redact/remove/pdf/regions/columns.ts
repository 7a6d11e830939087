import { firstWhere } from '@scriptorium/pii/first-where';
import type { Box } from '../../../../results.ts';

/** Words of a line without a wide gap between them. */
export interface Run {
  box: Box;
}

/** Minimum width of a gap that separates columns, in line heights. */
const minColumnGap = 1.2;
/**
 * Distance above and below a line within which other lines indicate its columns, in line heights.
 */
const searchDistance = 14;
/** Maximum distance between the starts, or the ends, of the cells of a column, in points. */
const alignmentTolerance = 2;

/**
 * Returns the runs of letters, sorted by their tops.
 * @param letters the boxes of the letters, in reading direction
 */
export function runsOf(letters: readonly Box[]): Run[] {
  const rows = new Map<number, Box[]>();
  for (const box of letters) {
    const row = Math.round((box[1] + box[3]) / 4);
    const rowBoxes = rows.get(row);
    if (rowBoxes) rowBoxes.push(box);
    else rows.set(row, [box]);
  }
  const runs: Run[] = [];
  for (const row of rows.values()) {
    let last: Box | undefined;
    for (const [x0, y0, x1, y1] of row.sort((a, b) => a[0] - b[0])) {
      if (last && x0 - last[2] < minColumnGap * Math.max(y1 - y0, last[3] - last[1])) {
        last[1] = Math.min(last[1], y0);
        last[2] = Math.max(last[2], x1);
        last[3] = Math.max(last[3], y1);
      } else {
        last = [x0, y0, x1, y1];
        runs.push({ box: last });
      }
    }
  }
  return runs.sort((a, b) => a.box[1] - b.box[1]);
}

/**
 * Returns the start of the next column to the right of a box. A column consists of runs on other
 * lines nearby that start, or end, at the same position. Infinity if there is no such column.
 */
export function nextColumn(runs: readonly Run[], [, y0, x1, y1]: Box): number {
  const height = y1 - y0;
  const nearby = runs
    .slice(
      firstRunFrom(runs, y0 - searchDistance * height),
      firstRunFrom(runs, y1 + searchDistance * height),
    )
    .map(({ box }) => box)
    .filter((box) => box[0] > x1 + height * 0.3 && (box[3] <= y0 + 1 || box[1] >= y1 - 1));
  let start = Number.POSITIVE_INFINITY;
  for (const side of [0, 2] as const) {
    const sorted = nearby.toSorted((a, b) => a[side] - b[side]);
    sorted.forEach((box, at) => {
      const next = sorted[at + 1];
      if (
        next &&
        next[side] - box[side] <= alignmentTolerance &&
        Math.abs(next[1] - box[1]) > height / 2
      ) {
        start = Math.min(start, box[0], next[0]);
      }
    });
  }
  return start;
}

/** Returns the index of the first run whose top is at or below `y`. */
function firstRunFrom(runs: readonly Run[], y: number): number {
  return firstWhere(runs.length, (at) => runs[at]!.box[1] >= y);
}
