import { digitFor } from '../confusions.ts';
import { type Range, textAt } from './layout.ts';

/** Signs that a recogniser reads in place of a digit, and signs between the groups of a number. */
const oddSigns = '#%&?!|¢§£€©®¥°*$~';
const digitLike = `[0-9${Object.keys(digitFor).join('').replace('|', '')}${oddSigns.replace(/[$*?|]/g, '\\$&')}]`;
const groupSeparator = "[ ./(),:;'’_~*-]{0,3}";
const wordEnd = '(?![\\p{L}\\p{N}])';
/** The forms of numbers by length, regardless of their groups. */
const forms = {
  date: new RegExp(`^${digitLike}(?:${groupSeparator}${digitLike}){4,10}${wordEnd}`, 'u'),
  phone: new RegExp(`^[+(]{0,2}${digitLike}(?:${groupSeparator}${digitLike}){6,15}${wordEnd}`, 'u'),
} as const;
const withMonth = new RegExp(
  `^${digitLike}{1,2}[ .,-]{1,2}\\p{L}{3,12}[ .,-]{1,2}${digitLike}{4}${wordEnd}`,
  'u',
);
/** Minimum share of the characters of a number that must have been read as digits. */
const minReadShare = 0.6;
/** The same for a telephone number that fills its place, and if each of its groups has a digit. */
const minReadAlone = 0.45;
const minReadInGroups = 0.35;
const maxLength = 64;

/** An e-mail address with spaces in it: text with an @, up to the end of its place. */
const spacedEmail = /^[^\s@]{1,40}(?: [^\s@]{1,24}){0,2} ?@ ?[^\s@]{1,40}(?: ?[^\s@]{1,24}){0,3}$/u;

/**
 * Reads text directly after a label that resembles a date, telephone number or e-mail address. For
 * recognised text, which may have signs in place of digits, joined groups, or wrong separators.
 * @param isOnlyValue whether the range contains only the value
 */
export function readMisread(
  text: string,
  { start, end }: Range,
  form: 'date' | 'phone' | 'email',
  isOnlyValue: boolean,
): Range | null {
  const window = text.slice(start, Math.min(end, start + maxLength));
  if (form === 'email') {
    const value = window.trimEnd();
    return isOnlyValue && spacedEmail.test(value) ? { start, end: start + value.length } : null;
  }
  const matched =
    textAt(window, 0, forms[form]) ?? (form === 'date' ? textAt(window, 0, withMonth) : null);
  if (matched === null) return null;
  const signs = matched.replace(/[ ./(),:;'’_~*+-]/g, '');
  const readDigits = matched.replace(/\D/g, '').length;
  const isWord = /\p{L}{3}/u.test(signs) && form === 'phone';
  const isWhole = isOnlyValue && form === 'phone' && matched.length === window.trimEnd().length;
  const hasDigitInGroups = matched.match(/[^ ./()-]+/g)?.every((group) => /\d/.test(group));
  const minAlone = hasDigitInGroups ? minReadInGroups : minReadAlone;
  const min = isWhole ? minAlone : minReadShare;
  if (isWord || (readDigits < min * signs.length && textAt(matched, 0, withMonth) === null))
    return null;
  return { start, end: start + matched.length };
}

/** A sign in a group of letters and digits, where only a letter or digit is possible: `NL#5`. */
const signInGroup = new RegExp(
  `(?<=[\\p{Lu}\\d])[${oddSigns.replace(/[$*?|]/g, '\\$&')}](?=\\d)`,
  'gu',
);

/** Returns a text with a digit in place of each such sign. */
export const withDigits = (text: string): string => text.replace(signInGroup, '0');
