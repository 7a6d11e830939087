import { entityNames } from '@scriptorium/contracts/documents/entities';
import { createDetector } from '@scriptorium/pii';
import { expect } from 'chai';
import { everything } from './find.ts';

const detect = createDetector({ ...everything, entities: entityNames });
const valuesIn = (text: string, recognised = false): string[] =>
  detect(text, { recognised })
    .filter(({ type }) => type !== 'DATE_TIME')
    .map(({ start, end }) => text.slice(start, end));

describe('values glued to words', () => {
  const cases: readonly [text: string, value: string][] = [
    ['callback630-555-0147 please', '630-555-0147'],
    ['Rückruf0664 555 01 23 bitte', '0664 555 01 23'],
    ['tel+34612448091', '+34612448091'],
    ['SSN219-09-9999', '219-09-9999'],
    ['ssn_219-09-9999', '219-09-9999'],
    ['cardno:4111111111111111exp', '4111111111111111'],
    ['card4111 1111 1111 1111exp12/27', '4111 1111 1111 1111'],
    ['IBANAT61 1904 3002 3457 3201', 'AT61 1904 3002 3457 3201'],
    ['Konto DE89370400440532013000EUR belastet', 'DE89370400440532013000'],
    ['PESEL44051401359', '44051401359'],
    ['NIF12345678Z', '12345678Z'],
    ['passportPA0070724 expires', 'PA0070724'],
    ['geb14.05.1971', '14.05.1971'],
    ['Kundennummer12345678', '12345678'],
    ['IP203.0.113.77', '203.0.113.77'],
  ];
  for (const [text, value] of cases) {
    it(`are found whole: ${text}`, () => {
      const found = valuesIn(text).filter((one) => one.startsWith(value));
      expect(found, valuesIn(text).join()).to.have.length(1);
    });
  }

  it('are found in text from pictures', () => {
    expect(valuesIn('IBANAT61 19O4 3002 3457 3201', true)).to.include('AT61 19O4 3002 3457 3201');
    expect(valuesIn('callback630-555-0147', true)).to.include('630-555-0147');
  });

  it('leave IBANs to their check, not to the form of a bank code', () => {
    const types = detect('IBANAT61 1904 3002 3457 3201').map(({ type }) => type);
    expect(types).to.deep.equal(['IBAN_CODE']);
  });

  it('are not what codes, numbers of goods and hashes are made of', () => {
    const codes = [
      'Batch0042771893 released',
      'PO4500012345',
      'INV20240312001',
      'ISBN9780306406157',
      'IMG_20240312_123456.jpg',
      'SKU630555',
      'commit 7e7026aa8bd891f7d07f58273994d793d0febab6',
      '550e8400-e29b-41d4-a716-446655440000',
      'HRB123456',
      'CVE-2024-1234567',
    ];
    expect(codes.flatMap((code) => valuesIn(code))).to.deep.equal([]);
  });
});
