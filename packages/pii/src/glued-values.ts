import type { PiiFinding } from './finding.ts';
import { labelWords } from './labels/scan.ts';
import { type TextView, textViewOf } from './view.ts';

/** A number of at least six digits, with the separators of its groups. */
const number = /[+(]{0,2}\d(?:[ ./()-]{0,2}\d){5,29}/g;
/** A separate word directly before or after the number. */
const wordBefore = /(?<![\p{L}\p{N}])\p{L}{2,40}(?:[_-]\p{L}{2,20}){0,2}[_/=-]?$/u;
const restAfter = /^[\p{L}\p{N}]{0,24}/u;
const wordAfter = /^_?\p{L}{2,24}\d{0,6}$/u;
const maxWordLength = 84;
/** Short words in capitals may be codes or labels, so numbers after them are found by form only. */
const shortCode = /^\p{Lu}{2,3}$/u;
/** Letters at the end of a word that may be the start of the number. */
const numberPrefix = /^(?:\p{Lu}{1,6}|\p{L}{2})$/u;
const maxPrefix = 6;
/**
 * Minimum length of a number after two capitals, such as a country code, for the capitals to be
 * separate. Two capitals before a shorter number are part of the number.
 */
const minLengthAfterCode = 12;
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
  const findings: PiiFinding[] = [];
  for (const { index, 0: digits } of view.text.matchAll(number)) {
    for (const parts of separations(view, index, index + digits.length)) {
      const text = parts.map(([from, to]) => view.text.slice(from, to)).join(' ');
      const at = (position: number): number => positionInText(parts, position);
      const partView = textViewOf(text, view.recognised);
      const labelled = shortCode.test(text.split(' ', 1)[0] ?? '') ? [] : byLabel(partView);
      for (const { start, end, ...rest } of [...byForm(partView), ...labelled]) {
        if (ambiguous.has(rest.type) || !isGlued(parts, at(start), at(end - 1) + 1)) continue;
        const [first, last] = [view.original(at(start)), view.original(at(end - 1))];
        findings.push({ ...rest, start: first, end: last + 1 });
      }
    }
  }
  return findings;
}

/** Returns the ways to separate the words from a number; empty if no words are joined to it. */
function separations({ text, lower }: TextView, start: number, end: number): Parts[] {
  const from = Math.max(0, start - maxWordLength);
  const joinedWord = wordBefore.exec(text.slice(from, start))?.[0] ?? '';
  const isShort = /^\p{Lu}{2}$/u.test(joinedWord) && end - start < minLengthAfterCode;
  const wordBeforeNumber = isShort || isCodeBefore(joinedWord) ? '' : joinedWord;
  const textAfter = restAfter.exec(text.slice(end, end + maxWordLength))?.[0] ?? '';
  const stops = wordAfter.test(textAfter)
    ? [end, end + textAfter.length]
    : [end + textAfter.length];
  if (wordBeforeNumber === '') {
    if (joinedWord !== '' || stops.length === 1) return [];
    const after = [end, end + textAfter.length] as const;
    return [[[start, end], after]];
  }
  const word = start - wordBeforeNumber.length;
  // The first letters of the number may be joined to its label: `IBANAT61…`.
  const heads = [start];
  for (let head = start - 1; head > word + 1 && head >= start - maxPrefix; head -= 1) {
    const isOwn = numberPrefix.test(text.slice(head, start));
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
function isCodeBefore(joinedWord: string): boolean {
  if (!/[_/=-]$/.test(joinedWord)) return false;
  return !labelWords().has(joinedWord.slice(0, -1).split(/[_-]/).at(-1)?.toLowerCase() ?? '');
}

/** Returns the position in the text of a position in its parts. */
function positionInText(parts: Parts, position: number): number {
  let remaining = position;
  for (const [from, to] of parts) {
    if (remaining < to - from) return from + remaining;
    remaining -= to - from + 1;
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
