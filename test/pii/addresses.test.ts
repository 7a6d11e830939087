import { expect } from 'chai';
import { removed } from './personal.ts';

const addressesIn = (text: string): string[] =>
  removed(text)
    .filter((one) => one.startsWith('ADDRESS '))
    .map((one) => one.slice('ADDRESS '.length));

describe('addresses beside dates', () => {
  const cases: Record<string, string[]> = {
    'Viale Borri\n8 settembre 2025': ['Viale Borri'],
    'Rua do Brasil\n5 de março de 2026': ['Rua do Brasil'],
    'Lives at 12 Harrow Close, 3/4/2026': ['12 Harrow Close'],
    'Address: 27 Harrow Close\n3 March 2026\nRef 12': ['27 Harrow Close'],
    '10 Downing Street\nLondon\nMarch 3, 2026': ['10 Downing Street\nLondon'],
    'Deichstraße 40, 26721 Emden, 12. Juni 2025': ['Deichstraße 40, 26721 Emden'],
  };
  for (const [text, addresses] of Object.entries(cases)) {
    it(`leave dates whole: ${JSON.stringify(text)}`, () => {
      expect(addressesIn(text)).to.deep.equal(addresses);
    });
  }

  it('leave dates whole if a letter of the month was misread', () => {
    const read = (text: string): string[] => removed(text, true).map((one) => one.slice(8));
    expect(read('14 Brook Lane\nHarrogate\n3 Mareh 2026')).to.deep.equal([
      '14 Brook Lane\nHarrogate',
    ]);
    expect(read('Lindenweg 7, 01067 Dresden 3. Marz 2026')).to.deep.equal([
      'Lindenweg 7, 01067 Dresden',
    ]);
  });

  it('keep what only begins like a date', () => {
    expect(addressesIn('She lives at 1 March Road, Cambridge CB4 1AA.')).to.deep.equal([
      '1 March Road, Cambridge CB4 1AA',
    ]);
  });
});
