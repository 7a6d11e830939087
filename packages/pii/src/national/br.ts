import { identifier } from '../identifier.ts';

/**
 * Returns a check digit: 11 minus the weighted sum modulo 11, or 0 if the result has two digits.
 */
function check(signs: string, weights: readonly number[]): number {
  const sum = weights.reduce(
    (total, weight, index) => total + weight * (signs.charCodeAt(index) - 48),
    0,
  );
  const rest = 11 - (sum % 11);
  return rest > 9 ? 0 : rest;
}
const same = /^(\w)\1+$/;
const down = (from: number) => Array.from({ length: from - 1 }, (_, index) => from - index);

export const cpf = identifier({
  forms: { '999.999.999-99': [0.85, 0.97], '999.999.999 99': [0.65, 0.96] },
  valid: (digits) =>
    !same.test(digits) &&
    check(digits, down(10)) === Number(digits[9]) &&
    check(digits, down(11)) === Number(digits[10]),
  context: ['cpf', 'cadastro de pessoas', 'pessoa fisica', 'cpf/mf', 'contribuinte'],
});

const first = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
const valid = (id: string) =>
  !same.test(id) &&
  check(id, first) === Number(id[12]) &&
  check(id, [6, ...first]) === Number(id[13]);

/** Since July 2026, the first twelve characters may be letters (Receita Federal, IN 2.229/2024). */
export const cnpj = identifier({
  forms: {
    '99.999.999/9999-99': [0.9, 0.97],
    '99.999.999/9999 99': [0.7, 0.96],
    'XX.XXX.XXX/XXXX-99': [0.75, 0.96],
  },
  valid,
  context: ['cnpj', 'cadastro nacional', 'pessoa juridica', 'cnpj/mf', 'cgc'],
});
