import { expect } from 'chai';
import { removed } from './personal.ts';

describe('text whose words stand several blanks apart', () => {
  it('has whole names where all of it is spaced out', () => {
    const line = 'Please call Mara Kleinhoevel before Tuesday, or write to Jonas Wetterau.';
    for (const blanks of ['  ', '   ', '     ', '\u00a0\u00a0']) {
      expect(removed(line.replaceAll(' ', blanks)), JSON.stringify(blanks)).to.deep.equal([
        `PERSON Mara${blanks}Kleinhoevel`,
        `PERSON Jonas${blanks}Wetterau`,
      ]);
    }
  });

  it('has whole names where only their parts stand apart', () => {
    expect(
      removed('The contract was signed by Mara   Kleinhoevel in Bremen.\nIt ends in May.'),
    ).to.deep.equal(['PERSON Mara   Kleinhoevel']);
  });

  it('keeps the columns of a table apart', () => {
    const rows = [
      'Name                Department',
      'Mara Kleinhoevel    Accounting',
      'Jonas Wetterau      Purchasing',
    ];
    expect(removed(rows.join('\n'))).to.deep.equal([
      'PERSON Mara Kleinhoevel',
      'PERSON Jonas Wetterau',
    ]);
  });
});
