import { weighted } from '../checksums.ts';
import { identifier } from '../identifier.ts';

const context = [
  ...['bsn', 'burgerservicenummer', 'burger service nummer', 'sofi*', 'citizen service number'],
  ...['persoonsnummer', 'bsn nummer', 'fiscaal nummer'],
];

/** Whether nine digits pass the eleven-test of citizen service numbers. */
export const elevenTest = (digits: string) =>
  !/^0+$/.test(digits) && weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;

/**
 * Passes the eleven-test (Besluit burgerservicenummer). A number of eight digits has an implied
 * leading 0.
 */
export const bsn = identifier({
  forms: { '9999 99 999': [0.2, 0.93], '9999.99.999': [0.3, 0.95], '999-999-999': [0.2, 0.93] },
  valid: elevenTest,
  context,
});

export const bsnOfEight = identifier({
  forms: { '99999999': [0.05, 0.85] },
  valid: (digits) => elevenTest(`0${digits}`),
  context,
});
