import { attributeValue, childOf, elementsOf, type XmlElement } from '../../../files/xml.ts';
import type { Cell, DocBlock } from '../../document.ts';
import { cellOf, flatten, origin, tooManyColumns, withoutEmptyColumns } from '../build-blocks.ts';
import { readText, type TextContext } from './text.ts';

const maxColumns = 2000;

/** Reads a table of DrawingML (ECMA-376 part 1, 21.1.3). Cells that a span covers are left out. */
export function readTable(table: XmlElement, context: TextContext): DocBlock[] {
  const rows = elementsOf(table).filter(({ local }) => local === 'tr');
  const cells: Cell[] = [];
  for (const [row, element] of rows.entries()) {
    const cellElements = elementsOf(element).filter(({ local }) => local === 'tc');
    if (cellElements.length > maxColumns) throw tooManyColumns(maxColumns);
    for (const [column, tc] of cellElements.entries()) {
      if (isCovered(tc)) continue;
      context.budget.countCell();
      const body = childOf(tc, 'txBody');
      const blocks = body ? readText(body, { heading: null, styles: [] }, context) : [];
      const position = {
        row,
        column,
        rowSpan: spanOf(tc, 'rowSpan', rows.length - row),
        columnSpan: spanOf(tc, 'gridSpan', cellElements.length - column),
        header: row === 0,
      };
      cells.push(cellOf(position, flatten(blocks)));
    }
  }
  if (cells.every(({ text }) => text === '')) return [];
  context.budget.countBlock();
  const visible = withoutEmptyColumns(cells);
  return [{ role: 'table', rows: rows.length, ...visible, caption: null, ...origin(context.page) }];
}

const isCovered = (cell: XmlElement): boolean =>
  ['hMerge', 'vMerge'].some((name) => /^(1|true)$/.test(attributeValue(cell, name) ?? ''));

function spanOf(cell: XmlElement, name: string, max: number): number {
  const span = Number(attributeValue(cell, name) ?? '1');
  return Number.isInteger(span) && span > 0 ? Math.min(span, max) : 1;
}
