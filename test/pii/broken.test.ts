import { expect } from 'chai';
import { removed } from './personal.ts';

const values = (text: string, recognised = false): string[] =>
  removed(text, recognised).map((one) => one.replace(/^\S+ /, ''));

describe('values that continue on the next line', () => {
  for (const [before, value] of [
    ['SSN: ', '219-09-\n9999'],
    ['Tel.: ', '0351 / 46 90-\n217'],
    ['Card: ', '4929-1234-5678-\n9019'],
    ['IBAN ', 'DE89 3704 0044 0532\n      0130 00'],
    ['Write to ', 'ute.hopp@\nelbpost.example'],
    ['Kontakt: ', 'ute.hopp@elbpost-\ndresden.example'],
    ['Die Mutter, Frau ', 'Selma Öz-\ntürk'],
  ]) {
    it(`are whole: ${JSON.stringify(value)}`, () => {
      expect(values(`${before}${value} .`)).to.include(value);
    });
  }

  it('do not begin with the last word of a sentence', () => {
    expect(values('Au printemps.\nÉlodie_Marchetier')).to.deep.equal(['Élodie_Marchetier']);
  });

  it('are not words that are hyphenated, or numbers below each other', () => {
    expect(values('The Croa-\ntian coast and the re-\npair of the road')).to.deep.equal([]);
    expect(values('Total 120\n   340\n   560')).to.deep.equal([]);
  });
});

describe('values that were typed unusually', () => {
  for (const [text, value] of [
    ['write to ifan.prosser @ cwmpress.example.', 'ifan.prosser @ cwmpress.example'],
    ['E-Mail: h . sauerbier @ elbpost . example', 'h . sauerbier @ elbpost . example'],
    ['Phone: O161 496 O288', 'O161 496 O288'],
    ['Mobile: 07700·900·182', '07700·900·182'],
    ['User: awhitlock Password: see letter', 'awhitlock'],
    ['Twitter @adela_wh61, since May', '@adela_wh61'],
    ['Skype live:.cid.8f2e11a4', '.cid.8f2e11a4'],
    ['Member #448-2201-7 renewed', '448-2201-7'],
    ['His passport number, 518820941, had expired.', '518820941'],
    ['NIR 2 61 05 75 115 042 clé 18', '2 61 05 75 115 042 clé 18'],
  ] as const) {
    it(`are found: ${text}`, () => {
      expect(values(text)).to.deep.equal([value]);
    });
  }

  it('are not signs and prices', () => {
    expect(values('Meet me @ the station. Price 3 @ 4.50. at foo @bar.')).to.deep.equal([]);
    expect(values('By telephone, 24 hours a day. Each passport, 12 in all.')).to.deep.equal([]);
  });
});

describe('misread text', () => {
  it('keeps addresses that resemble a number with misread digits', () => {
    expect(removed("residente in viale Borri 12, 21100 Varese, l'alloggio", true)).to.deep.equal([
      'ADDRESS viale Borri 12, 21100 Varese',
    ]);
    expect(removed('Ref. BO5 l28 issued IO of IO', true)).to.deep.equal([]);
  });

  it('has labels in which an accented letter was read as a digit', () => {
    expect(values('N.° afiliaci6n 28 1234567840.', true)).to.deep.equal(['28 1234567840']);
    expect(values('Telef6n 601 448 203', true)).to.deep.equal(['601 448 203']);
  });
});
