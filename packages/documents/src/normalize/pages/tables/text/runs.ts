import { median } from '../../../../geometry.ts';
import type { TableWord } from '../types.ts';
import { captionStart } from './captions.ts';
import { type Column, columnsOf } from './columns.ts';
import { isValue, textOf, year } from './evidence.ts';
import type { Line, Phrase } from './lines.ts';

/** A phrase of a page, with the properties that distinguish a cell from a line of a paragraph. */
export type PagePhrase = Phrase & { line: Line; isProse: boolean; letters: number };

/** Joins the remaining phrases of a line into one line. */
export function lineOfParts(parts: readonly PagePhrase[]): Line | undefined {
  const line = parts[0]?.line;
  return line && { ...line, words: parts.flatMap(({ words }) => words) };
}

/** The minimum ratio of the letter size of a heading to that of a table. */
const minHeadingRatio = 1.15;

/** The minimum ratio of letter sizes that separates rows. Sizes within a table vary less. */
const minRowRatio = 1.4;

/**
 * Returns runs of consecutive lines of several phrases, with lines of single phrases between them.
 */
export function runsOf(
  words: readonly TableWord[],
  rows: readonly PagePhrase[][],
): PagePhrase[][][] {
  const runs: PagePhrase[][][] = [];
  let run: PagePhrase[][] = [];
  let pending: PagePhrase[][] = [];
  let leading: PagePhrase[][] = [];
  const closeRun = (): void => {
    const last = run.at(-1);
    if (last) runs.push([...run, ...trailingLines(last, pending, pitchOf(run))]);
    run = [];
    pending = [];
    leading = [];
  };
  for (const row of rows) {
    const first = row[0];
    if (!first) continue;
    const last = (pending.at(-1) ?? run.at(-1))?.[0]?.line;
    const firstText = first.words.map((index) => words[index]?.text ?? '').join(' ');
    if (captionStart.test(firstText)) {
      closeRun();
      continue;
    }
    const isFar = last && first.line.top - last.bottom > 2.4 * Math.min(last.size, first.line.size);
    if (isFar || row.some(({ isProse }) => isProse)) closeRun();
    const phrases = row.filter(({ isProse }) => !isProse);
    if (phrases.length >= 2) {
      const size = run.findLast((one) => one.length > 1)?.[0]?.line.size ?? first.line.size;
      const [small, large] = [Math.min(size, first.line.size), Math.max(size, first.line.size)];
      if (large > minRowRatio * small) closeRun();
      if (run.length === 0) run.push(...tallCellLines(leading, phrases));
      leading = [];
      run.push(...pending, phrases);
      pending = [];
    } else if (phrases.length === 1) {
      // A line in larger letters is a heading, and the text below it belongs to another table.
      const size = run[0]?.[0]?.line.size ?? Number.POSITIVE_INFINITY;
      if (first.line.size > minHeadingRatio * size) closeRun();
      (run.length > 0 ? pending : leading).push(phrases);
      if (pending.length > maxPending || pending.filter((one) => !isWrapped(run, one)).length > 2) {
        closeRun();
      }
    }
  }
  closeRun();
  return runs
    .flatMap(splitAtGaps)
    .flatMap((one) => splitTables(words, one))
    .filter((one) => one.length >= 3);
}

/**
 * Returns single phrases at the top that overlap the first line vertically: parts of a tall cell.
 */
function tallCellLines(
  leading: readonly PagePhrase[][],
  first: readonly PagePhrase[],
): PagePhrase[][] {
  const kept: PagePhrase[][] = [];
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
const maxStartDistance = 1.5;

/** Returns the usual distance between lines of several phrases. */
const pitchOf = (run: readonly PagePhrase[][]): number => {
  const bases = run.filter((row) => row.length > 1).map((row) => row[0]?.line.base ?? 0);
  return median(bases.slice(1).map((base, at) => base - (bases[at] ?? 0)));
};

/**
 * Whether the next line continues a cell of the last line. It overlaps the last line vertically, or
 * it is closer than a row would be and starts where the cell does.
 */
export function continuesCell(
  last: { line: Line; starts: readonly number[] },
  next: { line: Line; from: number },
  pitch: number,
): boolean {
  if (next.line.top < last.line.bottom) return true;
  if (next.line.base - last.line.base > 0.9 * pitch) return false;
  return last.starts.some((start) => Math.abs(start - next.from) < maxStartDistance);
}

/** Returns the single phrases at the bottom that continue a cell of the last line. */
function trailingLines(
  last: readonly PagePhrase[],
  pending: readonly PagePhrase[][],
  pitch: number,
): PagePhrase[][] {
  const kept: PagePhrase[][] = [];
  let line = last[0]?.line;
  const starts = last.map(({ from }) => from);
  for (const row of pending) {
    const [only] = row;
    if (!line || !only || !continuesCell({ line, starts }, only, pitch)) break;
    kept.push(row);
    line = only.line;
  }
  return kept;
}

/** The maximum number of consecutive lines of one cell while the other cells are empty. */
const maxPending = 12;

/** Whether a single phrase starts where a cell after the first starts in the last full line. */
const isWrapped = (run: readonly PagePhrase[][], [only]: readonly PagePhrase[]): boolean => {
  const row = run.findLast((one) => one.length > 1)?.slice(1) ?? [];
  return row.some(
    ({ from }) => only !== undefined && Math.abs(from - only.from) < maxStartDistance,
  );
};

/** The number of lines above a line that are searched for text in the same column. */
const maxLinesAbove = 4;

/** Returns the space between a row of a run and the nearest text above in one of its columns. */
function spaceAbove(run: readonly PagePhrase[][], at: number): number | undefined {
  const rowPhrases = run[at] ?? [];
  for (let above = at - 1; above >= Math.max(0, at - maxLinesAbove); above -= 1) {
    const other = (run[above] ?? []).find((part) =>
      rowPhrases.some(({ from, to }) => Math.min(to, part.to) > Math.max(from, part.from)),
    );
    if (other && rowPhrases[0]) return rowPhrases[0].line.top - other.line.bottom;
  }
  return undefined;
}

/** Splits a run at gaps that are much wider than the gaps between its other lines. */
function splitAtGaps(run: readonly PagePhrase[][]): PagePhrase[][][] {
  const lines = run.flatMap((row) => row[0]?.line ?? []);
  const gaps = lines.slice(1).map((line, at) => line.top - (lines[at]?.bottom ?? 0));
  const typicalGap = Math.max(0, median(run.flatMap((_, at) => spaceAbove(run, at) ?? [])));
  const parts: PagePhrase[][][] = [];
  let start = 0;
  for (const [at, blank] of gaps.entries()) {
    const { size } = lines[at] ?? { size: 0 };
    if (blank > size && blank > 2.2 * (typicalGap + 0.2 * size)) {
      parts.push(run.slice(start, at + 1));
      start = at + 1;
    }
  }
  return [...parts, run.slice(start)];
}

/** The maximum number of positions in a run that are examined for the start of a second table. */
const maxSplits = 12;

/** Returns the number of phrases of a row that are values. */
const countValues = (words: readonly TableWord[], row: readonly PagePhrase[] | undefined): number =>
  (row ?? []).filter((part) => {
    const text = textOf(part, words);
    return isValue(text) && !year.test(text);
  }).length;

/** Whether the style of a row is that of a head: several phrases, all bold, without values. */
const isBoldHead = (words: readonly TableWord[], row: readonly PagePhrase[] | undefined): boolean =>
  row !== undefined &&
  row.length > 1 &&
  row.every((part) => part.words.every((index) => words[index]?.bold)) &&
  countValues(words, row) === 0;

/** Whether the content of a row is that of a head: only names, between rows of values. */
const isNamesOnly = (
  words: readonly TableWord[],
  row: readonly PagePhrase[] | undefined,
  ...neighbours: (readonly PagePhrase[] | undefined)[]
): boolean =>
  row !== undefined &&
  row.length > 2 &&
  countValues(words, row) <= 0.25 * row.length &&
  neighbours.every((one) => countValues(words, one) > 1);

/** The maximum distance between the edges of a table's columns, in points. */
const maxEdgeDistance = 2;

/** Whether no column of one group is aligned on any side with a column of the other group. */
const areUnaligned = (columns: readonly Column[], others: readonly Column[]): boolean =>
  columns.length > 1 &&
  others.length > columns.length &&
  columns.every(({ from, to }) =>
    others.every(
      (other) =>
        Math.abs(from - other.from) > maxEdgeDistance &&
        Math.abs(to - other.to) > maxEdgeDistance &&
        Math.abs(from + to - other.from - other.to) > 2 * maxEdgeDistance,
    ),
  );

/**
 * Splits a run that contains several tables where another table begins: at a head in the style of
 * the first head, where each side has more columns than both sides share, or where the sides are
 * set apart and share no column.
 */
function splitTables(words: readonly TableWord[], run: readonly PagePhrase[][]): PagePhrase[][][] {
  const lines = run.flatMap((row) => lineOfParts(row) ?? []);
  const gaps = lines.slice(1).map((line, at) => line.base - (lines[at]?.base ?? 0));
  const typicalGap = median(gaps);
  const startsBold = isBoldHead(words, run[0]);
  const startsWithNames = isNamesOnly(words, run[0], run[1]);
  const columns = (from: number, to: number): Column[] =>
    columnsOf(words, lines.slice(from, to), undefined);
  const countMultiPhrase = (rows: readonly PagePhrase[][]): number =>
    rows.filter((row) => row.length > 1).length;
  const parts: PagePhrase[][][] = [];
  let start = 0;
  let remaining = maxSplits;
  /** The number of columns of the remaining run; undefined until they are counted. */
  let columnCount: number | undefined;
  for (let at = 2; at + 1 < run.length && remaining > 0; at += 1) {
    const isSingle = run[at]?.length === 1;
    const isSetApart = (gaps[at - 1] ?? 0) > 1.3 * typicalGap;
    const hasBoldHead = isBoldHead(words, run[at]) && !isBoldHead(words, run[at - 1]);
    const hasNamesHead = isSetApart && isNamesOnly(words, run[at], run[at - 1], run[at + 1]);
    const isHead = hasBoldHead || hasNamesHead;
    if (!isSingle && !isHead && !isSetApart) continue;
    if (countMultiPhrase(run.slice(start, at)) < 2 || countMultiPhrase(run.slice(at)) < 2) continue;
    remaining -= 1;
    if (!(startsBold && hasBoldHead) && !(startsWithNames && hasNamesHead)) {
      const above = columns(start, at);
      if (above.length < 2 && !isHead) continue;
      const below = columns(at, run.length);
      const [a, b] = [above.length, below.length];
      const max = isHead ? Math.max(a, b) : Math.min(a, b);
      if (max < 2) continue;
      columnCount ??= columns(start, run.length).length;
      if (columnCount >= max && !(isSetApart && areUnaligned(above, below))) continue;
    }
    parts.push(run.slice(start, at));
    [start, columnCount] = [at, undefined];
  }
  return [...parts, run.slice(start)];
}
