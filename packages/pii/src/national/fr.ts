import { modulo } from '../checksums.ts';
import { identifierRecogniser } from '../identifier.ts';

/** Replaces the departments 2A and 2B of Corsica with 19 and 18. */
const withNumericDepartment = (id: string) => id.replace('2A', '19').replace('2B', '18');
const wellFormed = /^[1-478]\d\d(?:0[1-9]|1[0-2]|[2-9]\d)(?:\d\d|2[AB])\d{6}/;

const context = [
  'nir',
  'securite sociale',
  'numero de securite',
  'insee',
  'numero de secu',
  'secu',
  'vitale',
  'social security',
  'assure social',
  'n secu',
  'ss',
  'immatriculation',
  'carte vitale',
];

/** The check digits are 97 minus the number modulo 97 (INSEE). */
export const nir = identifierRecogniser({
  forms: {
    '9 99 99 99 999 999 99': [0.85, 0.98],
    '9 99 99 9A 999 999 99': [0.85, 0.98],
  },
  isValid: (id) =>
    wellFormed.test(id) &&
    97 - modulo(withNumericDepartment(id).slice(0, 13), 97) === Number(id.slice(13)),
  context,
});

/** The number without its check digits. */
export const nirWithoutKey = identifierRecogniser({
  forms: { '9 99 99 99 999 999': [0.1, 0.85] },
  isValid: (id) => wellFormed.test(id),
  context,
});
