import type { Cell } from '../../document.ts';
import {
  cellOf,
  flatten,
  origin,
  tooManyColumns,
  trimSpans,
  withoutEmptyColumns,
} from '../build-blocks.ts';
import { attributeOf, type Element, isElement, isHidden, type Parent, textIn } from './elements.ts';
import { type Flow, flush, readChildren, rootContext, type TextContext } from './flow.ts';

type Row = { cells: Element[]; header: boolean; section: number };

/** The maximum column span in browsers (HTML, 4.9.11). */
const maxColumns = 1000;
/** The maximum number of grid columns. Columns in which no cell begins are dropped. */
const maxGridColumns = 10_000;
/** The maximum nesting of tables. Deeper tables are read as text. */
const maxNestedTables = 6;
const tableDepths = new WeakMap<Flow, number>();

/** Returns the rows of a table in display order, with the footer rows last. */
function elementRows(table: Element): Row[] {
  const rows: Row[] = [];
  const footerRows: Row[] = [];
  let section = 0;
  const add = (tr: Element, target: Row[], header: boolean): void => {
    const cells = tr.childNodes.filter(
      (node): node is Element => isElement(node) && /^t[dh]$/.test(node.tagName) && !isHidden(node),
    );
    target.push({ cells, header, section });
  };
  for (const node of table.childNodes) {
    if (!isElement(node) || isHidden(node)) continue;
    if (!/^t(head|body|foot)$/.test(node.tagName)) continue;
    section += 1;
    for (const tr of node.childNodes) {
      if (!isElement(tr) || tr.tagName !== 'tr' || isHidden(tr)) continue;
      add(tr, node.tagName === 'tfoot' ? footerRows : rows, node.tagName === 'thead');
    }
  }
  return [...rows, ...footerRows];
}

const spanOf = (cell: Element, name: string, max: number): number => {
  const value = Number.parseInt(attributeOf(cell, name) ?? '1', 10);
  return Number.isNaN(value) || value < 0 ? 1 : Math.min(value, max);
};

function captionOf(table: Element, flow: Flow): string | null {
  const caption = table.childNodes.find(
    (node): node is Element => isElement(node) && node.tagName === 'caption' && !isHidden(node),
  );
  return caption
    ? textOfCell(caption, flow)
        .map(({ text }) => text)
        .join('') || null
    : null;
}

/** Returns the content of a cell as one text. */
function textOfCell(parent: Parent, flow: Flow) {
  const cellFlow: Flow = {
    ...flow,
    out: [],
    spans: [],
    pendingPictures: [],
    checked: null,
    beforeHeadings: false,
  };
  tableDepths.set(cellFlow, (tableDepths.get(flow) ?? 0) + 1);
  readChildren(parent, rootContext, cellFlow);
  flush(cellFlow, rootContext);
  return trimSpans(flatten(cellFlow.out));
}

const hasHeaders = (rows: readonly Row[]): boolean =>
  rows.some(({ cells, header }) => header || cells.some(({ tagName }) => tagName === 'th'));

const maxSearchedElements = 20_000;

/** Whether cells contain other tables. Such a table is used for layout. */
function hasTables(rows: readonly Row[]): boolean {
  const stack: Parent[] = rows.flatMap(({ cells }) => cells);
  for (
    let parent = stack.pop(), count = 0;
    parent && count < maxSearchedElements;
    parent = stack.pop()
  ) {
    count += 1;
    for (const node of parent.childNodes) {
      if (!isElement(node) || isHidden(node)) continue;
      if (node.tagName === 'table') return true;
      stack.push(node);
    }
  }
  return false;
}

/**
 * Whether a table in an e-mail is used for layout: text is in a single column or row, possibly with
 * margins beside it.
 */
function isMailLayout(rows: readonly Row[]): boolean {
  const counts = rows.map(({ cells }) => cells.filter((cell) => textIn(cell).trim() !== '').length);
  return counts.filter((count) => count > 0).length < 2 || counts.every((count) => count < 2);
}

/**
 * Reads a table with its spans (HTML, 4.9.12). Rows that only contain cells from the rows above are
 * left out. Tables with a single cell, and tables used for layout, are replaced by their content.
 */
export function readTable(table: Element, context: TextContext, flow: Flow): void {
  const rows = elementRows(table);
  const isFrame =
    /^(presentation|none)$/i.test(attributeOf(table, 'role') ?? '') ||
    (rows.length === 1 && rows[0]!.cells.length === 1) ||
    (!hasHeaders(rows) && (hasTables(rows) || (flow.isMail && isMailLayout(rows))));
  if (isFrame || (tableDepths.get(flow) ?? 0) >= maxNestedTables) {
    for (const { cells } of rows) {
      for (const cell of cells) {
        readChildren(cell, context, flow);
        flush(flow, context);
      }
    }
    return;
  }
  const caption = captionOf(table, flow);
  const cells: Cell[] = [];
  /** The last cell in each column, which may extend into further rows. */
  let last: (Cell | undefined)[] = [];
  let section = 0;
  let row = 0;
  const reachesRow = (cell: Cell | undefined): cell is Cell =>
    cell !== undefined && cell.row + cell.rowSpan > row;
  const remainingRows = countRemainingRows(rows);
  for (const [index, { cells: elements, header, section: rowSection }] of rows.entries()) {
    if (rowSection !== section) last = [];
    section = rowSection;
    const max = remainingRows[index]!;
    const spans = elements.map((cell) => spanOf(cell, 'rowspan', max) || max);
    const isVisible = spans.some((span) => span === 1) || max === 1;
    const above = new Set(last.filter(reachesRow));
    if (elements.length === 0 && above.size === 0) continue;
    let column = 0;
    for (const [at, element] of elements.entries()) {
      while (reachesRow(last[column])) column += 1;
      const columnSpan = Math.max(1, spanOf(element, 'colspan', maxColumns));
      if (column > maxGridColumns) throw tooManyColumns(maxGridColumns);
      flow.budget.countCell();
      const position = {
        row,
        column,
        rowSpan: spans[at]! - (isVisible ? 0 : 1),
        columnSpan,
        header: header || element.tagName === 'th',
      };
      const cell = cellOf(position, textOfCell(element, flow));
      cells.push(cell);
      for (let offset = 0; offset < columnSpan; offset += 1) last[column + offset] = cell;
      column += columnSpan;
    }
    if (isVisible) row += 1;
    else for (const cell of above) cell.rowSpan -= 1;
  }
  if (cells.every(({ text }) => text === '')) return;
  flow.budget.countBlock();
  const sorted = cells.sort((a, b) => a.row - b.row || a.column - b.column);
  const visible = withoutEmptyColumns(sorted);
  flow.out.push({ role: 'table', rows: row, ...visible, caption, ...origin() });
}

/**
 * Returns the number of rows from each row to the end of its section. Row spans end with the
 * section.
 */
function countRemainingRows(rows: readonly Row[]): number[] {
  const remaining: number[] = [];
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const continuesSection = rows[index + 1]?.section === rows[index]!.section;
    remaining[index] = continuesSection ? remaining[index + 1]! + 1 : 1;
  }
  return remaining;
}
