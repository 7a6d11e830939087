import { applyToBox } from '../../geometry.ts';
import { isRightToLeftLine } from '../../model/direction.ts';
import { type LevelPage, toDisplayBox } from '../../model/words/level-page.ts';
import { hasSpaceBetween } from '../../model/words/lines.ts';
import type { PageWord } from '../../model/words/word.ts';
import type { Box } from '../../results.ts';
import { shareBaseline } from '../../rows.ts';
import type { Cell } from '../document.ts';
import type { FixedItem } from './blocks.ts';
import { type ChartShapes, isChart } from './charts.ts';
import { lineEndHyphen } from './layout.ts';
import { fixBrackets, toRightToLeftWord } from './line-text.ts';
import { bullet, enumerator } from './paragraphs.ts';
import { type FoundTable, findTables, type PageRules, type Rule } from './tables/index.ts';

/** The maximum number of comparisons of a symbol with a line. */
const maxChecks = 2_000_000;
/**
 * The maximum distance, in points, between a line and the symbol that it was misread as.
 */
const maxSignDistance = 2;

/** Returns the lines and shaded areas of a page in the coordinates of the level page. */
function toLevelRules(rules: PageRules, { toLevel }: LevelPage): PageRules {
  if (!toLevel) return rules;
  const level: PageRules = { across: [], down: [], fills: [] };
  const add = (box: Box, thickness: number): void => {
    const [x0, y0, x1, y1] = applyToBox(toLevel, box);
    const rule = (from: number, to: number, at: number): Rule => ({ from, to, at, thickness });
    if (x1 - x0 >= y1 - y0) level.across.push(rule(x0, x1, (y0 + y1) / 2));
    else level.down.push(rule(y0, y1, (x0 + x1) / 2));
  };
  for (const { from, to, at, thickness } of rules.across) add([from, at, to, at], thickness);
  for (const { from, to, at, thickness } of rules.down) add([at, from, at, to], thickness);
  for (const fill of rules.fills) level.fills.push(applyToBox(toLevel, fill));
  return level;
}

/**
 * Returns the words of a cell as one text, with spaces, and marks where a word was broken at a line
 * end.
 */
function cellText(words: readonly PageWord[]): string {
  const rightToLeft = isRightToLeftLine(words);
  let text = '';
  let last: PageWord | undefined;
  for (const word of words) {
    if (last) {
      const isBeside = shareBaseline(word, last);
      const [left, right] = last.box[0] <= word.box[0] ? [last, word] : [word, last];
      const isRaised = !isBeside && Math.abs(word.base - last.base) < 0.6 * last.size;
      if (isBeside || isRaised) text += hasSpaceBetween(left, right) ? ' ' : '';
      else if (/\p{L}-$/u.test(text) && /^\p{Ll}/u.test(word.text)) text += lineEndHyphen;
      else text += ' ';
    }
    text += rightToLeft ? toRightToLeftWord(word.text) : word.text;
    last = word;
  }
  return rightToLeft ? fixBrackets(text.trim()) : text.trim();
}

function tableItem(page: LevelPage, words: readonly PageWord[], table: FoundTable): FixedItem {
  let [letters, sum] = [0, 0];
  const cells = table.cells.map((found): Cell => {
    const { row, column, rowSpan, columnSpan, header } = found;
    const cellWords = found.words.flatMap((index) => words[index] ?? []);
    for (const { text, confidence } of cellWords) {
      letters += text.length;
      sum += text.length * confidence;
    }
    const box = toDisplayBox(page, found.box);
    return { row, column, rowSpan, columnSpan, header, text: cellText(cellWords), box };
  });
  const { rows, columns, headerRows } = table;
  const confidence = letters === 0 ? 1 : Math.round((sum / letters) * 1000) / 1000;
  const box = toDisplayBox(page, table.box);
  return {
    box: table.box,
    block: { kind: 'table', box, confidence, rows, columns, headerRows, cells },
  };
}

/** Whether a table is an aligned list, with markers on the left and items on the right. */
function isList({ foundBy, columns, cells }: FoundTable, words: readonly PageWord[]): boolean {
  if (foundBy === 'lattice' || columns > 2) return false;
  const first = cells.filter(({ column, columnSpan }) => column === 0 && columnSpan === 1);
  const texts = first.map((cell) => cellText(cell.words.flatMap((index) => words[index] ?? [])));
  const markers = texts.filter((text) => bullet.test(text) || enumerator.test(text)).length;
  return markers > 0 && markers >= 0.7 * texts.filter((text) => text !== '').length;
}

/** Whether a table consists of aligned columns of running text. */
function isProse(
  { foundBy, rows, columns, cells }: FoundTable,
  words: readonly PageWord[],
): boolean {
  if (foundBy === 'lattice' || rows < 4) return false;
  const counts: number[] = new Array(columns).fill(0);
  const filledCells: number[] = new Array(columns).fill(0);
  const lowercaseStarts: number[] = new Array(columns).fill(0);
  for (const { column, columnSpan, words: own } of cells) {
    if (own.length === 0 || columnSpan > 1) continue;
    counts[column] = (counts[column] ?? 0) + own.length;
    filledCells[column] = (filledCells[column] ?? 0) + 1;
    // Lines of running text begin in the middle of a sentence; entries of a table do not.
    const first = words[own[0] ?? -1]?.text ?? '';
    if (/^\p{Ll}/u.test(first)) lowercaseStarts[column] = (lowercaseStarts[column] ?? 0) + 1;
  }
  const prose = counts.filter((count, at) => {
    const cellCount = filledCells[at] ?? 0;
    return (
      cellCount >= 4 && count >= 3.2 * cellCount && (lowercaseStarts[at] ?? 0) >= 0.4 * cellCount
    );
  });
  if (prose.length >= 2) return true;
  return foundBy === 'alignment' && prose.length === 1 && columns === 2 && rows > 6;
}

/** Whether a table is indented code, which is also aligned in columns. */
function isCode({ foundBy, cells }: FoundTable, words: readonly PageWord[]): boolean {
  if (foundBy !== 'alignment') return false;
  let [letters, mono] = [0, 0];
  for (const index of cells.flatMap((cell) => cell.words)) {
    const word = words[index];
    letters += word?.text.length ?? 0;
    if (word?.mono) mono += word.text.length;
  }
  return mono > 0.9 * letters;
}

/** Characters that lines are misread as. */
const lineSigns = /^[|¦_[\]]+$/u;

/** Returns the words except misread lines. */
function withoutMisreadLines(
  words: readonly PageWord[],
  { across, down }: PageRules,
): readonly PageWord[] {
  const signs = words.filter(({ source, text }) => source === 'ocr' && lineSigns.test(text));
  if (signs.length === 0 || signs.length * (across.length + down.length) > maxChecks) return words;
  const touches = ([x0, y0, x1, y1]: Box): boolean =>
    across.some(({ from, to, at }) => at > y0 && at < y1 && to > x0 && from < x1) ||
    down.some(({ from, to, at }) => at > x0 && at < x1 && to > y0 && from < y1);
  const misread = new Set(
    signs.filter(({ box: [x0, y0, x1, y1] }) =>
      touches([x0 - maxSignDistance, y0, x1 + maxSignDistance, y1 + maxSignDistance]),
    ),
  );
  return words.filter((word) => !misread.has(word));
}

const noShapes: ChartShapes = { drawings: [], swatches: [] };

/**
 * Returns the tables of a level page, and the words outside them. `proseBoxes` are the boxes of the
 * words of running text.
 */
export function tablesOf(
  page: LevelPage,
  pageRules: PageRules,
  allWords: readonly PageWord[],
  proseBoxes: ReadonlySet<Box> = new Set(),
  shapes: ChartShapes = noShapes,
): { fixedItems: FixedItem[]; otherWords: PageWord[] } {
  const { width, height } = page;
  const rules = toLevelRules(pageRules, page);
  const words = withoutMisreadLines(allWords, rules);
  const found = findTables({
    ...rules,
    widthPt: width,
    heightPt: height,
    words,
    running: proseBoxes,
  }).filter(
    (table) =>
      ![isList, isProse, isCode].some((is) => is(table, words)) && !isChart(table, words, shapes),
  );
  const tableWords = new Set(found.flatMap(({ cells }) => cells.flatMap((cell) => cell.words)));
  return {
    fixedItems: found.map((table) => tableItem(page, words, table)),
    otherWords: words.filter((_, index) => !tableWords.has(index)),
  };
}
