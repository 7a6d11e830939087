/**
 * Whether a field of a machine-readable zone passes its check digit (ICAO Doc 9303 part 3 §4.9):
 * digits count as themselves, A to Z as 10 to 35, and `<` as 0. The check digit is the sum with
 * weights 7, 3, 1, modulo 10.
 */
function hasValidCheckDigit(field: string, digit: string): boolean {
  let sum = 0;
  for (let index = 0; index < field.length; index++) {
    const value = field[index] === '<' ? 0 : Number.parseInt(field[index]!, 36);
    sum += value * [7, 3, 1][index % 3]!;
  }
  return String(sum % 10) === digit;
}

/** Whether a line looks like part of a machine-readable zone. */
export const isZone = (line: string): boolean =>
  /^[A-Z0-9<]{28,46}$/.test(line) && /<</.test(line) && line.split('<').length > 4;

/**
 * Whether the second line of the zone of a passport or card has valid check digits for its dates of
 * birth and expiry.
 */
export function isCheckedZone(line: string): boolean {
  const passport =
    /^[A-Z0-9<]{9}[0-9<][A-Z<]{3}([0-9]{6})([0-9])[MF<X]([0-9]{6})([0-9])[A-Z0-9<]/.exec(line);
  const card = /^([0-9]{6})([0-9])[MF<X]([0-9]{6})([0-9])[A-Z<]{3}[A-Z0-9<]/.exec(line);
  const found = passport ?? card;
  return (
    found !== null &&
    hasValidCheckDigit(found[1]!, found[2]!) &&
    hasValidCheckDigit(found[3]!, found[4]!)
  );
}
