import { firstWhere } from '../first-where.ts';
import type { TextView } from '../view.ts';
import { type AfterLabel, isAtStart } from './after-label.ts';
import { type LabelForm, readForm } from './forms.ts';
import { cellBelow, type Line, linesOf, type Range, textAt } from './layout.ts';
import type { Label } from './scan.ts';

/**
 * Maximum number of rows below labels that are read, for all labels of a text, and maximum number
 * of consecutive rows that do not fit.
 */
export const maxRows = 500_000;
const maxMisses = 2;
/** Maximum number of words between a label and its number: `NHS number of the patient is …`. */
const maxWords = 6;
const maxDistance = 64;
/** Maximum length of a value before its label, in characters. */
const maxLengthBefore = 48;
/** Maximum number of values in a list, and the words between them. */
const maxValues = 40;
const conjunction = '(?:and|und|et|y|e|en|i|og|och|ja|a|si|es|ve|και|и|or|oder|ou|oraz)';
const listSeparator = new RegExp(
  `^(?:["'”]? ?[,;/&+、·] ?\\n? ?["'“]?(?:${conjunction} )?| ${conjunction} )`,
);

/** Opening punctuation and marks before a value. */
const openingPunctuation = /^[ "'“”„«‹([<*_`~#№]{0,40}(?:第 ?)?/;

export interface Context {
  view: TextView;
  labels: readonly Label[];
  /** The labels by their start. */
  starts: ReadonlyMap<number, Label>;
  /** The starts of labels with a colon, in order. */
  stops: readonly number[];
  /** The number of rows below labels that may still be read. */
  remaining: { rows: number };
}

export const isProseForm = (form: LabelForm): boolean =>
  form === 'name' || form === 'address' || form === 'text';

/** Returns the end of a place: the end of its cell, or the start of the next label with a colon. */
function endOfRange({ stops }: Context, at: number, cell: Range): number {
  const next = firstWhere(stops.length, (one) => stops[one]! > at);
  return Math.min(cell.end, stops[next] ?? cell.end);
}

/** Reads a value at a position, after opening punctuation. `isOnlyValue`: it fills its range. */
export function readAt(
  context: Context,
  at: number,
  cell: Range,
  form: LabelForm,
  isOnlyValue: boolean,
): Range | null {
  const { view } = context;
  // The bracket of an area code is part of the number.
  const gap = textAt(view.text, at, form === 'phone' ? /^ {0,8}/ : openingPunctuation);
  const start = at + (gap?.length ?? 0);
  const label = context.starts.get(start);
  // Two letters may be the start of a number although they look like a label.
  const isLong = label && label.end - label.start > 2;
  if (isLong && !(isOnlyValue && isInNumber(context, label, form))) return null;
  const end = endOfRange(context, start - 1, cell);
  if (start >= end) return null;
  const range = { view, start, end, alone: isOnlyValue };
  return readForm(range, form);
}

/** Whether capitals that look like a label are the start of a number: `ABA 300001`. */
function isInNumber({ view, stops }: Context, { start, end }: Label, form: LabelForm): boolean {
  if (!/^\p{Lu}{3,4}$/u.test(view.text.slice(start, end)) || isProseForm(form)) return false;
  return stops[firstWhere(stops.length, (at) => stops[at]! >= start)] !== start;
}

/** Reads the value of a cell that is not a label. */
export function readCell(context: Context, cell: Range, form: LabelForm): Range | null {
  const label = context.starts.get(cell.start);
  const textAfterLabel =
    label && context.view.text.slice(label.end, Math.min(cell.end, label.end + maxDistance));
  if (textAfterLabel !== undefined && (isProseForm(form) || /^[ .:*_)]*$/.test(textAfterLabel)))
    return null;
  return readAt(context, cell.start, cell, form, true);
}

/** Reads a number after a few words of the same sentence. */
export function readAfterWords(
  context: Context,
  at: number,
  cell: Range,
  form: LabelForm,
): Range | null {
  const text = context.view.text.slice(at, Math.min(cell.end, at + maxDistance));
  let words = 0;
  for (const { index, 0: gap } of text.matchAll(/[ (:]+/g)) {
    words += 1;
    const textBefore = text.slice(0, index);
    if (words > maxWords || /[.;!?\d]/.test(textBefore)) return null;
    const value = readAt(context, at + index + gap.length, cell, form, false);
    if (value) return value;
  }
  return null;
}

/** Reduces a value to its letters and digits, to compare the forms of values. */
const shapeOf = (value: string): string =>
  value
    .replace(/\d/g, '9')
    .replace(/\p{Lu}/gu, 'A')
    .replace(/\p{Ll}/gu, 'a');

/** Yields further values of the same form in a list: `Passport numbers: A, B and C`. */
export function* readList(
  context: Context,
  first: Range,
  cell: Range,
  form: LabelForm,
): Generator<Range> {
  const { text, lower } = context.view;
  const shape = shapeOf(text.slice(first.start, first.end));
  let last = first;
  let currentCell = cell;
  for (let round = 0; round < maxValues; round += 1) {
    const gap = textAt(lower, last.end, listSeparator);
    if (gap === null) return;
    const at = last.end + gap.length;
    if (gap.includes('\n')) {
      const stop = text.indexOf('\n', at);
      currentCell = { start: at, end: stop < 0 ? text.length : stop };
    }
    const next = at < currentCell.end ? readAt(context, at, currentCell, form, false) : null;
    if (!next || !areSimilar(shape, shapeOf(text.slice(next.start, next.end)))) return;
    yield next;
    last = next;
  }
}

/**
 * Whether two shapes may be of the same kind: they are equal, or have a similar length and the same
 * start.
 */
function areSimilar(one: string, other: string): boolean {
  if (one === other) return true;
  return one.length > 4 && one[0] === other[0] && Math.abs(one.length - other.length) <= 2;
}

/** The bullet or number of a list item. */
const bullet = /^(?:[-*•·‣▪]|\d{1,2}[.)]) {1,4}/;

/** Returns a cell without the bullet or number of a list item. */
function withoutBullet({ text }: TextView, cell: Range): Range {
  const mark = textAt(text.slice(0, cell.end), cell.start, bullet);
  return mark === null ? cell : { ...cell, start: cell.start + mark.length };
}

/** Yields further cells of a row that have the form of the first cell. */
export function* readRow(
  context: Context,
  { line, column }: AfterLabel,
  first: Range,
  form: LabelForm,
): Generator<Range> {
  const { text } = context.view;
  const cells = linesOf(context.view)[line]?.cells ?? [];
  const shape = shapeOf(text.slice(first.start, first.end));
  for (const cell of cells.slice(column + 2, column + 2 + maxValues)) {
    const value = readCell(context, cell, form);
    if (!value || !areSimilar(shape, shapeOf(text.slice(value.start, value.end)))) return;
    yield value;
  }
}

/** Reads the values in the cells below a label: a single value or a column. */
export function readBelow(context: Context, position: AfterLabel, form: LabelForm): Range[] {
  const { view } = context;
  const lines = linesOf(view);
  const head: Line | undefined = lines[position.line];
  if (!head) return [];
  const isColumn = head.cells.length > 1;
  // The labels of an empty form are above each other, like a label and its name.
  if (!isColumn && isProseForm(form) && position.joint !== 'colon') return [];
  const values: Range[] = [];
  let misses = 0;
  for (let row = position.line + 1; row < lines.length && context.remaining.rows > 0; row += 1) {
    context.remaining.rows -= 1;
    const line = lines[row]!;
    const below = cellBelow(view, line, head, position.column);
    const cell = below && (isColumn ? below : withoutBullet(view, below));
    const isItem = cell !== below;
    const value =
      cell &&
      (readCell(context, cell, form) ??
        (isColumn && values.length > 0 ? readColumnNumber(context, cell, form) : null));
    if (value && fillsCell(context, cell, value, form)) {
      values.push(value);
      misses = 0;
      if (!isColumn && !isItem) break;
    } else if (!isColumn || !cell || !isEmpty(view, cell)) misses += 1;
    if (misses >= maxMisses || (!isColumn && !isItem && line.cells.length > 0)) break;
  }
  return values;
}

/** Reads a number in a column of numbers that does not have the form of its kind. */
const readColumnNumber = (context: Context, cell: Range, form: LabelForm): Range | null =>
  typeof form === 'object' || form === 'plate' ? readCell(context, cell, 'number') : null;

/** Whether a cell is empty or contains a mark for an empty value. */
const isEmpty = ({ text }: TextView, { start, end }: Range): boolean =>
  /^[ -./]*(?:n\/?a)?$/i.test(text.slice(start, end));

/** Whether a value fills its cell. Words may follow a number. */
function fillsCell({ view }: Context, cell: Range, value: Range, form: LabelForm): boolean {
  if (!isProseForm(form) || form === 'address') return true;
  return view.text.slice(value.end, cell.end).trim() === '';
}

/** Reads the longest value that ends at a position. */
function readUpTo(context: Context, from: number, end: number, form: LabelForm): Range | null {
  const { view } = context;
  const earliest = Math.max(from, end - maxLengthBefore);
  for (const { index } of view.text
    .slice(earliest, end)
    .matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}@+]/gu)) {
    const start = earliest + index;
    if (index === 0 && /[\p{L}\p{N}]/u.test(view.text[start - 1] ?? '')) continue;
    const valueRange = readForm({ view, start, end, alone: false }, form);
    const value = view.text.slice(start, end);
    const isName = view.text[end] === ' ' && /^\p{Ll}+\.\p{Ll}+$/u.test(value);
    if (valueRange?.end === end && (isName || /[\d@_]/.test(value))) return valueRange;
  }
  return null;
}

/** Characters between a value and a label after it: `QQ123456C (NI number)`. */
const gapBefore =
  /["'”]?(?: ?[([] ?| (?:-|=|<-|:) |, | (?:is|was|ist|war|lautet|est|etait|es|era|e|eh|foi|jest|to|byl|ar|var|er|on|je|este|als|as|como|comme|come|jako|som) )(?:(?:(?:my|his|her|their|your|our|the|a|an|mein|meine|sein|seine|ihr|ihre|die|der|das|mon|son|ma|sa|le|la|votre|notre|mi|su|tu|el|il|lo|suo|sua|mio|mia|o|a|seu|meu|minha|zijn|haar|mijn|uw|het|de|min|hans|hennes|moj|jego|jej|ich|jeho|jeji) ){1,2}(?:\p{L}{2,16} ){0,2})?$/u;

/** The text after a label that follows its value: empty, or further words of the label. */
const endOfLabel = /^(?:$|[.,;)])/;
const endOfPhrase = /^(?: \p{Ll}+){0,4}(?:$|[.,;)])/u;

/** Reads a value before its label on the same line. */
export function readBefore(
  context: Context,
  label: Label,
  cell: Range,
  form: LabelForm,
): Range | null {
  const { view } = context;
  const from = Math.max(cell.start, label.start - maxLengthBefore - 24);
  const gap = gapBefore.exec(view.lower.slice(from, label.start));
  if (!gap) return null;
  // A label follows its value only if no text follows the label.
  const textAfterLabel = view.text.slice(label.end, Math.min(cell.end, label.end + maxDistance));
  if (
    /[([]/.test(gap[0])
      ? !/^ ?[)\],;]/.test(textAfterLabel)
      : !(label.numbered ? endOfPhrase : endOfLabel).test(textAfterLabel)
  )
    return null;
  return readUpTo(context, cell.start, from + gap.index, form);
}

/** Reads a value in the cell above its label, over a line of underscores. */
export function readAbove(
  context: Context,
  position: AfterLabel,
  label: Label,
  form: LabelForm,
): Range | null {
  const { view } = context;
  const lines = linesOf(view);
  const ownLine = lines[position.line];
  if (!ownLine || !isAtStart(view, label, position.cell) || isProseForm(form)) return null;
  for (let row = position.line - 1; row >= 0 && row >= position.line - 3; row -= 1) {
    const line = lines[row]!;
    const cell = cellBelow(view, line, ownLine, position.column);
    if (!cell || /^[ _.-]*$/.test(view.text.slice(cell.start, cell.end))) continue;
    const value = readCell(context, cell, form);
    return value && view.text.slice(value.end, cell.end).trim() === '' ? value : null;
  }
  return null;
}
