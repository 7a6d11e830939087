/**
 * Recognises years, product and part codes, and sentences, which the tagger may mistake for
 * addresses, people or places.
 */

const year = /^(?:1[0-9]|20)\d\d$/;
/** Maximum length of a list of years, in UTF-16 units. */
const YEARS_UNITS = 60;
/** Maximum length of a code before and after a finding in it, in UTF-16 units. */
const CODE_UNITS = 24;

/** Capitals with a number (X200), or letters and a number joined by a hyphen (SKU-8847). */
const code = /^(?:\p{Lu}{1,4}\d{1,8}\p{L}?|\p{L}{1,8}-\d{1,8}\p{L}{0,2}|\d{1,4}-\p{Lu}{1,4})$/u;

/** Whether a span consists of years and, between them, only short words: "1871 to 1904". */
export function isYears(text: string): boolean {
  if (text.length > YEARS_UNITS) return false;
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return (
    words.some((word) => year.test(word)) &&
    words.every((word) => year.test(word) || /^\p{Ll}+$/u.test(word))
  );
}

/** A number with a unit, or a time of day. */
const quantity =
  /^\d[\d.,:]*(?: ?(?:[ap]\.?m\.?|uhr|hrs?|min|ms|[kmµ]g|[cdm]l|[cdkm]m|[kmgt]b|kw|mv|[kmg]?hz|rpm|%|°c)| [ghlmsvw])(?![\p{L}\p{N}])/u;

/** Whether a span starts with a quantity or a time of day: "3 am", "12,000 g". */
export const isQuantity = (text: string): boolean => quantity.test(text);

/** Three or more names, each followed by a small number. */
const results =
  /^\p{Lu}[^\d\n]{2,40} \d{1,2}(?: ?[,;.]? ?\p{Lu}[^\d\n]{2,40} \d{1,2}){2,40}[,;.]?$/u;

/**
 * Whether a span contains results of matches: "Racing Dole 1, Avenir Vesoul 0; Étoile Morteau 2".
 */
export const isResults = (text: string): boolean => results.test(text);

/** Text longer than a name, in a script without spaces between words. */
const running =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]{5,}/u;

/**
 * Whether a span contains part of a sentence in a script without spaces. Names are not searched for
 * in such scripts.
 */
export const isRunning = (text: string): boolean => running.test(text);

/** A name in source code: `updateObject`, but not `vanDyke`. */
const identifier =
  /^(?!(?:van|von|mac|d[aeiu]|l[ae]|[ae]l|bin|ibn|te[nr])\p{Lu})\p{Ll}{2,20}(?:\p{Lu}\p{Ll}{1,20}){1,6}$/u;

/** Whether a span is a single identifier of source code. */
export const isIdentifier = (text: string): boolean => identifier.test(text);

/** Whether a span is inside a code, which has no white space. */
export function isInCode(text: string, start: number, end: number): boolean {
  let from = start;
  let to = end;
  while (from > 0 && start - from < CODE_UNITS && isCodeSign(text, from - 1)) from--;
  while (to < text.length && to - end < CODE_UNITS && isCodeSign(text, to)) to++;
  return code.test(text.slice(from, to));
}

const isCodeSign = (text: string, at: number) => /[\p{L}\p{N}-]/u.test(text.charAt(at));
