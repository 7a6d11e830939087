import { expect } from 'chai';
import { isNamed } from './titles.ts';

describe('titles of tests', () => {
  it('are named exactly, or with `…` for what varies', () => {
    const named = (one: string, title: string): boolean => isNamed(title, ['other', one]);
    expect(named('is shown once', 'is shown once')).to.equal(true);
    expect(named('is shown once', 'is shown once more')).to.equal(false);
    expect(named('…: is …', 'a key (1.5): is refused')).to.equal(true);
    expect(named('…: is …', 'a key is refused')).to.equal(false);
    expect(named('costs $1.5 (…)', 'costs $1.5 (once)')).to.equal(true);
    expect(named('costs $1.5 (…)', 'costs $125 (once)')).to.equal(false);
  });
});
