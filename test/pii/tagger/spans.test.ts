import { startOf } from '@scriptorium/pii/tagger/spans';
import { expect } from 'chai';

describe('what holds together', () => {
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
});
