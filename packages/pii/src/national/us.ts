import { weightedSum } from '../checksums.ts';
import { identifierRecogniser } from '../identifier.ts';
import { contextWords, matches, type PiiRecogniser } from '../recogniser.ts';

const numberAt = (digits: string, from: number, to: number) => Number(digits.slice(from, to));

/**
 * The area is never 000, 666 or 9xx, the group never 00, and the serial number never 0000 (SSA,
 * POMS RM 10201.035).
 */
export const ssn = identifierRecogniser({
  forms: { '999-99-9999': [0.35, 0.97, 'specific'], '999999999': [0.15, 0.85] },
  isValid: (digits) => {
    const area = numberAt(digits, 0, 3);
    return (
      area > 0 &&
      area !== 666 &&
      area < 900 &&
      numberAt(digits, 3, 5) > 0 &&
      numberAt(digits, 5, 9) > 0
    );
  },
  context: [
    'ssn',
    'ssns',
    'social security',
    'soc sec',
    'ss number',
    'ss#',
    'ss no',
    'seguro social',
  ],
  against: ['part', 'part no', 'sku', 'item', 'serial', 'model', 'order', 'invoice'],
});

/** The area is 9xx; the group is 50 to 65, 70 to 88, 90 to 92, or 94 to 99 (IRS). */
export const itin = identifierRecogniser({
  forms: { '999-99-9999': [0.35, 0.97, 'specific'], '999999999': [0.15, 0.85] },
  isValid: (digits) => {
    const group = numberAt(digits, 3, 5);
    return digits.startsWith('9') && group >= 50 && ![66, 67, 68, 69, 89, 93].includes(group);
  },
  context: ['itin', 'individual taxpayer', 'taxpayer id*', 'tax id*', 'tin', 'taxpayer'],
});

/** ABA routing number: weights 3, 7, 1. The first two digits are a Federal Reserve district. */
export const routingNumber = identifierRecogniser({
  forms: { '999999999': [0.2, 0.9], '9999-9999-9': [0.2, 0.9] },
  isValid: (digits) =>
    /^(?:0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)/.test(digits) &&
    weightedSum(digits, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0,
  context: ['routing', 'aba', 'rtn', 'bank', 'wire', 'ach', 'transit'],
});

/** Account numbers have only a length in common, so they are recognised by adjacent words. */
export const account: PiiRecogniser = {
  context: contextWords([
    'account',
    'accounts',
    'acct',
    'a/c',
    'account no',
    'account number',
    'checking',
    'savings',
    'bank',
    'kontonummer',
    'konto',
    'compte',
    'cuenta',
    'conto',
    'rekening*',
  ]),
  against: contextWords(['order', 'invoice', 'phone', 'tel', 'fax', 'customer', 'date']),
  candidates: (view) =>
    matches(view.text, /(?<![\w.,/-])\d(?:[ -]?\d){7,16}(?![\w/-]|[.,]\d)/g, (match) => ({
      start: match.index,
      end: match.index + match[0].length,
      alone: 0.05,
      inContext: 0.75,
    })),
};
