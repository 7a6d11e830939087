import { firstWhere } from '../first-where.ts';
import { oncePerView, type TextView } from '../view.ts';

/** A range of a view. `end` is exclusive. */
export interface Range {
  start: number;
  end: number;
}

/**
 * A line and its cells, which are separated by tabs, bars, wide gaps, or semicolons without a
 * space. Spaces at the ends of cells are not included.
 */
export interface Line extends Range {
  cells: Range[];
}

/**
 * Returns the text at a position that a pattern matches. The pattern must start with `^`. Only a
 * window of limited length is searched.
 */
export function textAt(text: string, at: number, pattern: RegExp): string | null {
  return pattern.exec(text.slice(at, at + windowLength))?.[0] ?? null;
}

const windowLength = 160;

/** Maximum number of cells of a line that are separated. */
export const maxCells = 200;
const divider = / ?\t[ \t]*| *[|│┃║] *|(?<!&#?\w{1,8});(?=\S)| {2,}/g;

/** Returns the lines of a view. */
export const linesOf: (view: TextView) => readonly Line[] = oncePerView(({ text }) => {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    lines.push({ start, end, cells: cellsOf(text.slice(start, end), start) });
    start = end + 1;
  }
  return lines;
});

function cellsOf(text: string, from: number): Range[] {
  const cells: Range[] = [];
  const add = (start: number, end: number): void => {
    if (end > start || cells.length > 0) cells.push({ start: from + start, end: from + end });
  };
  let at = text.length - text.trimStart().length;
  for (const { index, 0: gap } of text.matchAll(divider)) {
    if (cells.length >= maxCells) break;
    if (index + gap.length > at) {
      if (index >= at) add(at, index);
      at = index + gap.length;
    }
  }
  add(at, Math.max(at, text.trimEnd().length));
  return cells;
}

/** Returns the index of the line that contains a position. */
export function lineAt(lines: readonly Line[], position: number): number {
  return Math.max(0, firstWhere(lines.length, (at) => lines[at]!.start > position) - 1);
}

/**
 * Returns the cell of another line below a cell: the cell with the same index, or an overlapping
 * one.
 */
export function cellBelow(
  view: TextView,
  line: Line,
  upperLine: Line,
  column: number,
): Range | null {
  const { text } = view;
  const cell = upperLine.cells[column];
  if (!cell) return null;
  const hasDividers = (one: Line): boolean => /[\t|│┃║]/.test(text.slice(one.start, one.end));
  if (upperLine.cells.length === 1 && line.cells.length === 1) return line.cells[0] ?? null;
  if (hasDividers(upperLine) || hasDividers(line)) return line.cells[column] ?? null;
  if (upperLine.cells.length === line.cells.length) return line.cells[column] ?? null;
  const [from, to] = [cell.start - upperLine.start, cell.end - upperLine.start];
  return (
    line.cells.find(({ start, end }) => start - line.start < to && end - line.start > from) ?? null
  );
}
