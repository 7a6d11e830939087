import { applyToBox } from '../../geometry.ts';
import { isTurned } from '../../model/direction.ts';
import { asDisplayed, type LevelPage } from '../../model/words/level.ts';
import { isApart } from '../../model/words/lines.ts';
import type { PageWord } from '../../model/words/word.ts';
import type { Box } from '../../results.ts';
import { areLevel } from '../../rows.ts';
import type { Cell } from '../document.ts';
import type { Fixed } from './blocks.ts';
import { brokenHere } from './layout.ts';
import { asTurned, withBrackets } from './line-text.ts';
import { bullet, enumerator } from './paragraphs.ts';
import { type FoundTable, findTables, type PageRules, type Rule } from './tables/index.ts';

/** The maximum number of comparisons of a symbol with a line. */
const maxChecks = 2_000_000;
/**
 * The maximum distance, in points, between a line and a symbol that recognition read in its place.
 */
const near = 2;

/** Returns the lines and shaded areas of a page in the coordinates of the level page. */
function turnedRules(rules: PageRules, { toLevel }: LevelPage): PageRules {
  if (!toLevel) return rules;
  const turned: PageRules = { across: [], down: [], fills: [] };
  const add = (box: Box, thickness: number): void => {
    const [x0, y0, x1, y1] = applyToBox(toLevel, box);
    const rule = (from: number, to: number, at: number): Rule => ({ from, to, at, thickness });
    if (x1 - x0 >= y1 - y0) turned.across.push(rule(x0, x1, (y0 + y1) / 2));
    else turned.down.push(rule(y0, y1, (x0 + x1) / 2));
  };
  for (const { from, to, at, thickness } of rules.across) add([from, at, to, at], thickness);
  for (const { from, to, at, thickness } of rules.down) add([at, from, at, to], thickness);
  for (const fill of rules.fills) turned.fills.push(applyToBox(toLevel, fill));
  return turned;
}

/**
 * Returns the words of a cell as one text, with spaces, and marks where a word was broken at a line
 * end.
 */
function cellText(words: readonly PageWord[]): string {
  const turned = isTurned(words);
  let text = '';
  let last: PageWord | undefined;
  for (const word of words) {
    if (last) {
      const beside = areLevel(word, last);
      const [left, right] = last.box[0] <= word.box[0] ? [last, word] : [word, last];
      const raised = !beside && Math.abs(word.base - last.base) < 0.6 * last.size;
      if (beside || raised) text += isApart(left, right) ? ' ' : '';
      else if (/\p{L}-$/u.test(text) && /^\p{Ll}/u.test(word.text)) text += brokenHere;
      else text += ' ';
    }
    text += turned ? asTurned(word.text) : word.text;
    last = word;
  }
  return turned ? withBrackets(text.trim()) : text.trim();
}

function fixedOf(page: LevelPage, words: readonly PageWord[], table: FoundTable): Fixed {
  let [letters, sum] = [0, 0];
  const cells = table.cells.map((found): Cell => {
    const { row, column, rowSpan, columnSpan, header } = found;
    const own = found.words.flatMap((index) => words[index] ?? []);
    for (const { text, confidence } of own) {
      letters += text.length;
      sum += text.length * confidence;
    }
    const box = asDisplayed(page, found.box);
    return { row, column, rowSpan, columnSpan, header, text: cellText(own), box };
  });
  const { rows, columns, headerRows } = table;
  const confidence = letters === 0 ? 1 : Math.round((sum / letters) * 1000) / 1000;
  const box = asDisplayed(page, table.box);
  return {
    box: table.box,
    block: { kind: 'table', box, confidence, rows, columns, headerRows, cells },
  };
}

/** Whether a table is a list: markers on the left and items on the right, however well aligned. */
function isList({ by, columns, cells }: FoundTable, words: readonly PageWord[]): boolean {
  if (by === 'lattice' || columns > 2) return false;
  const first = cells.filter(({ column, columnSpan }) => column === 0 && columnSpan === 1);
  const texts = first.map((cell) => cellText(cell.words.flatMap((index) => words[index] ?? [])));
  const markers = texts.filter((text) => bullet.test(text) || enumerator.test(text)).length;
  return markers > 0 && markers >= 0.7 * texts.filter((text) => text !== '').length;
}

/** Whether a table consists of columns of running text, however well aligned. */
function isProse({ by, rows, columns, cells }: FoundTable, words: readonly PageWord[]): boolean {
  if (by === 'lattice' || rows < 4) return false;
  const counts: number[] = new Array(columns).fill(0);
  const filled: number[] = new Array(columns).fill(0);
  const lower: number[] = new Array(columns).fill(0);
  for (const { column, columnSpan, words: own } of cells) {
    if (own.length === 0 || columnSpan > 1) continue;
    counts[column] = (counts[column] ?? 0) + own.length;
    filled[column] = (filled[column] ?? 0) + 1;
    // Lines of running text begin in the middle of a sentence; entries of a table do not.
    const first = words[own[0] ?? -1]?.text ?? '';
    if (/^\p{Ll}/u.test(first)) lower[column] = (lower[column] ?? 0) + 1;
  }
  const prose = counts.filter((count, at) => {
    const of = filled[at] ?? 0;
    return of >= 4 && count >= 3.2 * of && (lower[at] ?? 0) >= 0.4 * of;
  });
  if (prose.length >= 2) return true;
  return by === 'alignment' && prose.length === 1 && columns === 2 && rows > 6;
}

/** Whether a table is carefully indented code, which is also aligned in columns. */
function isCode({ by, cells }: FoundTable, words: readonly PageWord[]): boolean {
  if (by !== 'alignment') return false;
  let [letters, mono] = [0, 0];
  for (const index of cells.flatMap((cell) => cell.words)) {
    const word = words[index];
    letters += word?.text.length ?? 0;
    if (word?.mono) mono += word.text.length;
  }
  return mono > 0.9 * letters;
}

/** Characters that recognition reads in place of a line. */
const lineSigns = /^[|¦_[\]]+$/u;

/** Returns the words without those that are misread lines. */
function withoutLines(
  words: readonly PageWord[],
  { across, down }: PageRules,
): readonly PageWord[] {
  const signs = words.filter(({ source, text }) => source === 'ocr' && lineSigns.test(text));
  if (signs.length === 0 || signs.length * (across.length + down.length) > maxChecks) return words;
  const touches = ([x0, y0, x1, y1]: Box): boolean =>
    across.some(({ from, to, at }) => at > y0 && at < y1 && to > x0 && from < x1) ||
    down.some(({ from, to, at }) => at > x0 && at < x1 && to > y0 && from < y1);
  const read = new Set(
    signs.filter(({ box: [x0, y0, x1, y1] }) => touches([x0 - near, y0, x1 + near, y1 + near])),
  );
  return words.filter((word) => !read.has(word));
}

/**
 * Returns the tables of a level page, and the words outside them. `running` contains the boxes of
 * running text.
 */
export function tablesOf(
  page: LevelPage,
  drawn: PageRules,
  all: readonly PageWord[],
  running: ReadonlySet<Box> = new Set(),
): { fixed: Fixed[]; others: PageWord[] } {
  const { width, height } = page;
  const rules = turnedRules(drawn, page);
  const words = withoutLines(all, rules);
  const found = findTables({
    ...rules,
    widthPt: width,
    heightPt: height,
    words,
    running,
  }).filter((table) => ![isList, isProse, isCode].some((is) => is(table, words)));
  const taken = new Set(found.flatMap(({ cells }) => cells.flatMap((cell) => cell.words)));
  return {
    fixed: found.map((table) => fixedOf(page, words, table)),
    others: words.filter((_, index) => !taken.has(index)),
  };
}
