import {
  type Attribute,
  attribute,
  elementsOf,
  isXmlElement,
  walk,
  type XmlElement,
  xmlText,
} from '../../../files/xml.ts';
import { addText } from '../package/clean.ts';
import { type Piece, piece, type Stream } from '../stream.ts';
import { qualifiedName } from './namespaces.ts';

/** The content of a cell: its displayed text, and the value that is stored beside it. */
export interface CellContent {
  element: XmlElement;
  /** The visible content: one piece per run of text, and a number that is displayed rounded. */
  pieces: readonly Piece[];
  /** The text of the paragraphs, with separators. */
  text: readonly (Piece | string)[];
  /** The pieces of stored values that are not visible. */
  stored: readonly Piece[];
}

const valueAttribute = /^(?:string-|date-|time-|boolean-)?value$/;
export const isRedacted = ({ redacted }: Piece): boolean => redacted !== null;

/**
 * Reads the values that a cell stores in attributes (ODF 1.3 part 3, 19.385).
 * @param display the text of the cell
 * @param to the stream of values that need not be shown to reviewers
 */
export function readStoredValues(
  element: XmlElement,
  display: string,
  to: Stream,
): { shown: Piece[]; stored: Piece[] } {
  const shown: Piece[] = [];
  const stored: Piece[] = [];
  for (const one of element.attributes) {
    if (!valueAttribute.test(one.local) || one.value === '') continue;
    if (one.value === display || isPlainValue(one)) one.machine = true;
    else if (isShownValue(one, display)) {
      one.piece = piece(one.value);
      shown.push(one.piece);
    } else {
      one.piece = addText(to, one.value);
      stored.push(one.piece);
    }
  }
  return { shown, stored };
}

/** Whether a stored value is too short or too plain to be searched for. */
const isPlainValue = ({ local, value }: Attribute): boolean =>
  (local === 'value' && /^-?\d{0,4}(?:\.\d{0,3})?$/.test(value)) ||
  (local === 'boolean-value' && /^(?:true|false)$/.test(value)) ||
  (local === 'time-value' && /^-?PT?[\dHMS.]{1,24}$/.test(value));

/** Whether a stored value is read as text: a whole number of which the display shows only a part. */
function isShownValue({ local, value }: Attribute, display: string): boolean {
  if (local === 'string-value') return true;
  if (local !== 'value') return display === '';
  const digits = /^-?(\d{5,})(?:\.0*)?$/.exec(value)?.[1];
  return display === '' || (digits !== undefined && !display.replace(/\D/g, '').startsWith(digits));
}

/**
 * Reads the stored values of the tables of a part whose text is already read. Formulas are replaced
 * with their results.
 */
export function readTableValues(root: XmlElement, hidden: Stream): CellContent[] {
  const cells: CellContent[] = [];
  walk(root, (element) => {
    if (!/^table:(?:covered-)?table-cell$/.test(qualifiedName(element))) return;
    dropFormula(element);
    const pieces: Piece[] = [];
    walk(element, ({ children }) => {
      for (const child of children) {
        if (!isXmlElement(child) && child.piece) pieces.push(child.piece);
      }
    });
    const display = pieces.map(({ text }) => text).join('');
    const { shown, stored } = readStoredValues(element, display, hidden);
    for (const one of shown) hidden.parts.push(one, '\n');
    cells.push({ element, pieces, text: pieces, stored: [...shown, ...stored] });
  });
  return cells;
}

/**
 * Makes a cell a text if any of its content is removed.
 * @returns whether content is removed
 */
export function finishCell({ element, pieces, text, stored }: CellContent): boolean {
  const [touched] = [...pieces, ...stored].filter(isRedacted);
  if (!touched) return false;
  const isTextTouched = text.some((one) => typeof one !== 'string' && isRedacted(one));
  if (!isTextTouched) setText(element, touched.redacted ?? '');
  toText(element, touched.redacted ?? '');
  return true;
}

/** Replaces the paragraphs of a cell. */
function setText(element: XmlElement, text: string): void {
  const [first, ...others] = elementsOf(element).filter((one) => qualifiedName(one) === 'text:p');
  element.children = element.children.filter((child) => !others.some((other) => other === child));
  if (first) first.children = [{ text }];
}

/** Makes a cell a text. Programs display its paragraphs, or else the attribute `string-value`. */
function toText(element: XmlElement, text: string): void {
  dropFormula(element);
  const type = attribute(element, 'value-type');
  element.attributes = element.attributes.filter(
    ({ local }) => local !== 'currency' && !valueAttribute.test(local),
  );
  if (!type) return;
  type.value = 'string';
  if (elementsOf(element).some((one) => xmlText(one) !== '')) return;
  const name = type.name.replace('value-type', 'string-value');
  element.attributes.push({ name, local: 'string-value', uri: type.uri, value: text });
}

export function dropFormula(element: XmlElement): void {
  element.attributes = element.attributes.filter(
    ({ local }) => !/^(?:formula|number-matrix-.*)$/.test(local),
  );
}
