import { hasRightToLeftLetters, readingOrder, runsRightToLeft } from '../../model/direction.ts';
import { wordGap } from '../../model/measures.ts';
import { hasSpaceBetween, type LineWord } from '../../model/words/lines.ts';
import type { Mark, Span } from '../document.ts';

/**
 * A number, part of a number, or a character that joins parts of numbers. After Arabic letters, a
 * hyphen does not join them.
 */
const numeric = /^[\p{Nd}.,:/%٪٫٬-]+$/u;
const numericInArabic = /^[\p{Nd}.,:/%٪٫٬]+$/u;
const arabic = /\p{Script=Arabic}/u;
const ideographic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * Returns the reading order of the words of a line, which are given from left to right. The parts
 * of a number are read as one number.
 */
function lineReadingOrder(words: readonly LineWord[], rightToLeft: boolean): number[] {
  const order = readingOrder(words, rightToLeft);
  // Adjacent parts of a number run from left to right in every line.
  const numberPart =
    rightToLeft && words.some(({ text }) => arabic.test(text)) ? numericInArabic : numeric;
  for (let start = 0; rightToLeft && start < order.length; start += 1) {
    let end = start;
    while (end + 1 < order.length && isNumberPart(order[end] ?? 0, order[end + 1] ?? 0)) end += 1;
    // Symbols before the first digit or after the last one are not part of the number.
    let [from, to] = [start, end];
    while (from < to && !hasDigit(order[from])) from += 1;
    while (from < to && !hasDigit(order[to])) to -= 1;
    const run = order.slice(from, to + 1).reverse();
    for (const [at, index] of run.entries()) order[from + at] = index;
    start = end;
  }
  return order;

  function hasDigit(index: number | undefined): boolean {
    return /\p{Nd}/u.test(words[index ?? -1]?.text ?? '');
  }

  /** Whether both words are parts of numbers and the second touches the first from the left. */
  function isNumberPart(right: number, left: number): boolean {
    const [a, b] = [words[left], words[right]];
    return (
      a !== undefined &&
      b !== undefined &&
      right === left + 1 &&
      numberPart.test(a.text) &&
      numberPart.test(b.text) &&
      !hasSpaceBetween(a, b)
    );
  }
}

function marksOf(word: LineWord, omitsStyle: boolean): Mark[] {
  const marks: Mark[] = [];
  if (word.bold && !omitsStyle) marks.push('bold');
  if (word.italic && !omitsStyle) marks.push('italic');
  if (word.mono && !omitsStyle) marks.push('code');
  if (word.raised) marks.push(word.raised);
  return marks;
}

/** Whether raised capitals are part of a logo, such as the A of LaTeX, and not a superscript. */
function isLogo(words: readonly LineWord[], at: number): boolean {
  const [before, word, after] = [words[at - 1], words[at], words[at + 1]];
  return (
    before !== undefined &&
    word?.raised != null &&
    after !== undefined &&
    !word.math &&
    /^\p{Lu}+$/u.test(word.text) &&
    /\p{L}$/u.test(before.text) &&
    /^\p{L}/u.test(after.text) &&
    !before.blankAfter &&
    !after.blankBefore &&
    after.box[0] - word.box[2] < wordGap * after.size &&
    word.box[0] - before.box[2] < wordGap * before.size
  );
}

const mirrorOf: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '«': '»',
  '»': '«',
};

/** Whether the brackets of a right-to-left line are stored as displayed and not in logical form. */
function areBracketsMirrored(words: readonly LineWord[]): boolean {
  let mirroredCount = 0;
  const order = lineReadingOrder(words, true);
  for (const [at, index] of order.entries()) {
    const word = words[index];
    const after = words[order[at + 1] ?? -1];
    const text = word?.text ?? '';
    const chars = [...text];
    const [first = '', last = ''] = [chars[0], chars.at(-1)];
    if (chars.length > 1) {
      // A word begins with an opening bracket and ends with a closing one.
      if (mirrorOf[first]) mirroredCount += opening.has(first) ? -1 : 1;
      if (mirrorOf[last]) mirroredCount += opening.has(last) ? 1 : -1;
    } else if (word && mirrorOf[first]) {
      const [left, right] = after && after.box[0] < word.box[0] ? [after, word] : [word, after];
      const blank = !left || !right || hasSpaceBetween(left, right);
      mirroredCount += opening.has(first) === blank ? 1 : -1;
    }
  }
  return mirroredCount > 0;
}

const opening = new Set('([{«');

/**
 * Returns a word of a right-to-left line. Symbols to the left of a number come after the number.
 */
export function toRightToLeftWord(text: string, mirrorsBrackets = false): string {
  const plain = mirrorsBrackets
    ? text.replace(/[()[\]{}«»]/g, (char) => mirrorOf[char] ?? char)
    : text;
  return plain.replace(/^([%٪،؛؟!.,:;()[\]]+)(\p{Nd}[\p{Nd}.,:/٫٬-]*)$/u, '$2$1');
}

/**
 * Returns right-to-left text with its brackets in logical form, where spaces determine it: brackets
 * open after a space and close before a space or a full stop. Some fonts and programs mirror
 * brackets.
 */
export function fixBrackets(text: string): string {
  if (!/[()[\]{}«»]/.test(text)) return text;
  return text.replace(/[()[\]{}«»]/g, (char, at: number) => {
    const isAtStart = at === 0 || /[\s([{«]/.test(text[at - 1] ?? '');
    const isAtEnd = at + 1 === text.length || /[\s)\]}».,:;!?،؛؟۔]/.test(text[at + 1] ?? '');
    return isAtStart !== isAtEnd && isAtStart !== opening.has(char)
      ? (mirrorOf[char] ?? char)
      : char;
  });
}

const edgeSigns = /^([.,;:!?،؛؟()[\]«»]*)([\s\S]*?)([-–—()[\]«»]*)$/u;

/**
 * Splits symbols off the edges of left-to-right words in a right-to-left line. The symbols belong
 * to the line and are on the other side of the word in reading order.
 */
function splitEdgeSigns(words: readonly LineWord[]): LineWord[] {
  return words.flatMap((word) => {
    const { text, box } = word;
    if (hasRightToLeftLetters(text) || !/[\p{L}\p{Nd}]/u.test(text)) return [word];
    const [, lead = '', core = '', trail = ''] = edgeSigns.exec(text) ?? [];
    // Brackets that open and close within a word belong to the word.
    if (lead + trail === '' || /[()[\]«»]/.test(core)) return [word];
    const width = (box[2] - box[0]) / text.length;
    let from = box[0];
    return [lead, core, trail].flatMap((part): LineWord[] => {
      if (part === '') return [];
      const to = from + width * part.length;
      const piece: LineWord = {
        ...word,
        text: part,
        box: [from, box[1], to, box[3]],
        blankBefore: word.blankBefore && from === box[0],
        blankAfter: word.blankAfter && part === (trail || core),
      };
      from = to;
      return [piece];
    });
  });
}

/**
 * Returns the words of a line as text, separated by single spaces. `omitsStyle` omits formatting.
 * `surroundingsRightToLeft` means that the surrounding text is right-to-left. The line is then
 * right-to-left if it contains any right-to-left word.
 */
export function spansOf(
  lineWords: readonly LineWord[],
  omitsStyle = false,
  surroundingsRightToLeft = false,
): Span[] {
  const spans: { text: string; marks: Mark[]; href: string | null }[] = [];
  let before = -1;
  const rightToLeft = runsRightToLeft(lineWords, surroundingsRightToLeft);
  const words = rightToLeft ? splitEdgeSigns(lineWords) : lineWords;
  const mirrorsBrackets = rightToLeft && areBracketsMirrored(words);
  for (const index of lineReadingOrder(words, rightToLeft)) {
    const found = words[index];
    if (!found) continue;
    const word = rightToLeft
      ? { ...found, text: toRightToLeftWord(found.text, mirrorsBrackets) }
      : found;
    const [left, right] = [words[Math.min(before, index)], words[Math.max(before, index)]];
    const isSeparate =
      before >= 0 &&
      left &&
      right &&
      (Math.abs(before - index) > 1 || hasSpaceBetween(left, right));
    const last = spans.at(-1);
    const areIdeographic = (): boolean =>
      ideographic.test(word.text) && ideographic.test(last?.text.slice(-1) ?? '');
    const blank = isSeparate && !areIdeographic() ? ' ' : '';
    before = index;
    const marks = marksOf(isLogo(words, index) ? { ...word, raised: null } : word, omitsStyle);
    const hasSameStyle =
      last &&
      last.href === word.href &&
      last.marks.join() === marks.join() &&
      !marks.some((mark) => mark.endsWith('script'));
    if (hasSameStyle) last.text += blank + word.text;
    else {
      // A space has the formatting of the word with fewer marks beside it.
      if (last && last.marks.length <= marks.length) {
        last.text += blank;
        spans.push({ text: word.text, marks, href: word.href });
      } else spans.push({ text: blank + word.text, marks, href: word.href });
    }
  }
  if (!rightToLeft) return spans;
  const text = fixBrackets(spans.map((span) => span.text).join(''));
  let at = 0;
  return spans.map((span) => {
    const from = at;
    at += span.text.length;
    return { ...span, text: text.slice(from, at) };
  });
}

/** Returns a line of code, with spaces as wide as the gaps between the words. */
export function codeText(words: readonly LineWord[], left: number): string {
  let text = '';
  let indent: number | undefined;
  const from = words[0]?.box[0] ?? left;
  for (const word of words) {
    const advance = Math.max(0.1, (word.box[2] - word.box[0]) / Math.max(1, word.text.length));
    indent ??= Math.round((from - left) / advance);
    // Gaps are measured from the start of the line, so that they do not depend on its column.
    const column = indent + Math.round((word.box[0] - from) / advance);
    if (column > text.length) text += ' '.repeat(Math.min(200, column - text.length));
    text += word.text;
  }
  return text;
}
