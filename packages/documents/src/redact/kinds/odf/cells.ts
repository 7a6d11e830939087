import {
  type Attribute,
  attribute,
  attributeValue,
  elementsOf,
  isXmlElement,
  type XmlElement,
} from '../../../files/xml.ts';
import { addText, type HiddenStreams } from '../package/clean.ts';
import { headingsOf } from '../plain/headings.ts';
import { type CellAddress, cellKey, literalsOf, referencesOf } from '../spreadsheet/formulas.ts';
import { cellEnd, lineEnd, type Piece, piece, type Stream } from '../stream.ts';
import { inExcelSyntax, isForeign } from './formulas.ts';
import { namespaceOf, qualifiedName } from './namespaces.ts';
import {
  type CellContent,
  dropFormula,
  finishCell,
  isRedacted,
  readStoredValues,
} from './stored-values.ts';
import { rowsOf } from './text.ts';

/** A cell with text, a number or a formula. */
export interface OdsCell extends CellContent {
  address: CellAddress;
  /** How often the cell is repeated downwards and to the right. */
  rows: number;
  columns: number;
  formula: Formula | null;
}

interface Formula {
  /** In the syntax of Excel. */
  text: string;
  sharedGroup: null;
  pieces: Piece[];
  isForeign: boolean;
}

const maxColumns = 16_384;

const keptAttributes =
  /^(?:style-name|number-(?:columns|rows)-(?:repeated|spanned)|number-matrix-(?:columns|rows)-spanned|formula|value-type|currency|(?:string-|date-|time-|boolean-)?value)$/;

/**
 * Reads the rows of a sheet into a stream, with the column heading of each cell as context. A cell
 * that is repeated is read once, at its first position.
 */
export function readCells(
  sheet: XmlElement,
  name: string,
  to: Stream,
  unseen: HiddenStreams,
): OdsCell[] {
  const cells: OdsCell[] = [];
  let headings: Map<number, string> | null = null;
  let row = 1;
  for (const rowElement of rowsOf(sheet)) {
    const rows = countOf(rowElement, 'number-rows-repeated');
    const inRow: OdsCell[] = [];
    let column = 1;
    for (const element of elementsOf(rowElement)) {
      if (!/^(?:covered-)?table-cell$/.test(element.local)) continue;
      const columns = countOf(element, 'number-columns-repeated');
      const address = { sheet: name, row, column };
      const cell = readCell(element, { address, rows, columns }, unseen);
      if (cell && column <= maxColumns) {
        inRow.push(cell);
      }
      column += columns;
    }
    addRow(inRow, headings, to);
    if (headings === null && inRow.length > 0) {
      const names = headingsOf(inRow.map(({ text }) => joined(text)));
      headings = new Map(inRow.map(({ address }, index) => [address.column, names[index] ?? '']));
    }
    for (const cell of inRow) cells.push(cell);
    row += rows;
  }
  return cells;
}

function addRow(
  cells: readonly OdsCell[],
  headings: ReadonlyMap<number, string> | null,
  to: Stream,
): void {
  for (const { address, pieces, text } of cells) {
    const heading = headings?.get(address.column);
    if (heading) to.parts.push({ context: `${lineEnd}${heading}: ` });
    const shown = pieces.filter((one) => !text.includes(one));
    if (pieces.length > shown.length) to.parts.push(...text);
    for (const one of shown) to.parts.push(...(one === pieces[0] ? [one] : [' ', one]));
    to.parts.push(cellEnd);
  }
  if (cells.length > 0) to.parts.push(lineEnd);
}

const joined = (text: readonly (Piece | string)[]): string =>
  text.map((one) => (typeof one === 'string' ? one : one.text)).join('');

function countOf(element: XmlElement, name: string): number {
  const count = Number(attributeValue(element, name) ?? '1');
  return Number.isInteger(count) && count > 0 ? count : 1;
}

/**
 * Returns the repetitions of cells to which formulas refer, because what a formula computes from a
 * repetition depends on the cell.
 */
export function referencedRepetitions(sheets: readonly (readonly OdsCell[])[]): OdsCell[] {
  const repeated = new Map<string, OdsCell[]>();
  for (const cell of sheets.flat()) {
    if (cell.rows === 1 && cell.columns === 1) continue;
    const sheet = cell.address.sheet.toLowerCase();
    repeated.set(sheet, [...(repeated.get(sheet) ?? []), cell]);
  }
  if (repeated.size === 0) return [];
  const found = new Map<string, OdsCell>();
  for (const { formula, address } of sheets.flat()) {
    for (const to of referencesOf(formula?.text ?? '', address.sheet, { rows: 0, columns: 0 })) {
      const cell = repeated.get(to.sheet.toLowerCase())?.find((one) => covers(one, to));
      if (cell) found.set(cellKey(to), { ...cell, address: to, formula: null });
    }
  }
  return [...found.values()];
}

const covers = ({ address, rows, columns }: OdsCell, { row, column }: CellAddress): boolean =>
  row >= address.row &&
  row < address.row + rows &&
  column >= address.column &&
  column < address.column + columns;

/** Reads a cell; null for an empty one. */
function readCell(
  element: XmlElement,
  position: Pick<OdsCell, 'address' | 'rows' | 'columns'>,
  unseen: HiddenStreams,
): OdsCell | null {
  element.attributes = element.attributes.filter(
    ({ local, uri }) => keptAttributes.test(local) || namespaceOf(uri) === null,
  );
  const text = readParagraphs(element);
  const formula = readFormula(attribute(element, 'formula'), unseen);
  const { shown, stored } = readStoredValues(element, joined(text), unseen.names);
  const display = text.filter((one) => typeof one !== 'string');
  // A number that is displayed rounded or in an exponent is read in place of its display.
  const replacesDisplay = shown.length > 0 && attributeValue(element, 'value') !== undefined;
  if (replacesDisplay) unseen.names.parts.push(...display, '\n');
  const pieces = replacesDisplay ? shown : [...display, ...shown];
  return pieces.length > 0 || stored.length > 0 || formula
    ? { element, ...position, pieces, text, stored, formula }
    : null;
}

/** Reads the paragraphs of a cell as one line. */
function readParagraphs(cell: XmlElement): (Piece | string)[] {
  const text: (Piece | string)[] = [];
  const read = (element: XmlElement): void => {
    for (const child of element.children) {
      if (!isXmlElement(child)) {
        child.piece = piece(child.text);
        text.push(child.piece);
      } else if (/^text:(?:s|tab|line-break)$/.test(qualifiedName(child))) text.push(' ');
      else if (namespaceOf(child.uri) === 'text') read(child);
    }
  };
  const readBlocks = (element: XmlElement): void => {
    for (const child of elementsOf(element)) {
      if (/^text:[ph]$/.test(qualifiedName(child))) {
        if (text.length > 0) text.push(' ');
        read(child);
      } else if (/^(?:text|table)$/.test(namespaceOf(child.uri) ?? '')) readBlocks(child);
    }
  };
  readBlocks(cell);
  return text;
}

function readFormula(
  found: Attribute | undefined,
  { hidden, names }: HiddenStreams,
): Formula | null {
  if (!found) return null;
  const { value } = found;
  found.piece = addText(names, value, '');
  const pieces = [found.piece];
  const literals = literalsOf(value);
  if (literals !== '') pieces.push(addText(hidden, literals, ''));
  return { text: inExcelSyntax(value), sharedGroup: null, pieces, isForeign: isForeign(value) };
}

/**
 * Updates cells. A removed number or result becomes a text. A formula that contains or produces a
 * removed value, reads another file or uses a defined name is replaced with its result.
 */
export function finishCells(cells: readonly OdsCell[], names: RegExp | null): void {
  for (const cell of cells) {
    const { element, formula } = cell;
    if (finishCell(cell) || !formula) continue;
    const { pieces, text, isForeign } = formula;
    if (isForeign || pieces.some(isRedacted) || names?.test(text)) dropFormula(element);
  }
}
