import type { Cell } from '../../document.ts';
import {
  cellOf,
  flatten,
  origin,
  tooManyColumns,
  trimSpans,
  withoutEmptyColumns,
} from '../build.ts';
import { attributeOf, type Element, isElement, isHidden, type Parent, textIn } from './elements.ts';
import { type Flow, flush, outside, readChildren, type Surroundings } from './flow.ts';

type Row = { cells: Element[]; header: boolean; section: number };

/** The maximum column span in browsers (HTML, 4.9.11). */
const maxColumns = 1000;
/** The maximum number of grid columns. Columns in which no cell begins are dropped. */
const maxPlaces = 10_000;
/** The maximum nesting of tables. Deeper tables are read as text. */
const maxNested = 6;
const nested = new WeakMap<Flow, number>();

/** Returns the rows of a table in display order, with the footer rows last. */
function elementRows(table: Element): Row[] {
  const rows: Row[] = [];
  const foot: Row[] = [];
  let section = 0;
  const add = (tr: Element, to: Row[], header: boolean): void => {
    const cells = tr.childNodes.filter(
      (node): node is Element => isElement(node) && /^t[dh]$/.test(node.tagName) && !isHidden(node),
    );
    to.push({ cells, header, section });
  };
  for (const node of table.childNodes) {
    if (!isElement(node) || isHidden(node)) continue;
    if (!/^t(head|body|foot)$/.test(node.tagName)) continue;
    section += 1;
    for (const tr of node.childNodes) {
      if (!isElement(tr) || tr.tagName !== 'tr' || isHidden(tr)) continue;
      add(tr, node.tagName === 'tfoot' ? foot : rows, node.tagName === 'thead');
    }
  }
  return [...rows, ...foot];
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
  const own: Flow = {
    ...flow,
    out: [],
    spans: [],
    waiting: [],
    checked: null,
    beforeHeadings: false,
  };
  nested.set(own, (nested.get(flow) ?? 0) + 1);
  readChildren(parent, outside, own);
  flush(own, outside);
  return trimSpans(flatten(own.out));
}

const hasHeaders = (rows: readonly Row[]): boolean =>
  rows.some(({ cells, header }) => header || cells.some(({ tagName }) => tagName === 'th'));

const maxSearched = 20_000;

/** Whether cells contain other tables. Such a table is used for layout. */
function hasTables(rows: readonly Row[]): boolean {
  const open: Parent[] = rows.flatMap(({ cells }) => cells);
  for (let parent = open.pop(), count = 0; parent && count < maxSearched; parent = open.pop()) {
    count += 1;
    for (const node of parent.childNodes) {
      if (!isElement(node) || isHidden(node)) continue;
      if (node.tagName === 'table') return true;
      open.push(node);
    }
  }
  return false;
}

/**
 * Whether a table in an e-mail is used for layout: text is in a single column or row, possibly with
 * margins beside it.
 */
function isFrameOfMail(rows: readonly Row[]): boolean {
  const counts = rows.map(({ cells }) => cells.filter((cell) => textIn(cell).trim() !== '').length);
  return counts.filter((count) => count > 0).length < 2 || counts.every((count) => count < 2);
}

/**
 * Reads a table with its spans (HTML, 4.9.12). Rows that only contain cells from the rows above are
 * left out. Tables with a single cell, and tables used for layout, are replaced by their content.
 */
export function readTable(table: Element, around: Surroundings, flow: Flow): void {
  const rows = elementRows(table);
  const isFrame =
    /^(presentation|none)$/i.test(attributeOf(table, 'role') ?? '') ||
    (rows.length === 1 && rows[0]!.cells.length === 1) ||
    (!hasHeaders(rows) && (hasTables(rows) || (flow.isMail && isFrameOfMail(rows))));
  if (isFrame || (nested.get(flow) ?? 0) >= maxNested) {
    for (const { cells } of rows) {
      for (const cell of cells) {
        readChildren(cell, around, flow);
        flush(flow, around);
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
  const reaches = (cell: Cell | undefined): cell is Cell =>
    cell !== undefined && cell.row + cell.rowSpan > row;
  const left = leftInSections(rows);
  for (const [index, { cells: elements, header, section: own }] of rows.entries()) {
    if (own !== section) last = [];
    section = own;
    const max = left[index]!;
    const spans = elements.map((cell) => spanOf(cell, 'rowspan', max) || max);
    const shows = spans.some((span) => span === 1) || max === 1;
    const above = new Set(last.filter(reaches));
    if (elements.length === 0 && above.size === 0) continue;
    let column = 0;
    for (const [at, element] of elements.entries()) {
      while (reaches(last[column])) column += 1;
      const columnSpan = Math.max(1, spanOf(element, 'colspan', maxColumns));
      if (column > maxPlaces) throw tooManyColumns(maxPlaces);
      flow.budget.cell();
      const place = {
        row,
        column,
        rowSpan: spans[at]! - (shows ? 0 : 1),
        columnSpan,
        header: header || element.tagName === 'th',
      };
      const cell = cellOf(place, textOfCell(element, flow));
      cells.push(cell);
      for (let over = 0; over < columnSpan; over += 1) last[column + over] = cell;
      column += columnSpan;
    }
    if (shows) row += 1;
    else for (const cell of above) cell.rowSpan -= 1;
  }
  if (cells.every(({ text }) => text === '')) return;
  flow.budget.block();
  const ordered = cells.sort((a, b) => a.row - b.row || a.column - b.column);
  const shown = withoutEmptyColumns(ordered);
  flow.out.push({ role: 'table', rows: row, ...shown, caption, ...origin() });
}

/**
 * Returns the number of rows from each row to the end of its section. Row spans end with the
 * section.
 */
function leftInSections(rows: readonly Row[]): number[] {
  const left: number[] = [];
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const goesOn = rows[index + 1]?.section === rows[index]!.section;
    left[index] = goesOn ? left[index + 1]! + 1 : 1;
  }
  return left;
}
