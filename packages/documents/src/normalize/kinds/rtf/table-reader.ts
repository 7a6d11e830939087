import type { Cell, DocBlock } from '../../document.ts';
import {
  cellOf,
  type createBudget,
  flatten,
  origin,
  tooManyColumns,
  withoutEmptyColumns,
} from '../build-blocks.ts';

type Row = { cells: DocBlock[][]; ends: number[]; merged: ('first' | 'covered' | undefined)[] };

const maxColumns = 1000;
const maxRows = 200_000;

/** Creates a reader of table rows, with the cell that is open. */
export function createTableReader(budget: ReturnType<typeof createBudget>): {
  add(block: DocBlock): void;
  endCell(): void;
  endRow(): void;
  /** Handles a control word that defines cells. Returns false for other control words. */
  handleControl(name: string, value: number | null): boolean;
  /** Returns the table of the rows so far, if any. */
  end(): DocBlock[];
} {
  let cell: DocBlock[] = [];
  let row: Row = { cells: [], ends: [], merged: [] };
  let rows: Row[] = [];
  return {
    add(block) {
      cell.push(block);
    },
    endCell() {
      if (row.cells.length >= maxColumns) throw tooManyColumns(maxColumns);
      row.cells.push(cell);
      cell = [];
    },
    endRow() {
      if (row.cells.length > 0 && rows.length < maxRows) rows.push(row);
      row = { ...row, cells: [] };
    },
    handleControl(name, value) {
      if (name === 'trowd') row = { ...row, ends: [], merged: [] };
      else if (name === 'clmgf') row.merged[row.ends.length] = 'first';
      else if (name === 'clmrg') row.merged[row.ends.length] = 'covered';
      else if (name === 'cellx') {
        if (row.ends.length >= maxColumns) throw tooManyColumns(maxColumns);
        row.ends.push(value ?? 0);
      } else return false;
      return true;
    },
    end() {
      const read = rows;
      rows = [];
      return read.length > 0 ? tableOf(read, budget) : [];
    },
  };
}

/**
 * Returns rows as a table. The end positions of cells determine the columns. A table with a single
 * cell is replaced by its content.
 */
function tableOf(rows: readonly Row[], budget: ReturnType<typeof createBudget>): DocBlock[] {
  const [only] = rows;
  if (rows.length === 1 && only?.cells.length === 1) return only.cells[0] ?? [];
  const ends = [...new Set(rows.flatMap((row) => row.ends.slice(0, row.cells.length)))].sort(
    (a, b) => a - b,
  );
  const columns = new Map(ends.map((end, index) => [end, index]));
  const cells: Cell[] = [];
  for (const [row, { cells: rowCells, ends: cellEnds, merged }] of rows.entries()) {
    let column = 0;
    for (const [at, blocks] of rowCells.entries()) {
      const lastColumn = columns.get(cellEnds[at] ?? Number.NaN) ?? column;
      const columnSpan = Math.max(1, lastColumn - column + 1);
      const before = cells.at(-1);
      if (merged[at] === 'covered' && before?.row === row) before.columnSpan += columnSpan;
      else {
        budget.countCell();
        const position = { row, column, rowSpan: 1, columnSpan, header: row === 0 };
        cells.push(cellOf(position, flatten(blocks)));
      }
      column += columnSpan;
    }
  }
  if (cells.every(({ text }) => text === '')) return [];
  return [
    { role: 'table', rows: rows.length, ...withoutEmptyColumns(cells), caption: null, ...origin() },
  ];
}
