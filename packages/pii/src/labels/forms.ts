import { looksLikeDigit } from '../confusions.ts';
import { otherCodes } from '../recognisers/documents/plates.ts';
import type { TextView } from '../view.ts';
import { type Range, textAt } from './layout.ts';
import { readMisread, withDigits } from './misread-values.ts';
import { readAddress, readName, readText } from './prose.ts';

/** Minimum and maximum numbers of digits and letters, with tolerance for wrong lengths. */
interface NumberForm {
  digits: readonly [min: number, max: number];
  letters: readonly [min: number, max: number];
  /** The number of digits and letters in total. */
  signs?: readonly [min: number, max: number];
}

/** The most general form of a kind of value. */
export type LabelForm =
  | NumberForm
  | (
      | 'number'
      | 'bic'
      | 'plate'
      | 'nationalPlate'
      | 'handle'
      | 'document'
      | 'network'
      | 'date'
      | 'phone'
      | 'email'
      | 'name'
      | 'address'
      | 'text'
    );

/**
 * The range in which a value is read: from `start` to the end of its cell or to the next label.
 */
export interface ValueRange extends Range {
  view: TextView;
  /** Whether the place contains only the value, such as after a colon or in a separate cell. */
  alone: boolean;
}

const groupPattern = /^[A-Za-z0-9\p{Script=Greek}\p{Script=Cyrillic}]+/u;
const separator = /^(?: ?[-./+・·_\\] ?| )/;
/** A date, time or amount, which is not a group of the preceding number. */
const otherValue = /^\d{1,4}[./:,]\d/;
/** A quantity with a unit. */
const quantity = /^\d+(?:[cdkm]?m|[km]?g|[cdm]?l|k[wmb]|[mg]b|px|pt|ms|st|nd|rd|th)$/;
/** A check digit in brackets. */
const checkDigit = /^ ?\([0-9A-Z]\)/;
const misreadDigits = new RegExp(`^[${looksLikeDigit}]+$`);
const maxGroups = 24;
/**
 * Returns the maximum number of consecutive letters. More letters are a word, not part of a number.
 */
const maxLetters = ({ alone }: ValueRange): number => (alone ? 10 : 6);

/** Counts the characters of a group. Letters that may be misread digits count as digits: `46O`. */
function countSigns(signs: string, form: NumberForm): { digits: number; letters: number } {
  const digits = signs.replace(/\D/g, '').length;
  const letters = signs.length - digits;
  return form.letters[1] === 0 && digits * 2 >= signs.length && misreadDigits.test(signs)
    ? { digits: signs.length, letters: 0 }
    : { digits, letters };
}

/** Reads groups of letters and digits as long as they fit the form. */
function readNumber(range: ValueRange, form: NumberForm): Range | null {
  const { view, start, end } = range;
  const { text } = view;
  const max = form.signs?.[1] ?? form.digits[1] + form.letters[1];
  let [digits, letters] = [0, 0];
  let stop = -1;
  let at = start;
  let lastSeparator = '';
  let lastKind = '';
  for (let round = 0; round < maxGroups; round += 1) {
    const signs = textAt(text, at, groupPattern);
    // Plain letters may be the start of a word.
    if (!signs || at + signs.length > end || /\p{L}/u.test(text[at + signs.length] ?? '')) break;
    const counts = countSigns(signs, form);
    if (quantity.test(signs)) break;
    const isLetters = counts.digits === 0;
    const isLowerCase = signs !== signs.toUpperCase() && !(range.alone && signs.length === 2);
    if (isLetters && (signs.length > maxLetters(range) || isLowerCase)) break;
    digits += counts.digits;
    letters += counts.letters;
    if (digits > form.digits[1] || letters > form.letters[1] || digits + letters > max) break;
    at += signs.length;
    // Letters after the digits belong to the number if they are joined to it or are a single last
    // letter.
    const isJoined = signs.length === 1 || (lastSeparator !== '' && !lastSeparator.includes(' '));
    if (!isLetters || (stop > 0 && isJoined)) stop = at;
    lastKind = isLetters ? 'letters' : 'digits';
    const gap = textAt(text, at, separator) ?? '';
    if (gap === '') break;
    const isSeparateValue =
      gap === ' ' && stop > 0 && lastSeparator !== '.' && lastKind === 'digits';
    if (isSeparateValue && textAt(text, at + 1, otherValue) !== null) break;
    lastSeparator = gap;
    at += gap.length;
  }
  if (stop < 0) return null;
  stop += textAt(text, stop, checkDigit)?.length ?? 0;
  // A month, or the number of a document and its year.
  if (/^\d{1,2}\/(?:19|20)\d\d$/.test(text.slice(start, stop))) return null;
  const value = text.slice(start, stop).replace(/[^\p{L}\p{N}]/gu, '');
  const total = countSigns(value, form);
  const fits =
    total.digits >= form.digits[0] &&
    total.letters >= form.letters[0] &&
    value.length >= (form.signs?.[0] ?? 0);
  if (/^(?:,\d\d(?!\d)| ?[€$£%])/.test(text.slice(stop, stop + 4))) return null;
  // A number that continues is part of a longer text.
  return fits && !/[A-Za-z0-9]/.test(text[stop] ?? '') ? { start, end: stop } : null;
}

/** The most general form of the number of a person or thing. */
const anyNumber: NumberForm = { digits: [1, 30], letters: [0, 16], signs: [4, 40] };
const amountSuffix =
  /^(?:[.,]\d|:\d\d| ?(?:[€$£¥%°]|(?:eur|usd|gbp|chf|pln|kr|zl|ft|kc|lei|tl|kg|km|mm|cm)(?!\p{L})))/iu;

/** Reads any number except years, amounts and dates, where a number is expected. */
function readAnyNumber(range: ValueRange): Range | null {
  const { text } = range.view;
  const value = readNumber(range, anyNumber);
  if (!value || amountSuffix.test(text.slice(value.end, value.end + 6))) return null;
  return /^(?:(?:19|20)\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})$/.test(
    text.slice(value.start, value.end),
  )
    ? null
    : value;
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
  /^(?:\d{4}|(?:令和|平成|昭和|大正|明治) ?(?:\d{1,2}|元)) ?(?:年|년) ?\d{1,2} ?(?:月|월) ?\d{1,2} ?(?:日|일)?/,
  /^\d{4}(?: ?年| ?년)/,
  new RegExp(`^\\d{4}\\.? ${month} \\d{1,2}\\.?`, 'u'),
  /^\d{1,2}[-/.]\d{4}/,
  /^(?:\d{8}|\d{6}|(?:18|19|20)\d\d)/,
];
/** Letters before the number of a business document, such as an invoice, order or standard. */
const notBusinessNumber =
  '(?!(?:INV|RE|RG|FA|FC|FT|FV|BL|PO|SO|NR|DOC|REF|ORD|ISO|DIN|EN)[ -]?\\d+(?![A-Z\\d]))';
/** Identity cards and passports (ICAO Doc 9303: nine characters). */
const documents: readonly RegExp[] = [
  '[A-Z]{1,3}[ -]?\\d{6,7}(?![ /.-]?\\d)',
  // Italy, the Netherlands, France, Spain, Portugal.
  '[A-Z]{2} ?\\d{5} ?[A-Z]{2}',
  '[A-Z]{2}[A-Z\\d]{6}\\d',
  '\\d{2}[A-Z]{2}\\d{5}',
  '(?:\\d{2}\\.?\\d{3}\\.?\\d{3}|[XYZ]-?\\d{7})[ -]?[A-Z]',
  '\\d{8} ?\\d ?[A-Z]{2}\\d',
  // Germany and France: letters and digits in any order.
  '(?=[A-Z]{0,5}\\d)(?=\\d{0,6}[A-Z])(?=(?:[A-Z]*\\d){2})[A-Z\\d]{9,10}',
].map((form) => new RegExp(`^${notBusinessNumber}${form}`));

const patterns = {
  plate: [
    /^(?=[A-ZÄÖÜ -]{0,8}\d)[A-ZÄÖÜ]{1,3}[ ·-]{0,2}[A-Z]{0,2}[ -]?\d{1,5}(?:[ -]?[A-Z]{1,3})?/,
    /^\d{1,4}[ -]?[A-Z]{1,4}(?:[ -]?\d{1,5}[A-Z]{0,2})?/,
    /^[\p{Lu}]{1,3}[ -]?\d{2,5}(?:[ -]?\p{Lu}{1,3})?(?: ?\d{2,3})?/u,
    /^\p{Script=Han}[A-Z][ ·・-]?[A-Z0-9]{4,6}/u,
    /^(?:\p{Script=Hangul}{2} ?)?\d{2,3} ?\p{Script=Hangul} ?\d{4}/u,
    /^\p{Script=Han}{1,4} ?\d{2,3} ?\p{Script=Hiragana} ?[\d・·.-]{1,5}/u,
    /^[A-Z]{1,3}[ -]\d{1,3}[ -]\d{2,4}(?:[ -]?[A-Z]{1,3})?/,
    /^[A-Z]{1,3}\d[A-Z0-9]{1,6}/,
    /^\d[A-Z]\d ?\d{4}/,
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
  network: [
    /^(?=[^\n]{0,12}[.:-])[0-9A-Za-z]{1,4}(?:[.:-]{1,2}[0-9A-Za-z]{1,4}){3,8}(?:\/\d{1,3})?/,
    /^(?=[A-Z]*\d)[0-9A-Fa-f]{12}/,
  ],
  handle: [/^(?=[\w.@+-]{0,40}(?:\d|[a-z][._-][a-z]|@))[A-Za-z0-9_@][\w.@+-]{2,63}(?<![.])/],
  document: documents,
  bic: [/^[A-Z]{4} ?[A-Z0-9]{2} ?[A-Z0-9]{2}(?: ?[A-Z0-9]{3})?/],
  date: dates,
  phone: [
    /^(?!\d{1,3}\.\d(?!\d))\+?\(?\+?\d(?: ?[()./·•-]{0,2} ?\d){3,16}(?: ?(?:ext|x|dw)\.? ?\d{1,5})?/i,
  ],
  email: [
    /^[^\s<>"',;:@.]{1,40}(?: \. [^\s<>"',;:@.]{1,40}){0,3} ?@ ?[\p{L}\p{N}-]{1,63}(?: \. [\p{L}\p{N}-]{1,63}){1,4}/u,
    /^[^\s<>"',;:]{1,64} ?(?:@|\(at\)|\[at\]| at ) ?[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,5}/u,
  ],
} as const;

/** An e-mail address as recognised, including a misread @. */
const misreadEmail = /^[\p{L}\p{N}][^\s<>"',;:]{2,80}\.\p{L}{2,24}(?![\p{L}\p{N}])/u;

/** The rest of an address whose @ or domain was misread, which may contain one space. */
const restOfEmail =
  /^(?: ?[^\s\p{L}\p{N}@<>"|;]{1,2})? ?[^\s@<>"|;]{1,60}\.\p{Ll}{2,24}(?![\p{L}\p{N}])/u;

/** Returns the range of a recognised e-mail address up to the end of its domain. */
function extendEmail({ view: { text }, end }: ValueRange, value: Range | null): Range | null {
  if (!value || /@.*\./u.test(text.slice(value.start, value.end))) return value;
  const rest = textAt(text.slice(0, end), value.end, restOfEmail);
  return rest ? { ...value, end: value.end + rest.length } : value;
}

/** An account name on its own. It needs no digits or dots. */
const accountName =
  /^@?[a-z][\w.-]{2,39}(?=["'»”]?(?:[\n\t,;|)\]}<]| {2}| \|| \w+=| [A-Z][a-z]+:|$))/;
/** Accounts that do not belong to a person, and words that refer to a person. */
const nonAccounts =
  /^(?:admin|administrator|administrateur|administrador|root|system|guest|gast|user|username|anonymous|anonym|test|demo|default|public|null|none|nil|true|false|yes|no|required|optional|string|unknown|see|not|same|email|password|the|your|n\/a|www-data|daemon|postgres|mysql|service|support|info|pflichtfeld|keine|obligatoire|aucun|requerido|ninguno|obbligatorio|nessuno|verplicht|geen|sistema|brak)$/;

function readAccount({ view: { text }, start, end }: ValueRange): Range | null {
  const account = textAt(text.slice(0, end), start, accountName);
  return account && !nonAccounts.test(account) ? { start, end: start + account.length } : null;
}

function readPattern(
  { view: { text }, start, end }: ValueRange,
  forms: readonly RegExp[],
): Range | null {
  const ends = forms.flatMap((form) => {
    const matched = textAt(text, start, form);
    const stop = start + (matched?.length ?? 0);
    return !matched || stop > end || /[\p{L}\p{N}]/u.test(text[stop] ?? '') ? [] : [stop];
  });
  return ends.length > 0 ? { start, end: Math.max(...ends) } : null;
}

/** The continuation of a value without a space. */
const continuation = /^(?:[-/._·\\]?[A-Za-z0-9])+/;
/** Characters that may follow a value that fills its place. */
const closingPunctuation = /^ ?(?:["'”)\]}>|,.;\n\t<]|$)/;

/** The last letters of a number, other than a unit or currency. */
const lastLetters =
  /^ (?!(?:GBP|EUR|USD|CHF|PLN|SEK|DKK|NOK|BRL|KG|CM|MM|KM|TTC|HT|AM|PM|CET|GMT|UTC|UK|US|EU|DE)(?![A-Z]))[A-Z]{1,3}(?=["'”)\]}>|,.;\n\t<_]|$)/;

/**
 * Extends a number to its end: the rest of its token and, if the place has no further text, further
 * groups.
 */
function widen(range: ValueRange, value: Range | null): Range | null {
  if (!value || value.end >= range.end) return value;
  const { text } = range.view;
  const rest = textAt(text.slice(0, range.end), value.end, continuation);
  if (rest && /[-/_]/.test(rest[0]!)) value = { ...value, end: value.end + rest.length };
  const extended = readAnyNumber(range);
  if (!extended || extended.end <= value.end) {
    const letters = textAt(text.slice(0, range.end), value.end, lastLetters);
    return letters ? { ...value, end: value.end + letters.length } : value;
  }
  return extended.end === range.end ||
    closingPunctuation.test(text.slice(extended.end, extended.end + 2))
    ? { ...value, end: extended.end }
    : value;
}

/** Reads a value of a form at the start of a place; returns null without such a value. */
export function readForm(range: ValueRange, form: LabelForm): Range | null {
  const { view, alone } = range;
  const value = readExactly(range, form);
  // Typists also write letters for digits in telephone numbers: `O161 496 O288`.
  const isTyped =
    form === 'phone' && hasLetters.test(view.text.slice(range.start, range.start + 20));
  if (!view.recognised && !isTyped) return value;
  if (value && !(form === 'phone' && continuesAfterMisread(range, value))) return value;
  if (form === 'date' || form === 'phone' || form === 'email')
    return readMisread(view.text, range, form, alone) ?? value;
  if (typeof form !== 'object' || !alone) return null;
  const { start, end } = range;
  const text = withDigits(view.text.slice(start, Math.min(end, start + maxNumberLength)));
  const local = { ...range, view: { ...view, text }, start: 0, end: text.length };
  const corrected = readExactly(local, form);
  return corrected && { start, end: start + corrected.end };
}

/** A misread separator before a digit, or a further group of which some digits were misread. */
const restRead = new RegExp(
  `^(?: ?[,:;'~*._]\\d|[ ./-]?(?=[^ ]{0,4}\\d)[${looksLikeDigit}]{2,5}(?![\\p{L}\\p{N}]))`,
  'u',
);
/** Whether digits continue after a number in recognised text. */
const continuesAfterMisread = ({ view: { text }, end }: ValueRange, value: Range): boolean =>
  restRead.test(text.slice(value.end, Math.min(end, value.end + 8)));

/** A letter that is typed for a digit, beside a digit. */
const hasLetters = /^[+(]{0,2}(?:[\d ()./-]*\d[ ()./-]?[OoIl]|[OoIl][ ()./-]?\d)/;

/** Maximum length of a misread number, in characters. */
const maxNumberLength = 64;

function readExactly(range: ValueRange, form: LabelForm): Range | null {
  if (typeof form === 'object') return widen(range, readNumber(range, form));
  if (form === 'name') return readName(range);
  if (form === 'address') return readAddress(range);
  if (form === 'text') return readText(range);
  if (form === 'number') return readAnyNumber(range);
  if (form === 'nationalPlate' && textAt(range.view.text, range.start, otherCodes)) return null;
  const isMisread = form === 'email' && range.view.recognised;
  const match =
    readPattern(range, patterns[form]) ?? (isMisread ? readPattern(range, [misreadEmail]) : null);
  const result = isMisread ? extendEmail(range, match) : match;
  if (!result && form === 'handle' && range.alone) return readAccount(range);
  return form === 'plate' ? widen(range, result) : result;
}
