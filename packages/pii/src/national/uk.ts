import { weightedSum } from '../checksums.ts';
import { identifierRecogniser } from '../identifier.ts';

/** Weights 10 to 2, modulus 11 (NHS Data Dictionary, NHS NUMBER). */
export const nhs = identifierRecogniser({
  forms: { '999-999-9999': [0.35, 0.97, 'specific'], '9999999999': [0.2, 0.95, 'specific'] },
  isValid: (digits) => {
    const checkDigit = 11 - (weightedSum(digits.slice(0, 9), [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11);
    return checkDigit % 11 === Number(digits[9]);
  },
  context: ['nhs', 'nhs no', 'nhs number', 'national health service', 'patient', 'hospital number'],
});

const prefix = '(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]';
const context = ['nino', 'ni number', 'ni no', 'national insurance', 'n.i.', 'insurance number'];

/** Prefixes that were never issued do not match (HMRC, NIM39110). */
export const nino = identifierRecogniser({
  forms: { 'AA 99 99 99 A': [0.35, 0.97, 'specific'] },
  isValid: (id) => new RegExp(`^${prefix}\\d{6}[A-D]$`).test(id),
  context,
});

/** The number without its suffix, which is optional. */
export const ninoWithoutSuffix = identifierRecogniser({
  forms: { 'AA 99 99 99': [0.1, 0.85] },
  isValid: (id) => new RegExp(`^${prefix}\\d{6}$`).test(id),
  context,
});
