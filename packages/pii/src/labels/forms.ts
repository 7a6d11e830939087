import { looksLikeDigit } from '../confusions.ts';
import type { TextView } from '../view.ts';
import { type Range, textAt } from './layout.ts';
import { readMisread, withDigits } from './misread.ts';
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
 * The range in which a value is read: from `start` to the end of its cell, or to the next label.
 */
export interface Place extends Range {
  view: TextView;
  /** Whether the place contains only the value, such as after a colon or in a separate cell. */
  alone: boolean;
}

const group = /^[A-Za-z0-9\p{Script=Greek}\p{Script=Cyrillic}]+/u;
const joint = /^(?: ?[-./+・·_\\] ?| )/;
/** A date, time or amount, which is not a group of the preceding number. */
const other = /^\d{1,4}[./:,]\d/;
/** A quantity with a unit. */
const measure = /^\d+(?:[cdkm]?m|[km]?g|[cdm]?l|k[wmb]|[mg]b|px|pt|ms|st|nd|rd|th)$/;
/** A check digit in brackets. */
const checkSign = /^ ?\([0-9A-Z]\)/;
const misread = new RegExp(`^[${looksLikeDigit}]+$`);
const maxGroups = 24;
/**
 * Returns the maximum number of consecutive letters. More letters are a word, not part of a number.
 */
const longestLetters = ({ alone }: Place): number => (alone ? 10 : 6);

/** Counts the characters of a group. Letters that may be misread digits count as digits: `46O`. */
function countOf(signs: string, form: NumberForm): { digits: number; letters: number } {
  const digits = signs.replace(/\D/g, '').length;
  const letters = signs.length - digits;
  return form.letters[1] === 0 && digits * 2 >= signs.length && misread.test(signs)
    ? { digits: signs.length, letters: 0 }
    : { digits, letters };
}

/** Reads groups of letters and digits as long as they fit the form. */
function readNumber(place: Place, form: NumberForm): Range | null {
  const { view, start, end } = place;
  const { text } = view;
  const max = form.signs?.[1] ?? form.digits[1] + form.letters[1];
  let [digits, letters] = [0, 0];
  let stop = -1;
  let at = start;
  let usual = '';
  let ended = '';
  for (let round = 0; round < maxGroups; round += 1) {
    const signs = textAt(text, at, group);
    // Plain letters may be the start of a word.
    if (!signs || at + signs.length > end || /\p{L}/u.test(text[at + signs.length] ?? '')) break;
    const own = countOf(signs, form);
    if (measure.test(signs)) break;
    const isLetters = own.digits === 0;
    const isSmall = signs !== signs.toUpperCase() && !(place.alone && signs.length === 2);
    if (isLetters && (signs.length > longestLetters(place) || isSmall)) break;
    digits += own.digits;
    letters += own.letters;
    if (digits > form.digits[1] || letters > form.letters[1] || digits + letters > max) break;
    at += signs.length;
    // Letters after the digits belong to the number if they are joined to it or are a single last
    // letter.
    const isJoined = signs.length === 1 || (usual !== '' && !usual.includes(' '));
    if (!isLetters || (stop > 0 && isJoined)) stop = at;
    ended = isLetters ? 'letters' : 'digits';
    const gap = textAt(text, at, joint) ?? '';
    if (gap === '') break;
    const isApart = gap === ' ' && stop > 0 && usual !== '.' && ended === 'digits';
    if (isApart && textAt(text, at + 1, other) !== null) break;
    usual = gap;
    at += gap.length;
  }
  if (stop < 0) return null;
  stop += textAt(text, stop, checkSign)?.length ?? 0;
  // A month, or the number of a document and its year.
  if (/^\d{1,2}\/(?:19|20)\d\d$/.test(text.slice(start, stop))) return null;
  const value = text.slice(start, stop).replace(/[^\p{L}\p{N}]/gu, '');
  const found = countOf(value, form);
  const fits =
    found.digits >= form.digits[0] &&
    found.letters >= form.letters[0] &&
    value.length >= (form.signs?.[0] ?? 0);
  if (/^(?:,\d\d(?!\d)| ?[€$£%])/.test(text.slice(stop, stop + 4))) return null;
  // A number that continues is part of a longer text.
  return fits && !/[A-Za-z0-9]/.test(text[stop] ?? '') ? { start, end: stop } : null;
}

/** The most general form of the number of a person or thing. */
const anyNumber: NumberForm = { digits: [1, 30], letters: [0, 16], signs: [4, 40] };
const amount =
  /^(?:[.,]\d|:\d\d| ?(?:[€$£¥%°]|(?:eur|usd|gbp|chf|pln|kr|zl|ft|kc|lei|tl|kg|km|mm|cm)(?!\p{L})))/iu;

/** Reads any number except years, amounts and dates, in a place where some number is expected. */
function looseNumber(place: Place): Range | null {
  const { text } = place.view;
  const found = readNumber(place, anyNumber);
  if (!found || amount.test(text.slice(found.end, found.end + 6))) return null;
  return /^(?:(?:19|20)\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})$/.test(
    text.slice(found.start, found.end),
  )
    ? null
    : found;
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
const trade =
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
].map((form) => new RegExp(`^${trade}${form}`));

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
const emailRead = /^[\p{L}\p{N}][^\s<>"',;:]{2,80}\.\p{L}{2,24}(?![\p{L}\p{N}])/u;

/** The rest of an address whose @ or domain was misread, which may contain one space. */
const restOfEmail =
  /^(?: ?[^\s\p{L}\p{N}@<>"|;]{1,2})? ?[^\s@<>"|;]{1,60}\.\p{Ll}{2,24}(?![\p{L}\p{N}])/u;

/** Returns the range of a recognised e-mail address up to the end of its domain. */
function wholeEmail({ view: { text }, end }: Place, found: Range | null): Range | null {
  if (!found || /@.*\./u.test(text.slice(found.start, found.end))) return found;
  const rest = textAt(text.slice(0, end), found.end, restOfEmail);
  return rest ? { ...found, end: found.end + rest.length } : found;
}

/** An account name on its own. It needs no digits or dots. */
const accountName =
  /^@?[a-z][\w.-]{2,39}(?=["'»”]?(?:[\n\t,;|)\]}<]| {2}| \|| \w+=| [A-Z][a-z]+:|$))/;
/** Accounts that do not belong to a person, and words that refer to a person. */
const noAccounts =
  /^(?:admin|administrator|administrateur|administrador|root|system|guest|gast|user|username|anonymous|anonym|test|demo|default|public|null|none|nil|true|false|yes|no|required|optional|string|unknown|see|not|same|email|password|the|your|n\/a|www-data|daemon|postgres|mysql|service|support|info|pflichtfeld|keine|obligatoire|aucun|requerido|ninguno|obbligatorio|nessuno|verplicht|geen|sistema|brak)$/;

function readAccount({ view: { text }, start, end }: Place): Range | null {
  const found = textAt(text.slice(0, end), start, accountName);
  return found && !noAccounts.test(found) ? { start, end: start + found.length } : null;
}

function readPattern(
  { view: { text }, start, end }: Place,
  forms: readonly RegExp[],
): Range | null {
  const ends = forms.flatMap((form) => {
    const found = textAt(text, start, form);
    const stop = start + (found?.length ?? 0);
    return !found || stop > end || /[\p{L}\p{N}]/u.test(text[stop] ?? '') ? [] : [stop];
  });
  return ends.length > 0 ? { start, end: Math.max(...ends) } : null;
}

/** The continuation of a value without a space. */
const goesOn = /^(?:[-/._·\\]?[A-Za-z0-9])+/;
/** Characters that may follow a value that fills its place. */
const closing = /^ ?(?:["'”)\]}>|,.;\n\t<]|$)/;

/** The last letters of a number, other than a unit or currency. */
const lastLetters =
  /^ (?!(?:GBP|EUR|USD|CHF|PLN|SEK|DKK|NOK|BRL|KG|CM|MM|KM|TTC|HT|AM|PM|CET|GMT|UTC|UK|US|EU|DE)(?![A-Z]))[A-Z]{1,3}(?=["'”)\]}>|,.;\n\t<_]|$)/;

/**
 * Extends a number to its end: the rest of its token and, if the place has no further text, further
 * groups.
 */
function widened(place: Place, found: Range | null): Range | null {
  if (!found || found.end >= place.end) return found;
  const { text } = place.view;
  const rest = textAt(text.slice(0, place.end), found.end, goesOn);
  if (rest && /[-/_]/.test(rest[0]!)) found = { ...found, end: found.end + rest.length };
  const whole = looseNumber(place);
  if (!whole || whole.end <= found.end) {
    const letters = textAt(text.slice(0, place.end), found.end, lastLetters);
    return letters ? { ...found, end: found.end + letters.length } : found;
  }
  return whole.end === place.end || closing.test(text.slice(whole.end, whole.end + 2))
    ? { ...found, end: whole.end }
    : found;
}

/** Reads a value of a form at the start of a place; returns null without such a value. */
export function readForm(place: Place, form: LabelForm): Range | null {
  const { view, alone } = place;
  const found = readExactly(place, form);
  // Typists also write letters for digits in telephone numbers: `O161 496 O288`.
  const isTyped =
    form === 'phone' && hasLetters.test(view.text.slice(place.start, place.start + 20));
  if (!view.recognised && !isTyped) return found;
  if (found && !(form === 'phone' && goesOnRead(place, found))) return found;
  if (form === 'date' || form === 'phone' || form === 'email')
    return readMisread(view.text, place, form, alone) ?? found;
  if (typeof form !== 'object' || !alone) return null;
  const { start, end } = place;
  const text = withDigits(view.text.slice(start, Math.min(end, start + longestNumber)));
  const local = { ...place, view: { ...view, text }, start: 0, end: text.length };
  const again = readExactly(local, form);
  return again && { start, end: start + again.end };
}

/** A misread separator before a digit, or a further group of which some digits were misread. */
const restRead = new RegExp(
  `^(?: ?[,:;'~*._]\\d|[ ./-]?(?=[^ ]{0,4}\\d)[${looksLikeDigit}]{2,5}(?![\\p{L}\\p{N}]))`,
  'u',
);
/** Whether digits continue after a number in recognised text. */
const goesOnRead = ({ view: { text }, end }: Place, found: Range): boolean =>
  restRead.test(text.slice(found.end, Math.min(end, found.end + 8)));

/** A letter that is typed for a digit, beside a digit. */
const hasLetters = /^[+(]{0,2}(?:[\d ()./-]*\d[ ()./-]?[OoIl]|[OoIl][ ()./-]?\d)/;

/** Maximum length of a misread number, in characters. */
const longestNumber = 64;

function readExactly(place: Place, form: LabelForm): Range | null {
  if (typeof form === 'object') return widened(place, readNumber(place, form));
  if (form === 'name') return readName(place);
  if (form === 'address') return readAddress(place);
  if (form === 'text') return readText(place);
  if (form === 'number') return looseNumber(place);
  const isMisread = form === 'email' && place.view.recognised;
  const read =
    readPattern(place, patterns[form]) ?? (isMisread ? readPattern(place, [emailRead]) : null);
  const found = isMisread ? wholeEmail(place, read) : read;
  if (!found && form === 'handle' && place.alone) return readAccount(place);
  return form === 'plate' ? widened(place, found) : found;
}
