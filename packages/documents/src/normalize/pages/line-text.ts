import { hasTurned, readingOrder, runsFromRight } from '../../model/direction.ts';
import { wordGap } from '../../model/measures.ts';
import { isApart, type SetWord } from '../../model/words/lines.ts';
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
function asRead(words: readonly SetWord[], turns: boolean): number[] {
  const places = readingOrder(words, turns);
  // Adjacent parts of a number run from left to right in every line.
  const parts = turns && words.some(({ text }) => arabic.test(text)) ? numericInArabic : numeric;
  for (let start = 0; turns && start < places.length; start += 1) {
    let end = start;
    while (end + 1 < places.length && isNumberPart(places[end] ?? 0, places[end + 1] ?? 0))
      end += 1;
    // Symbols before the first digit or after the last one are not part of the number.
    let [from, to] = [start, end];
    while (from < to && !hasDigit(places[from])) from += 1;
    while (from < to && !hasDigit(places[to])) to -= 1;
    const run = places.slice(from, to + 1).reverse();
    for (const [at, place] of run.entries()) places[from + at] = place;
    start = end;
  }
  return places;

  function hasDigit(place: number | undefined): boolean {
    return /\p{Nd}/u.test(words[place ?? -1]?.text ?? '');
  }

  /** Whether both words are parts of numbers and the second touches the first from the left. */
  function isNumberPart(right: number, left: number): boolean {
    const [a, b] = [words[left], words[right]];
    return (
      a !== undefined &&
      b !== undefined &&
      right === left + 1 &&
      parts.test(a.text) &&
      parts.test(b.text) &&
      !isApart(a, b)
    );
  }
}

function marksOf(word: SetWord, plain: boolean): Mark[] {
  const marks: Mark[] = [];
  if (word.bold && !plain) marks.push('bold');
  if (word.italic && !plain) marks.push('italic');
  if (word.mono && !plain) marks.push('code');
  if (word.raised) marks.push(word.raised);
  return marks;
}

/** Whether raised capitals are part of a logo, such as the A of LaTeX, and not a superscript. */
function isLogo(words: readonly SetWord[], at: number): boolean {
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

const mirrored: Readonly<Record<string, string>> = {
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
function bracketsAreTurned(words: readonly SetWord[]): boolean {
  let wrong = 0;
  const places = asRead(words, true);
  for (const [at, place] of places.entries()) {
    const word = words[place];
    const after = words[places[at + 1] ?? -1];
    const text = word?.text ?? '';
    const chars = [...text];
    const [first = '', last = ''] = [chars[0], chars.at(-1)];
    if (chars.length > 1) {
      // A word begins with an opening bracket and ends with a closing one.
      if (mirrored[first]) wrong += opening.has(first) ? -1 : 1;
      if (mirrored[last]) wrong += opening.has(last) ? 1 : -1;
    } else if (word && mirrored[first]) {
      const [left, right] = after && after.box[0] < word.box[0] ? [after, word] : [word, after];
      const blank = !left || !right || isApart(left, right);
      wrong += opening.has(first) === blank ? 1 : -1;
    }
  }
  return wrong > 0;
}

const opening = new Set('([{«');

/**
 * Returns a word of a right-to-left line. Symbols to the left of a number come after the number.
 */
export function asTurned(text: string, swaps = false): string {
  const plain = swaps ? text.replace(/[()[\]{}«»]/g, (char) => mirrored[char] ?? char) : text;
  return plain.replace(/^([%٪،؛؟!.,:;()[\]]+)(\p{Nd}[\p{Nd}.,:/٫٬-]*)$/u, '$2$1');
}

/**
 * Returns right-to-left text with its brackets in logical form, where spaces determine it: brackets
 * open after a space and close before a space or a full stop. Some fonts and programs mirror
 * brackets.
 */
export function withBrackets(text: string): string {
  if (!/[()[\]{}«»]/.test(text)) return text;
  return text.replace(/[()[\]{}«»]/g, (char, at: number) => {
    const starts = at === 0 || /[\s([{«]/.test(text[at - 1] ?? '');
    const ends = at + 1 === text.length || /[\s)\]}».,:;!?،؛؟۔]/.test(text[at + 1] ?? '');
    return starts !== ends && starts !== opening.has(char) ? (mirrored[char] ?? char) : char;
  });
}

const edge = /^([.,;:!?،؛؟()[\]«»]*)([\s\S]*?)([-–—()[\]«»]*)$/u;

/**
 * Splits symbols off the edges of left-to-right words in a right-to-left line. The symbols belong
 * to the line and are on the other side of the word in reading order.
 */
function withoutEdges(words: readonly SetWord[]): SetWord[] {
  return words.flatMap((word) => {
    const { text, box } = word;
    if (hasTurned(text) || !/[\p{L}\p{Nd}]/u.test(text)) return [word];
    const [, lead = '', core = '', trail = ''] = edge.exec(text) ?? [];
    // Brackets that open and close within a word belong to the word.
    if (lead + trail === '' || /[()[\]«»]/.test(core)) return [word];
    const width = (box[2] - box[0]) / text.length;
    let from = box[0];
    return [lead, core, trail].flatMap((part): SetWord[] => {
      if (part === '') return [];
      const to = from + width * part.length;
      const piece: SetWord = {
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
 * Returns the words of a line as text, separated by single spaces. `plain` omits formatting.
 * `fromRight` means that the surrounding text is right-to-left; the line then is right-to-left if
 * it contains any right-to-left word.
 */
export function spansOf(given: readonly SetWord[], plain = false, fromRight = false): Span[] {
  const spans: { text: string; marks: Mark[]; href: string | null }[] = [];
  let before = -1;
  const turned = runsFromRight(given, fromRight);
  const words = turned ? withoutEdges(given) : given;
  const swaps = turned && bracketsAreTurned(words);
  for (const place of asRead(words, turned)) {
    const found = words[place];
    if (!found) continue;
    const word = turned ? { ...found, text: asTurned(found.text, swaps) } : found;
    const [left, right] = [words[Math.min(before, place)], words[Math.max(before, place)]];
    const apart =
      before >= 0 && left && right && (Math.abs(before - place) > 1 || isApart(left, right));
    const last = spans.at(-1);
    const glued = (): boolean =>
      ideographic.test(word.text) && ideographic.test(last?.text.slice(-1) ?? '');
    const blank = apart && !glued() ? ' ' : '';
    before = place;
    const marks = marksOf(isLogo(words, place) ? { ...word, raised: null } : word, plain);
    const same =
      last &&
      last.href === word.href &&
      last.marks.join() === marks.join() &&
      !marks.some((mark) => mark.endsWith('script'));
    if (same) last.text += blank + word.text;
    else {
      // A space has the plainer formatting of the two words beside it.
      if (last && last.marks.length <= marks.length) {
        last.text += blank;
        spans.push({ text: word.text, marks, href: word.href });
      } else spans.push({ text: blank + word.text, marks, href: word.href });
    }
  }
  if (!turned) return spans;
  const text = withBrackets(spans.map((span) => span.text).join(''));
  let at = 0;
  return spans.map((span) => {
    const from = at;
    at += span.text.length;
    return { ...span, text: text.slice(from, at) };
  });
}

/** Returns a line of code, with spaces as wide as the gaps between the words. */
export function codeText(words: readonly SetWord[], left: number): string {
  let text = '';
  for (const word of words) {
    const advance = (word.box[2] - word.box[0]) / Math.max(1, word.text.length);
    const column = Math.round((word.box[0] - left) / Math.max(0.1, advance));
    if (column > text.length) text += ' '.repeat(Math.min(200, column - text.length));
    text += word.text;
  }
  return text;
}
