import { searchableNumber } from '../../../files/number-formats.ts';
import {
  attributeValue,
  childOf,
  elementsOf,
  isXmlElement,
  type Text,
  type XmlElement,
  type XmlNode,
  xmlText,
} from '../../../files/xml.ts';
import { addText, type HiddenStreams } from '../package/clean.ts';
import { decodeEscapes } from '../package/escapes.ts';
import { headingsOf } from '../plain/headings.ts';
import {
  type CellAddress,
  cellName,
  isForeign,
  literalsOf,
  parseCellAddress,
} from '../spreadsheet/formulas.ts';
import { type Piece, piece, type Stream } from '../stream.ts';

/** A cell with text or a number. */
export interface RedactableCell {
  element: XmlElement;
  address: CellAddress;
  /**
   * The visible content of the cell: one piece per run of rich text, or a single piece for a number
   * or result.
   */
  pieces: Piece[];
  formula: Formula | null;
  /** Whether the cell contains text. A cell with a number becomes text when it is redacted. */
  isText: boolean;
}

interface Formula {
  element: XmlElement;
  text: string;
  /** The number of the group that shares the formula; null if the formula is not shared. */
  sharedGroup: string | null;
  pieces: Piece[];
  /** Whether the formula must be removed regardless of its content. */
  isForeign: boolean;
}

export interface CellContext {
  name: string;
  strings: readonly XmlElement[];
  formats: readonly string[];
  usesDate1904: boolean;
  unseen: HiddenStreams;
}

const rowAttributes =
  /^(r|spans|s|customFormat|ht|hidden|customHeight|outlineLevel|collapsed|thickTop|thickBot)$/;

/**
 * Reads the rows of a sheet into a stream, with the column heading of each cell as context.
 * Converts all texts to inline strings, because the order of shared strings would reveal the order
 * in which they were first used.
 */
export function readCells(data: XmlElement, to: Stream, context: CellContext): RedactableCell[] {
  const cells: RedactableCell[] = [];
  let headings: Map<number, string> | null = null;
  let row = 0;
  data.children = elementsOf(data).filter(({ local }) => local === 'row');
  for (const rowElement of elementsOf(data)) {
    const given = Number(attributeValue(rowElement, 'r'));
    row = Number.isInteger(given) && given > 0 ? given : row + 1;
    rowElement.attributes = rowElement.attributes
      .filter(
        ({ local, value }) => rowAttributes.test(local) && /^[\d:. ]+$|^(true|false)$/.test(value),
      )
      .map((attribute) => ({ ...attribute, machine: true }));
    const inRow = readRow(rowElement, row, context);
    for (const cell of inRow) {
      const heading = headings?.get(cell.address.column);
      if (heading) to.parts.push({ context: `\n${heading}: ` });
      to.parts.push(...cell.pieces, '\t');
    }
    if (inRow.length > 0) to.parts.push('\n');
    if (headings === null && inRow.length > 0) {
      const names = headingsOf(inRow.map(({ pieces }) => pieces.map(({ text }) => text).join('')));
      headings = new Map(inRow.map(({ address }, index) => [address.column, names[index] ?? '']));
    }
    cells.push(...inRow);
  }
  return cells;
}

function readRow(rowElement: XmlElement, row: number, context: CellContext): RedactableCell[] {
  const cells: RedactableCell[] = [];
  let column = 0;
  rowElement.children = elementsOf(rowElement).filter(({ local }) => local === 'c');
  for (const element of elementsOf(rowElement)) {
    const given = parseCellAddress(attributeValue(element, 'r') ?? '', context.name);
    column = given?.row === row ? given.column : column + 1;
    const style = attributeValue(element, 's') ?? '';
    const type = attributeValue(element, 't') ?? 'n';
    const cell = readCell(element, type, context.formats[Number(style)] ?? 'General', context);
    setAttributes(element, {
      r: cellName({ row, column }),
      ...(/^\d{1,7}$/.test(style) ? { s: style } : {}),
      t: cell.type,
    });
    const address = { sheet: context.name, row, column };
    if (cell.pieces.length > 0) cells.push({ element, address, ...cell });
  }
  return cells;
}

function setAttributes(element: XmlElement, values: Record<string, string>): void {
  element.attributes = Object.entries(values).map(([name, value]) => {
    return { name, local: name, uri: '', value, machine: true };
  });
}

function readCell(
  element: XmlElement,
  type: string,
  format: string,
  context: CellContext,
): Omit<RedactableCell, 'element' | 'address'> & { type: string } {
  const formulaElement = childOf(element, 'f');
  const formula = formulaElement ? readFormula(formulaElement, context.unseen) : null;
  const value = childOf(element, 'v');
  const raw = value ? xmlText(value) : '';
  if (type === 's' || type === 'inlineStr') {
    const source = type === 's' ? context.strings[Number(raw)] : childOf(element, 'is');
    const text = toInlineString(element, source?.children ?? []);
    element.children = [text.element];
    return { type: 'inlineStr', pieces: text.pieces, formula: null, isText: true };
  }
  const kept: XmlNode[] = formulaElement ? [formulaElement] : [];
  if (!value || raw === '') {
    element.children = kept;
    // Shows the literals of the formula, because the text of its result is unknown.
    const shown = formula ? [piece(literalsOf(formula.text).replaceAll('\n', ' '))] : [];
    return { type: 'n', pieces: shown, formula, isText: false };
  }
  if (type === 'b' || type === 'e') {
    const isValid = type === 'b' ? /^[01]$/.test(raw) : /^#[A-Z0-9/!?_]{1,30}$/.test(raw);
    const text: Text = { text: isValid ? raw : type === 'b' ? '0' : '#N/A', piece: piece('') };
    value.children = [text];
    value.attributes = [];
    element.children = [...kept, value];
    return { type, pieces: formula ? [piece('')] : [], formula, isText: false };
  }
  const isNumber = type === 'n';
  const own = piece(
    isNumber ? searchableNumber(raw, format, context.usesDate1904) : decodeEscapes(raw),
  );
  // The raw number is not searched separately. It is removed together with the cell's piece.
  value.children = [{ text: raw, piece: piece('') }];
  value.attributes = [];
  element.children = [...kept, value];
  return { type, pieces: [own], formula, isText: false };
}

function readFormula(element: XmlElement, { hidden, names }: HiddenStreams): Formula {
  const text = xmlText(element);
  const kind = attributeValue(element, 't');
  const pieces = [addText(names, text, '')];
  const literals = literalsOf(text);
  if (literals !== '') pieces.push(addText(hidden, literals, ''));
  for (const child of element.children) if (!isXmlElement(child)) child.piece = piece('');
  const shared = kind === 'shared' ? (attributeValue(element, 'si') ?? null) : null;
  return {
    element,
    text,
    sharedGroup: shared,
    pieces,
    isForeign: isForeign(text) || kind === 'dataTable',
  };
}

/**
 * Converts the text of a cell, shared or not, to an inline string. Runs and their formatting are
 * kept. Phonetic text is dropped.
 */
function toInlineString(
  cell: XmlElement,
  children: readonly XmlNode[],
): { element: XmlElement; pieces: Piece[] } {
  const prefix = cell.name.slice(0, cell.name.length - cell.local.length);
  const pieces: Piece[] = [];
  const copy = (node: XmlElement): XmlElement => ({
    ...node,
    name: prefix + node.local,
    uri: cell.uri,
    attributes: node.attributes.map((attribute) => ({ ...attribute })),
    children: node.children.flatMap((child): XmlNode[] => {
      if (isXmlElement(child)) return [copy(child)];
      if (node.local !== 't') return [];
      const own = piece(decodeEscapes(child.text));
      pieces.push(own);
      return [{ text: child.text, piece: own }];
    }),
  });
  const runs = children
    .filter(isXmlElement)
    .filter(({ local }) => local === 't' || local === 'r')
    .map(copy);
  const element: XmlElement = {
    name: `${prefix}is`,
    local: 'is',
    uri: cell.uri,
    attributes: [],
    children: runs,
  };
  return { element, pieces };
}

/** Replaces the content of a cell with a text. */
export function setCellText({ element }: RedactableCell, text: string): void {
  const prefix = element.name.slice(0, element.name.length - element.local.length);
  const child = (local: string, children: XmlNode[]): XmlElement => ({
    name: prefix + local,
    local,
    uri: element.uri,
    attributes: [],
    children,
  });
  element.children = [child('is', [child('t', [{ text }])])];
  const kept = Object.fromEntries(
    element.attributes.filter(({ name }) => name !== 't').map(({ name, value }) => [name, value]),
  );
  setAttributes(element, { ...kept, t: 'inlineStr' });
}
