import { randomBytes } from 'node:crypto';
import type { SealedContext } from '@scriptorium/contracts/documents/sealed';
import { expect } from 'chai';
import fc from 'fast-check';
import { createSeal } from '../../src/access/seal.ts';
import { createSigner } from '../../src/access/signer.ts';

const key = () => randomBytes(32).toString('base64');

const place = ['webhook_secret', 'whk_1'] as const;

describe('seals', () => {
  it('open what they sealed, and never look the same twice', () => {
    const seal = createSeal(key());
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(seal.open(seal.seal(text, place), place)).to.equal(text);
      }),
    );
    expect(seal.seal('secret', place)).not.to.equal(seal.seal('secret', place));
  });

  it('open under the previous key during a rotation, and under no other', () => {
    const [before, after] = [key(), key()];
    const sealed = createSeal(before).seal('secret', place);
    expect(createSeal(`${after},${before}`).open(sealed, place)).to.equal('secret');
    const fresh = createSeal(`${after},${before}`).seal('secret', place);
    expect(createSeal(after).open(fresh, place)).to.equal('secret');
    expect(() => createSeal(after).open(sealed, place)).to.throw(/SECRET_KEY/);
  });

  it('do not open altered text', () => {
    const seal = createSeal(key());
    const sealed = seal.seal('secret', place);
    for (let at = 0; at < sealed.length - 1; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
      expect(() => seal.open(changed, place), `at ${at}`).to.throw();
    }
  });

  it('open only in their own place', () => {
    const seal = createSeal(key());
    const sealed = seal.seal('secret', place);
    const others: SealedContext[] = [
      ['webhook_secret', 'whk_2'],
      ['webhook_header', 'whk_1', ''],
      ['portal_session'],
      ['job_page', 'whk_1', 'obj_1', 'ocr', 1],
    ];
    for (const other of others) expect(() => seal.open(sealed, other)).to.throw();
  });

  it('require keys of 32 bytes', () => {
    expect(() => createSeal('c2hvcnQ=')).to.throw(/32 bytes in base64.*5 bytes/);
    expect(() => createSigner('')).to.throw(/SIGNING_KEY/);
  });
});

describe('signatures', () => {
  it('are valid for their purpose only, and not for altered text', () => {
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

  it('are valid under the previous key during a rotation', () => {
    const [before, after] = [key(), key()];
    const token = createSigner(before).sign('cursor', 'x');
    expect(createSigner(`${after},${before}`).verify('cursor', token)).to.equal('x');
    expect(createSigner(after).verify('cursor', token)).to.equal(null);
  });
});
