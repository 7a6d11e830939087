import { median } from '../../geometry.ts';
import { areLevel, inRows } from '../../rows.ts';
import { gapsOf, type Span } from './gaps.ts';
import type { Item } from './items.ts';

/** Returns the number of words of an item. The digit groups of a number do not count. */
const wordsIn = ({ line }: Item): number =>
  line?.words.filter(({ text }) => /\p{L}/u.test(text)).length ?? 0;
const firstOf = ({ line }: Item): string => line?.words[0]?.text ?? '';

/** A line of a column, which wide gaps may have divided into several items. */
type WholeLine = Span & { words: number; size: number; first: string; gaps: Span[] };

/**
 * Returns the lines of a column. In a narrow column, justified text has wide gaps that divide its
 * lines into several items.
 */
function wholeLines(column: readonly Item[]): WholeLine[] {
  const sorted = column.filter(({ line }) => line).sort((a, b) => a.base - b.base);
  return inRows(sorted, areLevel).map((row) => {
    row.sort((a, b) => a.from - b.from);
    return {
      from: Math.min(...row.map(({ from }) => from)),
      to: Math.max(...row.map(({ to }) => to)),
      words: row.reduce((sum, item) => sum + wordsIn(item), 0),
      size: Math.max(...row.map(({ size }) => size)),
      first: row[0] ? firstOf(row[0]) : '',
      gaps: gapsOf(row, 0),
    };
  });
}

/** Minimum number of lines for classifying a column, and minimum number of words per line. */
const fewestLines = 4;
const fewestWords = 2.5;
/**
 * Minimum shares of lines that reach both edges and of lines that start within a sentence, and
 * maximum share of lines with a gap at the same place.
 */
const minFull = 0.5;
const minWithin = 0.35;
const maxShared = 0.4;
/**
 * Maximum distance from a full line to the edge of its column, and of an indented line, in font
 * sizes.
 */
const slack = 0.8;
const indent = 3;

/**
 * Whether a column is justified running text. Its lines may have wide gaps, but the gaps are not
 * aligned, as they are in columns and tables.
 */
export function isJustified(column: readonly Item[]): boolean {
  if (column.some(({ line }) => line === null)) return false;
  const lines = wholeLines(column);
  const all = lines.length;
  if (all < fewestLines) return false;
  const from = Math.min(...lines.map((line) => line.from));
  const to = Math.max(...lines.map((line) => line.to));
  let [words, full, within] = [0, 0, 0];
  for (const line of lines) {
    words += line.words;
    const ends = to - line.to <= slack * line.size;
    if (ends && line.from - from <= slack * line.size) full += 1;
    if (line.gaps.length > 0 && (!ends || line.from - from > indent * line.size)) return false;
    if (/^\p{Ll}/u.test(line.first)) within += 1;
  }
  if (words < fewestWords * all || full < minFull * all || within < minWithin * all) return false;
  const cut = lines.filter(({ gaps }) => gaps.length > 0);
  return cut.every(({ gaps, size }) =>
    gaps.every((gap) => {
      const sharing = cut.filter((other) =>
        other.gaps.some(
          (one) => Math.min(one.to, gap.to) - Math.max(one.from, gap.from) >= 0.5 * size,
        ),
      );
      return sharing.length <= maxShared * all;
    }),
  );
}

/** Minimum number of lines whose aligned gaps are not a coincidence. */
const fewestJoined = 5;

/**
 * Minimum share of short lines in running text that start within a sentence, and not with a capital
 * or digit.
 */
const minContinued = 0.2;

/**
 * Whether a column is running text: its lines have many words or fill the column, unlike the text
 * in tables.
 */
export function isProse(column: readonly Item[]): boolean {
  const whole = wholeLines(column);
  const parts = column.filter(({ line }) => line !== null);
  const lines: readonly (Span & { words: number; first: string })[] =
    whole.length >= fewestJoined
      ? whole
      : parts.map((item) => {
          return { from: item.from, to: item.to, words: wordsIn(item), first: firstOf(item) };
        });
  if (lines.length < 3) return false;
  const from = Math.min(...lines.map((line) => line.from));
  const to = Math.max(...lines.map((line) => line.to));
  let [all, inLong, long] = [0, 0, 0];
  for (const { words } of lines) {
    all += words;
    if (words < 5) continue;
    long += 1;
    inLong += words;
  }
  if (long >= 3 && inLong >= 0.6 * all) return true;
  const continued = lines.filter(({ first }) => /^(?:\p{Ll}|\p{Lo})/u.test(first)).length;
  if (continued < minContinued * lines.length) return false;
  const full = lines.filter((line) => line.to - line.from > 0.75 * (to - from)).length;
  return median(lines.map(({ words }) => words)) >= 3 && full >= 0.5 * lines.length;
}

const bulletSign = /^[•‣⁃◦∙▪▫■□●○◆◇❖➢➤►▶✓✔☐☑☒·–—*-]$/u;

/** Whether a column is a list whose items start with bullets. */
function isList(column: readonly Item[]): boolean {
  const lines = column.filter(({ line }) => line !== null);
  const items = lines.filter(({ line }) => bulletSign.test(line?.words[0]?.text ?? ''));
  return items.length >= 2 && items.length >= 0.5 * lines.length;
}

/**
 * Whether columns form rows: most lines have a neighbour on their baseline, and the columns are
 * neither running text nor lists.
 */
export function areRows(columns: readonly Item[][]): boolean {
  if (columns.some((column) => column.some(({ fixed }) => fixed >= 0))) return false;
  if (columns.filter((column) => isProse(column) || isList(column)).length >= 2) return false;
  const items = columns.flat().sort((a, b) => a.base - b.base);
  const beside = inRows(items, areLevel)
    .filter(({ length }) => length > 1)
    .flat();
  return beside.length >= 0.5 * items.length;
}

/**
 * Whether a column consists of centred lines, such as the names on a title page, which start at
 * different positions.
 */
export function isCentred(column: readonly Item[]): boolean {
  const lines = column.filter(({ line }) => line !== null);
  if (lines.length !== column.length || lines.length < 3) return false;
  const middle = median(lines.map(({ from, to }) => (from + to) / 2));
  const start = median(lines.map(({ from }) => from));
  const about = lines.filter(
    ({ from, to, size }) => Math.abs((from + to) / 2 - middle) < 0.4 * size,
  );
  const off = lines.filter(({ from, size }) => Math.abs(from - start) > 0.5 * size);
  const said = lines.filter(({ line }) => line?.words.some(({ text }) => /\p{L}{3}/u.test(text)));
  const all = lines.length;
  return about.length >= 0.8 * all && off.length >= 0.25 * all && said.length >= 0.7 * all;
}
