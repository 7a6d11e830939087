import { luhn } from '../checksums.ts';
import { identifier } from '../identifier.ts';

/**
 * Passes Luhn and does not start with 8. Numbers that start with 0 are fictitious and replace real
 * numbers in examples.
 */
export const sin = identifier({
  forms: { '999-999-999': [0.35, 0.96, 'specific'], '999999999': [0.15, 0.92] },
  valid: (digits) => /^[0-79]/.test(digits) && luhn(digits) && !/^0+$/.test(digits),
  context: ['sin', 'social insurance', 'assurance sociale', 'nas', 'sin number', 'sin no'],
});
