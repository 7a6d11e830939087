import { isValidDate, passesLuhn } from '../checksums.ts';
import { identifierRecogniser } from '../identifier.ts';

/**
 * Whether an identifier is a date of birth and a number that passes Luhn. Coordination numbers add
 * 60 to the day.
 */
function isValidPersonnummer(id: string): boolean {
  const tenDigits = id.slice(-10);
  const year = Number(id.slice(0, -8));
  if (id.length === 12 && (year < 1850 || year > 2100)) return false;
  const month = Number(tenDigits.slice(2, 4));
  const day = Number(tenDigits.slice(4, 6));
  return passesLuhn(tenDigits) && isValidDate(year, month, day > 60 ? day - 60 : day);
}

export const personnummer = identifierRecogniser({
  forms: {
    '99999999-9999': [0.8, 0.97],
    '999999-9999': [0.7, 0.97],
    '999999+9999': [0.55, 0.95],
    '999999999999': [0.55, 0.93],
    '9999999999': [0.3, 0.92],
  },
  isValid: isValidPersonnummer,
  context: [
    'personnummer',
    'person nr',
    'personnr',
    'pnr',
    'samordningsnummer',
    'personal identity',
    'personal number',
    'swedish id',
    'fodelsenummer',
    'personnumret',
    'id number',
  ],
});
