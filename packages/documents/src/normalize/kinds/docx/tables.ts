import { childOf, elementsOf, type XmlElement } from '../../../files/xml.ts';
import type { Cell, DocBlock } from '../../document.ts';
import { cellOf, flatten, origin, tooManyColumns, withoutEmptyColumns } from '../build-blocks.ts';
import { type BodyContext, readBlocks } from './body.ts';
import { isOn, valOf } from './styles.ts';

const maxColumns = 2000;

/**
 * Yields the rows of a table or the cells of a row, including those inside content controls and
 * tracked insertions.
 */
function* childrenNamed(parent: XmlElement, local: string): Generator<XmlElement> {
  for (const child of elementsOf(parent)) {
    if (child.local === local) yield child;
    else if (/^(sdt|sdtContent|ins|moveTo|customXml|smartTag)$/.test(child.local)) {
      yield* childrenNamed(child, local);
    }
  }
}

const parseCount = (text: string | undefined): number => {
  const value = Number(text ?? '');
  return Number.isInteger(value) && value > 0 ? Math.min(value, maxColumns) : 0;
};

/**
 * Reads a table (ECMA-376 part 1, 17.4). Cells are positioned by the columns of its grid, and
 * vertically merged cells become one. A table with a single cell is a frame and is replaced by its
 * content.
 */
export function readTable(table: XmlElement, context: BodyContext, depth: number): DocBlock[] {
  const rows = [...childrenNamed(table, 'tr')].filter((row) => {
    const properties = childOf(row, 'trPr');
    return !childOf(properties, 'del');
  });
  const first = rows[0] && [...childrenNamed(rows[0], 'tc')];
  if (rows.length === 1 && first?.length === 1) return readBlocks(first[0]!, context, depth + 1);
  const cells: Cell[] = [];
  /** The cell above in each column of the grid, for vertical merging. */
  let above: (Cell | undefined)[] = [];
  for (const [row, element] of rows.entries()) {
    const properties = childOf(element, 'trPr');
    const header = isOn(properties, 'tblHeader') ?? row === 0;
    const currentRow: (Cell | undefined)[] = [];
    let column = parseCount(valOf(properties, 'gridBefore'));
    for (const tc of childrenNamed(element, 'tc')) {
      if (column >= maxColumns) throw tooManyColumns(maxColumns);
      const cellProperties = childOf(tc, 'tcPr');
      const columnSpan = Math.min(
        Math.max(1, parseCount(valOf(cellProperties, 'gridSpan'))),
        maxColumns - column,
      );
      const merge = childOf(cellProperties, 'vMerge');
      const top = above[column];
      const continuesAbove = merge !== undefined && valOf(cellProperties, 'vMerge') !== 'restart';
      let cell: Cell;
      if (continuesAbove && top && top.column === column && top.row + top.rowSpan === row) {
        top.rowSpan += 1;
        cell = top;
      } else {
        context.budget.countCell();
        const position = { row, column, rowSpan: 1, columnSpan, header };
        cell = cellOf(position, flatten(readBlocks(tc, context, depth + 1)));
        cells.push(cell);
      }
      for (let at = column; at < column + columnSpan; at += 1) currentRow[at] = cell;
      column += columnSpan;
    }
    above = currentRow;
  }
  if (cells.length === 0) return [];
  const visible = withoutEmptyColumns(cells);
  return [{ role: 'table', rows: rows.length, ...visible, caption: null, ...origin() }];
}
