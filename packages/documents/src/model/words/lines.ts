import { median } from '../../geometry.ts';
import { isRightToLeftLine } from '../direction.ts';
import { replacementCharacter, wordGap } from '../measures.ts';
import { indexAt, type Row, splitRows } from './rows.ts';
import type { PageWord } from './word.ts';

/** A word of a line. */
export type LineWord = PageWord & {
  raised: 'superscript' | 'subscript' | null;
};

/** Adjacent words on one baseline, from left to right. Columns are separate lines. */
export type TextLine = {
  words: LineWord[];
  from: number;
  to: number;
  base: number;
  /** The font size of most letters. */
  size: number;
};

type WordRow = Row<LineWord>;

/**
 * Minimum gap between words of different styles, and patterns for the end and start of such words.
 */
const minStyleGap = 0.08;
const wordEnd = /[\p{L}\p{N}][,.;:]?$/u;
const wordStart = /^[\p{L}\p{N}]/u;

/** Returns the font size of most letters. */
export function mainSize(words: readonly PageWord[]): number {
  let best = 0;
  let max = 0;
  const letters = new Map<number, number>();
  for (const { size, text } of words) {
    const count = (letters.get(size) ?? 0) + text.length;
    letters.set(size, count);
    if (count > max) [best, max] = [size, count];
  }
  return best;
}

/** Copies a word field by field: later steps are faster if all objects have the same shape. */
const toLineWord = (word: PageWord): LineWord => ({
  text: word.text,
  box: word.box,
  base: word.base,
  size: word.size,
  blankBefore: word.blankBefore,
  blankAfter: word.blankAfter,
  confidence: word.confidence,
  source: word.source,
  mark: word.mark,
  href: word.href,
  bold: word.bold,
  italic: word.italic,
  mono: word.mono,
  math: word.math,
  raised: null,
});

/** Returns words grouped by baseline, from top to bottom. */
function wordRows(words: readonly PageWord[]): WordRow[] {
  const sorted = words.map(toLineWord);
  sorted.sort((a, b) => a.base - b.base);
  const rows: WordRow[] = [];
  for (const word of sorted) {
    let best: WordRow | undefined;
    for (let at = rows.length - 1; at >= Math.max(0, rows.length - 4); at -= 1) {
      const row = rows[at];
      if (!row) break;
      const offset = word.base - row.base;
      if (offset > Math.max(row.size, word.size)) break;
      const min = Math.min(row.size, word.size);
      if (offset <= (min < 0.8 * Math.max(row.size, word.size) ? 0.1 : 0.25) * min) {
        best = row;
        break;
      }
    }
    if (best) best.words.push(word);
    else rows.push({ words: [word], base: word.base, size: word.size });
  }
  for (const row of rows) {
    row.words.sort((a, b) => a.box[0] - b.box[0]);
    row.size = mainSize(row.words);
  }
  return rows;
}

/** Whether a word is the mark of a footnote, which may be at a distance from its text. */
const isFootnoteMark = ({ text, box, size }: LineWord, before: LineWord | undefined): boolean =>
  /^(?:\d{1,3}|[*∗†‡§¶‖]{1,3})$/.test(text) && (!before || box[0] - before.box[2] > 1.6 * size);

/** Moves superscripts and subscripts to the row of the adjacent words. */
function attachRaised(rows: readonly WordRow[]): WordRow[] {
  for (const [index, row] of rows.entries()) {
    const kept = row.words.filter((word) => {
      for (const step of [1, -1]) {
        for (let at = index + step; rows[at] && Math.abs(at - index) <= 3; at += step) {
          const other = rows[at];
          if (!other) break;
          const offset = other.base - word.base;
          if (Math.abs(offset) > 0.7 * other.size) break;
          if (word.size > 0.87 * other.size || Math.abs(offset) < 0.08 * other.size) continue;
          const position = indexAt(other, word.box[0]);
          const before = other.words[position - 1];
          const after = other.words[position];
          const isBeside =
            (before &&
              word.box[0] - before.box[2] < 0.35 * other.size &&
              word.box[0] - before.box[2] > -0.7 * before.size &&
              before.size > word.size) ||
            (after &&
              after.box[0] - word.box[2] <
                (isFootnoteMark(word, before) ? 1.3 : 0.35) * other.size &&
              after.size > word.size);
          if (!isBeside) continue;
          other.words.splice(position, 0, {
            ...word,
            raised: offset > 0 ? 'superscript' : 'subscript',
          });
          return false;
        }
      }
      return true;
    });
    row.words = kept;
  }
  return rows.filter(({ words }) => words.length > 0);
}

/**
 * Removes copies of text that is drawn twice in one place, which some programs do for bold text.
 */
function removeDoubles(row: WordRow): void {
  let last: LineWord | undefined;
  row.words = row.words.filter((word) => {
    const isDouble =
      last !== undefined &&
      last.text === word.text &&
      Math.abs(last.box[0] - word.box[0]) <
        Math.min(0.25 * word.size, 0.4 * (word.box[2] - word.box[0])) &&
      Math.abs(last.base - word.base) < 0.25 * word.size;
    if (isDouble && last) last.bold = true;
    else last = word;
    return !isDouble;
  });
}

export function lineOf(words: LineWord[]): TextLine {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  const plain = words.filter(({ raised }) => raised === null);
  const size = mainSize(plain.length > 0 ? plain : words);
  const bases: number[] = [];
  for (const { box, base, size: wordSize } of words) {
    from = Math.min(from, box[0]);
    to = Math.max(to, box[2]);
    if (wordSize === size) bases.push(base);
  }
  return { words, from, to, base: median(bases), size };
}

/**
 * Joins the words of a level page into lines, from top to bottom. A line never crosses a gap
 * between columns.
 */
export function textLines(words: readonly PageWord[]): TextLine[] {
  const rows = attachRaised(wordRows(words));
  for (const row of rows) {
    removeDoubles(row);
    // The numerator of an inline fraction is not a footnote mark.
    for (const [at, word] of row.words.entries()) {
      if (word.raised && row.words[at + 1]?.text.startsWith('\u2044')) word.raised = null;
    }
  }
  return splitRows(rows).flatMap((parts) => parts.map(lineOf));
}

/** Replaces a single unreadable character before a line with a bullet, and removes others. */
export function withBullets(words: readonly LineWord[]): LineWord[] {
  if (!words.some(({ text }) => text === replacementCharacter)) return [...words];
  const last = words.length - 1;
  const atStart = (at: number): boolean => at === 0 || (at === last && isRightToLeftLine(words));
  return words.flatMap((word, at) => {
    if (word.text !== replacementCharacter) return [word];
    const next = at === 0 ? words[1] : words[at - 1];
    const isAlone =
      next && !word.raised && Math.max(next.box[0] - word.box[2], word.box[0] - next.box[2]) > 0;
    return atStart(at) && isAlone ? [{ ...word, text: '•' }] : [];
  });
}

/** Whether a space separates two words of a line; `left` precedes `right` on the page. */
export function hasSpaceBetween(left: PageWord, right: PageWord): boolean {
  if (right.box[0] - left.box[2] >= wordGap * Math.min(left.size, right.size)) return true;
  // Fonts do not kern with each other: a narrow gap between two fonts is a compressed space.
  const changesStyle =
    left.italic !== right.italic || left.mono !== right.mono || left.bold !== right.bold;
  const isSqueezed = right.box[0] - left.box[2] >= minStyleGap * Math.min(left.size, right.size);
  if (changesStyle && isSqueezed && wordEnd.test(left.text) && wordStart.test(right.text))
    return true;
  return left.blankAfter || right.blankBefore;
}
