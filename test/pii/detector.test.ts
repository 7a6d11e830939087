import { createDetector } from '@scriptorium/pii';
import { resolveOverlaps } from '@scriptorium/pii/resolve';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { everything, found, told } from './find.ts';

describe('the detector', () => {
  it('finds only the requested types', () => {
    const text = 'Mail ann@example.com or call +49 30 901820';
    const detect = createDetector({ ...everything, entities: ['PHONE_NUMBER'] });
    expect(told(text, detect(text))).to.deep.equal(['PHONE_NUMBER +49 30 901820']);
  });

  it('omits findings with a low score', () => {
    const text = 'number 460899847';
    const at = (minConfidence: number) =>
      createDetector({ ...everything, entities: ['US_SSN'], minConfidence })(text).length;
    expect([at(0.1), at(0.5)]).to.deep.equal([1, 0]);
  });

  it('scores higher the closer a supporting word is', () => {
    const detect = createDetector({ ...everything, entities: ['UK_NHS'], minConfidence: 0 });
    const [near, far, none] = [
      'NHS number 943 476 5919',
      'NHS number of the patient in question: 943 476 5919',
      'number 943 476 5919',
    ].map((text) => detect(text)[0]?.score ?? 0);
    expect(near).to.be.greaterThan(far ?? 1);
    expect(far).to.be.greaterThan(none ?? 1);
  });

  it('resolves an ambiguous number by the adjacent word', () => {
    expect(found('SIN 130 692 544 and TFN 123 456 782')).to.deep.equal([
      'CA_SIN 130 692 544',
      'AU_TFN 123 456 782',
    ]);
    expect(found('NHS 943 476 5919, phone 020 7946 0958')).to.deep.equal([
      'UK_NHS 943 476 5919',
      'PHONE_NUMBER 020 7946 0958',
    ]);
  });

  it('omits values on the allow list, ignoring case and surrounding white space', () => {
    const detect = createDetector({ ...everything, allowList: ['  INFO@Example.COM ', '１１２'] });
    const text = 'info@example.com, ann@example.com';
    expect(told(text, detect(text))).to.deep.equal(['EMAIL_ADDRESS ann@example.com']);
  });

  it('reads digits, dashes and spaces of other scripts, and ignores zero-width characters', () => {
    for (const value of [
      '４１１１ １１１１ １１１１ １１１１',
      '4111\u00a01111\u202f1111\u20091111',
      '4111‑1111–1111−1111',
      '41\u200b11\u00ad 1111 1111 111\ufeff1',
      '٤١١١ ١١١١ ١١١١ ١١١١',
    ]) {
      const text = `\u200bcard\u00ad ${value}.`;
      expect(found(text), value).to.deep.equal([`CREDIT_CARD ${value}`]);
    }
  });

  it('returns disjoint findings in order and inside the text', () => {
    const pieces = fc.constantFrom(
      'a@b.com',
      '4111 1111 1111 1111',
      'DE89 3704 0044 0532 0130 00',
      '12.03.2024',
      '\u200b',
      '+49 30 901820',
      'SSN ',
      '460-89-9847',
      'www.',
      '.',
      ' ',
      '\n',
      '1',
      '0',
      '@',
      '-',
      'O',
      'born ',
      '/',
      ':',
      '(',
      ')',
      'é',
      '<',
      'http://',
      'phone ',
      '2001:db8::1',
      '😀',
      '😀1',
    );
    const detect = createDetector({
      ...everything,
      minConfidence: 0,
      customPatterns: [{ name: 'TWO', pattern: '[0-9]{2}|[a-z]+', case_sensitive: true }],
    });
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), fc.boolean(), (parts, recognised) => {
        const text = parts.join('');
        let last = 0;
        for (const { start, end, score } of detect(text, { recognised })) {
          expect(start).to.be.at.least(last);
          expect(end).to.be.greaterThan(start);
          expect(end).to.be.at.most(text.length);
          expect(score).to.be.within(0, 1);
          last = end;
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe('overlapping findings', () => {
  const text = 'John Smith, 12 Main Street, 12345 Town';
  const at = (
    type: 'PERSON' | 'ADDRESS' | 'PHONE_NUMBER' | 'EMAIL_ADDRESS',
    start: number,
    end: number,
    score: number,
  ) => ({
    type,
    start,
    end,
    score,
  });

  it('give way to the higher score, and to the longer of two similar ones', () => {
    expect(
      resolveOverlaps([at('PHONE_NUMBER', 28, 33, 0.6), at('EMAIL_ADDRESS', 12, 33, 0.6)], text),
    ).to.deep.equal([at('EMAIL_ADDRESS', 12, 33, 0.6)]);
    expect(
      resolveOverlaps([at('PHONE_NUMBER', 28, 33, 0.95), at('EMAIL_ADDRESS', 26, 33, 0.5)], text),
    ).to.deep.equal([at('PHONE_NUMBER', 28, 33, 0.95)]);
  });

  it('keep the rest of names and addresses, without punctuation at the ends', () => {
    expect(
      resolveOverlaps([at('ADDRESS', 12, 38, 0.6), at('PERSON', 0, 14, 0.9)], text),
    ).to.deep.equal([at('PERSON', 0, 14, 0.9), at('ADDRESS', 15, 38, 0.6)]);
    expect(
      resolveOverlaps([at('ADDRESS', 12, 38, 0.5), at('PHONE_NUMBER', 28, 33, 0.99)], text),
    ).to.deep.equal([
      at('ADDRESS', 12, 26, 0.5),
      at('PHONE_NUMBER', 28, 33, 0.99),
      at('ADDRESS', 34, 38, 0.5),
    ]);
  });

  it('leave identifiers to their recognisers, whatever the tagger makes of the sentence', () => {
    expect(
      resolveOverlaps([at('ADDRESS', 0, 33, 1), at('PHONE_NUMBER', 12, 33, 0.7)], text),
    ).to.deep.equal([at('PHONE_NUMBER', 12, 33, 0.7)]);
    expect(
      resolveOverlaps([at('ADDRESS', 12, 38, 0.95), at('PHONE_NUMBER', 28, 33, 0.55)], text),
    ).to.deep.equal([at('ADDRESS', 12, 38, 0.95)]);
    const detect = createDetector({ ...everything, entities: 'all' });
    const line = 'Name: Meier, DNI 12345678Z, Ort: Köln';
    expect(told(line, detect(line))).to.include('ES_NIF 12345678Z');
  });
});
