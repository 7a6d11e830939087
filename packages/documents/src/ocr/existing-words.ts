import { apply, displaySize, union } from '../geometry.ts';
import { isRightToLeftLine, readingOrder, runsRightToLeft } from '../model/direction.ts';
import { cellAscent, cellDescent, replacementCharacter } from '../model/measures.ts';
import { flowsOf } from '../model/order/index.ts';
import { orderItem } from '../model/order/items.ts';
import { withAccents } from '../model/words/accents.ts';
import { type LevelPage, toDisplayBox, toLevelPage } from '../model/words/level-page.ts';
import { hasSpaceBetween, type LineWord, type TextLine, textLines } from '../model/words/lines.ts';
import { toOwnText } from '../model/words/own-text.ts';
import type { AngledWord } from '../model/words/word.ts';
import type { Glyph } from '../pdf/page-glyphs.ts';
import type { PdfDocument } from '../pdf/pdfium.ts';
import type { Box, PageFrame } from '../results.ts';
import type { PageWords } from './page-words.ts';

/** Returns the box of a word, as high as all words of its font size. */
const boxOf = ({ box, base, size }: LineWord): Box => [
  box[0],
  base - cellAscent * size,
  box[2],
  base + cellDescent * size,
];

/**
 * Whether a raised number after a number or name is a footnote mark or an exponent, and not part of
 * the word.
 */
const isNoteMark = (left: LineWord, right: LineWord): boolean =>
  (left.raised === null) !== (right.raised === null) &&
  /\p{N}$|\p{L}{3}$/u.test(left.text) &&
  /^\p{N}/u.test(right.text);

/** Returns the words of a line in reading order. Parts of a word in different styles are joined. */
function wholeWords(line: TextLine, fromRight: boolean): { text: string; box: Box }[] {
  const parts = line.words.filter(({ text }) => text !== replacementCharacter);
  const words: { text: string; box: Box }[] = [];
  let previous = -1;
  for (const at of readingOrder(parts, runsRightToLeft(parts, fromRight))) {
    const part = parts[at];
    if (!part) continue;
    const last = words.at(-1);
    const [left, right] = [parts[Math.min(previous, at)], parts[Math.max(previous, at)]];
    const isBeside = left && right && Math.abs(previous - at) === 1;
    if (last && isBeside && !hasSpaceBetween(left, right) && !isNoteMark(left, right)) {
      last.text += part.text;
      last.box = union(last.box, boxOf(part));
    } else words.push({ text: part.text, box: boxOf(part) });
    previous = at;
  }
  return words;
}

function addLine(pageWords: PageWords, page: LevelPage, line: TextLine, fromRight: boolean): void {
  const words = wholeWords(line, fromRight);
  if (words.length === 0) return;
  for (const { text, box } of words) {
    pageWords.words.push({
      text,
      box: toDisplayBox(page, box),
      confidence: 1,
      line: pageWords.lines.length,
      source: 'pdf',
    });
  }
  const toDisplay = (x: number): [number, number] =>
    page.toDisplay ? apply(page.toDisplay, x, line.base) : [x, line.base];
  const [origin, end] = [toDisplay(line.from), toDisplay(line.to)];
  pageWords.lines.push({
    origin,
    angle: (Math.atan2(end[1] - origin[1], end[0] - origin[0]) * 180) / Math.PI,
    size: line.size * (cellAscent + cellDescent),
    paragraph: false,
  });
}

/**
 * Adds the lines of words, grouped by direction. The direction with the most letters comes first.
 */
function addLines(
  pageWords: PageWords,
  words: readonly AngledWord[],
  size: { width: number; height: number },
): void {
  for (let remaining = words; remaining.length > 0; ) {
    const page = toLevelPage(remaining, size);
    const level = withAccents(page.words);
    const fromRight = isRightToLeftLine(level);
    for (const { items } of flowsOf(
      textLines(level).map((line) => orderItem(line, line)),
      fromRight,
    )) {
      for (const { line } of items) if (line) addLine(pageWords, page, line, fromRight);
    }
    remaining = page.rotatedWords;
  }
}

/**
 * Returns the words of a page's text in reading order, in points as displayed. Words that are not
 * drawn come last, or are omitted if `visibleOnly` is set. The glyphs must come from `readText`,
 * and their page must still be loaded.
 */
export function existingWords(
  document: PdfDocument,
  glyphs: readonly Glyph[],
  frame: PageFrame,
  visibleOnly: boolean,
): PageWords {
  const { words, hidden } = toOwnText(document, glyphs);
  const pageWords: PageWords = { words: [], lines: [] };
  addLines(pageWords, words, displaySize(frame));
  if (!visibleOnly) addLines(pageWords, hidden, displaySize(frame));
  return pageWords;
}
