import { digitFor } from './confusions.ts';
import type { PiiFinding } from './finding.ts';
import { labelWords } from './labels/scan.ts';
import { isFrequentWord } from './language/evidence.ts';
import { rowOfAmounts } from './recognisers/phone.ts';
import { isUsualWord } from './tagger/index.ts';
import { type TextView, textViewOf } from './view.ts';

/**
 * Characters that a recogniser reads in place of a digit in worn or typed print, in addition to the
 * common confusions.
 */
const wornDigits: Readonly<Record<string, string>> = {
  ...digitFor,
  U: '0',
  C: '0',
  A: '4',
  T: '7',
  '?': '7',
  '£': '6',
  '§': '5',
  $: '5',
  E: '6',
  R: '8',
  '&': '8',
  L: '1',
  б: '6',
  З: '3',
  з: '3',
};
const signClass = `[\\d${Object.keys(wornDigits)
  .join('')
  .replace(/[\\\]^$?|]/g, '\\$&')}]`;
/** Groups of digits, a few of which were misread. */
const misreadNumber = new RegExp(
  `(?<![\\p{L}\\p{N}])\\+?${signClass}(?:[ ./()-]{0,2}${signClass}){6,24}(?![\\p{L}\\p{N}])`,
  'gu',
);
/** Minimum share of the characters of a number that must have been read as digits. */
const minReadShare = 0.7;

/** Groups of digits, as in a telephone number, in which one separator differs from the others. */
const groupedNumber =
  /(?<![\p{L}\p{N}][.,-]?)\+?\d{1,4}(?:[.,:; -]{1,2}\d{2,4}){3,6}(?![\p{L}\p{N}]|[.,]\d)/gu;

/** A sign in place of a digit in a group of digits: `1¢19`. */
const strangeSign = /(?<=\d[\p{L}\d]{0,3})[¢§£€©®¥°*?!¦](?=[\p{L}\d]{0,3}\d)/gu;

/**
 * Finds values in text from pictures by correcting misread characters: signs are replaced with
 * digits in positions where only a digit is possible.
 * @param find the function that finds values in a text
 */
export function findAlternatives(
  view: TextView,
  find: (view: TextView) => PiiFinding[],
): PiiFinding[] {
  if (!view.recognised) return [];
  const { text } = view;
  const readWith = (start: number, end: number, digits: string): PiiFinding[] => {
    const [from, to] = surroundingRange(text, start, end);
    const corrected = text.slice(from, start) + digits + text.slice(end, to);
    return find(textViewOf(corrected.replace(strangeSign, '0'), true))
      .filter((one) => from + one.start < end && from + one.end > start)
      .map((one) => ({
        ...one,
        start: view.original(from + one.start),
        end: view.original(from + one.end - 1) + 1,
      }));
  };
  const findings = [...text.matchAll(misreadNumber)].flatMap(({ index, 0: found }) => {
    const digits = toDigits(found);
    return digits === null ? [] : readWith(index, index + found.length, digits);
  });
  for (const { index, 0: found } of text.matchAll(groupedNumber)) {
    const digits = rowOfAmounts.test(found) ? null : withEvenSeparators(found);
    if (digits !== null) findings.push(...readWith(index, index + found.length, digits));
  }
  // Strange signs that are close to each other are read together.
  const brokenFindings: PiiFinding[] = [];
  const positions = [...text.matchAll(strangeSign)].map(({ index }) => index);
  for (let at = 0; at < positions.length; ) {
    const first = positions[at]!;
    while (at + 1 < positions.length && positions[at + 1]! < first + searchDistance) at += 1;
    const end = positions[at]! + 1;
    brokenFindings.push(...readWith(first, end, text.slice(first, end)));
    at += 1;
  }
  return [...findings, ...brokenFindings];
}

/**
 * Returns a number with digits in place of its signs. Null if it has no signs of worn print, or too
 * many.
 */
function toDigits(text: string): string | null {
  const signs = text.replace(/[ ./()+-]/g, '');
  const readCount = signs.replace(/\D/g, '').length;
  // Common confusions are handled by the forms.
  const isWorn = [...signs].some((one) => !/\d/.test(one) && !digitFor[one]);
  const isWord = text.split(/[ ./()+-]+/).some((group) => group !== '' && !/\d/.test(group));
  if (!isWorn || isWord || readCount < minReadShare * signs.length) return null;
  return text.replace(/[^\d ./()+-]/g, (one) => wornDigits[one] ?? one);
}

/**
 * Returns groups of digits with the same separator between all of them. Null if more than one
 * separator differs.
 */
function withEvenSeparators(text: string): string | null {
  const signs = text.match(/[.,:; -]+/g) ?? [];
  const separator = ['.', '-', ' '].find(
    (sign) => signs.filter((one) => one === sign).length === signs.length - 1,
  );
  return separator === undefined
    ? null
    : text.replace(/[.,:; -]+/g, (gap) => separator + ' '.repeat(gap.length - 1));
}

/** Distance around a number in which labels are searched for, in characters. */
const searchDistance = 120;

/** Returns the text around a number: its line and the line above, within `searchDistance`. */
function surroundingRange(text: string, start: number, end: number): [from: number, to: number] {
  const line = text.lastIndexOf('\n', start - 1);
  const startOfLineAbove = line < 0 ? 0 : text.lastIndexOf('\n', line - 1) + 1;
  const next = text.indexOf('\n', end);
  return [
    Math.max(startOfLineAbove, start - searchDistance),
    Math.min(next < 0 ? text.length : next, end + searchDistance),
  ];
}

/** A house number before or after its street. One of its digits may be misread or separate. */
const houseNumber = '[\\dlIOZSB|(]{1,4}[a-z]?(?: ?(?:bis|ter|quater))?';
const houseBefore = new RegExp(
  `(?:(?:^|[\\n\\t,:] ?)(?=[^ ]*[\\dlIOZSB|])|(?<![\\p{L}\\p{N}])(?=\\d))(${houseNumber},? )$`,
  'u',
);
const houseAfter = new RegExp(`^,? (?=[^ ]*\\d|[lI|][lI|])${houseNumber}(?![\\p{L}\\p{N}])`, 'u');

/** Extends an address to include its misread house number. */
export function withHouseNumber(text: string, { start, end }: { start: number; end: number }) {
  const before = houseBefore.exec(text.slice(Math.max(0, start - 16), start))?.[1] ?? '';
  const after = houseAfter.exec(text.slice(end, end + 12))?.[0] ?? '';
  return { start: start - before.length, end: end + after.length };
}

const emailPart = /(?:^|[\s:<(])([\p{Ll}\p{N}][\p{Ll}\p{N}._-]{0,30}) $/u;
const maxParts = 2;

/** Returns the start of an e-mail address that was read with spaces in it: `leo pold.anz@…`. */
export function startOfEmail(text: string, start: number): number {
  let from = start;
  for (let round = 0; round < maxParts; round += 1) {
    const word = emailPart.exec(text.slice(Math.max(0, from - 34), from))?.[1];
    if (
      !word ||
      word.split(/[._-]/).some((one) => labelWords().has(one)) ||
      isFrequentWord(word) ||
      isUsualWord(word)
    )
      return from;
    from -= word.length + 1;
  }
  return from;
}
