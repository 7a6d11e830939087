import { angleBetween, median } from '../../geometry.ts';
import { maxSkew } from '../../model/measures.ts';
import { type LevelPage, toDisplayBox, toLevelPage } from '../../model/words/level-page.ts';
import { mainSize } from '../../model/words/lines.ts';
import type { AngledWord, PageWord } from '../../model/words/word.ts';
import type { Box } from '../../results.ts';
import { groupRows } from '../../rows.ts';
import { layoutBlocks } from './blocks.ts';
import type { LayoutBlock } from './layout.ts';

const lineNumberPattern = /^\d{1,4}$/;
/** The minimum number of line numbers in a column. */
const minLineNumbers = 10;
/** Manuscripts number every line, or every fifth. */
const lineNumberSteps: readonly number[] = [1, 5];
/** The minimum share of numbers that follow the step, or are at the usual distance. */
const minRegularShare = 0.9;
/** The maximum share of words on one side of the numbers; the others are on the other side. */
const maxShareBeyond = 0.02;
/** The maximum deviation from the usual distance of two numbers, as a share of it. */
const maxPitchDeviation = 0.05;
/** The maximum size of small numbers, as a share of the main font size. */
const maxSmallSize = 0.85;

/** The minimum number of words in a line of running text. */
const minWordsPerLine = 6;
/** The distance between words from which it is a gap, such as between columns, in font sizes. */
const minGap = 1.6;
/** The minimum number of lines of running text beside the numbers, and their minimum share. */
const minProseRows = 5;
const minProseShare = 0.4;

/**
 * The maximum number of text directions on a page. More indicate a drawing; words in further
 * directions are left out.
 */
const maxDirections = 8;
/**
 * The maximum angle between the first word of a direction and another one, in degrees. Any two
 * words of the direction are then close enough to be level together.
 */
const maxDeviation = maxSkew / 2;

type Edge = (box: Box) => number;
const edges: readonly Edge[] = [(box) => box[0], (box) => box[2]];

/** Returns the columns of numbers that share a left or a right edge. */
function columnsOf(words: readonly PageWord[], edge: Edge): PageWord[][] {
  const sorted = [...words].sort((a, b) => edge(a.box) - edge(b.box));
  const columns = groupRows(sorted, (word, last) => edge(word.box) - edge(last.box) < 1);
  return columns.filter(({ length }) => length >= minLineNumbers);
}

/** Whether a column of numbers are the line numbers of adjacent running text. */
function areLineNumbers(column: readonly PageWord[], words: readonly PageWord[]): boolean {
  const numbers = column.toSorted((a, b) => a.base - b.base);
  const steps = numbers.slice(1).map((word, at) => Number(word.text) - Number(numbers[at]?.text));
  const step = median(steps);
  if (!lineNumberSteps.includes(step)) return false;
  if (steps.filter((other) => other === step).length < minRegularShare * steps.length) return false;
  const rows = rowsBeside(numbers, words);
  if (!rows) return false;
  return isSmallGrid(numbers, words) || areBesideProse(numbers, rows);
}

/**
 * Returns the other words by their rounded baselines; null if they are on both sides of the numbers
 * or between them.
 */
function rowsBeside(
  numbers: readonly PageWord[],
  words: readonly PageWord[],
): Map<number, PageWord[]> | null {
  const numberSet = new Set(numbers);
  const from = Math.min(...numbers.map(({ box }) => box[0]));
  const to = Math.max(...numbers.map(({ box }) => box[2]));
  const rows = new Map<number, PageWord[]>();
  let [before, after] = [0, 0];
  for (const word of words) {
    if (numberSet.has(word) || lineNumberPattern.test(word.text)) continue;
    if (word.box[2] <= from) before += 1;
    else if (word.box[0] >= to) after += 1;
    else return null;
    const key = Math.round(word.base);
    const row = rows.get(key);
    if (row) row.push(word);
    else rows.set(key, [word]);
  }
  return Math.min(before, after) > maxShareBeyond * (before + after) ? null : rows;
}

/** Whether numbers form a separate grid, independent of the text beside them, in small type. */
function isSmallGrid(numbers: readonly PageWord[], words: readonly PageWord[]): boolean {
  const pitches = numbers.slice(1).map((word, at) => word.base - (numbers[at]?.base ?? 0));
  const pitch = median(pitches);
  const regularCount = pitches.filter(
    (other) => Math.abs(other - pitch) < maxPitchDeviation * pitch,
  ).length;
  const maxSize = maxSmallSize * mainSize(words);
  const isSmall = numbers.every(({ size }) => size < maxSize);
  return (
    isSmall &&
    numbers.length >= 2 * minLineNumbers &&
    regularCount >= minRegularShare * pitches.length
  );
}

/** Whether enough of the numbers are beside lines of running text. */
function areBesideProse(
  numbers: readonly PageWord[],
  rows: ReadonlyMap<number, readonly PageWord[]>,
): boolean {
  let [rowsWithWords, proseRows] = [0, 0];
  for (const { base } of numbers) {
    const row = [-1, 0, 1].flatMap((offset) => rows.get(Math.round(base) + offset) ?? []);
    if (row.length === 0) continue;
    rowsWithWords += 1;
    row.sort((a, b) => a.box[0] - b.box[0]);
    const gaps = row.slice(1).filter((word, at) => {
      return word.box[0] - (row[at]?.box[2] ?? 0) > minGap * word.size;
    });
    if (row.length >= minWordsPerLine && gaps.length <= 1) proseRows += 1;
  }
  return proseRows >= minProseRows && proseRows >= minProseShare * rowsWithWords;
}

/** Separates line numbers, as in the margins of manuscripts, from the other words. */
export function splitLineNumbers(words: readonly PageWord[]): {
  words: PageWord[];
  numbers: PageWord[];
} {
  const candidates = words.filter(({ text }) => lineNumberPattern.test(text));
  const found = new Set<PageWord>();
  for (const edge of candidates.length < minLineNumbers ? [] : edges) {
    for (const column of columnsOf(candidates, edge)) {
      if (column.some((word) => found.has(word)) || !areLineNumbers(column, words)) continue;
      for (const word of column) found.add(word);
    }
  }
  if (found.size === 0) return { words: [...words], numbers: [] };
  return { words: words.filter((word) => !found.has(word)), numbers: [...found] };
}

/** Marks blocks as marginal, which means that they are not part of the text. */
const markMarginal = (blocks: readonly LayoutBlock[]): LayoutBlock[] =>
  blocks.map((block) => (block.kind === 'text' ? { ...block, margin: true } : block));

/** Returns line numbers as a separate block. */
export function lineNumberBlocks(page: LevelPage, numbers: readonly PageWord[]): LayoutBlock[] {
  return numbers.length === 0 ? [] : markMarginal(layoutBlocks(page, numbers, []));
}

/**
 * Returns the blocks of text whose direction differs from that of most text. They follow the other
 * blocks of the page. A stamp in the margin or a mark across the page is not part of the text. A
 * rotated table heading or a rotated table is part of it.
 */
export function rotatedBlocks(
  page: LevelPage,
  rotatedWords: readonly AngledWord[],
  size: { width: number; height: number },
): LayoutBlock[] {
  const groups: AngledWord[][] = [];
  for (const word of rotatedWords) {
    const group = groups.find(
      ([first]) => first && angleBetween(first.angle, word.angle) <= maxDeviation,
    );
    if (group) group.push(word);
    else if (groups.length < maxDirections) groups.push([word]);
  }
  const mainFontSize = mainSize(page.words);
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { box } of page.words) {
    const displayBox = toDisplayBox(page, box);
    left = Math.min(left, displayBox[0]);
    right = Math.max(right, displayBox[2]);
  }
  return groups.flatMap((group) => {
    const levelPage = toLevelPage(group, size);
    const blocks = layoutBlocks(levelPage, levelPage.words, []);
    return blocks.flatMap((block) => {
      const isSloping = (group[0]?.angle ?? 0) % 90 !== 0;
      const middle = (block.box[0] + block.box[2]) / 2;
      const isOutside = page.words.length > 0 && (middle < left || middle > right);
      const isLarge = block.kind === 'text' && (block.lines[0]?.size ?? 0) > 1.5 * mainFontSize;
      return isOutside || (isSloping && isLarge) ? markMarginal([block]) : [block];
    });
  });
}
