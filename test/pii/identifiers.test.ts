import type { PatternType } from '@scriptorium/pii/registry';
import { expect } from 'chai';
import { textViewOf } from '../../packages/pii/src/view.ts';
import { formedAs, found, foundAs } from './find.ts';

interface Case {
  type: PatternType;
  /** With context if the type needs it; the value is in brackets. */
  valid: string[];
  /** Values with the right form that break a rule. */
  invalid?: string[];
  /** Digits that no check covers, by their position in the first value without separators. */
  unchecked?: number[];
  /** None of its digits is checked. */
  noChecksum?: true;
}

const cases: Case[] = [
  {
    type: 'CREDIT_CARD',
    valid: [
      'card [4111 1111 1111 1111]',
      'paid with [5555-5555-5555-4444] yesterday',
      '[378282246310005]',
      'Kreditkarte [30569309025904], bitte',
      '[6011111111111117]',
      '[3530111333300000]',
      'Maestro card [6759649826438453]',
      'card number [503890547220]',
      'card [4111 1111 1111 1111] 12/27 123',
    ],
    invalid: ['card 0000 0000 0000 0000', 'weight 4111.1111 1111 1111'],
  },
  {
    type: 'IBAN_CODE',
    valid: [
      '[DE89 3704 0044 0532 0130 00]',
      'IBAN: [GB29NWBK60161331926819].',
      '[FR14 2004 1010 0505 0001 3M02 606]',
      '[nl91abna0417164300]',
      '[NO93 8601 1117 947]',
      'Rachunek [66 1160 2202 0000 0003 4819 2756], bank',
      '[66116022020000000348192756]',
    ],
    invalid: [
      'DE89 3704 0044 0532 0130',
      'XX89 3704 0044 0532 0130 00',
      '67 1160 2202 0000 0003 4819 2756',
    ],
  },
  {
    type: 'SWIFT_CODE',
    valid: ['BIC [DEUTDEFF]', 'SWIFT: [NEDSZAJJXXX]', 'SWIFT [COBADEFFXXX]'],
    invalid: ['DOCUMENT', 'BIC: ABCDXXFF', 'COMPLETE'],
    noChecksum: true,
  },
  {
    type: 'CRYPTO',
    valid: [
      '[1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa]',
      '[3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy]',
      '[bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4]',
      '[bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0]',
      '[0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed]',
      '[0x52908400098527886E0F7030069857D2E4169EE7]',
    ],
    invalid: [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe',
    ],
  },
  {
    type: 'US_SSN',
    valid: ['SSN [460-89-9847]', 'SSN [460899847]', 'social security number is [023 01 0866]'],
    invalid: [
      'SSN 000-12-3456',
      'SSN 666-12-3456',
      'SSN 900-12-3456',
      'SSN 460-00-9847',
      'SSN 460-89-0000',
    ],
    noChecksum: true,
  },
  {
    type: 'US_ITIN',
    valid: ['ITIN [912-70-1234]', 'ITIN [912701234]'],
    invalid: ['ITIN 912-69-1234', 'ITIN 912-93-1234', 'ITIN 812-70-1234'],
    noChecksum: true,
  },
  {
    type: 'US_BANK_NUMBER',
    valid: ['routing number [021000021]', 'ABA [121000358]', 'account number [12345678901]'],
    invalid: ['routing number 991000021'],
  },
  { type: 'UK_NHS', valid: ['NHS number [943 476 5919]', 'NHS No: [9434765919]'] },
  {
    type: 'UK_NINO',
    valid: ['NINO [AB 12 34 56 C]', 'National Insurance: [JG103759A]', 'NI number [AB123456]'],
    invalid: ['NINO BG123456A', 'NINO QQ123456A', 'NINO AB123456E', 'DA 12 34 56 C'],
    noChecksum: true,
  },
  {
    type: 'DE_TAX_ID',
    valid: ['[86 095 742 719]', 'Steuer-ID: [86095742719]', 'IdNr. [47036892816]'],
    invalid: ['Steuer-ID: 06095742719', 'Steuer-ID 12345678903'],
  },
  { type: 'DE_ID_CARD', valid: ['Ausweis [T220001293]', 'Personalausweis Nr. [L01X00T47]'] },
  {
    type: 'DE_SOCIAL_SECURITY',
    valid: ['[65 170839 J 003]', 'Sozialversicherungsnummer [65170839J003]'],
    invalid: ['Rentenversicherungsnummer 65 171339 J 003'],
    // Times 7, 0 and 4 give cross sums of 0 and 10.
    unchecked: [4],
  },
  {
    type: 'FR_NIR',
    valid: [
      '[2 55 08 14 168 025 38]',
      'numéro de sécurité sociale [255081416802538]',
      '[1 85 05 2A 123 456 33]',
    ],
    invalid: ['NIR 9 55 08 14 168 025 38'],
  },
  {
    type: 'ES_NIF',
    valid: ['[12345678Z]', 'DNI: [12.345.678-Z]', 'NIE [X1234567L]', '[Y-1234567-X]'],
    invalid: ['DNI 12345678A'],
  },
  {
    type: 'IT_FISCAL_CODE',
    valid: ['[RSSMRA85T10A562S]', 'C.F. [RSS MRA 85T10 A562S]', '[rssmra85t10a562s]'],
    invalid: ['RSSMRA85T10A562T'],
  },
  { type: 'NL_BSN', valid: ['BSN [111222333]', 'burgerservicenummer: [123456782]'] },
  {
    type: 'SE_PERSONNUMMER',
    valid: ['[811218-9876]', '[19811218-9876]', 'personnummer [8112189876]'],
    invalid: ['personnummer 811318-9876'],
  },
  {
    type: 'PL_PESEL',
    valid: ['[44051401359]', 'PESEL: [02070803628]'],
    invalid: ['PESEL 44053401359'],
  },
  {
    type: 'IN_AADHAAR',
    valid: ['[2345 6789 0124]', 'Aadhaar [234567890124]'],
    invalid: ['Aadhaar 1345 6789 0124'],
  },
  {
    type: 'IN_PAN',
    valid: ['PAN [ABCPE1234F]'],
    invalid: ['ABCDE1234F', 'PAN ABCPE0000F'],
    noChecksum: true,
  },
  { type: 'AU_TFN', valid: ['TFN [123 456 782]', 'tax file number: [876543210]'] },
  {
    type: 'AU_MEDICARE',
    valid: ['Medicare [2123 45670 1]', 'Medicare card number: [2123456701]'],
    invalid: ['Medicare 7123 45670 1'],
    unchecked: [9],
  },
  {
    type: 'BR_CPF',
    valid: ['[529.982.247-25]', 'CPF [52998224725]'],
    invalid: ['CPF 111.111.111-11'],
  },
  {
    type: 'BR_CNPJ',
    valid: ['[11.222.333/0001-81]', 'CNPJ [11222333000181]', '[12.ABC.345/01DE-35]'],
    invalid: ['CNPJ 11.222.333/0001-80'],
  },
  { type: 'CA_SIN', valid: ['SIN [130 692 544]', 'Social Insurance Number: [193-456-787]'] },
  {
    type: 'PASSPORT',
    valid: [
      'Passport No. [C01X00T47]',
      'Reisepassnummer: [L8988901C]',
      '[P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10]',
      '[I<UTOD231458907<<<<<<<<<<<<<<<\n7408122F1204159UTO<<<<<<<<<<<6\nERIKSSON<<ANNA<MARIA<<<<<<<<<<]',
    ],
    invalid: ['C01X00T47', 'Passport photos 2 pieces'],
    noChecksum: true,
  },
  {
    type: 'DRIVER_LICENSE',
    valid: [
      "my driver's license number is [2270-66-1551]",
      'Führerschein Nr. [B072RRE2I55]',
      'driving licence [MORGA657054SM9IJ]',
      '[MORGA657054SM9IJ]',
    ],
    invalid: [
      'version 2270-66-1551',
      'license MIT, sha ZQg25Phej7IJSmX3hO',
      'MORGA617054SM9IJ',
      'MORGA653554SM9IJ',
    ],
    noChecksum: true,
  },
];

/** Valid values of types without a check digit, or with one that a tenth of all numbers pass. */
const bareForms: readonly (readonly [PatternType, string, string])[] = [
  ['US_SSN', '460-89-9847', 'social security number'],
  ['US_SSN', '460899847', 'social security number'],
  ['US_ITIN', '912-70-1234', 'ITIN'],
  ['UK_NINO', 'AB 12 34 56 C', 'national insurance number'],
  ['UK_NINO', 'AB123456C', 'national insurance number'],
  ['IN_PAN', 'ABCPE1234F', 'PAN card'],
  ['CA_SIN', '130 692 544', 'social insurance number'],
  ['CA_SIN', '130692544', 'social insurance number'],
  ['AU_TFN', '123456782', 'TFN'],
  ['AU_MEDICARE', '2123 45670 1', 'Medicare card'],
  ['NL_BSN', '111222333', 'BSN'],
  ['UK_NHS', '9434765919', 'NHS number'],
  ['DE_ID_CARD', 'T220001293', 'Personalausweis'],
  ['US_BANK_NUMBER', '021000021', 'routing number'],
];

const value = (line: string) => /\[([^\]]*)\]/s.exec(line)?.[1] ?? '';
const plain = (line: string) => line.replace(/[[\]]/g, '');

/** The value with each digit in turn replaced by each other digit. */
function* mutations(line: string, unchecked: readonly number[]): Generator<string> {
  const start = line.indexOf('[');
  let place = -1;
  for (let index = start + 1; index < line.indexOf(']'); index += 1) {
    if (/\w/.test(line[index] ?? '')) place += 1;
    if (!/\d/.test(line[index] ?? '') || unchecked.includes(place)) continue;
    for (const digit of '0123456789') {
      if (digit === line[index]) continue;
      yield plain(line.slice(0, index) + digit + line.slice(index + 1));
    }
  }
}

describe('recognition of identifiers', () => {
  for (const { type, valid, invalid = [], unchecked = [], noChecksum } of cases) {
    it(`finds ${type}`, () => {
      for (const line of valid) {
        expect(found(plain(line)), line).to.include(`${type} ${value(line)}`);
      }
    });
    if (invalid.length > 0) {
      it(`ignores values that break a rule of ${type}`, () => {
        for (const line of invalid) expect(formedAs(type, line), line).to.deep.equal([]);
      });
    }
    if (!noChecksum) {
      it(`detects one wrong digit in ${type}`, () => {
        const [line = ''] = valid;
        let tried = 0;
        for (const text of mutations(line, unchecked)) {
          expect(formedAs(type, text), text).to.deep.equal([]);
          tried += 1;
        }
        expect(tried).to.be.greaterThan(40);
      });
    }
  }

  it('finds values with letters that only look Latin, and leaves words of other scripts', () => {
    // Cyrillic E and C, Greek B.
    const text = 'IBAN D\u041589 3704 0044 0532 0130 00, to m.quellwasser@m\u0430il.example';
    expect(found(text)).to.deep.equal([
      'IBAN_CODE D\u041589 3704 0044 0532 0130 00',
      'EMAIL_ADDRESS m.quellwasser@m\u0430il.example',
    ]);
    expect(foundAs('IBAN_CODE', '\u0392E68 5390 0754 7034')).to.have.length(1);
    const russian =
      '\u0412\u0410\u041c \u0437\u0430 \u0441\u0440\u043e\u043a \u0413\u041e\u0421\u0422 12';
    expect(textViewOf(russian, false).text).to.equal(russian);
  });

  it('does not trust a form that has no check digit, or a weak one', () => {
    for (const [type, bare, name] of bareForms) {
      const alone = `it was ${bare} then`;
      expect(foundAs(type, alone), alone).to.deep.equal([]);
      const named = `The ${name} follows in the list of all who came, as agreed with them in the spring of that year: them, ${bare}.`;
      const specific = !/^\w+$/.test(bare) || /[A-Z]/.test(bare);
      if (specific) expect(foundAs(type, named), named).to.deep.equal([bare]);
    }
  });

  it('trusts a check digit if the text names the number, however far away', () => {
    const text =
      'Voor de aanvraag heeft u uw burgerservicenummer nodig; op het formulier van vorig jaar stond per abuis 248716359 van uw buurman.';
    expect(found(text)).to.include('NL_BSN 248716359');
    expect(found(text.replace('248716359', '248716358'))).not.to.include('NL_BSN 248716358');
  });

  it('does not join the lines of a table, and does those of a sentence', () => {
    for (const text of ['4539\n1488\n0343\n6467', 'Total\n130 692\n544', 'a\t86 095\n742 719\tb']) {
      expect(found(text), text).to.deep.equal([]);
    }
    const value = '4111 1111\n1111 1111';
    expect(found(`we charged it to the number ${value} yesterday`)).to.deep.equal([
      `CREDIT_CARD ${value}`,
    ]);
  });

  it('does not take cells of a table for one value', () => {
    for (const text of [
      '201\t220\t217',
      'UST\t1873\t212',
      'SIN\n130\t692\t544',
      '4111\t1111\t1111\t1111',
    ]) {
      for (const recognised of [false, true]) {
        expect(found(text, recognised), text).to.deep.equal([]);
      }
    }
  });

  it('does not match parts of longer numbers', () => {
    for (const text of [
      'SSN 1460-89-98471',
      'SSN 12-460-89-9847',
      'x460-89-9847',
      '0.529.982.247-25',
      'A86095742719',
      '86095742719.55',
    ]) {
      const types = ['US_SSN', 'BR_CPF', 'DE_TAX_ID'] as const;
      for (const type of types) expect(formedAs(type, text), text).to.deep.equal([]);
    }
  });
});
