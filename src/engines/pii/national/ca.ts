import { luhn } from '../checksums.ts';
import { identifier } from '../identifier.ts';

/** Passes Luhn; none begins with 8. Those that begin with 0 are made up, and stand in for real ones. */
export const sin = identifier({
  forms: { '999-999-999': [0.4, 0.96], '999999999': [0.15, 0.92] },
  valid: (digits) => /^[0-79]/.test(digits) && luhn(digits) && !/^0+$/.test(digits),
  context: ['sin', 'social insurance', 'assurance sociale', 'nas', 'sin number', 'sin no'],
});
