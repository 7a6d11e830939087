import type { Box } from '../../../results.ts';
import { groupRows } from '../../../rows.ts';
import type { FoundCell, FoundTable, TableWord } from './types.ts';

/** A cell before its table is finished. Columns are counted from the left. */
export type DraftCell = {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  words: number[];
};

export type TableDraft = {
  /** The edges of columns and rows. There is one more edge than there are columns or rows. */
  xs: number[];
  ys: number[];
  cells: DraftCell[];
  /** The number of header rows that rules separate; undefined if rules do not show it. */
  headerRows: number | undefined;
  /** The shaded rows of the page. */
  shadedRows: readonly Box[];
  foundBy: FoundTable['foundBy'];
};

const rightToLeftLetter = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;
const letter = /\p{L}/u;

/** Whether most words with letters are in a right-to-left script. */
function isRightToLeft(words: readonly TableWord[], indexes: readonly number[]): boolean {
  let rightToLeftCount = 0;
  let otherCount = 0;
  for (const index of indexes) {
    const text = words[index]?.text ?? '';
    if (rightToLeftLetter.test(text)) rightToLeftCount += 1;
    else if (letter.test(text)) otherCount += 1;
  }
  return rightToLeftCount > otherCount;
}

/**
 * Returns the words of a cell in reading order: line by line, each in the direction of its script.
 */
function readingOrder(words: readonly TableWord[], indexes: readonly number[]): number[] {
  const left = isRightToLeft(words, indexes);
  const sorted = indexes.filter((index) => words[index]);
  sorted.sort((a, b) => words[a]!.base - words[b]!.base);
  // Superscripts stay on their line within a cell.
  const lines = groupRows(
    sorted,
    (at, _, first) => words[at]!.base - words[first]!.base < 0.5 * words[at]!.size,
  );
  const x = (index: number): number => words[index]?.box[0] ?? 0;
  return lines.flatMap((line) => {
    line.sort((a, b) => x(a) - x(b));
    return left ? reverseRuns(words, line) : line;
  });
}

/**
 * Returns a line of a right-to-left script in reading order. Runs of other scripts stay in
 * left-to-right order.
 */
function reverseRuns(words: readonly TableWord[], line: readonly number[]): number[] {
  const isOther = (at: number): boolean => /\p{Script=Latin}/u.test(words[at]?.text ?? '');
  const runs = groupRows(line, (at, last) => isOther(at) && isOther(last));
  return runs.reverse().flat();
}

type Row = { cells: DraftCell[]; texts: string[] };

function filledRows(draft: TableDraft, words: readonly TableWord[]): Row[] {
  const rows: Row[] = Array.from({ length: draft.ys.length - 1 }, () => ({ cells: [], texts: [] }));
  for (const cell of draft.cells) {
    const row = rows[cell.row];
    if (!row || cell.words.length === 0) continue;
    row.cells.push(cell);
    row.texts.push(cell.words.map((index) => words[index]?.text ?? '').join(' '));
  }
  return rows;
}

const isNumeric = (text: string): boolean => {
  const digits = text.match(/\d/g)?.length ?? 0;
  return digits > 0 && digits >= (text.match(/\p{L}/gu)?.length ?? 0);
};

const isBold = (cell: DraftCell, words: readonly TableWord[]): boolean =>
  cell.words.every((index) => words[index]?.bold === true);

/** Returns the number of rows at the top that label the rows below. */
function headerRowsOf(draft: TableDraft, words: readonly TableWord[]): number {
  const rows = filledRows(draft, words);
  const max = Math.min(rows.length - 1, 6);
  if (draft.headerRows !== undefined) return Math.min(draft.headerRows, Math.max(0, max));
  const shaded = rows.map((_, at) => {
    const middle = ((draft.ys[at] ?? 0) + (draft.ys[at + 1] ?? 0)) / 2;
    return draft.shadedRows.some(([, y0, , y1]) => y0 < middle && middle < y1);
  });
  const countLeading = (test: (row: Row, at: number) => boolean): number => {
    let count = 0;
    while (count < rows.length && test(rows[count] as Row, count)) count += 1;
    return count;
  };
  const boldRowCount = countLeading(
    (row) => row.cells.length > 0 && row.cells.every((cell) => isBold(cell, words)),
  );
  if (boldRowCount > 0 && boldRowCount <= max) return rowsCoveredBy(draft, boldRowCount);
  const shadedRowCount = countLeading((_, at) => shaded[at] === true);
  if (shadedRowCount > 0 && shadedRowCount <= Math.min(max, 3))
    return rowsCoveredBy(draft, shadedRowCount);
  const first = rows[0];
  if (!first || max < 1) return 0;
  const headRowCount = rowsCoveredBy(draft, 1);
  const heads = rows.slice(0, headRowCount).flatMap(({ texts }) => texts);
  const areLabels = heads.every((text) => !isNumeric(text) || /^(19|20)\d\d\D{0,3}$/.test(text));
  const isWide = (rows[headRowCount - 1]?.cells.length ?? 0) * 2 > draft.xs.length - 1;
  return areLabels && isWide ? headRowCount : 0;
}

/**
 * Returns the number of rows that the cells of the first `count` rows extend over. A row of
 * spanning cells needs one more row.
 */
function rowsCoveredBy(draft: TableDraft, count: number): number {
  let rows = count;
  for (const cell of draft.cells) {
    if (cell.row < count) rows = Math.max(rows, cell.row + cell.rowSpan);
  }
  const columns = draft.xs.length - 1;
  const last = draft.cells.filter((cell) => cell.row === rows - 1 && cell.words.length > 0);
  const hasSpans = last.some((cell) => cell.columnSpan > 1 && cell.columnSpan < columns);
  if (hasSpans && rows < draft.ys.length - 2 && rows < 4) rows += 1;
  return Math.min(rows, Math.max(0, draft.ys.length - 2));
}

/** Adds an empty cell at each position without a cell. */
function withEmptyCells(cells: readonly DraftCell[], rows: number, columns: number): DraftCell[] {
  const occupied = new Uint8Array(rows * columns);
  const all = [...cells];
  for (const cell of cells) {
    for (let row = cell.row; row < cell.row + cell.rowSpan; row += 1) {
      occupied.fill(1, row * columns + cell.column, row * columns + cell.column + cell.columnSpan);
    }
  }
  for (const [at, value] of occupied.entries()) {
    if (value === 1) continue;
    const position = { row: Math.floor(at / columns), column: at % columns };
    all.push({ ...position, rowSpan: 1, columnSpan: 1, words: [] });
  }
  return all;
}

/** Removes empty rows and columns, and reduces the spans that cover them. */
function withoutEmpty(draft: TableDraft): TableDraft {
  const rows = draft.ys.length - 1;
  const columns = draft.xs.length - 1;
  const rowUsed = new Uint8Array(rows);
  const columnUsed = new Uint8Array(columns);
  for (const cell of draft.cells) {
    if (cell.words.length === 0) continue;
    if (cell.rowSpan === 1) rowUsed[cell.row] = 1;
    if (cell.columnSpan === 1) columnUsed[cell.column] = 1;
  }
  for (const cell of draft.cells) {
    if (cell.words.length === 0) continue;
    const { row, rowSpan, column, columnSpan } = cell;
    if (!rowUsed.subarray(row, row + rowSpan).includes(1)) rowUsed[row] = 1;
    if (!columnUsed.subarray(column, column + columnSpan).includes(1)) columnUsed[column] = 1;
  }
  // Empty rows and columns within ruled tables are meant to be filled in.
  const keepRow = (at: number): boolean => draft.foundBy === 'lattice' || rowUsed[at] === 1;
  const size = (at: number): number => (draft.xs[at + 1] ?? 0) - (draft.xs[at] ?? 0);
  const keepColumn = (at: number): boolean =>
    columnUsed[at] === 1 || (draft.foundBy === 'lattice' && size(at) > 14);
  const rowAt = Array.from({ length: rows + 1 }, () => 0);
  const columnAt = Array.from({ length: columns + 1 }, () => 0);
  const ys: number[] = [];
  const xs: number[] = [];
  for (let at = 0, kept = 0; at <= rows; at += 1) {
    rowAt[at] = kept;
    if (at < rows && keepRow(at)) {
      ys.push(draft.ys[at] ?? 0);
      kept += 1;
    }
  }
  for (let at = 0, kept = 0; at <= columns; at += 1) {
    columnAt[at] = kept;
    if (at < columns && keepColumn(at)) {
      xs.push(draft.xs[at] ?? 0);
      kept += 1;
    }
  }
  ys.push(draft.ys.at(-1) ?? 0);
  xs.push(draft.xs.at(-1) ?? 0);
  const cells = draft.cells.flatMap((cell) => {
    const row = rowAt[cell.row] ?? 0;
    const column = columnAt[cell.column] ?? 0;
    const rowSpan = (rowAt[cell.row + cell.rowSpan] ?? 0) - row;
    const columnSpan = (columnAt[cell.column + cell.columnSpan] ?? 0) - column;
    if (rowSpan < 1 || columnSpan < 1) return [];
    return [{ ...cell, row, column, rowSpan, columnSpan }];
  });
  const headerRows = draft.headerRows === undefined ? undefined : rowAt[draft.headerRows];
  return { ...draft, xs, ys, cells, headerRows };
}

/**
 * Returns a table from known cells: detects its header rows, and counts columns in reading
 * direction.
 */
export function finishTable(unfinished: TableDraft, words: readonly TableWord[]): FoundTable {
  const draft = withoutEmpty(unfinished);
  const { xs, ys } = draft;
  const rows = ys.length - 1;
  const columns = xs.length - 1;
  const headerRows = headerRowsOf(draft, words);
  const left = isRightToLeft(
    words,
    draft.cells.flatMap((cell) => cell.words),
  );
  const body = draft.cells.filter((cell) => cell.row >= headerRows && cell.words.length > 0);
  const isFirst = (cell: DraftCell): boolean =>
    left ? cell.column + cell.columnSpan === columns : cell.column === 0;
  const firstCells = body.filter(isFirst);
  const others = body.filter((cell) => !isFirst(cell));
  const hasHeadColumn =
    firstCells.length > 1 &&
    firstCells.every((cell) => isBold(cell, words)) &&
    !others.some((cell) => isBold(cell, words));
  const cells = withEmptyCells(draft.cells, rows, columns).map((cell): FoundCell => {
    const { row, rowSpan, columnSpan } = cell;
    const column = left ? columns - cell.column - columnSpan : cell.column;
    const box: Box = [
      xs[cell.column] ?? 0,
      ys[row] ?? 0,
      xs[cell.column + columnSpan] ?? 0,
      ys[row + rowSpan] ?? 0,
    ];
    const header = row < headerRows || (hasHeadColumn && isFirst(cell));
    return {
      row,
      column,
      rowSpan,
      columnSpan,
      header,
      box,
      words: readingOrder(words, cell.words),
    };
  });
  cells.sort((a, b) => a.row - b.row || a.column - b.column);
  const box: Box = [xs[0] ?? 0, ys[0] ?? 0, xs.at(-1) ?? 0, ys.at(-1) ?? 0];
  return { box, rows, columns, headerRows, cells, foundBy: draft.foundBy };
}
