import { median } from '../../../../geometry.ts';
import type { TableWord } from '../types.ts';
import { caption } from './captions.ts';
import { type Column, columnsOf } from './columns.ts';
import { isValue, textOf, year } from './evidence.ts';
import type { Line, Phrase } from './lines.ts';

/** A phrase of a page, with the properties that distinguish a cell from a line of a paragraph. */
export type Part = Phrase & { line: Line; prose: boolean; letters: number };

/** Joins the remaining phrases of a line into one line. */
export function lineOfParts(parts: readonly Part[]): Line | undefined {
  const line = parts[0]?.line;
  return line && { ...line, words: parts.flatMap(({ words }) => words) };
}

/** The minimum ratio of the letter size of a heading to that of a table. */
const larger = 1.15;

/**
 * Returns runs of consecutive lines of several phrases, with lines of single phrases between them.
 */
export function runsOf(words: readonly TableWord[], rows: readonly Part[][]): Part[][][] {
  const runs: Part[][][] = [];
  let run: Part[][] = [];
  let pending: Part[][] = [];
  let leading: Part[][] = [];
  const close = (): void => {
    const last = run.at(-1);
    if (last) runs.push([...run, ...tail(last, pending, pitchOf(run))]);
    run = [];
    pending = [];
    leading = [];
  };
  for (const row of rows) {
    const first = row[0];
    if (!first) continue;
    const last = (pending.at(-1) ?? run.at(-1))?.[0]?.line;
    const opening = first.words.map((index) => words[index]?.text ?? '').join(' ');
    if (caption.test(opening)) {
      close();
      continue;
    }
    const far = last && first.line.top - last.bottom > 2.4 * Math.min(last.size, first.line.size);
    if (far || row.some(({ prose }) => prose)) close();
    const own = row.filter(({ prose }) => !prose);
    if (own.length >= 2) {
      if (run.length === 0) run.push(...beside(leading, own));
      leading = [];
      run.push(...pending, own);
      pending = [];
    } else if (own.length === 1) {
      // A line in larger letters is a heading, and the text below it belongs to another table.
      const size = run[0]?.[0]?.line.size ?? Number.POSITIVE_INFINITY;
      if (first.line.size > larger * size) close();
      (run.length > 0 ? pending : leading).push(own);
      if (pending.length > maxPending || pending.filter((one) => !isWrapped(run, one)).length > 2) {
        close();
      }
    }
  }
  close();
  return runs
    .flatMap(parted)
    .flatMap((one) => withoutOthers(words, one))
    .filter((one) => one.length >= 3);
}

/**
 * Returns single phrases at the top that overlap the first line vertically: parts of a tall cell.
 */
function beside(leading: readonly Part[][], first: readonly Part[]): Part[][] {
  const kept: Part[][] = [];
  let next = first[0]?.line;
  for (const row of leading.toReversed()) {
    const line = row[0]?.line;
    if (!line || !next || line.bottom <= next.top) break;
    kept.unshift(row);
    next = line;
  }
  return kept;
}

/** The maximum distance between the starts of a cell's lines, in points. */
const sameStart = 1.5;

/** Returns the usual distance between lines of several phrases. */
const pitchOf = (run: readonly Part[][]): number => {
  const bases = run.filter((row) => row.length > 1).map((row) => row[0]?.line.base ?? 0);
  return median(bases.slice(1).map((base, at) => base - (bases[at] ?? 0)));
};

/**
 * Whether the next line continues a cell of the last line. It overlaps the last line vertically, or
 * it is closer than a row would be and starts where the cell does.
 */
export function goesOnBelow(
  last: { line: Line; starts: readonly number[] },
  next: { line: Line; from: number },
  pitch: number,
): boolean {
  if (next.line.top < last.line.bottom) return true;
  if (next.line.base - last.line.base > 0.9 * pitch) return false;
  return last.starts.some((start) => Math.abs(start - next.from) < sameStart);
}

/** Returns the single phrases at the bottom that continue a cell of the last line. */
function tail(last: readonly Part[], pending: readonly Part[][], pitch: number): Part[][] {
  const kept: Part[][] = [];
  let line = last[0]?.line;
  const starts = last.map(({ from }) => from);
  for (const row of pending) {
    const [only] = row;
    if (!line || !only || !goesOnBelow({ line, starts }, only, pitch)) break;
    kept.push(row);
    line = only.line;
  }
  return kept;
}

/** The maximum number of lines in a cell while the other cells beside it are empty. */
const maxPending = 12;

/** Whether a single phrase starts where a cell after the first starts in the last full line. */
const isWrapped = (run: readonly Part[][], [only]: readonly Part[]): boolean => {
  const row = run.findLast((one) => one.length > 1)?.slice(1) ?? [];
  return row.some(({ from }) => only !== undefined && Math.abs(from - only.from) < sameStart);
};

/** The number of lines above a line that are searched for text in the same column. */
const linesAbove = 4;

/** Returns the space between a row of a run and the nearest text above in one of its columns. */
function blankAbove(run: readonly Part[][], at: number): number | undefined {
  const own = run[at] ?? [];
  for (let above = at - 1; above >= Math.max(0, at - linesAbove); above -= 1) {
    const other = (run[above] ?? []).find((part) =>
      own.some(({ from, to }) => Math.min(to, part.to) > Math.max(from, part.from)),
    );
    if (other && own[0]) return own[0].line.top - other.line.bottom;
  }
  return undefined;
}

/** Splits a run at gaps that are much wider than the gaps between its other lines. */
function parted(run: readonly Part[][]): Part[][][] {
  const lines = run.flatMap((row) => row[0]?.line ?? []);
  const blanks = lines.slice(1).map((line, at) => line.top - (lines[at]?.bottom ?? 0));
  const usual = Math.max(0, median(run.flatMap((_, at) => blankAbove(run, at) ?? [])));
  const parts: Part[][][] = [];
  let start = 0;
  for (const [at, blank] of blanks.entries()) {
    const { size } = lines[at] ?? { size: 0 };
    if (blank > size && blank > 2.2 * (usual + 0.2 * size)) {
      parts.push(run.slice(start, at + 1));
      start = at + 1;
    }
  }
  return [...parts, run.slice(start)];
}

/** The maximum number of positions in a run that are examined for the start of a second table. */
const maxPlaces = 12;

/** Returns the number of phrases of a row that are values. */
const valuesIn = (words: readonly TableWord[], row: readonly Part[] | undefined): number =>
  (row ?? []).filter((part) => {
    const text = textOf(part, words);
    return isValue(text) && !year.test(text);
  }).length;

/** Whether the style of a row is that of a head: several phrases, all bold, without values. */
const isBoldHead = (words: readonly TableWord[], row: readonly Part[] | undefined): boolean =>
  row !== undefined &&
  row.length > 1 &&
  row.every((part) => part.words.every((index) => words[index]?.bold)) &&
  valuesIn(words, row) === 0;

/** Whether the content of a row is that of a head: only names, between rows of values. */
const isNamesOnly = (
  words: readonly TableWord[],
  row: readonly Part[] | undefined,
  ...beside: (readonly Part[] | undefined)[]
): boolean =>
  row !== undefined &&
  row.length > 2 &&
  valuesIn(words, row) <= 0.25 * row.length &&
  beside.every((one) => valuesIn(words, one) > 1);

/** The maximum distance between the edges of a table's columns, in points. */
const sameEdge = 2;

/** Whether no column of one group is aligned on any side with a column of the other group. */
const areUnaligned = (some: readonly Column[], others: readonly Column[]): boolean =>
  some.length > 1 &&
  others.length > some.length &&
  some.every(({ from, to }) =>
    others.every(
      (other) =>
        Math.abs(from - other.from) > sameEdge &&
        Math.abs(to - other.to) > sameEdge &&
        Math.abs(from + to - other.from - other.to) > 2 * sameEdge,
    ),
  );

/**
 * Splits a run that contains several tables where another table begins: at a head in the style of
 * the first head, where each side has more columns than both sides share, or where the sides are
 * set apart and share no column.
 */
function withoutOthers(words: readonly TableWord[], run: readonly Part[][]): Part[][][] {
  const lines = run.flatMap((row) => lineOfParts(row) ?? []);
  const gaps = lines.slice(1).map((line, at) => line.base - (lines[at]?.base ?? 0));
  const usual = median(gaps);
  const bold = isBoldHead(words, run[0]);
  const named = isNamesOnly(words, run[0], run[1]);
  const columns = (from: number, to: number): Column[] =>
    columnsOf(words, lines.slice(from, to), undefined);
  const several = (rows: readonly Part[][]): number => rows.filter((row) => row.length > 1).length;
  const parts: Part[][][] = [];
  let start = 0;
  let left = maxPlaces;
  /** The number of columns of the rest of the run, once counted. */
  let whole: number | undefined;
  for (let at = 2; at + 1 < run.length && left > 0; at += 1) {
    const single = run[at]?.length === 1;
    const apart = (gaps[at - 1] ?? 0) > 1.3 * usual;
    const boldHead = isBoldHead(words, run[at]) && !isBoldHead(words, run[at - 1]);
    const names = apart && isNamesOnly(words, run[at], run[at - 1], run[at + 1]);
    const head = boldHead || names;
    if (!single && !head && !apart) continue;
    if (several(run.slice(start, at)) < 2 || several(run.slice(at)) < 2) continue;
    left -= 1;
    if (!(bold && boldHead) && !(named && names)) {
      const above = columns(start, at);
      if (above.length < 2 && !head) continue;
      const below = columns(at, run.length);
      const [a, b] = [above.length, below.length];
      const max = head ? Math.max(a, b) : Math.min(a, b);
      if (max < 2) continue;
      whole ??= columns(start, run.length).length;
      if (whole >= max && !(apart && areUnaligned(above, below))) continue;
    }
    parts.push(run.slice(start, at));
    [start, whole] = [at, undefined];
  }
  return [...parts, run.slice(start)];
}
