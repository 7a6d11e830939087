import { endOf, isInCode, startOf } from '@scriptorium/pii/tagger/spans';
import { expect } from 'chai';

describe('what holds together', () => {
  it('ends where the sentence goes on behind an address', () => {
    expect(cut('Kurfürstenweg 3, 81622 München bis Ende des Monats')).to.equal(
      'Kurfürstenweg 3, 81622 München',
    );
  });

  const cut = (text: string, found = text): string => text.slice(0, endOf(text, 0, found.length));

  it('ends before a line with a date', () => {
    const address = 'Gerberstraße 17\n71522 Backnang';
    for (const line of [
      'Backnang, den 17. Januar 2025',
      '\nLa Almunia, 4 de marzo de 2025',
      'March 4, 2025',
      '17.01.2025',
      'Le 3 mai 2024',
    ]) {
      expect(cut(`${address}\n${line}`), line).to.equal(address);
    }
    expect(
      cut(`${address}\nBacknang, den 17. Januar 2025`, `${address}\nBacknang, den 17`),
    ).to.equal(address);
    expect(cut('12 High Street\n1 May Road')).to.equal('12 High Street\n1 May Road');
  });

  it('begins with all words of a street', () => {
    const from = (text: string, found: string) => text.slice(startOf(text, text.indexOf(found)));
    expect(from('Unter den Eichen 87, Berlin', 'Eichen')).to.equal('Unter den Eichen 87, Berlin');
    expect(from('In der Schulstraße 5', 'Schul')).to.equal('Schulstraße 5');
  });

  it('begins with the name of the house', () => {
    for (const house of ['Wisteria Cottage', 'The Old Mill House,', 'Résidence les Lilas']) {
      expect(startOf(`Mrs Orr\n${house}\n22 Church Lane`, 9 + house.length), house).to.equal(8);
    }
    for (const line of ['Acme Trading Ltd', 'the house', 'Dear Mrs Orr']) {
      const start = 9 + line.length;
      expect(startOf(`Mrs Orr\n${line}\n22 Church Lane`, start), line).to.equal(start);
    }
  });

  it('leaves out a bracket that does not end', () => {
    expect(cut('Anna Berg (Staff Nurse')).to.equal('Anna Berg');
    expect(cut('Anna (Anni) Berg')).to.equal('Anna (Anni) Berg');
  });

  it('is no part of a code', () => {
    for (const text of ['SKU-8847', 'TI-89', 'X200', 'BX12a', '89-TI'])
      expect(isInCode(text, 0, 2), text).to.equal(true);
    for (const text of ['Anna', 'Anna-Maria', 'Smith1', 'Ng', 'Jean-Luc'])
      expect(isInCode(text, 0, text.length), text).to.equal(false);
    const long = `${'A'.repeat(100_000)}-1`;
    expect(isInCode(long, 50_000, 50_002)).to.equal(false);
  });
});
