import { median } from '../../geometry.ts';
import { type LevelPage, toDisplayBox, toLevelPage } from '../../model/words/level-page.ts';
import { mainSize } from '../../model/words/lines.ts';
import type { AngledWord, PageWord } from '../../model/words/word.ts';
import type { Box } from '../../results.ts';
import { groupRows } from '../../rows.ts';
import { layoutBlocks } from './blocks.ts';
import type { LayoutBlock } from './layout.ts';

/** The minimum number of line numbers in a column. */
const minNumbers = 10;
/** The minimum number of words in a line of running text. */
const minWords = 6;
/** The maximum number of text directions on a page. More indicate a drawing. */
const maxDirections = 8;

type Edge = (box: Box) => number;
const edges: readonly Edge[] = [(box) => box[0], (box) => box[2]];

/** Returns groups of numbers that share a left or a right edge. */
function columnsOf(words: readonly PageWord[], edge: Edge): PageWord[][] {
  const sorted = [...words].sort((a, b) => edge(a.box) - edge(b.box));
  const columns = groupRows(sorted, (word, last) => edge(word.box) - edge(last.box) < 1);
  return columns.filter(({ length }) => length >= minNumbers);
}

/** Whether numbers are the line numbers of adjacent running text. */
function areLineNumbers(numbers: PageWord[], words: readonly PageWord[]): boolean {
  numbers.sort((a, b) => a.base - b.base);
  const steps = numbers.slice(1).map((word, at) => Number(word.text) - Number(numbers[at]?.text));
  const step = median(steps);
  if (step !== 1 && step !== 5) return false;
  if (steps.filter((one) => one === step).length < 0.9 * steps.length) return false;
  const numberSet = new Set(numbers);
  const from = Math.min(...numbers.map(({ box }) => box[0]));
  const to = Math.max(...numbers.map(({ box }) => box[2]));
  const rows = new Map<number, PageWord[]>();
  let [before, after] = [0, 0];
  for (const word of words) {
    if (numberSet.has(word) || /^\d{1,4}$/.test(word.text)) continue;
    if (word.box[2] <= from) before += 1;
    else if (word.box[0] >= to) after += 1;
    else return false;
    const key = Math.round(word.base);
    const row = rows.get(key);
    if (row) row.push(word);
    else rows.set(key, [word]);
  }
  if (Math.min(before, after) > 0.02 * (before + after)) return false;
  // The numbers form a separate grid, independent of the text beside them, in small type.
  const pitches = numbers.slice(1).map((word, at) => word.base - (numbers[at]?.base ?? 0));
  const pitch = median(pitches);
  const regularCount = pitches.filter((one) => Math.abs(one - pitch) < 0.05 * pitch).length;
  const maxSize = 0.85 * mainSize(words);
  const isSmall = numbers.every(({ size }) => size < maxSize);
  if (isSmall && numbers.length >= 2 * minNumbers && regularCount >= 0.9 * pitches.length)
    return true;
  let [rowsBeside, proseRows] = [0, 0];
  for (const { base } of numbers) {
    const row = [-1, 0, 1].flatMap((offset) => rows.get(Math.round(base) + offset) ?? []);
    if (row.length === 0) continue;
    rowsBeside += 1;
    row.sort((a, b) => a.box[0] - b.box[0]);
    const gaps = row.slice(1).filter((word, at) => {
      return word.box[0] - (row[at]?.box[2] ?? 0) > 1.6 * word.size;
    });
    if (row.length >= minWords && gaps.length <= 1) proseRows += 1;
  }
  return proseRows >= 5 && proseRows >= 0.4 * rowsBeside;
}

/** Separates line numbers, as in the margins of manuscripts, from the other words. */
export function splitLineNumbers(words: readonly PageWord[]): {
  words: PageWord[];
  numbers: PageWord[];
} {
  const candidates = words.filter(({ text }) => /^\d{1,4}$/.test(text));
  const found = new Set<PageWord>();
  for (const edge of candidates.length < minNumbers ? [] : edges) {
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
    const group = groups.find(([first]) => first && Math.abs(first.angle - word.angle) < 3);
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
