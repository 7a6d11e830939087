import { looksLikeDigit } from '../confusions.ts';
import type { TextView } from '../view.ts';
import { type Range, textAt } from './layout.ts';
import { readAddress, readName, readText } from './prose.ts';

/** How many of each a number has at least and at most, wrong lengths included. */
interface NumberForm {
  digits: readonly [least: number, most: number];
  letters: readonly [least: number, most: number];
  /** Both together. */
  signs?: readonly [least: number, most: number];
}

/** The loosest form that a kind of value can have. */
export type LabelForm =
  | NumberForm
  | (
      | 'bic'
      | 'plate'
      | 'nationalPlate'
      | 'handle'
      | 'date'
      | 'phone'
      | 'email'
      | 'name'
      | 'address'
      | 'text'
    );

/** Where a value may be read: from `start` to the end of its cell, before the next label. */
export interface Place extends Range {
  view: TextView;
}

const group = /^[A-Za-z0-9]+/;
const joint = /^(?: ?[-./+] ?| )/;
/** A date, time or amount: not a group of the number before it. */
const other = /^\d{1,4}[./:,]\d/;
/** A quantity with its unit. */
const measure = /^\d+(?:[cdkm]?m|[km]?g|[cdm]?l|k[wmb]|[mg]b|px|pt|ms|st|nd|rd|th)$/;
/** A check digit in brackets. */
const checkSign = /^ ?\([0-9A-Z]\)/;
const misread = new RegExp(`^[${looksLikeDigit}]+$`);
const mostGroups = 24;

/** The letters of a group count as digits if they may be misread ones: `46O`. */
function countOf(signs: string, form: NumberForm): { digits: number; letters: number } {
  const digits = signs.replace(/\D/g, '').length;
  const letters = signs.length - digits;
  return form.letters[1] === 0 && digits * 2 >= signs.length && misread.test(signs)
    ? { digits: signs.length, letters: 0 }
    : { digits, letters };
}

/** Groups of letters and digits, as far as they fit the form. */
function readNumber({ view: { text }, start, end }: Place, form: NumberForm): Range | null {
  const most = form.signs?.[1] ?? form.digits[1] + form.letters[1];
  let [digits, letters] = [0, 0];
  let stop = -1;
  let at = start;
  let usual = '';
  for (let round = 0; round < mostGroups; round += 1) {
    const signs = textAt(text, at, group);
    if (!signs || at + signs.length > end) break;
    const own = countOf(signs, form);
    if (measure.test(signs)) break;
    if (own.digits === 0 && (signs.length > 6 || signs !== signs.toUpperCase())) break;
    digits += own.digits;
    letters += own.letters;
    if (digits > form.digits[1] || letters > form.letters[1] || digits + letters > most) break;
    at += signs.length;
    // Letters behind the digits are the number's only if they are its last sign.
    if (own.digits > 0 || (signs.length === 1 && stop > 0)) stop = at;
    const gap = textAt(text, at, joint) ?? '';
    if (gap === '') break;
    if (gap === ' ' && stop > 0 && usual !== '.' && textAt(text, at + 1, other) !== null) break;
    usual = gap;
    at += gap.length;
  }
  if (stop < 0) return null;
  stop += textAt(text, stop, checkSign)?.length ?? 0;
  // A month or the number of a paper of a year.
  if (/^\d{1,2}\/(?:19|20)\d\d$/.test(text.slice(start, stop))) return null;
  const value = text.slice(start, stop).replace(/[^A-Za-z0-9]/g, '');
  const found = countOf(value, form);
  const fits =
    found.digits >= form.digits[0] &&
    found.letters >= form.letters[0] &&
    value.length >= (form.signs?.[0] ?? 0);
  // A number that goes on belongs to something longer.
  return fits && !/[A-Za-z0-9]/.test(text[stop] ?? '') ? { start, end: stop } : null;
}

const month = '[\\p{L}]{3,12}\\.?';
const day = '\\d{1,2}(?:st|nd|rd|th|er|\\.|o|°|º|ª)?';
const dates: readonly RegExp[] = [
  new RegExp(
    `^${day}(?: ?[-/. ] ?| (?:de |of )?)${month}(?: ?[-/.,] ?| (?:de |del |of )?)\\d{2,4}`,
    'u',
  ),
  new RegExp(`^${month} ${day},? ?\\d{2,4}`, 'u'),
  /^\d{1,4} ?[-/. ] ?\d{1,2} ?[-/. ] ?\d{2,4}/,
  /^\d{4}年 ?\d{1,2}月 ?\d{1,2}日/,
  /^\d{1,2}[-/.]\d{4}/,
  /^(?:\d{8}|\d{6}|(?:18|19|20)\d\d)/,
];
const patterns = {
  plate: [
    /^(?=[A-ZÄÖÜ -]{0,8}\d)[A-ZÄÖÜ]{1,3}[ ·-]{0,2}[A-Z]{0,2}[ -]?\d{1,5}(?:[ -]?[A-Z]{1,3})?/,
    /^\d{1,4}[ -]?[A-Z]{1,3}(?:[ -]?\d{1,4}[A-Z]{0,2})?/,
  ],
  nationalPlate: [
    // Germany, Italy, France, the United Kingdom, the Netherlands and Portugal, Spain, Poland.
    /^[A-ZÄÖÜ]{1,3}-[A-Z]{1,2}[ -]?\d{1,4}[EH]?/,
    /^[A-ZÄÖÜ]{1,3} [A-Z]{1,2} \d{2,4}[EH]?/,
    /^[A-Z]{2}[ -]?\d{3}[ -]?[A-Z]{2}/,
    /^[A-Z]{2}\d{2} ?[A-Z]{3}/,
    /^(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9]{1,3}-[A-Z0-9]{2,3}-[A-Z0-9]{1,3}/,
    /^\d{4}[ -]?[A-Z]{3}/,
    /^(?=[A-Z]{2,3} [A-Z]*\d)[A-Z]{2,3} [A-Z\d]{4,5}/,
  ],
  handle: [/^(?=[\w.@+-]{0,40}(?:\d|[a-z][._-][a-z]|@))[A-Za-z0-9_@][\w.@+-]{2,63}(?<![.])/],
  bic: [/^[A-Z]{4} ?[A-Z0-9]{2} ?[A-Z0-9]{2}(?: ?[A-Z0-9]{3})?/],
  date: dates,
  phone: [/^\+?\(?\+?\d(?: ?[()./-]{0,2} ?\d){4,16}(?: ?(?:ext|x|dw)\.? ?\d{1,5})?/i],
  email: [
    /^[^\s<>"',;:]{1,64} ?(?:@|\(at\)|\[at\]| at ) ?[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,5}/u,
  ],
} as const;

function readPattern(
  { view: { text }, start, end }: Place,
  forms: readonly RegExp[],
): Range | null {
  for (const form of forms) {
    const found = textAt(text, start, form);
    if (!found || start + found.length > end) continue;
    if (/[\p{L}\p{N}]/u.test(text[start + found.length] ?? '')) continue;
    return { start, end: start + found.length };
  }
  return null;
}

/** Reads a value of a form that begins at the start of a place; null if there it cannot be one. */
export function readForm(place: Place, form: LabelForm): Range | null {
  if (typeof form === 'object') return readNumber(place, form);
  if (form === 'name') return readName(place);
  if (form === 'address') return readAddress(place);
  if (form === 'text') return readText(place);
  return readPattern(place, patterns[form]);
}
