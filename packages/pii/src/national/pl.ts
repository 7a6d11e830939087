import { isValidDate, weightedSum } from '../checksums.ts';
import { identifierRecogniser } from '../identifier.ts';

/** A date of birth whose month encodes the century, a serial number and a check digit. */
export const pesel = identifierRecogniser({
  forms: { '99999999999': [0.7, 0.96], '999999-99999': [0.6, 0.95] },
  isValid: (digits) => {
    const month = Number(digits.slice(2, 4)) % 20;
    const century = [1900, 2000, 2100, 2200, 1800][Math.floor(Number(digits.slice(2, 4)) / 20)];
    if (century === undefined) return false;
    const year = century + Number(digits.slice(0, 2));
    const sum = weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]);
    return sum % 10 === 0 && isValidDate(year, month, Number(digits.slice(4, 6)));
  },
  context: ['pesel', 'numer pesel', 'nr pesel', 'polish id', 'identity number', 'ewidencyjny'],
});
