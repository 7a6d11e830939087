import { expect } from 'chai';
import type { Fragment } from '../../../packages/documents/src/model/fragments.ts';
import { modelLines } from '../../../packages/documents/src/model/lines.ts';
import type { ModelWord } from '../../../packages/documents/src/model/page.ts';

/** Fragments from left to right, each ten points wide and preceded by a declared space. */
function lineOf(...texts: string[]): Fragment[] {
  return texts.map((shown, index) => {
    const text = shown.trim();
    const x = index * 12;
    return {
      text,
      glyphs: null,
      box: [x, 0, x + 10, 10],
      confidence: 1,
      source: 'pdf',
      visible: true,
      angle: 0,
      start: [x, 9],
      end: [x + 10, 9],
      size: 10,
      blankBefore: true,
      run: index,
    };
  });
}

function read(...texts: string[]): string {
  const words: ModelWord[] = [];
  const lines = modelLines(lineOf(...texts), 0, words);
  return lines.map((line) => line.words.map((word) => words[word]?.text).join(' ')).join('\n');
}

describe('right-to-left lines', () => {
  it('are read from the right, with left-to-right text in its own order', () => {
    expect(read('ahmed', '@', 'example', '.com', 'البريد', 'عربي', 'في', 'هو', 'يسكن')).to.equal(
      'يسكن هو في عربي البريد ahmed @ example .com',
    );
    expect(read('العنوان', 'Main', '12', 'Street', 'في', 'يسكن', 'هو')).to.equal(
      'هو يسكن في Main 12 Street العنوان',
    );
  });

  it('keep numbers and punctuation next to left-to-right words with them', () => {
    expect(read('12', '(', 'Bonn', ')', 'كهن', 'دود', 'هو', 'في', 'يسكن')).to.equal(
      'يسكن في هو دود كهن ) Bonn ( 12',
    );
  });

  it('are reversed only where they occur in a left-to-right line', () => {
    expect(read('Mr', 'كهن', 'دود', 'was', 'here')).to.equal('Mr دود كهن was here');
  });
});
