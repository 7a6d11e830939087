import { isValidDate } from '../../checksums.ts';
import { identifierRecogniser } from '../../identifier.ts';
import { contextWords, matches, type PiiRecogniser } from '../../recogniser.ts';

const words = [
  'driver',
  'drivers',
  "driver's",
  'driving',
  'driver license*',
  'driver licence*',
  'licence',
  'license',
  'licence no',
  'dl#',
  'dl no',
  'dl number',
  'dvla',
  'fuhrerschein*',
  'permis',
  'permis de conduire',
  'permiso de conducir',
  'conducir',
  'carnet',
  'patente',
  'rijbewijs*',
  'prawo jazdy',
  'cnh',
];

/** A few groups of letters and digits, with at least four digits. */
const number =
  /(?<![A-Za-z0-9./-])(?=[A-Za-z0-9 -]{0,4}\d)(?:[A-Za-z]{0,3}|[A-Z]{1,3}[ -])\d[A-Za-z0-9]{0,16}(?:[ -][A-Za-z]{0,2}\d[A-Za-z0-9]{0,7}){0,4}(?![A-Za-z0-9/-]|\.\d)/g;

/** Every state has its own form, so numbers are recognised by adjacent words. */
export const licenceNumber: PiiRecogniser = {
  context: contextWords(words),
  against: contextWords([
    'software',
    'order',
    'invoice',
    'phone',
    'tel',
    'version',
    'mit',
    'apache',
    'plate*',
  ]),
  candidates: ({ text }) =>
    matches(text, number, (match) => {
      const signs = match[0].replace(/[ -]/g, '');
      // Mixed case is typical of keys and hashes.
      if (/[a-z]/.test(signs) && /[A-Z]/.test(signs)) return null;
      if (signs.length < 5 || signs.length > 18 || signs.replace(/\D/g, '').length < 4) return null;
      const end = match.index + match[0].length;
      return { start: match.index, end, alone: 0.05, inContext: 0.88 };
    }),
};

/**
 * Great Britain: five letters of the name, decade, month (plus 50 for women), day, year, initials,
 * and two more characters (DVLA).
 */
export const britishLicence = identifierRecogniser({
  forms: { 'XXXXX 999999 XXXAA': [0.7, 0.97] },
  isValid: (id) => {
    const match = /^[A-Z]{1,5}9{0,4}(\d)(\d)(\d)(\d\d)(\d)[A-Z9]{2}[A-HJ-NP-Z\d][A-Z]{2}$/.exec(id);
    if (!match) return false;
    const [, decade, half, unit, day, year] = match.map(Number);
    const month = ((half ?? 0) % 5) * 10 + (unit ?? 0);
    return isValidDate((decade ?? 0) * 10 + (year ?? 0), month, day ?? 0);
  },
  context: words,
});
