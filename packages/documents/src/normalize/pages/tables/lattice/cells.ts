import type { DraftCell } from '../assemble.ts';
import type { TableWord } from '../types.ts';
import type { Grid } from './grid.ts';

/** Joins adjacent grid positions without a drawn side between them into rectangular cells. */
export function mergeCells({ xs, ys, right, bottom }: Grid): DraftCell[] {
  const width = xs.length - 1;
  const height = ys.length - 1;
  const owner = new Int32Array(width * height).fill(-1);
  const cells: DraftCell[] = [];
  for (let at = 0; at < owner.length; at += 1) {
    if (owner[at] !== -1) continue;
    const row = Math.floor(at / width);
    const column = at % width;
    let columnSpan = 1;
    while (column + columnSpan < width && !right[at + columnSpan - 1]) {
      if (owner[at + columnSpan] !== -1) break;
      columnSpan += 1;
    }
    let rowSpan = 1;
    while (row + rowSpan < height && isOpen(row + rowSpan, column, columnSpan)) rowSpan += 1;
    for (let rowOffset = 0; rowOffset < rowSpan; rowOffset += 1) {
      owner.fill(cells.length, at + rowOffset * width, at + rowOffset * width + columnSpan);
    }
    cells.push({ row, column, rowSpan, columnSpan, words: [] });
  }
  return cells;

  /**
   * Whether the positions of the row above have no bottom side here, and the positions of this row
   * have no sides between them.
   */
  function isOpen(row: number, column: number, columnSpan: number): boolean {
    for (let at = column; at < column + columnSpan; at += 1) {
      if (bottom[(row - 1) * width + at] || owner[row * width + at] !== -1) return false;
      const isLast = at === column + columnSpan - 1;
      if (!isLast && right[row * width + at]) return false;
    }
    return true;
  }
}

/** Returns the index of the interval between sorted edges that contains a value; -1 outside. */
export function intervalOf(edges: readonly number[], value: number): number {
  let low = 0;
  let high = edges.length - 1;
  if (!(value >= (edges[0] ?? 0)) || value > (edges[high] ?? 0)) return -1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? 0) <= value) low = middle;
    else high = middle;
  }
  return low;
}

/** Adds words to their cells. Returns the number of words that cross a drawn side. */
export function assignWords(
  cells: readonly DraftCell[],
  { xs, ys }: Grid,
  words: readonly TableWord[],
  wordIndexes: readonly number[],
): number {
  const width = xs.length - 1;
  const owner = new Int32Array(width * (ys.length - 1)).fill(-1);
  for (const [index, cell] of cells.entries()) {
    for (let row = cell.row; row < cell.row + cell.rowSpan; row += 1) {
      owner.fill(index, row * width + cell.column, row * width + cell.column + cell.columnSpan);
    }
  }
  let crossing = 0;
  for (const index of wordIndexes) {
    const word = words[index];
    if (!word) continue;
    const [x0, , x1] = word.box;
    const column = intervalOf(xs, (x0 + x1) / 2);
    const row = intervalOf(ys, word.base - 0.3 * word.size);
    const cell = cells[owner[row * width + column] ?? -1];
    if (column < 0 || row < 0 || !cell) continue;
    cell.words.push(index);
    const left = xs[cell.column] ?? 0;
    const right = xs[cell.column + cell.columnSpan] ?? 0;
    const overhang = Math.max(0, left - x0) + Math.max(0, x1 - right);
    if (overhang > 0.25 * (x1 - x0) && overhang > 3) crossing += 1;
  }
  return crossing;
}
