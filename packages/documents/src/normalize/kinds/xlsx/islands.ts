import type { SheetCell } from './sheet.ts';

const maxRounds = 12;

/** Groups of cells, each separate from the others along one axis. */
function split(
  cells: SheetCell[],
  first: (cell: SheetCell) => number,
  last: (cell: SheetCell) => number,
): SheetCell[][] {
  const sorted = cells.toSorted((a, b) => first(a) - first(b));
  const groups: SheetCell[][] = [];
  let reach = Number.NEGATIVE_INFINITY;
  for (const cell of sorted) {
    if (first(cell) > reach + 1) groups.push([]);
    groups.at(-1)!.push(cell);
    reach = Math.max(reach, last(cell));
  }
  return groups;
}

/**
 * The tables of a sheet: cells separated from others by an empty row or column, from top to bottom, then
 * from left to right.
 */
export function islandsOf(cells: readonly SheetCell[]): SheetCell[][] {
  const cut = (group: SheetCell[], round: number): SheetCell[][] => {
    const bands = split(
      group,
      ({ row }) => row,
      ({ lastRow }) => lastRow,
    );
    const parts = bands.flatMap((band) =>
      split(
        band,
        ({ column }) => column,
        ({ lastColumn }) => lastColumn,
      ),
    );
    if (parts.length <= 1 || round >= maxRounds) return parts;
    return parts.flatMap((part) => (part.length === 1 ? [part] : cut(part, round + 1)));
  };
  return cut([...cells], 0);
}
