import { identifierRecogniser } from '../identifier.ts';

/** Values of the characters in odd positions, 0 to 9 and A to Z (D.M. 23/12/1976). */
const oddValues = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8,
  12, 14, 16, 10, 22, 25, 24, 23,
];
const evenValue = (sign: string) => (/\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 65);
/** If two people would have the same code, letters replace digits (omocodia). */
const digitOrLetter = '[\\dLMNP-V]';
const wellFormed = new RegExp(
  `^[A-Z]{6}${digitOrLetter}{2}[ABCDEHLMPRST]${digitOrLetter}{2}[A-Z]${digitOrLetter}{3}[A-Z]$`,
);

function isValidFiscalCode(id: string): boolean {
  if (!wellFormed.test(id)) return false;
  const sum = [...id.slice(0, 15)].reduce(
    (total, sign, index) =>
      total + (index % 2 === 1 ? evenValue(sign) : (oddValues[Number.parseInt(sign, 36)] ?? 0)),
    0,
  );
  return String.fromCharCode(65 + (sum % 26)) === id[15];
}

const context = [
  'codice fiscale',
  'c.f.',
  'cf',
  'cod. fisc*',
  'cod fiscale',
  'fiscal code',
  'tax code',
  'codice',
];

export const fiscalCode = identifierRecogniser({
  forms: {
    'AAA AAA 99A99 A999A': [0.95, 0.99],
    // Letters may replace some digits.
    'AAA AAA XXAXX AXXXA': [0.9, 0.98],
  },
  isValid: isValidFiscalCode,
  context,
});
