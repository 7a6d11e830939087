import type { EntityType } from '@scriptorium/contracts/documents/entities';
import { withCorrectedDigits } from '../confusions.ts';
import type { PiiFinding } from '../finding.ts';
import { firstWhere } from '../first-where.ts';
import { type Line, linesOf, type Range } from '../labels/layout.ts';
import { type Label, labelsIn } from '../labels/scan.ts';
import { isFrequentWord } from '../language/evidence.ts';
import { dateOfBirth } from '../recognisers/dates/dates.ts';
import type { TextView } from '../view.ts';

const score = 0.7;
/** Maximum length of a heading and of a row, in characters, and maximum number of words before it. */
const longestHeading = 160;
const longestRow = 240;
const maxWords = 14;
/** Maximum number of consecutive lines without a date, such as the second line of a cell. */
const maxMisses = 2;
const maxRows = 5_000;
/** Maximum number of words above names, such as `No. Participant`. */
const maxBeforeName = 3;

/** A date with any separators, as it may be read in a picture. */
const looseDate =
  /(?<![\d.,/-])(?:\d{1,2}[ .,/-]{1,2}\d{1,2}[ .,/-]{1,2}(?:\d{4}|\d{2})|\d{4}[ .,/-]\d{1,2}[ .,/-]\d{1,2})(?![\d/-]|[.,]\d)/g;
const numbering = /^[ \t|]*(?:\d{1,4}[.):]?[ \t|]+)?/;
const particles =
  '(?:(?:von|van|de|del|della|di|da|do|dos|den|der|ten|ter|zu|zur|la|le|el|af|av) ){0,3}';
const name = new RegExp(
  `^${particles}\\p{Lu}[\\p{L}\\p{M}.'’-]{0,30}(?:,? (?:\\p{Lu}[\\p{L}\\p{M}.'’-]{0,30}|\\p{Ll}{1,3}\\.?|[dl]['’]\\p{L}{2,30})){0,5}$`,
  'u',
);
/** The same with misread letters. */
const nameRead = new RegExp(`^${particles}\\p{Lu}[^\\d\\n]{1,60}$`, 'u');

/**
 * Finds dates of birth, and the names before them, in the rows below a heading for dates of birth
 * whose columns are separated by spaces, as in text from pictures. Of several dates in a row, the
 * date of birth is the earliest.
 */
export function rosters(
  view: TextView,
  isWanted: (type: EntityType) => boolean,
): [named: PiiFinding[], born: PiiFinding[]] {
  const lines = linesOf(view);
  const headings = headingsIn(view, lines);
  const [people, births]: [PiiFinding[], PiiFinding[]] = [[], []];
  if (headings.length === 0) return [people, births];
  const dates = datesIn(view);
  const add = (to: PiiFinding[], type: EntityType, { start, end }: Range): void => {
    if (!isWanted(type)) return;
    to.push({ type, start: view.original(start), end: view.original(end - 1) + 1, score });
  };
  headings.forEach(({ line, label, labels }, at) => {
    const last = Math.min(headings[at + 1]?.line ?? lines.length, line + maxRows);
    const rows = rowsBelow(view, dates, line, last);
    if (rows.length < (labels > 1 ? 1 : 2)) return;
    const before = view.text.slice(lines[line]!.start, label.start).trim();
    const isBesideName = before !== '' && before.split(/\s+/).length <= maxBeforeName;
    for (const { row, born, first } of rows) {
      add(births, 'DATE_OF_BIRTH', born);
      const named = isBesideName && first === born ? nameBefore(view, row, born) : null;
      if (named) add(people, 'PERSON', named);
    }
  });
  return [people, births];
}

interface Heading {
  line: number;
  label: Label;
  /** The number of labels in the line. */
  labels: number;
}

function headingsIn(view: TextView, lines: readonly Line[]): Heading[] {
  const found: Heading[] = [];
  const labels = labelsIn(view);
  let line = 0;
  for (const [at, label] of labels.entries()) {
    if (!label.meanings.some(({ entry }) => entry.type === 'DATE_OF_BIRTH')) continue;
    while (line + 1 < lines.length && lines[line + 1]!.start <= label.start) line += 1;
    const { start, end } = lines[line]!;
    if (end - start > longestHeading || found.at(-1)?.line === line) continue;
    const text = view.text.slice(start, end);
    const isPlain =
      !/\d{2}|[.:;!?,]\s*$/.test(text) &&
      !/^[ .]*:/.test(view.text.slice(label.end, label.end + 4));
    const words = text.split(/[\s|]+/).length;
    const isIn = (one: Label | undefined): boolean =>
      one !== undefined && one.start >= start && one.end <= end;
    const own = 1 + Number(isIn(labels[at - 1])) + Number(isIn(labels[at + 1]));
    const isHeading =
      words > 1 && words <= maxWords && text.trim().length > label.end - label.start;
    if (isPlain && isHeading) found.push({ line, label, labels: own });
  }
  return found;
}

/** Returns the dates of a view by their start, without dates inside others. */
function datesIn(view: TextView): Range[] {
  const complete = [...dateOfBirth.candidates(view)].map(({ start, end }) => ({ start, end }));
  const loose = [...withCorrectedDigits(view).matchAll(looseDate)].map(({ index, 0: text }) => {
    return { start: index, end: index + text.length };
  });
  const all = [...complete, ...loose].sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return all.filter((date) => {
    const isFree = date.start >= end;
    if (isFree) end = date.end;
    return isFree;
  });
}

/** Returns the year of a date, of the last hundred years if it has two digits. */
function yearOf(date: string): number {
  const whole = /\d{4}/.exec(date)?.[0];
  if (whole) return Number(whole);
  const year = 2000 + Number(/\d{2}$/.exec(date)?.[0] ?? 0);
  return year > new Date().getUTCFullYear() ? year - 100 : year;
}

/** Minimum number of frequent words in a line of running text. */
const minFrequent = 4;
const isSentence = ({ text }: TextView, { start, end }: Range): boolean =>
  text
    .slice(start, end)
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 1 && isFrequentWord(word)).length >= minFrequent;

interface Row {
  row: Line;
  born: Range;
  first: Range;
  year: number;
  /** The number of dates in the row. */
  dates: number;
}

/** Returns the rows with dates below a heading. */
function rowsBelow(view: TextView, dates: readonly Range[], heading: number, last: number): Row[] {
  const lines = linesOf(view);
  const rows: Row[] = [];
  const others: number[] = [];
  let misses = 0;
  let next = firstWhere(dates.length, (at) => dates[at]!.start > lines[heading]!.end);
  for (let at = heading + 1; at < last && misses < maxMisses; at += 1) {
    const row = lines[at]!;
    while (next < dates.length && dates[next]!.start < row.start) next += 1;
    const own: Range[] = [];
    for (; next < dates.length && dates[next]!.start < row.end; next += 1) own.push(dates[next]!);
    if (own.length === 0 || row.end - row.start > longestRow || isSentence(view, row)) {
      misses += 1;
      continue;
    }
    misses = 0;
    const years = own.map(({ start, end }) => yearOf(view.text.slice(start, end)));
    const year = Math.min(...years);
    others.push(...years.filter((one) => one !== year));
    rows.push({ row, born: own[years.indexOf(year)]!, first: own[0]!, year, dates: own.length });
  }
  // Parts of rows without a date of birth have dates of another column only.
  const earliest = Math.min(...others);
  const isOfBirth = ({ year, dates }: Row): boolean => dates > 1 || year < earliest;
  return rows.filter(isOfBirth);
}

/** Returns the name before a date in its row. */
function nameBefore({ text, recognised }: TextView, row: Line, date: Range): Range | null {
  const before = text.slice(row.start, date.start);
  const start = row.start + numbering.exec(before)![0].length;
  const found = text.slice(start, date.start).replace(/[\s|,;]+$/, '');
  return (recognised ? nameRead : name).test(found) ? { start, end: start + found.length } : null;
}
