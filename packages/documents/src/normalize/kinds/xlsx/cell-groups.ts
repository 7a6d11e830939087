import type { SheetCell } from './sheet.ts';

const maxRounds = 12;

/** Splits cells into groups that are separate along one axis. */
function split(
  cells: SheetCell[],
  first: (cell: SheetCell) => number,
  last: (cell: SheetCell) => number,
): SheetCell[][] {
  const sorted = cells.toSorted((a, b) => first(a) - first(b));
  const groups: SheetCell[][] = [];
  let maxEnd = Number.NEGATIVE_INFINITY;
  for (const cell of sorted) {
    if (first(cell) > maxEnd + 1) groups.push([]);
    groups.at(-1)!.push(cell);
    maxEnd = Math.max(maxEnd, last(cell));
  }
  return groups;
}

/**
 * Returns the tables of a sheet: groups of cells that an empty row or column separates. They are
 * ordered from top to bottom, then from left to right.
 */
export function cellGroupsOf(cells: readonly SheetCell[]): SheetCell[][] {
  const splitGroup = (group: SheetCell[], round: number): SheetCell[][] => {
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
    return parts.flatMap((part) => (part.length === 1 ? [part] : splitGroup(part, round + 1)));
  };
  return splitGroup([...cells], 0);
}
