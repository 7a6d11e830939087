/** Checksums of identifiers. All take digits without separators. */

const digitsOf = (digits: string): number[] => Array.from(digits, Number);

/** Returns the sum of the digits, each multiplied by its weight. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return digitsOf(digits).reduce((sum, digit, index) => sum + digit * (weights[index] ?? 0), 0);
}

/** Checks ISO/IEC 7812-1 annex B: payment cards, SIN, personnummer. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    sum += index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
}

/** Returns the remainder of a number of any length. */
export function modulo(digits: string, divisor: number): number {
  return digitsOf(digits).reduce((rest, digit) => (rest * 10 + digit) % divisor, 0);
}

/** Checks ISO 7064 MOD 11,10: the German tax identification number. */
export function passesMod1110(digits: string): boolean {
  let product = 10;
  for (const digit of digitsOf(digits.slice(0, -1))) {
    const sum = (digit + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}

/**
 * The multiplication table of the dihedral group D5 and the permutation of the Verhoeff algorithm.
 */
const d5 = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
];
const permutation = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
];

/** Checks the Verhoeff algorithm (1969): Aadhaar. */
export function passesVerhoeff(digits: string): boolean {
  let check = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(permutation[index % 8]?.[Number(digits.at(-1 - index))]);
    check = Number(d5[check]?.[digit]);
  }
  return check === 0;
}

const icaoValue = (sign: string) => (sign === '<' ? 0 : Number.parseInt(sign, 36));

/**
 * Checks ICAO Doc 9303-3, 4.9: weights 7, 3, 1; letters count from A = 10; the last character is
 * the check digit.
 */
export function passesIcao(signs: string): boolean {
  const sum = [...signs.slice(0, -1)].reduce(
    (total, sign, index) => total + icaoValue(sign) * ([7, 3, 1][index % 3] ?? 0),
    0,
  );
  const check = signs.at(-1);
  return sum % 10 === (check === '<' ? 0 : Number(check));
}

/** Whether a date is valid. Two-digit years count from 2000, which is a leap year. */
export function isValidDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year < 100 ? 2000 + year : year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
