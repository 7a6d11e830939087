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
  let reach = Number.NEGATIVE_INFINITY;
  for (const cell of sorted) {
    if (first(cell) > reach + 1) groups.push([]);
    groups.at(-1)!.push(cell);
    reach = Math.max(reach, last(cell));
  }
  return groups;
}

/**
 * Returns the tables of a sheet: groups of cells that an empty row or column separates. They are
 * ordered from top to bottom, then from left to right.
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
