import type { SheetCell } from './sheet.ts';

/** Rows or columns that are not displayed, from the first to the last, counted from 0. */
export type Range = readonly [first: number, last: number];

/** The numbering of rows or columns without the hidden ones. */
type VisibleNumbering = { countBefore(at: number): number; hasHidden: boolean };

function numberingWithout(hidden: readonly Range[]): VisibleNumbering {
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
    hasHidden: ranges.length > 0,
    countBefore(at) {
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
export type VisibleCells = {
  cells: SheetCell[];
  /** Returns the position in the sheet for a position in this numbering. */
  sheetPosition(row: number, column: number): { row: number; column: number };
  /** Whether hidden rows or columns contained text. */
  hidden: { rows: boolean; columns: boolean };
};

/** Leaves out cells whose rows or columns are all hidden. The remaining cells move up and left. */
export function withoutHidden(
  cells: readonly SheetCell[],
  rows: readonly Range[],
  columns: readonly Range[],
): VisibleCells {
  const numbering = { rows: numberingWithout(rows), columns: numberingWithout(columns) };
  const hidden = { rows: false, columns: false };
  if (!numbering.rows.hasHidden && !numbering.columns.hasHidden) {
    return { cells: [...cells], sheetPosition: (row, column) => ({ row, column }), hidden };
  }
  const originalIndexes = { rows: new Map<number, number>(), columns: new Map<number, number>() };
  const kept = cells.flatMap((cell): SheetCell[] => {
    const row = numbering.rows.countBefore(cell.row);
    const column = numbering.columns.countBefore(cell.column);
    const lastRow = numbering.rows.countBefore(cell.lastRow + 1) - 1;
    const lastColumn = numbering.columns.countBefore(cell.lastColumn + 1) - 1;
    if (lastRow < row) hidden.rows = true;
    if (lastColumn < column) hidden.columns = true;
    if (lastRow < row || lastColumn < column) return [];
    if (!originalIndexes.rows.has(row)) originalIndexes.rows.set(row, cell.row);
    if (!originalIndexes.columns.has(column)) originalIndexes.columns.set(column, cell.column);
    return [{ ...cell, row, column, lastRow, lastColumn }];
  });
  return {
    cells: kept,
    sheetPosition: (row, column) => ({
      row: originalIndexes.rows.get(row) ?? row,
      column: originalIndexes.columns.get(column) ?? column,
    }),
    hidden,
  };
}
