import { expect } from 'chai';
import { removed } from './personal.ts';

describe('values in text from pictures', () => {
  const read = (text: string): string[] => removed(text, true);

  it('have digits where worn print was read as something else', () => {
    expect(read('phone 6E0-555-0147')).to.deep.equal(['PHONE_NUMBER 6E0-555-0147']);
    expect(read('Tel 066A 555 0147')).to.deep.equal(['PHONE_NUMBER 066A 555 0147']);
    expect(read('Tags sells bugs, TAB LOSS')).to.deep.equal([]);
    expect(removed('phone 6E0-555-0147')).to.deep.equal([]);
  });

  it('are e-mail addresses with blanks in their first part, but no words before them', () => {
    expect(read('e-mail: leo pold.anzenfeld@postfach.example')).to.deep.equal([
      'EMAIL_ADDRESS leo pold.anzenfeld@postfach.example',
    ]);
    for (const before of [
      'please write an email to',
      'Kontakt',
      'reach us at',
      'ou par courriel',
    ]) {
      expect(read(`${before} ottilie@postfach.example`), before).to.deep.equal([
        'EMAIL_ADDRESS ottilie@postfach.example',
      ]);
    }
  });

  it('are e-mail addresses whose @ was read as a letter, behind their label', () => {
    expect(read('E-Mail: b.quistQpostfach.example')).to.deep.equal([
      'EMAIL_ADDRESS b.quistQpostfach.example',
    ]);
  });

  it('are addresses with the number of the house before the street', () => {
    expect(read('1 2 Mill Lane, Camden')).to.deep.equal(['ADDRESS 1 2 Mill Lane, Camden']);
    expect(read('Mme Solenn Kervadec 8 bis, rue des Goélands 29900 Concarneau')).to.include(
      'ADDRESS 8 bis, rue des Goélands 29900 Concarneau',
    );
  });
});
