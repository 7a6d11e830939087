import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { createSeal } from '../../src/access/seal.ts';
import { createSigner } from '../../src/access/signer.ts';

const key = () => randomBytes(32).toString('base64');

describe('seals', () => {
  it('open what they sealed, which never looks the same twice', () => {
    const seal = createSeal(key());
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(seal.open(seal.seal(text))).to.equal(text);
      }),
    );
    expect(seal.seal('secret')).not.to.equal(seal.seal('secret'));
  });

  it('open under the key before, while keys are rotated, and under no other', () => {
    const [before, after] = [key(), key()];
    const sealed = createSeal(before).seal('secret');
    expect(createSeal(`${after},${before}`).open(sealed)).to.equal('secret');
    const fresh = createSeal(`${after},${before}`).seal('secret');
    expect(createSeal(after).open(fresh)).to.equal('secret');
    expect(() => createSeal(after).open(sealed)).to.throw(/SECRET_KEY/);
  });

  it('do not open what was changed', () => {
    const seal = createSeal(key());
    const sealed = seal.seal('secret');
    for (let at = 0; at < sealed.length - 1; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
      expect(() => seal.open(changed), `at ${at}`).to.throw();
    }
  });

  it('ask for keys of 32 bytes', () => {
    expect(() => createSeal('c2hvcnQ=')).to.throw(/32 bytes in base64.*5 bytes/);
    expect(() => createSigner('')).to.throw(/SIGNING_KEY/);
  });
});

describe('signatures', () => {
  it('hold for their purpose only, and for nothing changed', () => {
    const signer = createSigner(key());
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const token = signer.sign('cursor', text);
        expect(signer.verify('cursor', token)).to.equal(text);
        expect(signer.verify('session', token)).to.equal(null);
      }),
    );
    const token = signer.sign('cursor', 'position');
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect(signer.verify('cursor', changed), `at ${at}`).to.equal(null);
    }
    expect(signer.verify('cursor', '')).to.equal(null);
    expect(signer.verify('cursor', `${token}.x`)).to.equal(null);
  });

  it('hold under the key before, while keys are rotated', () => {
    const [before, after] = [key(), key()];
    const token = createSigner(before).sign('cursor', 'x');
    expect(createSigner(`${after},${before}`).verify('cursor', token)).to.equal('x');
    expect(createSigner(after).verify('cursor', token)).to.equal(null);
  });
});
