import { patternTypes, piiRecognisers } from '@scriptorium/pii/registry';
import { expect } from 'chai';
import { textViewOf } from '../../packages/pii/src/view.ts';
import { found } from './find.ts';

/** Repeated, each makes some recogniser start again and again. */
const hostile = [
  '1',
  'a@',
  'a@a@',
  '-',
  '1-',
  '1 ',
  '1 1',
  '00 1',
  '1)',
  '1.',
  '1.1.1.',
  'a.',
  'a',
  ':',
  '::1',
  'http://',
  'https://a.de).',
  'www.a.',
  'in 1999 ',
  'may 1 ',
  '1 of may, ',
  '12:30 ',
  '31 ans ',
  '4111 1111 ',
  'de89 ',
  'DE89370400440532013000',
  'bc1q',
  '1A',
  '0x',
  'P<',
  'iban ',
  '\u200b',
  'l1O',
  'ssn: ',
  'name:\t',
  'passport no. ',
  'ssn\t1',
  'ssn\n',
  'name: A ',
  'SSN of a 1 ',
  'dob: 1 ',
  'address:\nA 1\n',
  'ssn\t123456789\n',
  'n° de la ',
  'ssn 123-45-6789 ',
  'phone 12345 ',
  'born 1/1/',
  '[at]',
  'a [at] b',
  '(((',
  '))))',
  '\n',
  '\n1',
  '+1',
];

/** Characters that regular expressions visit during a call, and how often they start. */
function scanned(run: () => void): number {
  const { exec } = RegExp.prototype;
  let passed = 0;
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    passed += 1 + (match ? match.index + match[0].length : text.length) - from;
    return match;
  };
  try {
    run();
  } finally {
    RegExp.prototype.exec = exec;
  }
  return passed;
}

const repeated = (piece: string, length: number) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

describe('hostile text', () => {
  for (const recognised of [false, true]) {
    it(`takes twice the steps at twice the length${recognised ? ', if recognised' : ''}`, () => {
      for (const piece of hostile) {
        const steps = (length: number) => scanned(() => found(repeated(piece, length), recognised));
        const [once, twice] = [steps(1500), steps(3000)];
        expect(twice / once, JSON.stringify(piece)).to.be.below(2.2);
        expect(twice / 3000, JSON.stringify(piece)).to.be.below(3000);
      }
    });

    it(`has no more candidates than characters${recognised ? ', if recognised' : ''}`, () => {
      for (const piece of ['1', 'a@a@', '-', '4111 1111 ']) {
        const view = textViewOf(repeated(piece, 20_000), recognised);
        for (const type of patternTypes) {
          for (const recogniser of piiRecognisers[type]) {
            let count = 0;
            let longest = 0;
            for (const { start, end } of recogniser.candidates(view)) {
              count += 1;
              longest = Math.max(longest, end - start);
            }
            expect(count, `${type} in ${JSON.stringify(piece)}`).to.be.below(4000);
            expect(longest, `${type} in ${JSON.stringify(piece)}`).to.be.at.most(2010);
          }
        }
      }
    });
  }
});
