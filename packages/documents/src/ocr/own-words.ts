import { apply, displaySize, union } from '../geometry.ts';
import { isTurned, readingOrder, runsFromRight } from '../model/direction.ts';
import { cellAscent, cellDescent, unreadable } from '../model/measures.ts';
import { flowsOf } from '../model/order/index.ts';
import { orderItem } from '../model/order/items.ts';
import { withAccents } from '../model/words/accents.ts';
import { asDisplayed, type LevelPage, turnLevel } from '../model/words/level.ts';
import { isApart, type SetWord, type TextLine, textLines } from '../model/words/lines.ts';
import { ownText } from '../model/words/own.ts';
import type { LeaningWord } from '../model/words/word.ts';
import type { Glyph } from '../pdf/page-glyphs.ts';
import type { PdfDocument } from '../pdf/pdfium.ts';
import type { Box, PageFrame } from '../results.ts';
import type { PageWords } from './page-words.ts';

/** Returns the box of a word, as high as all words of its font size. */
const boxOf = ({ box, base, size }: SetWord): Box => [
  box[0],
  base - cellAscent * size,
  box[2],
  base + cellDescent * size,
];

/**
 * Whether a raised number after a number or name is a footnote mark or an exponent, and not part of
 * the word.
 */
const isNote = (left: SetWord, right: SetWord): boolean =>
  (left.raised === null) !== (right.raised === null) &&
  /\p{N}$|\p{L}{3}$/u.test(left.text) &&
  /^\p{N}/u.test(right.text);

/** Returns the words of a line in reading order. Parts of a word in different styles are joined. */
function wholeWords(line: TextLine, fromRight: boolean): { text: string; box: Box }[] {
  const parts = line.words.filter(({ text }) => text !== unreadable);
  const words: { text: string; box: Box }[] = [];
  let before = -1;
  for (const at of readingOrder(parts, runsFromRight(parts, fromRight))) {
    const part = parts[at];
    if (!part) continue;
    const last = words.at(-1);
    const [left, right] = [parts[Math.min(before, at)], parts[Math.max(before, at)]];
    const isBeside = left && right && Math.abs(before - at) === 1;
    if (last && isBeside && !isApart(left, right) && !isNote(left, right)) {
      last.text += part.text;
      last.box = union(last.box, boxOf(part));
    } else words.push({ text: part.text, box: boxOf(part) });
    before = at;
  }
  return words;
}

function addLine(found: PageWords, page: LevelPage, line: TextLine, fromRight: boolean): void {
  const words = wholeWords(line, fromRight);
  if (words.length === 0) return;
  for (const { text, box } of words) {
    found.words.push({
      text,
      box: asDisplayed(page, box),
      confidence: 1,
      line: found.lines.length,
      source: 'pdf',
    });
  }
  const shown = (x: number): [number, number] =>
    page.toDisplay ? apply(page.toDisplay, x, line.base) : [x, line.base];
  const [origin, end] = [shown(line.from), shown(line.to)];
  found.lines.push({
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
  found: PageWords,
  words: readonly LeaningWord[],
  size: { width: number; height: number },
): void {
  for (let left = words; left.length > 0; ) {
    const page = turnLevel(left, size);
    const level = withAccents(page.words);
    const fromRight = isTurned(level);
    for (const { items } of flowsOf(
      textLines(level).map((line) => orderItem(line, line)),
      fromRight,
    )) {
      for (const { line } of items) if (line) addLine(found, page, line, fromRight);
    }
    left = page.aside;
  }
}

/**
 * Returns the words of a page's text in reading order, in points as displayed. Words that are not
 * drawn come last, or are omitted if `visibleOnly` is set. The glyphs must come from `readText`,
 * and their page must still be loaded.
 */
export function ownWords(
  document: PdfDocument,
  glyphs: readonly Glyph[],
  frame: PageFrame,
  visibleOnly: boolean,
): PageWords {
  const { words, hidden } = ownText(document, glyphs);
  const found: PageWords = { words: [], lines: [] };
  addLines(found, words, displaySize(frame));
  if (!visibleOnly) addLines(found, hidden, displaySize(frame));
  return found;
}
