import type { Mark, Span } from '../document.ts';
import { isApart, type SetWord } from './lines.ts';
import { hasTurned, isTurned, leftToRight, turnedScript, wordGap } from './words/word.ts';

const ideographic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * Places of a line's words, from left to right, in the order they are read in: those of the other
 * direction than the line stand in it the other way round, with what is between them (UAX #9, as far as
 * the page tells).
 */
function asRead(words: readonly SetWord[]): number[] {
  const places = words.map((_, at) => at);
  if (!words.some(({ text }) => hasTurned(text))) return places;
  const turns = isTurned(words);
  if (turns) places.reverse();
  const isOther = (at: number): boolean => {
    const text = words[at]?.text ?? '';
    const right = turnedScript.test(text);
    return turns ? !right && leftToRight.test(text) : right;
  };
  const isOwn = (at: number): boolean => {
    const text = words[at]?.text ?? '';
    const right = turnedScript.test(text);
    return turns ? right : !right && leftToRight.test(text);
  };
  for (let start = 0; start < places.length; start += 1) {
    if (!isOther(places[start] ?? -1)) continue;
    let end = start;
    for (let at = start + 1; at < places.length; at += 1) {
      const place = places[at] ?? -1;
      if (isOwn(place)) break;
      if (isOther(place)) end = at;
    }
    const run = places.slice(start, end + 1).reverse();
    for (const [at, place] of run.entries()) places[start + at] = place;
    start = end;
  }
  // Numbers of several parts that touch run from left to right in any line.
  for (let start = 0; turns && start < places.length; start += 1) {
    let end = start;
    while (end + 1 < places.length && isNumberPart(places[end] ?? 0, places[end + 1] ?? 0))
      end += 1;
    if (end > start) {
      const run = places.slice(start, end + 1).reverse();
      for (const [at, place] of run.entries()) places[start + at] = place;
    }
    start = end;
  }
  return places;

  /** Both are numbers, and the second touches the first from the left. */
  function isNumberPart(right: number, left: number): boolean {
    const [a, b] = [words[left], words[right]];
    return (
      a !== undefined &&
      b !== undefined &&
      right === left + 1 &&
      /^[\d.,:/%-]+$/.test(a.text) &&
      /^[\d.,:/%-]+$/.test(b.text) &&
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

/** Letters raised or lowered within a word, as in the names of TeX and its kin, mean nothing by it. */
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

/** Whether brackets of a line from the right are written as they look and not as they are read. */
function bracketsAreTurned(words: readonly SetWord[]): boolean {
  let wrong = 0;
  const places = asRead(words);
  for (const [at, place] of places.entries()) {
    const word = words[place];
    const after = words[places[at + 1] ?? -1];
    const text = word?.text ?? '';
    const chars = [...text];
    const [first = '', last = ''] = [chars[0], chars.at(-1)];
    if (chars.length > 1) {
      // A word begins with what opens, and ends with what closes.
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

/** A word of a line from the right: signs that stand left of a number come after it. */
function asTurned(text: string, swaps: boolean): string {
  const plain = swaps ? text.replace(/[()[\]{}«»]/g, (char) => mirrored[char] ?? char) : text;
  return plain.replace(/^([%٪،؛؟!.,:;()[\]]+)(\d[\d.,:/-]*)$/, '$2$1');
}

/** The words of a line as read, with single blanks between them; `plain` leaves looks out. */
export function spansOf(words: readonly SetWord[], plain = false): Span[] {
  const spans: { text: string; marks: Mark[]; href: string | null }[] = [];
  let before = -1;
  const turned = isTurned(words);
  const swaps = turned && bracketsAreTurned(words);
  for (const place of asRead(words)) {
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
      // A blank belongs to the text that is set in the plainer way.
      if (last && last.marks.length <= marks.length) {
        last.text += blank;
        spans.push({ text: word.text, marks, href: word.href });
      } else spans.push({ text: blank + word.text, marks, href: word.href });
    }
  }
  return spans;
}

/** A line of code: blanks as wide as the gaps between its words. */
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
