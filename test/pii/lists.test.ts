import { expect } from 'chai';
import { removed } from './personal.ts';

const people = (text: string): string[] =>
  removed(text)
    .filter((one) => one.startsWith('PERSON '))
    .map((one) => one.slice('PERSON '.length));

describe('names in lists, signatures and headers', () => {
  const cases: Record<string, string[]> = {
    'WHITLOCK, A. ........ 01423 496 0288': ['WHITLOCK, A.'],
    'LOWTHER, B\nRoom 12': ['LOWTHER, B'],
    'von Aldenhoven, Ute\t0351 4690217': ['von Aldenhoven, Ute'],
    'Looy, Hanneke van\t030 612 4471': ['Looy, Hanneke van'],
    'Whitlock, A.; Oakes, B.; Quill, T. M.': ['Whitlock, A.', 'Oakes, B.', 'Quill, T. M.'],
    "Cc: 'Ifan Prosser'\nSubject: Rent": ['Ifan Prosser'],
    'Yours sincerely,\n\nWill Oakes\nManager': ['Will Oakes'],
    'Kind regards\nDales Lettings Ltd': [],
  };
  for (const [text, names] of Object.entries(cases)) {
    it(`are whole: ${JSON.stringify(text)}`, () => {
      expect(people(text)).to.deep.equal(names);
    });
  }
});

describe('addresses', () => {
  it('include the name of a house below a name', () => {
    expect(removed('Adela Whitlock\nBrook Cottage\nHarrogate HG2 8QT')).to.deep.equal([
      'PERSON Adela Whitlock',
      'ADDRESS Brook Cottage\nHarrogate HG2 8QT',
    ]);
  });

  it('are not numbers alone', () => {
    expect(removed('We will visit between 9 and 11 on 5 March.')).to.deep.equal([]);
  });
});
