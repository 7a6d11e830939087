import type { PiiFinding } from '../finding.ts';
import type { TextView } from '../view.ts';
import { type Behind, begins, behind, colon } from './behind.ts';
import type { LabelForm } from './forms.ts';
import { linesOf, type Range, textAt } from './layout.ts';
import {
  type Context,
  isProse,
  maxRows,
  readAbove,
  readAt,
  readBefore,
  readBehindWords,
  readBelow,
  readCell,
  readMore,
  readRow,
} from './read.ts';
import { type Label, labelsIn, type Meaning } from './scan.ts';
import { unlisted } from './unlisted.ts';

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
 * Maximum distance between labels of people at which `Name:` is a person's label, in characters.
 */
const neighbourhood = 400;

/** A label for an account that is longer than this is not a common word: `user name`. */
const shortest = 7;

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
  const place = behind(context.view, label);
  const { at, joint, cell, line, column } = place;
  const strong = joint !== 'word';
  const prose = isProse(form);
  const isLong = label.numbered || label.end - label.start >= minMisread;
  const isClear =
    context.view.recognised && (isLong || (isShaped(form) && label.start <= cell.start));
  if (label.misread && !strong && !isClear) return;
  if (prose && (!strong || !begins(context.view, label, cell))) return;
  // A name next to its label is valid even without a digit.
  const isNamed = form === 'handle' && label.end - label.start > shortest;
  const isAlone = strong || (isNamed && strength === 'name' && begins(context.view, label, cell));
  const next = at < cell.end ? readAt(context, at, cell, form, isAlone) : null;
  if (strength !== 'name' && !strong && !label.numbered) {
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
    // In data, anything can have a name. A person's name has several words.
    if (strength === 'weak' && context.view.text[label.end] === '"' && !/ /.test(value)) return;
    yield { ...next, score: scores.next };
    if (prose) return;
    for (const more of readMore(context, next, cell, form)) yield { ...more, score: scores.next };
    return;
  }
  const earlier = prose || label.misread ? null : readBefore(context, label, cell, form);
  if (earlier) {
    yield { ...earlier, score: scores.before };
    return;
  }
  if (at < cell.end) {
    const ended = context.view.text[label.end] === '.';
    if (prose || ended) return;
    if (meaning.entry === unlisted) return;
    const isSure = label.numbered || acronym;
    if (!isSure && strength !== 'name') return;
    const far = readBehindWords(context, at, cell, form);
    if (far && (isSure || isCode(context.view.text.slice(far.start, far.end))))
      yield { ...far, score: scores.behindWords };
    return;
  }
  if (!strong || !(label.numbered || begins(context.view, label, cell))) return;
  const besideCell = linesOf(context.view)[line]?.cells[column + 1];
  const beside = besideCell && readCell(context, besideCell, form);
  // The cell after a name may contain its value or another heading.
  const isRow = beside
    ? !(prose && isHeading(context, place))
    : prose && isValue(context, besideCell);
  const below = isRow ? [] : readBelow(context, place, form);
  if (below.length > 0) for (const value of below) yield { ...value, score: scores.below };
  else if (beside) {
    yield { ...beside, score: scores.beside };
    if (!prose)
      for (const more of readRow(context, place, beside, form))
        yield { ...more, score: scores.beside };
  }
  const above =
    beside || below.length > 0 || joint === 'colon' ? null : readAbove(context, place, label, form);
  if (above) yield { ...above, score: scores.below };
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
const howMany =
  /(?<!\p{L})(?:(?:nombre|anzahl|zahl|aantal|antal|liczba|quantidade|cantidad|quantita|count|total|number) (?:of|de|des|di|der|von|van|av)?|(?:numero|numero total) (?:de|di)) ?$/u;
const several = /(?:s|i|en|er|ow)$/;
/** A quantity, which is never an identifier: a few digits, or groups of three. */
const fewDigits = /^[ .:\t=]{1,8}(?:\d{1,5}|\d{1,3}(?:[ .,']\d{3}){1,2})(?![\p{L}\d]|[-/. ]\d)/u;

/** Whether a label names a quantity: `number of patients: 1188`. */
function isCount({ text, lower }: TextView, { start, end }: Label): boolean {
  // The word for "number" may be part of the label.
  const own = lower.slice(start, end);
  const word = /^numero (?:total )?(?:de|di) (?=\p{L})/u.exec(own)?.[0].length ?? 0;
  const before = lower.slice(Math.max(0, start - 24), start + word);
  return several.test(own) && howMany.test(before) && fewDigits.test(text.slice(end, end + 32));
}

/** Whether a number is a code, and not a count or date: `KC-268821`, `40744814`. */
function isCode(value: string): boolean {
  const joined = value.replace(/[ /-]/g, '');
  const digits = joined.replace(/\D/g, '').length;
  // Dates and years.
  if (/^(?:\d{1,4}[-/]\d{1,2}[-/]\d{2,4}|(?:19|20)\d\d(?:[ /-](?:19|20)?\d\d)*)$/.test(value))
    return false;
  return /^\d{7,}$/.test(joined) || (/^(?=.*[A-Z])[A-Z\d]+$/.test(joined) && digits >= 4);
}

/** Identity documents, whose numbers are codes of nine or ten characters: `C01XYCCG9`. */
const identity: ReadonlySet<string> = new Set(['PASSPORT', 'NATIONAL_ID', 'DE_ID_CARD']);
const isOfPerson = ({ entry }: Meaning): boolean => identity.has(entry.type);
const isDocument = (value: string): boolean =>
  /^(?=(?:[A-Z]*\d){2})(?=\d*[A-Z])[A-Z\d]{9,10}$/.test(value);

/** Whether a label is in a row of headings: words above a row with the same number of cells. */
function isHeading({ view, starts }: Context, { line, column, joint }: Behind): boolean {
  const [own, next] = [linesOf(view)[line], linesOf(view)[line + 1]];
  if (joint === 'colon' || !own || own.cells.length < 3) return false;
  // In a form, labels and values alternate.
  const isLabel = (at: number): boolean => starts.has(own.cells[at]?.start ?? -1);
  if (!isLabel(column + 1) && isLabel(column + 2)) return false;
  return next?.cells.length === own.cells.length && !/\d/.test(view.text.slice(own.start, own.end));
}

/** Whether other labels of people are near a label that may refer to a person. */
function isAmongPeople(context: Context, index: number): boolean {
  const own = context.labels[index]!;
  return [-3, -2, -1, 1, 2, 3].some((step) => {
    const other = context.labels[index + step];
    if (!other || Math.abs(other.start - own.start) > neighbourhood) return false;
    const { joint, cell } = behind(context.view, other);
    return (
      joint !== 'word' &&
      begins(context.view, other, cell) &&
      other.meanings.some(({ entry, strength }) => entry !== unlisted && strength !== 'weak')
    );
  });
}

/** Whether the values of a form cannot be words. */
const isShaped = (form: LabelForm): boolean =>
  form === 'phone' || form === 'date' || form === 'email';

/** Whether any number may be a value of a form. */
const isOfAnyForm = (form: LabelForm): boolean => typeof form === 'object' || form === 'plate';

/** Whether only a value can follow a label, because a colon or a separate cell follows it. */
const isStrong = ({ view }: Context, label: Label): boolean => behind(view, label).joint !== 'word';

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

/** Minimum length of a label that stands alone in a cell. Shorter labels may be names. */
const shortestLone = 4;

/**
 * Returns the labels that fill one of several cells on a line, as positions in the original text:
 * the end of each label by its start.
 */
export function cellLabels(view: TextView): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const label of labelsIn(view)) {
    if (label.end - label.start < shortestLone || label.numbered) continue;
    const { cell, line, joint } = behind(view, label);
    const isAlone = joint === 'cell' && cell.start === label.start;
    if (!isAlone || (linesOf(view)[line]?.cells.length ?? 0) < 2) continue;
    found.set(view.original(label.start), view.original(label.end - 1) + 1);
  }
  return found;
}

/**
 * Returns the labels that look like initials, such as `C.P.`, as positions in the original text:
 * the start of the value by the start of the label.
 */
export function initialsOfLabels(view: TextView): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const { start, end } of labelsIn(view)) {
    if (!/^\p{Lu}\.(?: ?\p{Lu}\.?){1,3}$/u.test(view.text.slice(start, end))) continue;
    const gap = textAt(view.text, end, /^[.: ]*/)!;
    found.set(view.original(start), view.original(end + gap.length));
  }
  return found;
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
  const context: Context = { view, labels, starts, stops, left: { rows: maxRows } };
  const findings: PiiFinding[] = [];
  labels.forEach((label, index) => {
    const wanted = label.meanings.filter(
      ({ entry, strength }) =>
        isWanted(entry.type) &&
        (strength !== 'owner' || label.numbered) &&
        (strength !== 'weak' || isAmongPeople(context, index)),
    );
    const add = (meaning: Meaning, form: LabelForm, isOne = (_: string) => true): boolean => {
      const before = findings.length;
      for (const { start, end, score } of valuesOf(context, label, meaning, form)) {
        if (!isOne(view.text.slice(start, end))) continue;
        findings.push({
          type: meaning.entry.type,
          start: view.original(start),
          end: view.original(end - 1) + 1,
          score: meaning.entry === unlisted ? Math.min(score, scores.unlisted) : score,
        });
      }
      return findings.length > before;
    };
    if (wanted.some((meaning) => add(meaning, meaning.entry.form))) return;
    // Text that does not have the form of its kind may still be a number.
    const numbers = wanted.find(({ entry }) => isOfAnyForm(entry.form));
    if (!numbers) return;
    if (isStrong(context, label)) add(numbers, 'number');
    else if (label.numbered || numbers.strength === 'name') add(numbers, 'number', isCode);
  });
  return findings;
}
