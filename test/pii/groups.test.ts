import { defaultConfidence } from '@scriptorium/contracts/operations';
import { createDetector } from '@scriptorium/pii';
import { patternTypes } from '@scriptorium/pii/registry';
import { expect } from 'chai';
import { seededRandom } from '../../lab/bench/support/pii/random.ts';
import { everything, found } from './find.ts';

const detect = createDetector({ ...everything, minConfidence: defaultConfidence });

/** Groups of digits in a row, all joined alike, as in tables and long numbers. */
function sequence(seed: number): { text: string; joint: string } {
  const random = seededRandom(seed);
  const joint = random.pick([' ', '-']);
  const length = 2 + random.below(3);
  const uneven = random.below(2) === 0;
  const groups = Array.from({ length: 5 + random.below(6) }, () =>
    random.fromPattern('1999999'.slice(0, uneven ? 1 + random.below(6) : length)),
  );
  return { text: groups.join(joint), joint };
}

describe('numbers in longer sequences', () => {
  it('are not cut out of them', () => {
    for (const text of [
      '4539 1488 0343 6468',
      '4539-1488-0343-6468',
      '2345 6789 0124 4471 0092',
      '130 692 544 100 200',
      '99 123 456 782',
      'SKU-123456782',
      'INV-44051401359-2',
      '86 095 742 719 44',
      'call 4539 0488 0343 6468',
    ]) {
      expect(found(text), text).to.deep.equal([]);
    }
  });

  it('are found beside numbers of another kind', () => {
    expect(found('SSN-460-89-9847')).to.deep.equal(['US_SSN 460-89-9847']);
    expect(found('4111 1111 1111 1111 123')).to.deep.equal(['CREDIT_CARD 4111 1111 1111 1111']);
    expect(found('Flat 12 (020) 7946 0958')).to.deep.equal(['PHONE_NUMBER (020) 7946 0958']);
    expect(found('44051401359 44051401359')).to.deep.equal([
      'PL_PESEL 44051401359',
      'PL_PESEL 44051401359',
    ]);
  });

  it('are whole, whatever the sequence', () => {
    expect(patternTypes.length).to.be.above(30);
    for (let seed = 0; seed < 2000; seed += 1) {
      const { text, joint } = sequence(seed);
      for (const { type, start, end } of detect(text)) {
        const value = text.slice(start, end);
        const joins = value.includes(joint) || joint === '-';
        const neighbours = [text[start - 1], text[end]].filter((sign) => sign !== undefined);
        // A card or telephone number may stand beside a short number.
        const short =
          / /.test(value) &&
          /^ \d{1,3}(?: |$)/.test(text.slice(end)) &&
          /^CREDIT_CARD|PHONE_NUMBER$/.test(type);
        if (joins && !short) expect(neighbours, `${type} ${value} in ${text}`).to.deep.equal([]);
      }
    }
  });
});

describe('words against a telephone number', () => {
  it('do not lower one that has its whole form', () => {
    for (const [text, number] of [
      ['order confirmed for 07911 123456', '07911 123456'],
      ['invoice queries 020 7946 0958', '020 7946 0958'],
      ['the model is with 0171 1234567 since May', '0171 1234567'],
      ['case worker, total cost and policy (212) 236-1234', '(212) 236-1234'],
      ['Rechnung an +49 89 20301234', '+49 89 20301234'],
      ['pour la facture 01 42 68 53 00', '01 42 68 53 00'],
    ] as const) {
      expect(found(text), text).to.deep.equal([`PHONE_NUMBER ${number}`]);
    }
  });

  it('lower one that is named as the number of something else', () => {
    for (const text of [
      'order no. 07911 123456',
      'Ref: 020 7946 0958',
      'ticket #030 1234567',
      'SKU 079976-454',
    ]) {
      expect(found(text), text).to.deep.equal([]);
    }
  });

  it('are not needed for bare digits', () => {
    for (const text of ['07911123456', '2122361234', 'there were 5551234 of them', '100 200 300']) {
      expect(found(text), text).to.deep.equal([]);
    }
  });
});
