import { weightedSum } from '../checksums.ts';
import { identifierRecogniser } from '../identifier.ts';

const context = [
  'bsn',
  'burgerservicenummer',
  'burger service nummer',
  'sofi*',
  'citizen service number',
  'persoonsnummer',
  'bsn nummer',
  'fiscaal nummer',
];

/** Whether nine digits pass the eleven-test of citizen service numbers. */
export const passesElevenTest = (digits: string) =>
  !/^0+$/.test(digits) && weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;

/**
 * Passes the eleven-test (Besluit burgerservicenummer). A number of eight digits has an implied
 * leading 0.
 */
export const bsn = identifierRecogniser({
  forms: {
    '9999 99 999': [0.2, 0.93, 'specific'],
    '9999.99.999': [0.3, 0.95, 'specific'],
    '999-999-999': [0.2, 0.93, 'specific'],
  },
  isValid: passesElevenTest,
  context,
});

export const bsnEightDigits = identifierRecogniser({
  forms: { '99999999': [0.05, 0.85] },
  isValid: (digits) => passesElevenTest(`0${digits}`),
  context,
});
