import { expect } from 'chai';
import { redactedName } from '../../src/jobs/operations/redact-pii/redacted-name.ts';

describe('the name of a redacted file', () => {
  const values = [
    { type: 'PERSON' as const, value: 'Rosalind Thornbury' },
    { type: 'PERSON' as const, value: 'Thornbury' },
    { type: 'US_SSN' as const, value: '521-83-7714' },
  ];
  const names: [string, string][] = [
    ['letter.pdf', 'letter.pdf'],
    ['Letter to Rosalind Thornbury.pdf', 'Letter to PERSON.pdf'],
    ['rosalind_thornbury-2026.pdf', 'PERSON-2026.pdf'],
    ['CV THORNBURY.docx', 'CV PERSON.docx'],
    ['521837714.pdf', 'US_SSN.pdf'],
    ['thornbury and thornbury.pdf', 'PERSON and PERSON.pdf'],
  ];
  for (const [given, wanted] of names) {
    it(`is ${wanted} for ${given}`, () => {
      expect(redactedName(given, values)).to.equal(wanted);
    });
  }
});
