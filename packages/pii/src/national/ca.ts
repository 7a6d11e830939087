import { passesLuhn } from '../checksums.ts';
import { identifierRecogniser } from '../identifier.ts';

/**
 * Passes Luhn and does not start with 8. Numbers that start with 0 are fictitious and replace real
 * numbers in examples.
 */
export const sin = identifierRecogniser({
  forms: { '999-999-999': [0.35, 0.96, 'specific'], '999999999': [0.15, 0.92] },
  isValid: (digits) => /^[0-79]/.test(digits) && passesLuhn(digits) && !/^0+$/.test(digits),
  context: ['sin', 'social insurance', 'assurance sociale', 'nas', 'sin number', 'sin no'],
});
