import type { SheetCell } from './sheet.ts';

/** Rows or columns that are not displayed, from the first to the last, counted from 0. */
export type Range = readonly [first: number, last: number];

/** The numbering of rows or columns without the hidden ones. */
type Shown = { before(at: number): number; isAny: boolean };

function shownWithout(hidden: readonly Range[]): Shown {
  const ranges: { first: number; last: number; sum: number }[] = [];
  let sum = 0;
  for (const [first, last] of hidden.toSorted((a, b) => a[0] - b[0])) {
    const previous = ranges.at(-1);
    const start = Math.max(first, previous ? previous.last + 1 : 0);
    if (last < start) continue;
    ranges.push({ first: start, last, sum });
    sum += last - start + 1;
  }
  return {
    isAny: ranges.length > 0,
    before(at) {
      let [low, high] = [0, ranges.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (ranges[middle]!.first < at) low = middle + 1;
        else high = middle;
      }
      const range = ranges[low - 1];
      return range ? at - range.sum - Math.min(range.last + 1, at) + range.first : at;
    },
  };
}

/** The displayed cells of a sheet, numbered without hidden rows and columns. */
export type Displayed = {
  cells: SheetCell[];
  /** Returns the position in the sheet for a position in this numbering. */
  at(row: number, column: number): { row: number; column: number };
  /** Whether hidden rows or columns contained text. */
  hidden: { rows: boolean; columns: boolean };
};

/** Leaves out cells whose rows or columns are all hidden. The remaining cells move up and left. */
export function displayed(
  cells: readonly SheetCell[],
  rows: readonly Range[],
  columns: readonly Range[],
): Displayed {
  const shown = { rows: shownWithout(rows), columns: shownWithout(columns) };
  const hidden = { rows: false, columns: false };
  if (!shown.rows.isAny && !shown.columns.isAny) {
    return { cells: [...cells], at: (row, column) => ({ row, column }), hidden };
  }
  const places = { rows: new Map<number, number>(), columns: new Map<number, number>() };
  const kept = cells.flatMap((cell): SheetCell[] => {
    const row = shown.rows.before(cell.row);
    const column = shown.columns.before(cell.column);
    const lastRow = shown.rows.before(cell.lastRow + 1) - 1;
    const lastColumn = shown.columns.before(cell.lastColumn + 1) - 1;
    if (lastRow < row) hidden.rows = true;
    if (lastColumn < column) hidden.columns = true;
    if (lastRow < row || lastColumn < column) return [];
    if (!places.rows.has(row)) places.rows.set(row, cell.row);
    if (!places.columns.has(column)) places.columns.set(column, cell.column);
    return [{ ...cell, row, column, lastRow, lastColumn }];
  });
  return {
    cells: kept,
    at: (row, column) => ({
      row: places.rows.get(row) ?? row,
      column: places.columns.get(column) ?? column,
    }),
    hidden,
  };
}
