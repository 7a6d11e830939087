import type { PatternType } from '@scriptorium/pii/registry';
import { expect } from 'chai';
import { formedAs, found } from './find.ts';

/** Values as recognition of a picture returns them. */
const cases: readonly (readonly [PatternType, string, string])[] = [
  ['CREDIT_CARD', 'Card ', '4l11 1111 11 11 ll11'],
  ['CREDIT_CARD', '', '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1'],
  ['IBAN_CODE', 'IBAN ', 'DE89 37O4 OO44 O532 0130 0O'],
  ['IBAN_CODE', '', 'G829 NWBK 6016 1331 9268 I9'],
  ['US_SSN', 'SSN ', '46O-8 9-9847'],
  ['UK_NHS', 'NHS number ', '943 47G 59I9'],
  ['UK_NINO', 'NINO ', 'JG 1O 37 S9 A'],
  ['DE_TAX_ID', 'Steuer-ID ', '86 O95 742 7l9'],
  ['DE_TAX_ID', 'Steuer-ID ', '8 6 0 9 5 7 4 2 7 1 9'],
  ['DE_ID_CARD', 'Ausweis ', 'T22OOO1293'],
  ['DE_SOCIAL_SECURITY', '', '65 17O839 J OO3'],
  ['FR_NIR', '', '2 SS 08 14 168 025 38'],
  ['ES_NIF', 'DNI ', 'l2345678Z'],
  ['IT_FISCAL_CODE', '', 'R5SMRA8STI0A562S'],
  ['NL_BSN', 'BSN ', '1112 2Z333'],
  ['PL_PESEL', 'PESEL ', '440514O13S9'],
  ['IN_AADHAAR', 'Aadhaar ', '2345 67B9 O124'],
  ['BR_CPF', '', '529.982.247-2S'],
  ['BR_CPF', '', '529. 982. 247-25'],
  ['CA_SIN', 'SIN ', 'I30 692 S44'],
  ['AU_TFN', 'TFN ', '123 4S6 782'],
  ['IP_ADDRESS', 'IP ', '41. 173.96 .26'],
  ['DATE_OF_BIRTH', 'born ', 'l2/O3/1985'],
];

describe('identifiers recognised in pictures', () => {
  for (const [type, before, value] of cases) {
    it(`include ${type} ${value}`, () => {
      expect(found(`${before}${value}, as it says`, true)).to.include(`${type} ${value}`);
    });
  }

  const behindLabels: readonly (readonly [PatternType, string])[] = [
    ['DATE_OF_BIRTH', 'Date of birth: 0904/1969'],
    ['DATE_OF_BIRTH', 'Born on\t0904/1969'],
    ['DATE_OF_BIRTH', 'Date of birth: 19,051990'],
    ['PHONE_NUMBER', 'Phone: 07.48.27,19:36'],
    ['PHONE_NUMBER', 'Portable: 06.31.5B,04.7?'],
    ['IBAN_CODE', 'Account: NL#5 ABNA 0417 1643 00'],
    ['EMAIL_ADDRESS', 'E-mail: t. vermeulen @postbus .nl'],
  ];
  for (const [type, text] of behindLabels) {
    const value = text.replace(/^[^:\t]*[:\t] ?/, '');
    it(`include what is nearly one behind its label: ${text}`, () => {
      expect(found(text, true)).to.include(`${type} ${value}`);
    });
  }

  it('include what is nearly one in the column below its label', () => {
    const rows = ['14.031968', '0211.1975', '27.08.1981', '19,051990'];
    const text = ['Name\tDate of birth\tFee', ...rows.map((date) => `Ada Bell\t${date}\t40`)].join(
      '\n',
    );
    expect(found(text, true)).to.include.members(rows.map((date) => `DATE_OF_BIRTH ${date}`));
  });

  it('include telephone numbers of which one sign between the groups was misread', () => {
    expect(found('Toiture 07.48.27,19.36', true)).to.include('PHONE_NUMBER 07.48.27,19.36');
    expect(found('Toiture 06.31.58 04.77', true)).to.include('PHONE_NUMBER 06.31.58 04.77');
    expect(found('Toiture 06.72,.19.83.40', true)).to.include('PHONE_NUMBER 06.72,.19.83.40');
  });

  it('are no words and quantities behind labels', () => {
    for (const text of [
      'Phone: 24 hours a day',
      'Telephone: 5 pieces, 30 EUR',
      'Date of birth: see passport',
    ]) {
      expect(found(text, true), text).to.deep.equal([]);
    }
  });

  it('are found only in recognised text', () => {
    for (const [type, before, value] of cases.filter(([, , value]) => /[A-Za-z]/.test(value))) {
      expect(formedAs(type, `${before}${value}, as it says`), value).to.not.include(value);
    }
  });

  it('are not made of words', () => {
    const words =
      'SOS BIO BIS OIL SOIL LOBS IS SO BIG O IL SI SOLID GOSIP ISBIL BOOBS 1 SOS 0 IS BIG GIG SO BLISS';
    expect(found(words.repeat(5), true)).to.deep.equal([]);
    expect(found('number 2954 30503 8 and build 73458, have SIN', true)).to.deep.equal([]);
  });

  it('must still pass their checks', () => {
    expect(formedAs('CREDIT_CARD', 'Card 4l11 1111 11 11 ll12', true)).to.deep.equal([]);
    expect(formedAs('IBAN_CODE', 'IBAN DE89 37O4 OO44 O532 0130 01', true)).to.deep.equal([]);
  });
});
