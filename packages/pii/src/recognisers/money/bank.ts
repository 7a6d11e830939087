import {
  getCountrySpecifications,
  isValidBIC,
  ValidationErrorsIBAN,
  validateIBAN,
} from 'ibantools';
import { digitFor, lettersFor } from '../../confusions.ts';
import { contextWords, matches, type PiiCandidate, type PiiRecogniser } from '../../recogniser.ts';

/** The length and structure of the IBANs of each country. */
const structures = new Map(
  Object.entries(getCountrySpecifications()).flatMap(([country, { chars, bban_regexp }]) =>
    chars && bban_regexp ? [[country, { chars, kinds: kindsOf(bban_regexp) }] as const] : [],
  ),
);

/** Converts `^[A-Z]{4}[0-9]{2}$` to one character per position: `AAAA99`. */
function kindsOf(pattern: string): string {
  return [...pattern.matchAll(/\[([^\]]+)\](?:\{(\d+)\})?/g)]
    .map(([, set, times]) => {
      const kind = set === '0-9' ? '9' : set === 'A-Z' ? 'A' : 'X';
      return kind.repeat(Number(times ?? 1));
    })
    .join('');
}

/**
 * Whether an IBAN is valid. National check digits are not verified, because some banks issue
 * accounts without them.
 */
function isIban(iban: string): boolean {
  return validateIBAN(iban).errorCodes.every(
    (code) => code === ValidationErrorsIBAN.WrongAccountBankBranchChecksum,
  );
}

/** Corrects misread characters according to the structure of the IBANs of a country. */
function correctSigns(signs: string, kinds: string, either: 'digits' | 'as it is'): string {
  return Array.from(signs, (sign, index) => {
    const kind = index < 2 ? 'A' : index < 4 ? '9' : kinds[index - 4];
    if (kind === '9' || (kind === 'X' && either === 'digits')) return digitFor[sign] ?? sign;
    if (kind === 'A') return lettersFor[sign]?.[0] ?? sign;
    return sign;
  })
    .join('')
    .toUpperCase();
}

const start = /[A-Za-z]{2} ?\d ?\d/g;
const misreadStart = /(?<![A-Za-z0-9])[A-Za-z0-9] ?[A-Za-z0-9] ?[\dOolIZSBQD] ?[\dOolIZSBQD]/g;
const joinedStart = /(?<=(?<![A-Za-z0-9])iban)[A-Z0-9]{2} ?[\dOolIZSBQD] ?[\dOolIZSBQD]/gi;
/** Words that are joined to an IBAN. Its check determines where it starts and ends. */
const joinedBefore = /(?:^|[^A-Za-z0-9])[A-Za-z]{0,20}$/;
const joinedAfter = /^(?:$|[^A-Za-z0-9]|[A-Za-z]{2,20}(?![A-Za-z0-9]))/;
/** The longest IBAN has 34 characters, and each may be followed by a space. */
const maxLength = 70;

export const iban: PiiRecogniser = {
  context: contextWords(
    `iban account bank konto* compte cuenta conto rekening* transfer uberweis* bankverbindung
    virement bonifico sepa`.split(/\s+/),
  ),
  against: null,
  *candidates({ text, recognised }) {
    const candidateAt = (match: RegExpExecArray): PiiCandidate | null => {
      const before = text.slice(Math.max(0, match.index - 21), match.index);
      if (/[A-Za-z0-9]$/.test(before) && !joinedBefore.test(before)) return null;
      const gap = recognised ? /[\s._-]/ : /[ \n-]/;
      const head = match[0].replaceAll(' ', '').slice(0, 2);
      const country = (recognised ? correctSigns(head, '', 'as it is') : head).toUpperCase();
      const structure = structures.get(country);
      if (!structure) return null;
      let signs = '';
      let end = match.index;
      const maxEnd = Math.min(text.length, match.index + maxLength);
      for (; end < maxEnd && signs.length < structure.chars; end += 1) {
        const sign = text[end] ?? '';
        if (/[A-Za-z0-9|!]/.test(sign)) signs += sign;
        else if (!gap.test(sign) || /\s\s$/.test(text.slice(end - 1, end + 1))) return null;
      }
      if (signs.length < structure.chars || !joinedAfter.test(text.slice(end, end + 21)))
        return null;
      const asWritten = signs.toUpperCase();
      const { kinds } = structure;
      const isValid =
        isIban(asWritten) ||
        (recognised &&
          (isIban(correctSigns(signs, kinds, 'as it is')) ||
            isIban(correctSigns(signs, kinds, 'digits'))));
      return isValid ? { start: match.index, end, alone: 0.97, inContext: 0.99 } : null;
    };
    yield* matches(text, recognised ? misreadStart : start, candidateAt);
    if (recognised) yield* matches(text, joinedStart, candidateAt);
  },
};

/** The length of a Polish IBAN without the country code. */
const polishLength = 26;
/** Polish accounts are written without the country code: two digits and six groups of four. */
const polishForm = /(?<![A-Za-z\d])(?<!\d[ -])\d{2}([ -]?)\d{4}(?:\1\d{4}){5}(?![ -]?\d|[A-Za-z])/g;

export const polishAccount: PiiRecogniser = {
  context: iban.context,
  against: null,
  candidates: ({ text }) =>
    matches(text, polishForm, ({ 0: found, index }) => {
      const digits = found.replace(/\D/g, '');
      if (digits.length !== polishLength || !isIban(`PL${digits}`)) return null;
      return { start: index, end: index + found.length, alone: 0.9, inContext: 0.99 };
    }),
};

const bicForm = /(?<![A-Za-z0-9])[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?![A-Za-z0-9])/g;

/**
 * Words in capitals have the same form, so a code without supporting words nearby scores below the
 * default confidence. A code that ends in XXX, as for a head office, counts if the text names such
 * codes anywhere.
 */
export const bic: PiiRecogniser = {
  context: contextWords([
    'bic',
    'swift',
    'swift code',
    'bic code',
    'bank code',
    'bic/swift',
    'iban',
  ]),
  against: null,
  candidates: ({ text }) =>
    matches(text, bicForm, (match) => {
      const [code] = match;
      if (!isValidBIC(code) || code.startsWith('IBAN')) return null;
      const isBranch = code.endsWith('XXX') && code.length === 11;
      const alone = isBranch ? 0.35 : /\d/.test(code) ? 0.3 : 0.1;
      const end = match.index + code.length;
      return { start: match.index, end, alone, inContext: 0.93, specific: isBranch };
    }),
};
