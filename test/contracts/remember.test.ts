import { remember } from '@scriptorium/contracts/helpers/remember';
import { expect } from 'chai';

describe('remembered results of a function', () => {
  const counting = () => {
    const asked: string[] = [];
    const read = remember((text: string): number | null => {
      asked.push(text);
      return text === '' ? null : text.length;
    });
    return { asked, read };
  };

  it('are returned without another call, null included', () => {
    const { asked, read } = counting();
    for (let times = 0; times < 3; times++) {
      expect(read('abc')).to.equal(3);
      expect(read('')).to.equal(null);
      expect(read('constructor')).to.equal(11);
    }
    expect(asked).to.deep.equal(['abc', '', 'constructor']);
  });

  it('are limited in number and length', () => {
    const { asked, read } = counting();
    const long = 'x'.repeat(201);
    expect([read(long), read(long)]).to.deep.equal([201, 201]);
    expect(asked).to.have.length(2);
    read('first');
    for (let count = 0; count < 1_000; count++) expect(read(`t${count}`)).to.be.above(1);
    read('first');
    expect(asked.filter((text) => text === 'first')).to.have.length(2);
  });
});
