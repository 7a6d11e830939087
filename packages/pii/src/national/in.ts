import { passesVerhoeff } from '../checksums.ts';
import { identifierRecogniser } from '../identifier.ts';

/**
 * Starts with 2 to 9, is not a palindrome, and passes Verhoeff (UIDAI). Three years in a row do not
 * match.
 */
export const aadhaar = identifierRecogniser({
  forms: { '9999-9999-9999': [0.55, 0.97], '999999999999': [0.35, 0.95] },
  isValid: (digits) =>
    /^[2-9]/.test(digits) &&
    !/^(?:(?:19|20)\d\d){3}$/.test(digits) &&
    digits !== [...digits].reverse().join('') &&
    passesVerhoeff(digits),
  context: ['aadhaar', 'aadhar', 'adhaar', 'uidai', 'uid', 'aadhaar number', 'unique id*'],
});

/**
 * The fourth letter is the type of the holder: P is a person; other letters are companies and
 * similar.
 */
export const pan = identifierRecogniser({
  forms: { AAAAA9999A: [0.35, 0.97, 'specific'] },
  isValid: (id) => /^[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]$/.test(id) && id.slice(5, 9) !== '0000',
  context: ['pan', 'permanent account', 'pan card', 'income tax', 'pan number', 'pan no'],
});
