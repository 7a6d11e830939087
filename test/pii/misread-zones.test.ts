import { expect } from 'chai';
import { foundAs } from './find.ts';

describe('machine-readable zones that were misread', () => {
  const zones: Readonly<Record<string, string[]>> = {
    'a passport': [
      'P<UTOVARGA<<KATA<<<<<<<<<<<<<<<cceeeeeeecccc<',
      '8N13G48ZH7D<<3401170<9312030GW5KZGPO<<<<<<94',
    ],
    'a passport with a letter too many and spaces': [
      'P<GBRVARGA<<TOBY<JOQHN<<<<<<<<<<<<<<<<<c<<<<<',
      'FZOCHPP083UT05812037M010103 3VF3YM739<<<<<<40',
    ],
    'a passport with a misread date': [
      'P<D<<OCONNOR<<KATA<<<<<<<<<<<<cccccccccccccc',
      '8K42ZCT7C7UT07411179M361203 /<<<<<<<<<<<<<<0Q4',
    ],
    'a card': [
      'I<ITAVFLY4KZRZ4<<<<<<cecececeecec<',
      '5301171M3104172UT0<<<<<<<<<<<Q',
      'VARGA<<ANNA<MARIA<<<<<<<<<<<<<',
    ],
    'a visa or card of two lines': [
      'I<UTOHOLM<<INES<<<<<<<<ccecccccccccce',
      'V3Z9189R76UT06012177F4911036<<<<<<<6',
    ],
  };
  for (const [what, lines] of Object.entries(zones)) {
    it(`are found whole: ${what}`, () => {
      const zone = lines.join('\n');
      const found = foundAs('PASSPORT', `Travel papers\n\n${zone}\n\nThank you`, true);
      expect(found).to.deep.equal([zone]);
    });
  }

  it('are not found in other codes', () => {
    const others = [
      'CALL <<ADD-NUMBERS>> WITH PARAMETERS 30\n1234567 <8901234 ITEMS IN STOCK 2024',
      'ITEM LIST << 2024 QUARTER 3 TOTAL <<\nSKU 7411178 M 3612038 BOXES OF PAPER',
    ];
    for (const text of others) expect(foundAs('PASSPORT', text, true)).to.deep.equal([]);
  });
});
