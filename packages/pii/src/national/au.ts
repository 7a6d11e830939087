import { weightedSum } from '../checksums.ts';
import { identifierRecogniser } from '../identifier.ts';

const tfnContext = ['tfn', 'tax file', 'tax file number', 'tax number', 'ato'];

/** Tax file number: weights 1 4 3 7 5 8 6 9 10, modulus 11 (ATO). */
export const tfn = identifierRecogniser({
  forms: { '999-999-999': [0.3, 0.95], '999999999': [0.15, 0.92] },
  isValid: (digits) =>
    !/^0+$/.test(digits) && weightedSum(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0,
  context: tfnContext,
});

/** Eight digits, as issued until 1989: weights 10 7 8 4 6 3 5 1. */
export const tfnEightDigits = identifierRecogniser({
  forms: { '99 999 999': [0.1, 0.9] },
  isValid: (digits) =>
    !/^0+$/.test(digits) && weightedSum(digits, [10, 7, 8, 4, 6, 3, 5, 1]) % 11 === 0,
  context: tfnContext,
});

/**
 * Starts with 2 to 6. The ninth digit checks the first eight. The issue number and the number of
 * the person follow.
 */
export const medicare = identifierRecogniser({
  forms: {
    '9999-99999-9': [0.35, 0.96, 'specific'],
    '9999999999': [0.2, 0.93],
    '9999-99999-9-9': [0.35, 0.96, 'specific'],
    '99999999999': [0.15, 0.9],
  },
  isValid: (digits) =>
    /^[2-6]/.test(digits) &&
    weightedSum(digits.slice(0, 8), [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === Number(digits[8]) &&
    digits[9] !== '0',
  context: ['medicare', 'medicare card', 'medicare number', 'medicare no', 'irn'],
});
