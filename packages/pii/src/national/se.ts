import { isDay, luhn } from '../checksums.ts';
import { identifier } from '../identifier.ts';

/**
 * Whether an identifier is a date of birth and a number that passes Luhn. Coordination numbers add
 * 60 to the day.
 */
function valid(id: string): boolean {
  const short = id.slice(-10);
  const year = Number(id.slice(0, -8));
  if (id.length === 12 && (year < 1850 || year > 2100)) return false;
  const month = Number(short.slice(2, 4));
  const day = Number(short.slice(4, 6));
  return luhn(short) && isDay(year, month, day > 60 ? day - 60 : day);
}

export const personnummer = identifier({
  forms: {
    '99999999-9999': [0.8, 0.97],
    '999999-9999': [0.7, 0.97],
    '999999+9999': [0.55, 0.95],
    '999999999999': [0.55, 0.93],
    '9999999999': [0.3, 0.92],
  },
  valid,
  context: [
    ...['personnummer', 'person nr', 'personnr', 'pnr', 'samordningsnummer', 'personal identity'],
    ...['personal number', 'swedish id', 'fodelsenummer', 'personnumret', 'id number'],
  ],
});
