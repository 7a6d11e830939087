import { median } from '../../geometry.ts';
import { groupRows, shareBaseline } from '../../rows.ts';
import { gapsOf, type Span } from './gaps.ts';
import type { Item } from './items.ts';

/** Returns the number of words of an item. The digit groups of a number do not count. */
const countWords = ({ line }: Item): number =>
  line?.words.filter(({ text }) => /\p{L}/u.test(text)).length ?? 0;
const firstWordOf = ({ line }: Item): string => line?.words[0]?.text ?? '';

/** A line of a column, which wide gaps may have divided into several items. */
type WholeLine = Span & { words: number; size: number; firstWord: string; gaps: Span[] };

/**
 * Returns the lines of a column. In a narrow column, justified text has wide gaps that divide its
 * lines into several items.
 */
function wholeLines(column: readonly Item[]): WholeLine[] {
  const sorted = column.filter(({ line }) => line).sort((a, b) => a.base - b.base);
  return groupRows(sorted, shareBaseline).map((row) => {
    row.sort((a, b) => a.from - b.from);
    return {
      from: Math.min(...row.map(({ from }) => from)),
      to: Math.max(...row.map(({ to }) => to)),
      words: row.reduce((sum, item) => sum + countWords(item), 0),
      size: Math.max(...row.map(({ size }) => size)),
      firstWord: row[0] ? firstWordOf(row[0]) : '',
      gaps: gapsOf(row, 0),
    };
  });
}

/** Minimum number of lines for classifying a column, and minimum number of words per line. */
const minLines = 4;
const minWordsPerLine = 2.5;
/**
 * Minimum shares of lines that reach both edges and of lines that start within a sentence, and
 * maximum share of lines with a gap at the same position.
 */
const minFullShare = 0.5;
const minMidSentenceShare = 0.35;
const maxAlignedShare = 0.4;
/**
 * Maximum distance from a full line to the edge of its column, and of an indented line, in font
 * sizes.
 */
const maxEdgeDistance = 0.8;
const maxIndent = 3;

/**
 * Whether a column is justified running text. Its lines may have wide gaps, but the gaps are not
 * aligned, as they are in columns and tables.
 */
export function isJustified(column: readonly Item[]): boolean {
  if (column.some(({ line }) => line === null)) return false;
  const lines = wholeLines(column);
  const lineCount = lines.length;
  if (lineCount < minLines) return false;
  const from = Math.min(...lines.map((line) => line.from));
  const to = Math.max(...lines.map((line) => line.to));
  let [words, fullLines, midSentenceLines] = [0, 0, 0];
  for (const line of lines) {
    words += line.words;
    const reachesEnd = to - line.to <= maxEdgeDistance * line.size;
    if (reachesEnd && line.from - from <= maxEdgeDistance * line.size) fullLines += 1;
    if (line.gaps.length > 0 && (!reachesEnd || line.from - from > maxIndent * line.size))
      return false;
    if (/^\p{Ll}/u.test(line.firstWord)) midSentenceLines += 1;
  }
  if (
    words < minWordsPerLine * lineCount ||
    fullLines < minFullShare * lineCount ||
    midSentenceLines < minMidSentenceShare * lineCount
  )
    return false;
  const linesWithGaps = lines.filter(({ gaps }) => gaps.length > 0);
  return linesWithGaps.every(({ gaps, size }) =>
    gaps.every((gap) => {
      const sharing = linesWithGaps.filter((other) =>
        other.gaps.some(
          (one) => Math.min(one.to, gap.to) - Math.max(one.from, gap.from) >= 0.5 * size,
        ),
      );
      return sharing.length <= maxAlignedShare * lineCount;
    }),
  );
}

/** Minimum number of lines whose aligned gaps are not a coincidence. */
const minJoinedLines = 5;

/**
 * Minimum share of short lines in running text that start within a sentence, and not with a capital
 * or digit.
 */
const minContinuedShare = 0.2;

/**
 * Whether a column is running text: its lines have many words or fill the column, unlike the text
 * in tables.
 */
export function isProse(column: readonly Item[]): boolean {
  const joinedLines = wholeLines(column);
  const parts = column.filter(({ line }) => line !== null);
  const lines: readonly (Span & { words: number; firstWord: string })[] =
    joinedLines.length >= minJoinedLines
      ? joinedLines
      : parts.map((item) => {
          return {
            from: item.from,
            to: item.to,
            words: countWords(item),
            firstWord: firstWordOf(item),
          };
        });
  if (lines.length < 3) return false;
  const from = Math.min(...lines.map((line) => line.from));
  const to = Math.max(...lines.map((line) => line.to));
  let [wordCount, wordsInLongLines, longLines] = [0, 0, 0];
  for (const { words } of lines) {
    wordCount += words;
    if (words < 5) continue;
    longLines += 1;
    wordsInLongLines += words;
  }
  if (longLines >= 3 && wordsInLongLines >= 0.6 * wordCount) return true;
  const continuedLines = lines.filter(({ firstWord }) =>
    /^(?:\p{Ll}|\p{Lo})/u.test(firstWord),
  ).length;
  if (continuedLines < minContinuedShare * lines.length) return false;
  const fullLines = lines.filter((line) => line.to - line.from > 0.75 * (to - from)).length;
  return median(lines.map(({ words }) => words)) >= 3 && fullLines >= 0.5 * lines.length;
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
  if (columns.some((column) => column.some(({ opaqueIndex }) => opaqueIndex >= 0))) return false;
  if (columns.filter((column) => isProse(column) || isList(column)).length >= 2) return false;
  const items = columns.flat().sort((a, b) => a.base - b.base);
  const levelItems = groupRows(items, shareBaseline)
    .filter(({ length }) => length > 1)
    .flat();
  return levelItems.length >= 0.5 * items.length;
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
  const centredLines = lines.filter(
    ({ from, to, size }) => Math.abs((from + to) / 2 - middle) < 0.4 * size,
  );
  const indentedLines = lines.filter(({ from, size }) => Math.abs(from - start) > 0.5 * size);
  const linesWithWords = lines.filter(({ line }) =>
    line?.words.some(({ text }) => /\p{L}{3}/u.test(text)),
  );
  const lineCount = lines.length;
  return (
    centredLines.length >= 0.8 * lineCount &&
    indentedLines.length >= 0.25 * lineCount &&
    linesWithWords.length >= 0.7 * lineCount
  );
}
