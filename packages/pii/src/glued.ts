import type { PiiFinding } from './finding.ts';
import { labelWords } from './labels/scan.ts';
import { type TextView, textViewOf } from './view.ts';

/** A number of at least six digits, with the separators of its groups. */
const number = /[+(]{0,2}\d(?:[ ./()-]{0,2}\d){5,29}/g;
/** A separate word directly before or after the number. */
const wordBefore = /(?<![\p{L}\p{N}])\p{L}{2,40}(?:[_-]\p{L}{2,20}){0,2}[_/=-]?$/u;
const restBehind = /^[\p{L}\p{N}]{0,24}/u;
const wordBehind = /^_?\p{L}{2,24}\d{0,6}$/u;
const longestWord = 84;
/** Short words in capitals are codes as well as labels. Only a form counts after them. */
const code = /^\p{Lu}{2,3}$/u;
/** Letters at the end of a word that may be the start of the number. */
const own = /^(?:\p{Lu}{1,6}|\p{L}{2})$/u;
const maxOwn = 6;
/**
 * Minimum length of a number after two capitals, such as a country code, for the capitals to be
 * separate. Two capitals before a shorter number are part of the number.
 */
const shortestOfCode = 12;
/** Types that can only be distinguished from other numbers by the context. */
const ambiguous: ReadonlySet<string> = new Set(['DATE_TIME', 'AGE', 'URL']);

type Reader = (view: TextView) => PiiFinding[];

/** Ranges of a text that are read with a space between them. */
type Parts = readonly (readonly [from: number, to: number])[];

/**
 * Finds values that are joined to words: `callback630-555-0147`, `SSN219-09-9999`,
 * `4111111111111111exp`. A value is identified by its form and by the words joined to it, not by
 * the surrounding text.
 * @param byForm finds the number by its form, separated from the words
 * @param byLabel finds the number by the words as labels
 */
export function findGlued(view: TextView, byForm: Reader, byLabel: Reader): PiiFinding[] {
  const found: PiiFinding[] = [];
  for (const { index, 0: digits } of view.text.matchAll(number)) {
    for (const parts of readings(view, index, index + digits.length)) {
      const text = parts.map(([from, to]) => view.text.slice(from, to)).join(' ');
      const at = (position: number): number => placeOf(parts, position);
      const own = textViewOf(text, view.recognised);
      const labelled = code.test(text.split(' ', 1)[0] ?? '') ? [] : byLabel(own);
      for (const { start, end, ...rest } of [...byForm(own), ...labelled]) {
        if (ambiguous.has(rest.type) || !isGlued(parts, at(start), at(end - 1) + 1)) continue;
        const [first, last] = [view.original(at(start)), view.original(at(end - 1))];
        found.push({ ...rest, start: first, end: last + 1 });
      }
    }
  }
  return found;
}

/** Returns the ways to separate the words from a number; empty if no words are joined to it. */
function readings({ text, lower }: TextView, start: number, end: number): Parts[] {
  const from = Math.max(0, start - longestWord);
  const joined = wordBefore.exec(text.slice(from, start))?.[0] ?? '';
  const isShort = /^\p{Lu}{2}$/u.test(joined) && end - start < shortestOfCode;
  const before = isShort || isCodeBefore(joined) ? '' : joined;
  const rest = restBehind.exec(text.slice(end, end + longestWord))?.[0] ?? '';
  const stops = wordBehind.test(rest) ? [end, end + rest.length] : [end + rest.length];
  if (before === '') {
    if (joined !== '' || stops.length === 1) return [];
    const behind = [end, end + rest.length] as const;
    return [[[start, end], behind]];
  }
  const word = start - before.length;
  // The first letters of the number may be joined to its label: `IBANAT61…`.
  const heads = [start];
  for (let head = start - 1; head > word + 1 && head >= start - maxOwn; head -= 1) {
    const isOwn = own.test(text.slice(head, start));
    if (isOwn && labelWords().has(lower.slice(word, head))) heads.push(head);
  }
  return heads.flatMap((head) =>
    stops.map(
      (stop): Parts => [
        [word, head],
        [head, stop],
      ],
    ),
  );
}

/**
 * Whether a sign joins the number to letters that do not name its kind, as in codes: `INV-2024…`.
 */
function isCodeBefore(joined: string): boolean {
  if (!/[_/=-]$/.test(joined)) return false;
  return !labelWords().has(joined.slice(0, -1).split(/[_-]/).at(-1)?.toLowerCase() ?? '');
}

/** Returns the position in the text of a position in its parts. */
function placeOf(parts: Parts, position: number): number {
  let left = position;
  for (const [from, to] of parts) {
    if (left < to - from) return from + left;
    left -= to - from + 1;
  }
  return parts.at(-1)?.[1] ?? 0;
}

/** Whether a range is in one part and touches an end from which another part was separated. */
function isGlued(parts: Parts, start: number, end: number): boolean {
  return parts.some(([from, to], at) => {
    if (start < from || end > to) return false;
    return at > 0 ? start <= from + 2 : end >= to - 1;
  });
}
