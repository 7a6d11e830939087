import type { EntityType } from '@scriptorium/contracts/documents/entities';
import type { PiiFinding } from '../finding.ts';
import type { TextView } from '../view.ts';
import { type AfterLabel, afterLabel, colon, isAtStart } from './after-label.ts';
import type { LabelEntry } from './entry.ts';
import type { LabelForm } from './forms.ts';
import { linesOf, type Range, textAt } from './layout.ts';
import {
  type Context,
  isProseForm,
  maxRows,
  readAbove,
  readAfterWords,
  readAt,
  readBefore,
  readBelow,
  readCell,
  readList,
  readRow,
} from './read.ts';
import { type Label, labelsIn, type Meaning } from './scan.ts';
import { unlistedEntry } from './unlisted-labels.ts';

/** The confidence of a value by its position relative to its label. */
const scores = {
  next: 0.8,
  behindWords: 0.65,
  beside: 0.7,
  below: 0.65,
  before: 0.6,
  unlisted: 0.6,
} as const;
/**
 * Maximum distance to other labels of people at which `Name:` refers to a person, in characters.
 */
const maxPeopleDistance = 400;

/** A longer label for an account is not a common word: `user name`. */
const minDistinctiveLength = 7;

/** Minimum length of a misread label that is certain without a colon. */
const minMisread = 11;

/** Yields the values of a label with their scores. */
function* valuesOf(
  context: Context,
  label: Label,
  meaning: Meaning,
  form = meaning.entry.form,
): Generator<Range & { score: number }> {
  const { strength, acronym } = meaning;
  if (isCount(context.view, label)) return;
  const position = afterLabel(context.view, label);
  const { at, joint, cell, line, column } = position;
  const isDelimited = joint !== 'word';
  const hasProseForm = isProseForm(form);
  const isLong = label.numbered || label.end - label.start >= minMisread;
  const isClear =
    context.view.recognised && (isLong || (isShaped(form) && label.start <= cell.start));
  if (label.misread && !isDelimited && !isClear) return;
  if (hasProseForm && (!isDelimited || !isAtStart(context.view, label, cell))) return;
  // An account name next to its label is valid even without a digit.
  const isNamed = form === 'handle' && label.end - label.start > minDistinctiveLength;
  const isAlone =
    isDelimited || (isNamed && strength === 'name' && isAtStart(context.view, label, cell));
  const next = at < cell.end ? readAt(context, at, cell, form, isAlone) : null;
  if (strength !== 'name' && !isDelimited && !label.numbered) {
    const value = next ? context.view.text.slice(next.start, next.end) : '';
    const isOne =
      form === 'document' ||
      isCode(value) ||
      (isOfPerson(meaning) && isDocument(value)) ||
      (form === 'handle' && value.startsWith('@'));
    if (next && isOne) yield { ...next, score: scores.behindWords };
    return;
  }
  if (next) {
    const value = context.view.text.slice(next.start, next.end);
    // In data such as JSON, anything can have a name. A person's name has several words.
    if (strength === 'weak' && context.view.text[label.end] === '"' && !/ /.test(value)) return;
    yield { ...next, score: scores.next };
    if (hasProseForm) return;
    for (const more of readList(context, next, cell, form)) yield { ...more, score: scores.next };
    return;
  }
  const valueBefore = hasProseForm || label.misread ? null : readBefore(context, label, cell, form);
  if (valueBefore) {
    yield { ...valueBefore, score: scores.before };
    return;
  }
  if (at < cell.end) {
    const endsSentence = context.view.text[label.end] === '.';
    if (hasProseForm || endsSentence) return;
    if (meaning.entry === unlistedEntry) return;
    const isSure = label.numbered || acronym;
    if (!isSure && strength !== 'name') return;
    const distant = readAfterWords(context, at, cell, form);
    if (distant && (isSure || isCode(context.view.text.slice(distant.start, distant.end))))
      yield { ...distant, score: scores.behindWords };
    return;
  }
  if (!isDelimited || !(label.numbered || isAtStart(context.view, label, cell))) return;
  const nextCell = linesOf(context.view)[line]?.cells[column + 1];
  const valueBeside = nextCell && readCell(context, nextCell, form);
  // The cell after a name may contain its value or another heading.
  const isRow = valueBeside
    ? !(hasProseForm && isHeading(context, position))
    : hasProseForm && isValue(context, nextCell);
  const valuesBelow = isRow ? [] : readBelow(context, position, form);
  if (valuesBelow.length > 0)
    for (const value of valuesBelow) yield { ...value, score: scores.below };
  else if (valueBeside) {
    yield { ...valueBeside, score: scores.beside };
    if (!hasProseForm)
      for (const more of readRow(context, position, valueBeside, form))
        yield { ...more, score: scores.beside };
  }
  const valueAbove =
    valueBeside || valuesBelow.length > 0 || joint === 'colon'
      ? null
      : readAbove(context, position, label, form);
  if (valueAbove) yield { ...valueAbove, score: scores.below };
}

/** Whether a cell contains a value and not a heading: other labels are below its label. */
function isValue({ view, starts }: Context, cell: Range | undefined): boolean {
  return (
    cell !== undefined &&
    !starts.has(cell.start) &&
    /^\p{Ll}|\d/u.test(view.text.slice(cell.start, cell.end))
  );
}

/** Words for the quantity of something. */
const quantityWord =
  /(?<!\p{L})(?:(?:nombre|anzahl|zahl|aantal|antal|liczba|quantidade|cantidad|quantita|count|total|number) (?:of|de|des|di|der|von|van|av)?|(?:numero|numero total) (?:de|di)) ?$/u;
const plural = /(?:s|i|en|er|ow)$/;
/** A quantity, which is never an identifier: a few digits, or groups of three. */
const fewDigits = /^[ .:\t=]{1,8}(?:\d{1,5}|\d{1,3}(?:[ .,']\d{3}){1,2})(?![\p{L}\d]|[-/. ]\d)/u;

/** Whether a label names a quantity: `number of patients: 1188`. */
function isCount({ text, lower }: TextView, { start, end }: Label): boolean {
  // The word for "number" may be part of the label.
  const labelText = lower.slice(start, end);
  const word = /^numero (?:total )?(?:de|di) (?=\p{L})/u.exec(labelText)?.[0].length ?? 0;
  const textBefore = lower.slice(Math.max(0, start - 24), start + word);
  return (
    plural.test(labelText) &&
    quantityWord.test(textBefore) &&
    fewDigits.test(text.slice(end, end + 32))
  );
}

/** Whether a number is a code, and not a count or date: `KC-268821`, `40744814`. */
function isCode(value: string): boolean {
  const compact = value.replace(/[ /-]/g, '');
  const digits = compact.replace(/\D/g, '').length;
  // Dates and years.
  if (/^(?:\d{1,4}[-/]\d{1,2}[-/]\d{2,4}|(?:19|20)\d\d(?:[ /-](?:19|20)?\d\d)*)$/.test(value))
    return false;
  return /^\d{7,}$/.test(compact) || (/^(?=.*[A-Z])[A-Z\d]+$/.test(compact) && digits >= 4);
}

/** Identity documents, whose numbers are codes of nine or ten characters: `C01XYCCG9`. */
const identity: ReadonlySet<string> = new Set(['PASSPORT', 'NATIONAL_ID', 'DE_ID_CARD']);
const isOfPerson = ({ entry }: Meaning): boolean => identity.has(entry.type);
const isDocument = (value: string): boolean =>
  /^(?=(?:[A-Z]*\d){2})(?=\d*[A-Z])[A-Z\d]{9,10}$/.test(value);

/** Whether a label is in a row of headings: words above a row with the same number of cells. */
function isHeading({ view, starts }: Context, { line, column, joint }: AfterLabel): boolean {
  const [ownLine, next] = [linesOf(view)[line], linesOf(view)[line + 1]];
  if (joint === 'colon' || !ownLine || ownLine.cells.length < 3) return false;
  // In a form, labels and values alternate.
  const isLabel = (at: number): boolean => starts.has(ownLine.cells[at]?.start ?? -1);
  const isPairBefore = isLabel(column - 2) && !isLabel(column - 1);
  if (!isLabel(column + 1) && (isLabel(column + 2) || isPairBefore)) return false;
  return (
    next?.cells.length === ownLine.cells.length &&
    !/\d/.test(view.text.slice(ownLine.start, ownLine.end))
  );
}

/** Whether other labels of people are near a label that may refer to a person. */
function isAmongPeople(context: Context, index: number): boolean {
  const label = context.labels[index]!;
  return [-3, -2, -1, 1, 2, 3].some((step) => {
    const other = context.labels[index + step];
    if (!other || Math.abs(other.start - label.start) > maxPeopleDistance) return false;
    const { joint, cell } = afterLabel(context.view, other);
    return (
      joint !== 'word' &&
      isAtStart(context.view, other, cell) &&
      other.meanings.some(({ entry, strength }) => entry !== unlistedEntry && strength !== 'weak')
    );
  });
}

/** Whether the values of a form cannot be words. */
const isShaped = (form: LabelForm): boolean =>
  form === 'phone' || form === 'date' || form === 'email';

/** Whether any number may be a value of an entry. */
const acceptsAnyNumber = ({ form, otherNumbers }: LabelEntry): boolean =>
  typeof form === 'object' || form === 'plate' || otherNumbers !== undefined;

/** Returns the types of the values of an entry. */
const typesOf = ({ type, otherNumbers }: LabelEntry): EntityType[] =>
  otherNumbers ? [type, otherNumbers] : [type];

/** Whether only a value can follow a label, because a colon or a separate cell follows it. */
const isValueExpected = ({ view }: Context, label: Label): boolean =>
  afterLabel(view, label).joint !== 'word';

/** Returns the starts of labels that a colon or dots follow. */
const stopsOf = (view: TextView, labels: readonly Label[]): number[] =>
  labels.filter(({ end }) => textAt(view.lower, end, colon) !== null).map(({ start }) => start);

/**
 * Returns the starts of lines that begin with a label and a colon, in order, as positions in the
 * original text. The content of the preceding lines ends there.
 */
export function labelledLines(view: TextView): number[] {
  return stopsOf(view, labelsIn(view))
    .filter((start) => /(?:^|\n) *$/.test(view.text.slice(Math.max(0, start - 8), start)))
    .map(view.original);
}

/**
 * Finds values by labels that name their kind. The value is after the label, in the cell beside it,
 * or in the cells below it. It needs only the most general form of its kind, so that a wrong digit
 * or an unknown format does not hide it.
 */
export function findLabelled(
  view: TextView,
  isWanted: (type: PiiFinding['type']) => boolean,
): PiiFinding[] {
  const labels = labelsIn(view);
  const stops = stopsOf(view, labels);
  const starts = new Map(labels.map((label) => [label.start, label]));
  const context: Context = { view, labels, starts, stops, remaining: { rows: maxRows } };
  const findings: PiiFinding[] = [];
  labels.forEach((label, index) => {
    const meanings = label.meanings.filter(
      ({ entry, strength }) =>
        typesOf(entry).some(isWanted) &&
        (strength !== 'owner' || label.numbered) &&
        (strength !== 'weak' || isAmongPeople(context, index)),
    );
    const add = (
      meaning: Meaning,
      form = meaning.entry.form,
      type = meaning.entry.type,
      accepts = (_: string) => true,
    ): boolean => {
      let isFound = false;
      for (const { start, end, score } of valuesOf(context, label, meaning, form)) {
        if (!accepts(view.text.slice(start, end))) continue;
        isFound = true;
        if (!isWanted(type)) continue;
        findings.push({
          type,
          start: view.original(start),
          end: view.original(end - 1) + 1,
          score: meaning.entry === unlistedEntry ? Math.min(score, scores.unlisted) : score,
        });
      }
      return isFound;
    };
    if (meanings.some((meaning) => add(meaning))) return;
    // Text that does not have the form of its kind may still be a number.
    const numbers = meanings.find(({ entry }) => acceptsAnyNumber(entry));
    if (!numbers) return;
    const type = numbers.entry.otherNumbers ?? numbers.entry.type;
    if (isValueExpected(context, label)) add(numbers, 'number', type);
    else if (label.numbered || numbers.strength === 'name') add(numbers, 'number', type, isCode);
  });
  return findings;
}
