import { passesLuhn, weightedSum } from '../../checksums.ts';
import { asDigits, looksLikeDigit } from '../../confusions.ts';
import { canBeSplit } from '../../forms.ts';
import { contextWords, matches, type PiiCandidate, type PiiRecogniser } from '../../recogniser.ts';

/**
 * First digits and lengths of card numbers by network (ISO/IEC 7812 issuer identification numbers).
 */
const brands: readonly RegExp[] = [
  /^4(?:\d{12}|\d{15}|\d{18})$/, // Visa
  /^(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}$/, // Mastercard
  /^3[47]\d{13}$/, // American Express
  /^3(?:0[0-5]|095|6|8|9)\d{11,16}$/, // Diners Club
  /^(?:6011|64[4-9]\d|65\d{2})\d{12,15}$/, // Discover
  /^35(?:2[89]|[3-8]\d)\d{12,15}$/, // JCB
  /^(?:1800|2131)\d{11}$/, // JCB of fifteen digits
  /^(?:0604|5018|5020|5038|5612|5893|6304|6390|6759|676[1-3])\d{8,15}$/, // Maestro
  /^62\d{14,17}$/, // UnionPay
  /^220[0-4]\d{12,15}$/, // Mir
];

/**
 * The groups in which cards are printed: fours; four, six and the remaining digits; or four, three,
 * three and three.
 */
const usualGroups =
  /^(?:\d{4}([ \n-])(?:\d{4}\1){1,3}\d{1,4}|\d{4}([ \n-])\d{6}\2\d{4,5}|\d{4}([ \n-])\d{3}\3\d{3}\3\d{3})$/;

const formSource = (digit: string, gap: string) =>
  `(?<![A-Za-z0-9])(?<![0-9][.,/-])${digit}(?:${gap}${digit}){11,18}(?![A-Za-z0-9])(?![.,/][0-9])`;
const printedForm = new RegExp(formSource('\\d', '[ \\n-]?'), 'g');
const misreadForm = new RegExp(formSource(`[${looksLikeDigit}]`, '(?: ?[\\n-] ?| ?)'), 'g');

/**
 * Whether a number is a GTIN-12 or GTIN-13 (GS1 General Specifications 7.9). Article numbers are
 * more common than cards of the same length.
 */
const isArticle = (digits: string): boolean =>
  weightedSum(digits.padStart(13, '0'), [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;

/**
 * Returns the scores of a number of this form as a card number; null if it cannot be a card number.
 */
function scoresOf(signs: string, recognised: boolean): readonly [number, number] | null {
  const digits = recognised ? asDigits(signs) : signs;
  if (!digits || digits.length < 12 || !passesLuhn(digits) || /^(\d)\1+$/.test(digits)) return null;
  if (brands.some((brand) => brand.test(digits))) {
    if (digits.length < 14 && isArticle(digits)) return [0.35, 0.97];
    return digits.length > 12 ? [0.8, 0.99] : [0.6, 0.97];
  }
  return [0.2, 0.85];
}

/** Whether a recognised number continues into a word that looks like digits. */
const endsInWord = (text: string) => /[a-z][a-z]$/.test(text) && /(?:^| )[A-Za-z]+$/.test(text);

export const card: PiiRecogniser = {
  context: contextWords([
    'card',
    'cards',
    'credit card*',
    'debit',
    'visa',
    'mastercard',
    'amex',
    'maestro',
    'cc',
    'american express',
    'discover',
    'diners',
    'jcb',
    'credit',
    'kreditkarte*',
    'karte*',
    'carte',
    'tarjeta',
    'carta',
    'creditcard*',
    'kaart*',
    'kartennummer',
    'pan',
    'cvv',
    'cvc',
    'payment',
    'charge',
    'charged',
  ]),
  against: contextWords([
    'ean',
    'gtin',
    'isbn',
    'upc',
    'imei',
    'barcode',
    'sku',
    'tracking',
    'serial',
  ]),
  candidates: ({ text, recognised }) =>
    matches(text, recognised ? misreadForm : printedForm, (match): PiiCandidate | null => {
      // Groups before and after may be separate, such as the code on the back. The remaining digits
      // must then match a network.
      const followsDigits = /\d[ -]?$/.test(text.slice(Math.max(0, match.index - 2), match.index));
      for (let end = match[0].length; end > 11; end = endOfPreviousGroup(match[0], end)) {
        if (
          recognised &&
          (endsInWord(match[0].slice(0, end)) ||
            !canBeSplit(text, match.index, match.index + end, 4))
        )
          continue;
        const signs = match[0].slice(0, end).replace(/[\s._-]/g, '');
        const cardScores = scoresOf(signs, recognised);
        const isPart = followsDigits || end < match[0].length;
        if (!cardScores || (isPart && cardScores[0] < 0.5)) continue;
        const [score, inContext] = cardScores;
        const isGrouped = /\d[ \n-]\d/.test(match[0].slice(0, end));
        const isUsual = recognised || !isGrouped || usualGroups.test(match[0].slice(0, end));
        const alone = isUsual ? score : Math.min(score, 0.35);
        return {
          start: match.index,
          end: match.index + end,
          alone,
          inContext,
          whole: alone > 0.5,
        };
      }
      return null;
    }),
};

/** Returns the end of the group before the group that ends at `end`. */
function endOfPreviousGroup(text: string, end: number): number {
  let at = end - 1;
  while (at > 0 && !/[\s._-]/.test(text[at] ?? '')) at -= 1;
  while (at > 0 && /[\s._-]/.test(text[at - 1] ?? '')) at -= 1;
  return at;
}
