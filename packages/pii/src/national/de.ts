import { isValidDate, passesIcao, passesMod1110 } from '../checksums.ts';
import { identifierRecogniser } from '../identifier.ts';

/**
 * The first digit is not 0. Of the first ten digits, exactly one occurs two or three times. The
 * check digit follows ISO 7064 MOD 11,10 (§ 139b AO, notice of the Federal Central Tax Office on
 * the check digit).
 */
export const taxId = identifierRecogniser({
  forms: { '99 999 999 999': [0.5, 0.97], '99-999-999-999': [0.55, 0.97] },
  isValid: (digits) => {
    const counts = new Map<string, number>();
    for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    const repeated = [...counts.values()].filter((count) => count > 1);
    return (
      digits[0] !== '0' && repeated.length === 1 && (repeated[0] ?? 9) <= 3 && passesMod1110(digits)
    );
  },
  context: [
    'steueridentifikationsnummer',
    'steuer id',
    'steuerid*',
    'steuernummer',
    'steuerliche*',
    'idnr',
    'id nr',
    'identifikationsnummer',
    'steuer ident*',
    'tin',
    'tax id*',
    'tax number',
  ],
});

const context = [
  'personalausweis*',
  'ausweis*',
  'ausweisnummer',
  'perso',
  'identity card',
  'id card',
  'id no',
  'id number',
  'national id',
  'identitatskarte',
  'identification card',
  'id document',
];
/** The letters in serial numbers. Letters that resemble a digit or form words are not used. */
const serial = /^[CFGHJKLMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ\d]{8}/;
const hasDigits = (id: string) => id.replace(/\D/g, '').length >= 2;

/** The serial number with its check digit (ICAO), as in the machine-readable zone. */
export const idCard = identifierRecogniser({
  forms: { AXXXXXXXX9: [0.35, 0.97, 'specific'] },
  isValid: (id) => serial.test(id) && hasDigits(id.slice(0, 9)) && passesIcao(id),
  context,
});

/**
 * The serial number as printed on the front, without a check digit: only its letters can be
 * checked.
 */
export const idCardFront = identifierRecogniser({
  forms: { AXXXXXXXX: [0.15, 0.85] },
  isValid: (id) => serial.test(id) && hasDigits(id),
  context,
});

/**
 * Area, date of birth, initial, serial number and check digit. Each digit, with the initial as two
 * digits, is multiplied by 2 1 2 5 7 1 2 1 2 1 2 1. The check digit is the sum of the digit sums,
 * modulo 10 (§ 2 VKVV). The day of birth may have an offset.
 */
export const socialSecurity = identifierRecogniser({
  forms: { '99 999999 A 999': [0.75, 0.97], '99 99 99 99 A 99 9': [0.75, 0.97] },
  isValid: (id) => {
    const day = Number(id.slice(2, 4));
    const month = Number(id.slice(4, 6));
    if (month < 1 || month > 12 || day < 1 || day > 81) return false;
    if (day <= 31 && !isValidDate(Number(id.slice(6, 8)), month, day)) return false;
    const letter = String(id.charCodeAt(8) - 64).padStart(2, '0');
    const digits = id.slice(0, 8) + letter + id.slice(9, 11);
    const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
    const sum = [...digits].reduce((total, digit, index) => {
      const product = Number(digit) * (weights[index] ?? 0);
      return total + Math.floor(product / 10) + (product % 10);
    }, 0);
    return sum % 10 === Number(id[11]);
  },
  context: [
    'sozialversicherungs*',
    'rentenversicherungs*',
    'versicherungsnummer',
    'sv nummer',
    'svnr',
    'rvnr',
    'sv nr',
    'social security',
    'pension insurance',
    'rentenversicherung',
    'vsnr',
  ],
});
