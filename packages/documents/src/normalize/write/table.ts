import type { Cell, DocBlock } from '../document.ts';
import { toInlineMarkdown } from './inline.ts';

export type Table = Extract<DocBlock, { role: 'table' }>;

/** The maximum number of cell positions in a table. In larger tables, the spans are invalid. */
const maxPositions = 4e6;

/** Returns a cell on a single line, with pipe characters escaped. */
function cellOf({ text, spans }: Cell): string {
  const out = toInlineMarkdown(spans ?? [{ text, marks: [], href: null }]);
  return out.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');
}

/**
 * Returns a table as rows of Markdown cells. Pipe tables have no spans, so a spanning cell repeats
 * its text at each position. Every row is then complete, even at the end of a chunk. JSON
 * contains the spans.
 */
export function textRows({ rows, columns, cells }: Table): string[][] {
  if (rows * columns > maxPositions) return cells.map((cell) => [cellOf(cell)]);
  const grid = Array.from({ length: rows }, () => new Array<string>(columns).fill(''));
  for (const cell of cells) {
    const text = cellOf(cell);
    if (text === '') continue;
    const lastRow = Math.min(rows, cell.row + Math.max(1, cell.rowSpan));
    const lastColumn = Math.min(columns, cell.column + Math.max(1, cell.columnSpan));
    for (let row = cell.row; row < lastRow; row += 1) {
      for (let column = cell.column; column < lastColumn; column += 1) grid[row]![column] ||= text;
    }
  }
  return grid;
}

export const rowLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export const delimiterLine = (columns: number): string =>
  rowLine(new Array<string>(columns).fill('-'));
