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

  it('are not rows of amounts, whose cells were read as one line', () => {
    for (const row of ['Copper pipe 12 4.15 49.80', 'Labour, per hour 4 54.00 216.00'])
      expect(read(`Call-out charge 1 35.00 35.00\n${row}`), row).to.deep.equal([]);
    expect(read('phone 01 42.68 53.00')).to.deep.equal(['PHONE_NUMBER 01 42.68 53.00']);
    expect(read('IP address 192.168 20.41')).to.deep.equal(['IP_ADDRESS 192.168 20.41']);
  });

  it('are telephone numbers with misread letters behind a label', () => {
    for (const [label, value] of [
      ['M: ', '07700 900L82'],
      ['Mobile ', '07700 _900182'],
      ['Tel ', '0161 496 02B8'],
      ['Mobi1e ', '07700 900 I82'],
      ['Tel.: ', 'OI6l 49b O2BB'],
    ]) {
      const found = read(`${label}${value}`).map((one) => one.replace(/^\S+ /, ''));
      expect(found, value).to.deep.equal([value]);
    }
    expect(read('Tel.: siehe oben')).to.deep.equal([]);
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

  it('are whole where a sign stands for a digit in a group', () => {
    expect(read('IBAN FRI4 2004 1¢19 0505 0001 3Mo2 606')).to.deep.equal([
      'IBAN_CODE FRI4 2004 1¢19 0505 0001 3Mo2 606',
    ]);
    expect(read('Kundennummer 407?4814')).to.deep.equal(['PERSONAL_ID 407?4814']);
    expect(read('for 3€5 or 2*4')).to.deep.equal([]);
  });

  it('are e-mail addresses with a blank in the first word of their domain', () => {
    expect(read('e-mail g.zwirngiebl@post fach.example')).to.deep.equal([
      'EMAIL_ADDRESS g.zwirngiebl@post fach.example',
    ]);
    expect(read('e-mé@il g.zwirngiebl@postfach.example')).to.include(
      'EMAIL_ADDRESS g.zwirngiebl@postfach.example',
    );
    expect(read('b@example.org see example.com')).to.deep.equal(['EMAIL_ADDRESS b@example.org']);
  });

  it('are e-mail addresses whose @ was read as a letter, behind their label', () => {
    expect(read('E-Mail: b.quistQpostfach.example')).to.deep.equal([
      'EMAIL_ADDRESS b.quistQpostfach.example',
    ]);
  });

  it('are whole e-mail addresses whose @ or first letter behind it was misread', () => {
    for (const address of [
      'solenn.kervadec@€xample.fr',
      'solenn.kervadec@(xample.fr',
      'solenn.kervadec@ €xample.fr',
      'solenn.kervadec@ xample.fr',
      'solenn.kervadec@e xample.fr',
      'solenn.kervadec@e,xample.fr',
      'solenn.kervadec(@example.fr',
      'solenn.kervadec©xample.fr',
    ]) {
      for (const text of [`Courriel : ${address}`, `Écrire à ${address} avant mai.`]) {
        expect(read(text), text).to.include(`EMAIL_ADDRESS ${address}`);
      }
    }
    for (const address of [
      'solenn.kervadecGexample.fr',
      'solenn.kervadec Gexample.fr',
      'solenn.kervadec € xample.fr',
      'solenn.kervadec®xample.fr',
    ]) {
      expect(read(`Courriel : ${address}`), address).to.include(`EMAIL_ADDRESS ${address}`);
    }
    expect(read('Courriel : solenn@example.fr Web : www.example.org')).to.include(
      'EMAIL_ADDRESS solenn@example.fr',
    );
  });

  it('are addresses with the number of the house before the street', () => {
    expect(read('1 2 Mill Lane, Camden')).to.deep.equal(['ADDRESS 1 2 Mill Lane, Camden']);
    expect(read('Mme Solenn Kervadec 8 bis, rue des Goélands 29900 Concarneau')).to.include(
      'ADDRESS 8 bis, rue des Goélands 29900 Concarneau',
    );
  });
});
