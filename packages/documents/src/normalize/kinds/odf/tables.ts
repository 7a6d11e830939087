import { attributeValue, elementsOf, type XmlElement } from '../../../files/xml.ts';
import type { Cell, DocBlock } from '../../document.ts';
import { cellOf, flatten, origin, withoutEmptyColumns } from '../build-blocks.ts';
import type { Range } from '../xlsx/hidden.ts';
import type { OdfContext } from './context.ts';

/** A cell with its position in the grid. Repeated cells are included only if they have content. */
export type GridCell = {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  header: boolean;
  element: XmlElement;
};

const maxRows = 200_000;
const maxColumns = 16_384;
const maxRepeated = 1000;

/**
 * Returns the cells of a table that have content (ODF 1.3 part 3, 9). Empty rows and columns are
 * skipped, because they may be repeated a million times.
 */
export function gridOf(table: XmlElement): GridCell[] {
  const cells: GridCell[] = [];
  let row = 0;
  const visit = (element: XmlElement, header: boolean, depth: number): void => {
    for (const child of elementsOf(element)) {
      if (row >= maxRows) return;
      if (child.local === 'table-row') {
        const rowCells = readRow(child, row, header);
        const repeatCount =
          rowCells.length === 0
            ? readCount(child, 'number-rows-repeated', maxRows)
            : readCount(child, 'number-rows-repeated', maxRepeated);
        for (let time = 0; time < (rowCells.length === 0 ? 0 : repeatCount); time += 1) {
          for (const cell of rowCells) cells.push({ ...cell, row: row + time });
        }
        row += repeatCount;
      } else if (depth < 20 && /^table-(rows|header-rows|row-group)$/.test(child.local)) {
        visit(child, header || child.local === 'table-header-rows', depth + 1);
      }
    }
  };
  visit(table, false, 0);
  return cells;
}

/** Returns the hidden and filtered rows and columns of a sheet (ODF 1.3 part 3, 19.749). */
export function hiddenRanges(table: XmlElement): { rows: Range[]; columns: Range[] } {
  const rows: Range[] = [];
  const columns: Range[] = [];
  const next = { row: 0, column: 0 };
  const visit = (element: XmlElement, depth: number): void => {
    for (const child of elementsOf(element)) {
      const isHidden = /^(collapse|filter)$/.test(attributeValue(child, 'visibility') ?? '');
      if (child.local === 'table-row') {
        const repeatCount = readCount(child, 'number-rows-repeated', maxRows);
        if (isHidden) rows.push([next.row, next.row + repeatCount - 1]);
        next.row += repeatCount;
      } else if (child.local === 'table-column') {
        const repeatCount = readCount(child, 'number-columns-repeated', maxColumns);
        if (isHidden) columns.push([next.column, next.column + repeatCount - 1]);
        next.column += repeatCount;
      } else if (
        depth < 20 &&
        /^table-(?:header-)?(?:row|column)s?(?:-group)?$/.test(child.local)
      ) {
        visit(child, depth + 1);
      }
    }
  };
  visit(table, 0);
  return { rows, columns };
}

function readRow(element: XmlElement, row: number, header: boolean): GridCell[] {
  const cells: GridCell[] = [];
  let column = 0;
  for (const cell of elementsOf(element)) {
    if (!/^(covered-)?table-cell$/.test(cell.local) || column >= maxColumns) continue;
    const isEmpty =
      cell.local === 'covered-table-cell' ||
      (elementsOf(cell).length === 0 && valueOfCell(cell) === '');
    const repeatCount = readCount(
      cell,
      'number-columns-repeated',
      isEmpty ? maxColumns : maxRepeated,
    );
    if (!isEmpty) {
      const rowSpan = readCount(cell, 'number-rows-spanned', maxRows);
      const columnSpan = readCount(cell, 'number-columns-spanned', maxColumns);
      for (let time = 0; time < repeatCount; time += 1) {
        cells.push({ row, column: column + time, rowSpan, columnSpan, header, element: cell });
      }
    }
    column += repeatCount;
  }
  return cells;
}

/** Returns the value of a cell (ODF 1.3 part 3, 19.385). Most programs also write it as text. */
export const valueOfCell = (cell: XmlElement): string =>
  ['string-value', 'date-value', 'time-value', 'boolean-value', 'value']
    .map((name) => attributeValue(cell, name))
    .find((value) => value !== undefined) ?? '';

function readCount(element: XmlElement, name: string, max: number): number {
  const count = Number(attributeValue(element, name) ?? '1');
  return Number.isInteger(count) && count > 0 ? Math.min(count, max) : 1;
}

/** Reads a table of a text or slide. A table with a single cell is replaced by its content. */
export function readTable(
  table: XmlElement,
  context: OdfContext,
  readCell: (cell: XmlElement) => DocBlock[],
): DocBlock[] {
  const grid = gridOf(table);
  const [only] = grid;
  if (grid.length === 1 && only) return readCell(only.element);
  const rows = grid.reduce((max, { row }) => Math.max(max, row + 1), 0);
  const cells = grid.map(({ element, ...position }): Cell => {
    context.budget.countCell();
    const clippedPosition = {
      ...position,
      rowSpan: Math.min(position.rowSpan, rows - position.row),
      header: position.header || position.row === 0,
    };
    return cellOf(clippedPosition, flatten(readCell(element)));
  });
  if (cells.every(({ text }) => text === '')) return [];
  context.budget.countBlock();
  return [
    { role: 'table', rows, ...withoutEmptyColumns(cells), caption: null, ...origin(context.page) },
  ];
}
