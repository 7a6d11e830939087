import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { withCorrectedDigits } from '../confusions.ts';
import { contextWords, matches, type PiiCandidate, type PiiRecogniser } from '../recogniser.ts';

/** The regions in which numbers without a country code are tried, in this order. */
const regions: readonly CountryCode[] = [
  ...([
    'US',
    'GB',
    'DE',
    'FR',
    'ES',
    'IT',
    'NL',
    'AT',
    'CH',
    'BE',
    'SE',
    'PL',
    'PT',
    'DK',
  ] as const),
  ...(['NO', 'FI', 'IE', 'CZ', 'HU', 'AU', 'IN', 'BR', 'MX'] as const),
];

/** Separators between the groups of digits in telephone numbers. */
const gap = '(?: ?[-./)·] ?\\(?| \\(?|\\()?';
const extensionWords =
  'extension|extensi[oó]n|extn?|x|durchwahl|dw|apparat|app|nebenstelle|nst|poste|interno|interne|intern|int|toestel|tst|ramal|anexo|wewn[eę]trzny|wewn|wew';
const extension = `(?:(?: ?[,;/(-] ?| )?(?:${extensionWords})(?:\\.:?|:)? ?[-–]?\\d{1,6}\\)?)?`;
/** Digits after a complete number that belong to it because of their word: `ext. 12`. */
const extensionAfter = new RegExp(`^${extension}(?![\\p{L}\\p{N}€$£%]|[.,/-]\\d)`, 'iu');

/** Returns the length of the extension after a number that ends at `end`, in characters. */
export const extensionAt = (text: string, end: number): number =>
  extensionAfter.exec(text.slice(end, end + 32))?.[0].length ?? 0;
const form = new RegExp(
  `(?<![\\w/@#€$£-])(?<!\\d[.,])(?:\\+|00 ?(?=[1-9]))?(?:\\(\\+?\\d{1,5}\\)|\\d)${gap}(?:\\d${gap}){5,15}(?<=\\d)${extension}(?![\\w€$£%]|[.,/-]\\d)`,
  'gi',
);
/** A row of a table: amounts with two decimals, after small counts if any: `4 54.00 216.00`. */
export const rowOfAmounts = /^(?:[1-9]\d{0,2} )*\d+[.,]\d\d(?: \d+[.,]\d\d)+$/;
/**
 * Numbers with the same characters that are not telephone numbers: dates, decimals, thousands,
 * ranges.
 */
const nonPhoneForms: readonly RegExp[] = [
  /^(?:(?:19|20)\d\d([-/.])[01]?\d\1[0-3]?\d|[0-3]?\d([-/.])[0-3]?\d\2(?:\d\d){1,2})(?!\S)/,
  /(?<!\d)\d{1,2}([-/.])\d{1,2}\1(?:19|20)\d\d(?!\d)/,
  /^\d+[.,]\d+(?: \d+[.,]\d+)+$/,
  rowOfAmounts,
  /^\d{3}-\d{3}$/,
];
const thousands = /^\d{1,3}(?:[ .,]\d{3})+(?:[.,]\d{1,2})?$/;
/** North American numbers, which are recognised by their form. */
const northAmerican = /^(?:1[-. ])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[-. ])[2-9]\d\d[-. ]\d{4}/;

const context = contextWords([
  'phone',
  'phones',
  'telephone',
  'tel',
  'tel.',
  'telefon*',
  'mobile',
  'mobil',
  'mobil*',
  'cell',
  'cellphone',
  'fax',
  'telefax',
  'call',
  'callback',
  'calls',
  'called',
  'calling',
  'ring',
  'dial',
  'text me',
  'handy',
  'handynummer',
  'rufnummer',
  'durchwahl',
  'anrufen',
  'telefono',
  'movil',
  'celular',
  'llamarme',
  'llamarnos',
  'llamame',
  'consultas',
  'numero di',
  'chiamami',
  'chiamatemi',
  'llame',
  'llamar',
  'portable',
  'appeler',
  'appelez',
  'telephone',
  'cellulare',
  'chiamare',
  'telefoon*',
  'mobiel',
  'gsm',
  'bellen',
  'bel',
  'whatsapp',
  'sms',
  'hotline',
  '-office',
  'office phone',
  'ph',
  'erreichbar',
  'erreichen',
  'ruckruf',
  'joignable',
  'joindre',
  'contactez',
  'rappeler',
  'atiende',
  'marque',
  'llamenos',
  'contacto',
  'atende',
  'ligue',
  'ligar',
  'contato',
  'telemovel',
  'telefone',
  'risponde',
  'chiami',
  'recapito',
  'bereikbaar',
  'bereiken',
  'numerem',
  'zadzwon*',
  'dzwonic',
  'phone number',
  'contact',
  'reach me',
  'messages to',
  'reach',
  'answering',
  'home',
  'landline',
  'kontakt*',
  'contacter',
  'recapiti',
  'infoline',
  'prevenir',
]);

function isValidIn(text: string, region: CountryCode): boolean {
  return parsePhoneNumberFromString(text, region)?.isValid() ?? false;
}

const callingCodes = new Set<string>(
  getCountries().map((country) => getCountryCallingCode(country)),
);

/**
 * Whether digits after a plus sign are a telephone number of any country, regardless of current
 * numbering plans (ITU-T E.164: at most fifteen digits). Numbers of North America have eleven
 * digits.
 */
function isInternational(text: string, digits: string): boolean {
  if (!/^\(?\+/.test(text) || digits.length < 8 || /(?:[ .,]000)+$/.test(text)) return false;
  if (digits.startsWith('1')) return digits.length === 11;
  return [1, 2, 3].some((length) => callingCodes.has(digits.slice(0, length)));
}

/** The scores alone and in context, and whether the number is complete. */
type Scores = readonly [alone: number, inContext: number, whole?: 'whole'];

/**
 * Returns the scores of a number with an extension, which identifies it as a telephone number. `x`
 * also occurs between lengths.
 */
function withExtension(number: string, word: string): Scores | null {
  const numberScores = scoresOf(number);
  if (!numberScores || word === 'x') return numberScores;
  return [Math.max(numberScores[0], 0.6), Math.max(numberScores[1], 0.9), 'whole'];
}

/**
 * Returns the scores of digits as a telephone number; null if they cannot be a telephone number.
 */
function scoresOf(text: string): Scores | null {
  const wordStart = text.search(/\p{L}/u);
  if (wordStart > 0) {
    const [word = ''] = /^\p{L}+/u.exec(text.slice(wordStart)) ?? [];
    return withExtension(text.slice(0, wordStart).replace(/[ ,;/(-]+$/, ''), word.toLowerCase());
  }
  const digits = text.replace(/\D/g, '');
  if (digits.length < 6 || digits.length > 15 || /^(\d)\1+$/.test(digits)) return null;
  if (nonPhoneForms.some((form) => form.test(text))) return null;
  if (/^(?:\(?\+|00)/.test(text)) {
    const number = parsePhoneNumberFromString(text.replace(/^00/, '+'));
    if (number?.isValid()) return text.startsWith('00') ? [0.6, 0.95, 'whole'] : [0.9, 0.97];
    return isInternational(text, digits) ? [0.6, 0.9] : [0.3, 0.8];
  }
  if (northAmerican.test(text) && isValidIn(text, 'US')) return [0.65, 0.95, 'whole'];
  const isGrouped = /\d[^\d]+\d/.test(text);
  const hasTrunkPrefix = /^\(?0[1-9]/.test(text) && digits.length >= 9 && digits.length <= 12;
  if (hasTrunkPrefix && (isGrouped || text.startsWith('('))) {
    const isValid = regions.some((region) => isValidIn(text, region));
    return isValid ? [0.55, 0.95, 'whole'] : [0.3, 0.88];
  }
  if (thousands.test(text)) return [0.1, 0.6];
  return [0.15, hasTrunkPrefix || isGrouped || digits.length >= 7 ? 0.82 : 0.6];
}

/**
 * Returns the match of all digits, or of the digits after one or two groups if only they form a
 * complete number.
 */
function bestMatch(text: string, from: number): PiiCandidate | null {
  const heads = [0, ...Array.from(text.matchAll(/ (?=[\d(+])/g), ({ index }) => index + 1)];
  let wholeMatch: PiiCandidate | null = null;
  for (const head of heads.slice(0, 3)) {
    const headScores = scoresOf(text.slice(head));
    if (!headScores) continue;
    const [alone, inContext, form] = headScores;
    const isWhole = form !== undefined || alone >= 0.9;
    const candidate = {
      start: from + head,
      end: from + text.length,
      alone,
      inContext,
      whole: isWhole,
    };
    if (isWhole) return candidate;
    if (head === 0) wholeMatch = candidate;
    if (/^(?:\+|00)/.test(text)) break;
  }
  return wholeMatch;
}

export const phone: PiiRecogniser = {
  context,
  against: contextWords(
    `invoice order part sku item serial isbn ean tracking reference ref version rechnung* bestell*
    artikel* facture commande factura pedido fattura ordine factuur iban passport licence license
    ssn account policy case ticket total amount model lot batch nhs`.split(/\s+/),
  ),
  otherNames: contextWords(
    `sku isbn issn ean gtin upc imei serial tracking version model lot batch iban passport ssn nhs
    artikel* part item`.split(/\s+/),
  ),
  candidates: (view) =>
    matches(withCorrectedDigits(view), form, (match) => bestMatch(match[0], match.index)),
};
