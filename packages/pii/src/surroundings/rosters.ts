import type { EntityType } from '@scriptorium/contracts/documents/entities';
import { digitRunsOf } from '../confusions.ts';
import type { PiiFinding } from '../finding.ts';
import { firstWhere } from '../first-where.ts';
import { type Line, linesOf, type Range } from '../labels/layout.ts';
import { type Label, labelsIn } from '../labels/scan.ts';
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
const name =
  /^\p{Lu}[\p{L}\p{M}.'’-]{0,30}(?:,? (?:\p{Lu}[\p{L}\p{M}.'’-]{0,30}|\p{Ll}{1,3}\.?|[dl]['’]\p{L}{2,30})){0,5}$/u;

/**
 * Finds dates of birth, and the names before them, in the rows below a heading for dates of birth
 * whose columns are separated by spaces, as in text from pictures. Of several dates in a row, the
 * date of birth is the earliest.
 */
export function rosters(view: TextView, isWanted: (type: EntityType) => boolean): PiiFinding[] {
  const lines = linesOf(view);
  const headings = headingsIn(view, lines);
  if (headings.length === 0) return [];
  const dates = datesIn(view);
  const found: PiiFinding[] = [];
  const add = (type: EntityType, { start, end }: Range): void => {
    if (!isWanted(type)) return;
    found.push({ type, start: view.original(start), end: view.original(end - 1) + 1, score });
  };
  headings.forEach(({ line, label, labels }, at) => {
    const last = Math.min(headings[at + 1]?.line ?? lines.length, line + maxRows);
    const rows = rowsBelow(view, dates, line, last);
    if (rows.length < (labels > 1 ? 1 : 2)) return;
    const before = view.text.slice(lines[line]!.start, label.start).trim();
    const isBesideName = before !== '' && before.split(/\s+/).length <= maxBeforeName;
    for (const { row, born, first } of rows) {
      add('DATE_OF_BIRTH', born);
      const named = isBesideName && first === born ? nameBefore(view, row, born) : null;
      if (named) add('PERSON', named);
    }
  });
  return found;
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
    const isPlain = !/\d{2}|[.:;!?,]\s*$/.test(text) && !/^[ .]*:/.test(view.text.slice(label.end, label.end + 4));
    const words = text.split(/[\s|]+/).length;
    const isIn = (one: Label | undefined): boolean =>
      one !== undefined && one.start >= start && one.end <= end;
    const own = 1 + Number(isIn(labels[at - 1])) + Number(isIn(labels[at + 1]));
    const isHeading = words > 1 && words <= maxWords && text.trim().length > label.end - label.start;
    if (isPlain && isHeading) found.push({ line, label, labels: own });
  }
  return found;
}

/** Returns the dates of a view by their start, without dates inside others. */
function datesIn(view: TextView): Range[] {
  const complete = [...dateOfBirth.candidates(view)].map(({ start, end }) => ({ start, end }));
  const loose = [...digitRunsOf(view).matchAll(looseDate)].map(({ index, 0: text }) => {
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

interface Row {
  row: Line;
  born: Range;
  first: Range;
}

/** Returns the rows with dates below a heading. */
function rowsBelow(
  view: TextView,
  dates: readonly Range[],
  heading: number,
  last: number,
): Row[] {
  const lines = linesOf(view);
  const rows: Row[] = [];
  let misses = 0;
  let next = firstWhere(dates.length, (at) => dates[at]!.start > lines[heading]!.end);
  for (let at = heading + 1; at < last && misses < maxMisses; at += 1) {
    const row = lines[at]!;
    while (next < dates.length && dates[next]!.start < row.start) next += 1;
    const own: Range[] = [];
    for (; next < dates.length && dates[next]!.start < row.end; next += 1) own.push(dates[next]!);
    if (own.length === 0 || row.end - row.start > longestRow) {
      misses += 1;
      continue;
    }
    misses = 0;
    const years = own.map(({ start, end }) => yearOf(view.text.slice(start, end)));
    rows.push({ row, born: own[years.indexOf(Math.min(...years))]!, first: own[0]! });
  }
  return rows;
}

/** Returns the name before a date in its row. */
function nameBefore({ text }: TextView, row: Line, date: Range): Range | null {
  const before = text.slice(row.start, date.start);
  const start = row.start + numbering.exec(before)![0].length;
  const found = text.slice(start, date.start).replace(/[\s|,;]+$/, '');
  return name.test(found) ? { start, end: start + found.length } : null;
}
