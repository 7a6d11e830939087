import { csvCells, delimiterOf } from '../../files/csv.ts';
import { decode } from '../../files/encoding/index.ts';
import type { Cell, NormalDocument } from '../document.ts';
import { createBudget, onePage, origin } from './build-blocks.ts';

/**
 * Reads CSV as one table with the first row as its header. Empty lines are skipped. A line that
 * only declares the delimiter (`sep=;`) sets it and is left out. Throws EngineError.
 */
export function readCsv(bytes: Uint8Array): NormalDocument {
  const { text: decoded } = decode(bytes);
  const [directive, declaredDelimiter] = /^sep=([^\w\s]|\t)\r?\n/i.exec(decoded) ?? [''];
  const text = decoded.slice(directive.length);
  const budget = createBudget();
  const cells: Cell[] = [];
  const delimiter = declaredDelimiter ?? delimiterOf(text);
  let row = 0;
  let column = 0;
  let columns = 0;
  for (const { value, separator } of csvCells(text, delimiter)) {
    const isBlank = column === 0 && separator !== delimiter && value.trim() === '';
    if (!isBlank) {
      budget.countCell();
      const header = row === 0;
      cells.push({ row, column, rowSpan: 1, columnSpan: 1, header, text: value.trim(), box: null });
      column += 1;
      columns = Math.max(columns, column);
    }
    if (separator === delimiter) continue;
    if (!isBlank) row += 1;
    column = 0;
  }
  return {
    title: null,
    language: null,
    pages: onePage,
    blocks:
      columns === 0
        ? []
        : [
            {
              role: 'table',
              rows: row,
              columns,
              cells,
              caption: null,
              ...origin(),
              at: { row: 0, column: 0 },
            },
          ],
  };
}
