import type { PiiFinding } from '../finding.ts';
import { firstWhere } from '../first-where.ts';
import { dateOfBirth } from '../recognisers/dates/dates.ts';
import type { TextView } from '../view.ts';

/** The score of a date next to a name, without a label. */
const score = 0.6;
/**
 * Minimum age in years. Recent dates next to a name are dates of letters, minutes and signatures.
 */
const minAge = 14;
const maxAge = 115;

/** Text between a name and a date of birth: `, `, ` (`, ` * `, or a line end. */
const gapAfterName = /^(?:['’]?s)?[ \t]{0,4}(?:, ?|; ?|\n|\t| ?\| ?| {1,3})? {0,4}[(*†]? {0,4}$/;
const openBracket = /\($/;
/** A range of dates, as in a list of jobs. */
const rangeEnd = /^ ?(?:-|–|—|to|bis|until|au|a|al|tot|do) ?(?:\d|\p{L})/u;

/** The start and end of a list value: a line, a cell or a CSV field. */
const fieldStart = /(?:^|[\n\t,;|])["' ]*$/;
const fieldEnd = /^["' ]*(?:$|[\n\t,;|])/;

/** A date with a year in a text. */
interface DatedRange {
  start: number;
  end: number;
  year: number;
}

/**
 * Finds dates of birth without a label: directly after a person's full name (`Ada Bell, 3 May
 * 1961`, `Bell, Ada (03.05.1961)`), on a separate line below contact data, and in a field of a row
 * that names a person. The year must be plausible for a living person and must not be recent.
 * @param otherFindings the other findings of the text
 */
export function findBirthDates(
  text: string,
  view: TextView,
  otherFindings: readonly PiiFinding[],
): PiiFinding[] {
  const people = otherFindings.filter(({ type }) => type === 'PERSON');
  if (people.length === 0) return [];
  const byEnd = new Map(people.map((person) => [person.end, person]));
  const contacts = otherFindings.filter(({ type }) => contactTypes.has(type));
  const contactEnds = new Set(contacts.map(({ end }) => end));
  const rows = { people: inOrder(people), contacts: inOrder(contacts) };
  return datesIn(text, view)
    .filter(({ end }) => !rangeEnd.test(text.slice(end, end + 8)))
    .filter(
      (date) =>
        isAfterName(text, date, byEnd) ||
        (isOldEnough(date) &&
          (isBelowContact(text, date, contactEnds) || isInRow(text, date, rows))),
    )
    .map(({ start, end }) => ({ type: 'DATE_OF_BIRTH', start, end, score }));
}

function datesIn(text: string, view: TextView): DatedRange[] {
  const thisYear = new Date().getUTCFullYear();
  return [...dateOfBirth.candidates(view)].flatMap((candidate) => {
    const start = view.original(candidate.start);
    const end = view.original(candidate.end - 1) + 1;
    const year = Number(/(?:1[89]|20)\d\d/.exec(text.slice(start, end))?.[0] ?? Number.NaN);
    return thisYear - year <= maxAge && year <= thisYear ? [{ start, end, year }] : [];
  });
}

const isOldEnough = ({ year }: DatedRange): boolean => new Date().getUTCFullYear() - year >= minAge;

/** Whether a date follows a name of several words. A date in brackets may have any year. */
function isAfterName(
  text: string,
  date: DatedRange,
  byEnd: ReadonlyMap<number, PiiFinding>,
): boolean {
  for (let at = date.start; at >= Math.max(0, date.start - 8); at -= 1) {
    const person = byEnd.get(at);
    if (!person) continue;
    const between = text.slice(at, date.start);
    if (!gapAfterName.test(between)) return false;
    if (openBracket.test(between.trimEnd()) && text[date.end] === ')') return true;
    const isFull = /\p{L}[^\p{L}]+\p{L}/u.test(text.slice(person.start, person.end));
    return isFull && isOldEnough(date);
  }
  return false;
}

/** The types of contact data. */
const contactTypes = new Set<string>([
  'ADDRESS',
  'PHONE_NUMBER',
  'EMAIL_ADDRESS',
  'UK_NHS',
  'FR_NIR',
]);

/** Returns the start and end of the lines that contain a range. */
function lineAround(text: string, { start, end }: DatedRange): { from: number; to: number } {
  const lineEnd = text.indexOf('\n', end);
  return { from: text.lastIndexOf('\n', start - 1) + 1, to: lineEnd < 0 ? text.length : lineEnd };
}

/** Whether a date is alone on its line, directly below a line that ends with contact data. */
function isBelowContact(text: string, date: DatedRange, contactEnds: ReadonlySet<number>): boolean {
  const { from, to } = lineAround(text, date);
  const otherText = text.slice(from, date.start) + text.slice(date.end, to);
  if (from === 0 || otherText.trim() !== '') return false;
  const endOfLineAbove = text.slice(Math.max(0, from - 200), from - 1).trimEnd().length;
  const end = Math.max(0, from - 200) + endOfLineAbove;
  return contactEnds.has(end) || contactEnds.has(end - 1);
}

interface Rows {
  people: readonly PiiFinding[];
  contacts: readonly PiiFinding[];
}

/** Maximum length of a row of a table. Longer lines are not rows. */
const maxRowLength = 2_000;

/** Whether a date is a field of a row that also contains a person and contact data. */
function isInRow(text: string, date: DatedRange, { people, contacts }: Rows): boolean {
  const { from, to } = lineAround(text, date);
  if (to - from > maxRowLength) return false;
  const isField =
    fieldStart.test(text.slice(from, date.start)) && fieldEnd.test(text.slice(date.end, to));
  return isField && isAnyIn(people, from, to) && isAnyIn(contacts, from, to);
}

const inOrder = (findings: readonly PiiFinding[]): PiiFinding[] =>
  findings.toSorted((a, b) => a.start - b.start);

/** Whether one of the sorted findings starts in a range. */
function isAnyIn(findings: readonly PiiFinding[], from: number, to: number): boolean {
  const first = firstWhere(findings.length, (at) => findings[at]!.start >= from);
  return first < findings.length && findings[first]!.start < to;
}
