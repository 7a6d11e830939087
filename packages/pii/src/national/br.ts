import { identifierRecogniser } from '../identifier.ts';

/**
 * Returns a check digit: 11 minus the weighted sum modulo 11, or 0 if the result has two digits.
 */
function checkDigit(signs: string, weights: readonly number[]): number {
  const sum = weights.reduce(
    (total, weight, index) => total + weight * (signs.charCodeAt(index) - 48),
    0,
  );
  const remainder = 11 - (sum % 11);
  return remainder > 9 ? 0 : remainder;
}
const sameCharacters = /^(\w)\1+$/;
const descendingWeights = (from: number) =>
  Array.from({ length: from - 1 }, (_, index) => from - index);

export const cpf = identifierRecogniser({
  forms: { '999.999.999-99': [0.85, 0.97], '999.999.999 99': [0.65, 0.96] },
  isValid: (digits) =>
    !sameCharacters.test(digits) &&
    checkDigit(digits, descendingWeights(10)) === Number(digits[9]) &&
    checkDigit(digits, descendingWeights(11)) === Number(digits[10]),
  context: ['cpf', 'cadastro de pessoas', 'pessoa fisica', 'cpf/mf', 'contribuinte'],
});

const firstWeights = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
const isValidCnpj = (id: string) =>
  !sameCharacters.test(id) &&
  checkDigit(id, firstWeights) === Number(id[12]) &&
  checkDigit(id, [6, ...firstWeights]) === Number(id[13]);

/** Since July 2026, the first twelve characters may be letters (Receita Federal, IN 2.229/2024). */
export const cnpj = identifierRecogniser({
  forms: {
    '99.999.999/9999-99': [0.9, 0.97],
    '99.999.999/9999 99': [0.7, 0.96],
    'XX.XXX.XXX/XXXX-99': [0.75, 0.96],
  },
  isValid: isValidCnpj,
  context: ['cnpj', 'cadastro nacional', 'pessoa juridica', 'cnpj/mf', 'cgc'],
});
