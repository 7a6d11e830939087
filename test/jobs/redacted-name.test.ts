import { withDefaults } from '@scriptorium/contracts/helpers/validator';
import { operations } from '@scriptorium/contracts/operations';
import { expect } from 'chai';
import { detectorOptionsOf } from '../../src/jobs/operations/redact-pii/detector-options.ts';
import { redactedName } from '../../src/jobs/operations/redact-pii/redacted-name.ts';
import { callOptions, sharedEngines } from '../support/engines.ts';

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

  it('has no personal data that is found only in the name', async () => {
    for (const [name, wanted] of [
      ['Barnaby Merriweather.epub', 'PERSON.epub'],
      ['barnaby_merriweather.pdf', 'PERSON.pdf'],
      ['Lebenslauf_Annegret_Achterberg.docx', 'Lebenslauf_PERSON.docx'],
      ['GB29NWBK60161331926819.eml', 'IBAN_CODE.eml'],
      ['john.smith@example.com.eml', 'EMAIL_ADDRESS.eml'],
      ['Annual Report 2024.docx', 'Annual Report 2024.docx'],
      ['IMG_20240501_123456.jpg', 'IMG_20240501_123456.jpg'],
      ['Lease_Agreement-draft.pdf', 'Lease_Agreement-draft.pdf'],
    ] as const) {
      const options = detectorOptionsOf(withDefaults(operations.redact_pii.options, {}));
      const found = await sharedEngines().findInName({ name, options }, callOptions);
      expect(redactedName(name, [], found)).to.equal(wanted);
    }
  });
});
