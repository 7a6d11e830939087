import { digitFor } from './confusions.ts';
import type { PiiFinding } from './finding.ts';
import { labelWords } from './labels/scan.ts';
import { isFrequentWord } from './language/evidence.ts';
import { isUsualWord } from './tagger/index.ts';
import { type TextView, textViewOf } from './view.ts';

/**
 * Characters that a recogniser reads in place of a digit in worn or typed print, in addition to the
 * common confusions.
 */
const wornSigns: Readonly<Record<string, string>> = {
  ...digitFor,
  ...{
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
  },
};
const sign = `[\\d${Object.keys(wornSigns)
  .join('')
  .replace(/[\\\]^$?|]/g, '\\$&')}]`;
/** Groups of digits, a few of which were misread. */
const number = new RegExp(
  `(?<![\\p{L}\\p{N}])\\+?${sign}(?:[ ./()-]{0,2}${sign}){6,24}(?![\\p{L}\\p{N}])`,
  'gu',
);
/** Minimum share of the characters of a number that must have been read as digits. */
const minRead = 0.7;

/** Groups of digits, as in a telephone number, in which one separator differs from the others. */
const parted =
  /(?<![\p{L}\p{N}][.,-]?)\+?\d{1,4}(?:[.,:; -]{1,2}\d{2,4}){3,6}(?![\p{L}\p{N}]|[.,]\d)/gu;

/** A sign in a group of digits that replaces one of them: `1¢19`. */
const strange = /(?<=\d[\p{L}\d]{0,3})[¢§£€©®¥°*?!¦](?=[\p{L}\d]{0,3}\d)/gu;

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
  const read = (start: number, end: number, digits: string): PiiFinding[] => {
    const [from, to] = around(text, start, end);
    const other = text.slice(from, start) + digits + text.slice(end, to);
    return find(textViewOf(other.replace(strange, '0'), true))
      .filter((one) => from + one.start < end && from + one.end > start)
      .map((one) => ({
        ...one,
        start: view.original(from + one.start),
        end: view.original(from + one.end - 1) + 1,
      }));
  };
  const worn = [...text.matchAll(number)].flatMap(({ index, 0: found }) => {
    const digits = asNumber(found);
    return digits === null ? [] : read(index, index + found.length, digits);
  });
  for (const { index, 0: found } of text.matchAll(parted)) {
    const digits = evenlyParted(found);
    if (digits !== null) worn.push(...read(index, index + found.length, digits));
  }
  // Nearby findings are read together.
  const broken: PiiFinding[] = [];
  const places = [...text.matchAll(strange)].map(({ index }) => index);
  for (let at = 0; at < places.length; ) {
    const first = places[at]!;
    while (at + 1 < places.length && places[at + 1]! < first + reach) at += 1;
    const end = places[at]! + 1;
    broken.push(...read(first, end, text.slice(first, end)));
    at += 1;
  }
  return [...worn, ...broken];
}

/**
 * Returns a number with digits in place of its signs. Null if it has no signs of worn print, or too
 * many.
 */
function asNumber(found: string): string | null {
  const signs = found.replace(/[ ./()+-]/g, '');
  const read = signs.replace(/\D/g, '').length;
  // Common confusions are handled by the forms.
  const isWorn = [...signs].some((one) => !/\d/.test(one) && !digitFor[one]);
  const isWord = found.split(/[ ./()+-]+/).some((group) => group !== '' && !/\d/.test(group));
  if (!isWorn || isWord || read < minRead * signs.length) return null;
  return found.replace(/[^\d ./()+-]/g, (one) => wornSigns[one] ?? one);
}

/**
 * Returns groups of digits with the same separator between all of them. Null if more than one
 * separator differs.
 */
function evenlyParted(found: string): string | null {
  const signs = found.match(/[.,:; -]+/g) ?? [];
  const usual = ['.', '-', ' '].find(
    (sign) => signs.filter((one) => one === sign).length === signs.length - 1,
  );
  return usual === undefined
    ? null
    : found.replace(/[.,:; -]+/g, (gap) => usual + ' '.repeat(gap.length - 1));
}

/** Distance around a number in which labels are searched for, in characters. */
const reach = 120;

/** Returns the range of text around a number: its line and the line above, within `reach`. */
function around(text: string, start: number, end: number): [from: number, to: number] {
  const line = text.lastIndexOf('\n', start - 1);
  const above = line < 0 ? 0 : text.lastIndexOf('\n', line - 1) + 1;
  const next = text.indexOf('\n', end);
  return [Math.max(above, start - reach), Math.min(next < 0 ? text.length : next, end + reach)];
}

/** A house number before or after its street. One of its digits may be misread or separate. */
const house = '[\\dlIOZSB|(]{1,4}[a-z]?(?: ?(?:bis|ter|quater))?';
const houseBefore = new RegExp(
  `(?:(?:^|[\\n\\t,:] ?)(?=[^ ]*[\\dlIOZSB|])|(?<![\\p{L}\\p{N}])(?=\\d))(${house},? )$`,
  'u',
);
const houseBehind = new RegExp(`^,? (?=[^ ]*\\d|[lI|][lI|])${house}(?![\\p{L}\\p{N}])`, 'u');

/** Extends an address to include its misread house number. */
export function withHouse(text: string, { start, end }: { start: number; end: number }) {
  const before = houseBefore.exec(text.slice(Math.max(0, start - 16), start))?.[1] ?? '';
  const behind = houseBehind.exec(text.slice(end, end + 12))?.[0] ?? '';
  return { start: start - before.length, end: end + behind.length };
}

const part = /(?:^|[\s:<(])([\p{Ll}\p{N}][\p{Ll}\p{N}._-]{0,30}) $/u;
const maxParts = 2;

/** Returns the start of an e-mail address that was read with spaces in it: `leo pold.anz@…`. */
export function startOfEmail(text: string, start: number): number {
  let from = start;
  for (let round = 0; round < maxParts; round += 1) {
    const word = part.exec(text.slice(Math.max(0, from - 34), from))?.[1];
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
