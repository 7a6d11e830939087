import { digitFor } from '../confusions.ts';
import { type Range, textAt } from './layout.ts';

/** Signs that a recogniser reads in place of a digit, and signs between the groups of a number. */
const odd = '#%&?!|¢§£€©®¥°*$~';
const digit = `[0-9${Object.keys(digitFor).join('').replace('|', '')}${odd.replace(/[$*?|]/g, '\\$&')}]`;
const between = "[ ./(),:;'’_~*-]{0,3}";
const ended = '(?![\\p{L}\\p{N}])';
/** The forms of numbers by length, regardless of their groups. */
const forms = {
  date: new RegExp(`^${digit}(?:${between}${digit}){4,10}${ended}`, 'u'),
  phone: new RegExp(`^[+(]{0,2}${digit}(?:${between}${digit}){6,15}${ended}`, 'u'),
} as const;
const withMonth = new RegExp(
  `^${digit}{1,2}[ .,-]{1,2}\\p{L}{3,12}[ .,-]{1,2}${digit}{4}${ended}`,
  'u',
);
/** Minimum share of the characters of a number that must have been read as digits. */
const minRead = 0.6;
/** The same for a telephone number that fills its place. */
const minReadAlone = 0.45;
const farthest = 64;

/** An e-mail address with spaces in it: text with an @, up to the end of its place. */
const spacedEmail = /^[^\s@]{1,40}(?: [^\s@]{1,24}){0,2} ?@ ?[^\s@]{1,40}(?: ?[^\s@]{1,24}){0,3}$/u;

/**
 * Reads text directly after a label that is almost a date, telephone number or e-mail address. For
 * recognised text, which may have signs in place of digits, groups that are joined, or wrong
 * separators.
 * @param alone whether the place contains only the value
 */
export function readMisread(
  text: string,
  { start, end }: Range,
  form: 'date' | 'phone' | 'email',
  alone: boolean,
): Range | null {
  const place = text.slice(start, Math.min(end, start + farthest));
  if (form === 'email') {
    const value = place.trimEnd();
    return alone && spacedEmail.test(value) ? { start, end: start + value.length } : null;
  }
  const found =
    textAt(place, 0, forms[form]) ?? (form === 'date' ? textAt(place, 0, withMonth) : null);
  if (found === null) return null;
  const signs = found.replace(/[ ./(),:;'’_~*+-]/g, '');
  const read = found.replace(/\D/g, '').length;
  const isWord = /\p{L}{3}/u.test(signs) && form === 'phone';
  const isWhole = alone && form === 'phone' && found.length === place.trimEnd().length;
  const min = isWhole ? minReadAlone : minRead;
  if (isWord || (read < min * signs.length && textAt(found, 0, withMonth) === null)) return null;
  return { start, end: start + found.length };
}

/** A sign in a group of letters and digits, where only a letter or digit is possible: `NL#5`. */
const inGroup = new RegExp(`(?<=[\\p{Lu}\\d])[${odd.replace(/[$*?|]/g, '\\$&')}](?=\\d)`, 'gu');

/** Returns a text with a digit in place of each such sign. */
export const withDigits = (text: string): string => text.replace(inGroup, '0');
