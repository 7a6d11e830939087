import {
  isIdentifier,
  isInCode,
  isQuantity,
  isResults,
  isYears,
} from '@scriptorium/pii/tagger/codes';
import { expect } from 'chai';

describe('years and codes', () => {
  it('are told from addresses', () => {
    for (const text of ['1871 to 1904', '1890–1899', 'von 1871 bis 1904', '2020, 2021']) {
      expect(isYears(text), text).to.equal(true);
    }
    for (const text of [
      '1871 Elm',
      '12 rue',
      '50667',
      'to',
      '1904 Main St',
      `1900${' a'.repeat(40)}`,
    ]) {
      expect(isYears(text), text).to.equal(false);
    }
  });

  it('are told from names of source code', () => {
    for (const text of ['updateObject', 'isJson', 'listEventTypes'])
      expect(isIdentifier(text), text).to.equal(true);
    for (const text of ['vanDyke', 'deSouza', 'McKenzie', 'anna', 'iPhone', 'updateObject now'])
      expect(isIdentifier(text), text).to.equal(false);
  });

  it('are told from results of matches', () => {
    for (const text of [
      'Racing Vannes 2 ; Olympique Dinan 1, Avenir Brest 0.',
      'Orzeł 2, Stal 1; Zryw 0',
    ])
      expect(isResults(text), text).to.equal(true);
    for (const text of ['Calle Mayor 12, 3, 2', 'Lindenweg 3, 50667 Köln', 'Flat 3, Mill Lane 4'])
      expect(isResults(text), text).to.equal(false);
  });

  it('are told from quantities and times', () => {
    for (const text of ['3 am', '9.30 a.m.', '12,000 g in an', '18 uhr', '5 mm wide']) {
      expect(isQuantity(text), text).to.equal(true);
    }
    for (const text of ['12 Main St', '5 W 42nd St', '12b High St', '1 may']) {
      expect(isQuantity(text), text).to.equal(false);
    }
  });

  it('are told from names', () => {
    for (const text of ['SKU-8847', 'TI-89', 'X200', 'BX12a', '89-TI']) {
      expect(isInCode(text, 0, 2), text).to.equal(true);
    }
    for (const text of ['Anna', 'Anna-Maria', 'Smith1', 'Ng', 'Jean-Luc']) {
      expect(isInCode(text, 0, text.length), text).to.equal(false);
    }
  });

  it('take no longer where a word is endless', () => {
    const long = `${'A'.repeat(100_000)}-1`;
    expect(isInCode(long, 50_000, 50_002)).to.equal(false);
  });
});
