import { median } from '../../../../geometry.ts';
import type { TableWord } from '../types.ts';
import { type Column, columnAt, placePhrases, sizeOf } from './columns.ts';
import { isValue, textOf } from './evidence.ts';
import type { Line } from './lines.ts';
import { cellPitch, type FilledLine, maxLevelDistance, type Row, stackRows } from './stacks.ts';
import { compareBreaks } from './wraps.ts';

const isNumber = (text: string): boolean =>
  /\d/.test(text) && (text.match(/[\p{L}]/gu)?.length ?? 0) <= 3;

function toFilledLine(
  words: readonly TableWord[],
  line: Line,
  columns: readonly Column[],
): FilledLine {
  const filledColumns = new Set<number>();
  const hyphenated = new Set<number>();
  const placed = placePhrases(words, line, columns);
  for (const { first, last, words: phrase } of placed) {
    for (let at = first; at <= last; at += 1) filledColumns.add(at);
    if (/[\p{L}\p{N}][-\u2010]$/u.test(words[phrase.at(-1) ?? -1]?.text ?? ''))
      hyphenated.add(first);
  }
  const numbers = new Set<number>();
  for (const index of line.words) {
    const word = words[index];
    if (word && isNumber(word.text)) {
      numbers.add(columnAt(columns, (word.box[0] + word.box[2]) / 2));
    }
  }
  return { line, placed, columns: filledColumns, numbers: numbers.size, hyphenated };
}

const lowercaseStart = /^\p{Ll}/u;

/** Returns the first word of each text of a row, by column. */
function startsOf(words: readonly TableWord[], row: readonly FilledLine[]): Map<number, string> {
  const starts = new Map<number, string>();
  for (const { first, words: own } of row.flatMap(({ placed }) => placed)) {
    if (!starts.has(first)) starts.set(first, words[own[0] ?? -1]?.text ?? '');
  }
  return starts;
}

/**
 * Whether every text of a line may continue the text above, which was broken because the column was
 * full, and at least half clearly do: they follow a hyphen, or begin with a lower-case letter in a
 * cell that does not. Values never continue a text.
 */
function isWrapped(
  words: readonly TableWord[],
  row: readonly FilledLine[],
  last: FilledLine,
  next: FilledLine,
  columns: readonly Column[],
): boolean {
  const wrap = compareBreaks(words, last.placed, next.placed, columns, next.line.size);
  if (wrap.earlyBreaks > 0 || wrap.sharedColumns < next.columns.size) return false;
  if (next.placed.some((one) => isValue(textOf(one, words)))) return false;
  const starts = startsOf(words, row);
  const continuing = next.placed.filter(
    ({ first, words: own }) =>
      last.hyphenated.has(first) ||
      (lowercaseStart.test(words[own[0] ?? -1]?.text ?? '') &&
        !lowercaseStart.test(starts.get(first) ?? '')),
  );
  // Text in the first column begins a row unless it clearly continues the text above.
  const mayContinue = !next.columns.has(0) || continuing.some(({ first }) => first === 0);
  return mayContinue && continuing.length > 0 && 2 * continuing.length >= next.placed.length;
}

/** Whether a line continues the row above: it only adds text to cells that already have some. */
function continuesRow(
  words: readonly TableWord[],
  row: readonly FilledLine[],
  next: FilledLine,
  columns: readonly Column[],
  pitch: number,
): boolean {
  const last = row.at(-1);
  if (!last || next.columns.size === 0) return false;
  const { size } = next.line;
  if (next.line.base - last.line.base > Math.max(1.12 * pitch, 1.3 * size)) return false;
  const above = new Set(row.flatMap(({ columns }) => [...columns]));
  const isPart = [...next.columns].every((column) => above.has(column));
  if (isPart && [...next.columns].every((column) => last.hyphenated.has(column))) return true;
  if (!isPart) return false;
  if (isWrapped(words, row, last, next, columns)) return true;
  if (next.numbers > 0 || next.columns.has(0)) return false;
  return next.columns.size <= Math.max(1, columns.length / 3);
}

/** Joins lines at almost the same height, such as symbols slightly above or below their row. */
function groupLevelLines(
  words: readonly TableWord[],
  lines: readonly Line[],
  size: number,
): Line[][] {
  const groups: Line[][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    const first = group?.[0];
    if (
      group &&
      first &&
      line.base - first.base < 0.5 * size &&
      !overlapsGroup(words, group, line)
    ) {
      group.push(line);
    } else groups.push([line]);
  }
  return groups;
}

/** Whether words of a line overlap horizontally with words of a group. */
function overlapsGroup(words: readonly TableWord[], group: readonly Line[], line: Line): boolean {
  const boxes = group.flatMap((one) => one.words.flatMap((index) => words[index]?.box ?? []));
  return line.words.some((index) => {
    const [x0 = 0, , x1 = 0] = words[index]?.box ?? [];
    if (x1 - x0 < 0.8 * line.size) return false;
    for (let at = 0; at < boxes.length; at += 4) {
      if (Math.min(x1, boxes[at + 2] ?? 0) - Math.max(x0, boxes[at] ?? 0) > 1) return true;
    }
    return false;
  });
}

/** Returns the line with the most words, which represents its group. */
function longestLine(group: readonly Line[]): Line {
  return group.reduce((max, line) => (line.words.length > max.words.length ? line : max));
}

/** Groups lines into rows: the lines between two rules, or all lines of a table without rules. */
export function rowsOfLines(
  words: readonly TableWord[],
  lines: readonly Line[],
  columns: readonly Column[],
): Line[][] {
  const size = sizeOf(lines);
  const groups = groupLevelLines(words, lines, size);
  const filledLines = groups.map((group) => toFilledLine(words, longestLine(group), columns));
  if (filledLines.length < 2) return groups;
  const maxCellPitch = cellPitch(filledLines, size);
  const pitch =
    maxCellPitch !== undefined && areAllRows(words, filledLines, columns, maxCellPitch)
      ? undefined
      : maxCellPitch;
  const rows = stackRows(filledLines, groups, pitch);
  if (pitch !== undefined) return rows.map((row) => row.lines);
  const typicalPitch = median(rows.slice(1).map((row, at) => baseOf(row) - baseOf(rows[at])));
  const joinedRows: Row[] = [];
  for (const row of rows) {
    const last = joinedRows.at(-1);
    const [first] = row.filledLines;
    if (last && first && continuesRow(words, last.filledLines, first, columns, typicalPitch)) {
      last.filledLines.push(...row.filledLines);
      last.lines.push(...row.lines);
    } else joinedRows.push(row);
  }
  return joinedRows.map((row) => row.lines);
}

/** Groups lines that are separate rows, unless they are beside each other in one row. */
export function rowsOfLevelLines(
  words: readonly TableWord[],
  lines: readonly Line[],
  columns: readonly Column[],
): Line[][] {
  const groups = groupLevelLines(words, lines, sizeOf(lines));
  const filledLines = groups.map((group) => toFilledLine(words, longestLine(group), columns));
  return stackRows(filledLines, groups, undefined).map((row) => row.lines);
}

const baseOf = (row: Row | undefined): number => row?.filledLines[0]?.line.base ?? 0;

/**
 * Whether lines that spacing would join are separate rows. Either the rows form groups that are set
 * apart, and each line is as full as the first line of its group. Or most lines end although the
 * next word would have fitted, and the spacing varies only because the page is justified.
 */
function areAllRows(
  words: readonly TableWord[],
  lines: readonly FilledLine[],
  columns: readonly Column[],
  pitch: number,
): boolean {
  let [closeCount, earlyCount] = [0, 0];
  const [firsts, others]: [number[], number[]] = [[lines[0]?.columns.size ?? 0], []];
  let beforeBase = lines[0]?.line.base ?? 0;
  for (const [at, below] of lines.slice(1).entries()) {
    const above = lines[at];
    const distance = below.line.base - beforeBase;
    beforeBase = below.line.base;
    // Lines at overlapping heights are always in one row.
    if (!above || distance < maxLevelDistance * below.line.size) return false;
    if (distance > pitch) {
      firsts.push(below.columns.size);
      continue;
    }
    others.push(below.columns.size);
    closeCount += 1;
    const wrap = compareBreaks(words, above.placed, below.placed, columns, below.line.size);
    if (wrap.earlyBreaks > 0 && wrap.sharedColumns >= Math.max(2, 0.6 * above.columns.size))
      earlyCount += 1;
  }
  const mean = (counts: readonly number[]): number =>
    counts.reduce((sum, one) => sum + one, 0) / Math.max(1, counts.length);
  if (closeCount > 1 && mean(others) > 0.85 * mean(firsts)) return true;
  return closeCount > 0 && earlyCount >= 0.6 * closeCount;
}

/**
 * Whether line breaks show that lines are rows: most lines end early in several columns, although
 * the next word would have fitted.
 */
function breakEarly(
  words: readonly TableWord[],
  lines: readonly FilledLine[],
  columns: readonly Column[],
): boolean {
  const usedColumns = new Set(lines.flatMap((one) => [...one.columns])).size;
  let earlyCount = 0;
  for (const [at, below] of lines.slice(1).entries()) {
    const above = lines[at];
    if (!above) continue;
    const wrap = compareBreaks(words, above.placed, below.placed, columns, below.line.size);
    const breaksInSeveral = wrap.sharedColumns >= Math.max(2, 0.6 * usedColumns);
    if (
      breaksInSeveral &&
      (wrap.earlyBreaks > 0 || (wrap.singleWords === wrap.sharedColumns && lines.length > 2))
    )
      earlyCount += 1;
  }
  return earlyCount >= 0.7 * (lines.length - 1);
}

/**
 * Whether lines between two rules are separate rows and not the lines of one row's cells. Most of
 * the lines must have text in several columns. In addition, most must have a number in the same
 * column, or break before the column is full.
 */
export function areRows(
  words: readonly TableWord[],
  lines: readonly Line[],
  columns: readonly Column[],
): boolean {
  if (lines.length < 2 || columns.length < 2) return false;
  const filledLines = lines.map((line) => toFilledLine(words, line, columns));
  const usedColumns = new Set(filledLines.flatMap((one) => [...one.columns])).size;
  const fullCount = filledLines.filter(
    (one) => one.columns.size >= Math.max(2, 0.5 * usedColumns),
  ).length;
  if (fullCount < 0.6 * lines.length) return false;
  // Numbers within sentences are not values of a row.
  const values = new Map<number, number>();
  for (const one of filledLines.flatMap(({ placed }) => placed)) {
    if (isValue(textOf(one, words))) values.set(one.first, (values.get(one.first) ?? 0) + 1);
  }
  const numericCount = Math.max(0, ...values.values());
  return numericCount >= 0.6 * lines.length || breakEarly(words, filledLines, columns);
}
