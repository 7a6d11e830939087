import { credibleWords } from '@scriptorium/documents/credible';
import type { Word } from '@scriptorium/documents/results';
import { expect } from 'chai';

const words = (...confidences: number[]): Word[] =>
  confidences.map((confidence) => ({
    text: 'word',
    box: [0, 0, 8, 12],
    confidence,
    line: 0,
    source: 'ocr',
  }));

describe('recognised words', () => {
  it('are all shown if most of a page is print', () => {
    const page = words(0.95, 0.9, 0.2);
    expect(credibleWords(page)).to.deep.equal(page);
  });

  it('are shown of a photo only if they are sure', () => {
    const page = words(0.2, 0.1, 0.9, 0.3, 0.1);
    expect(credibleWords(page).map(({ confidence }) => confidence)).to.deep.equal([0.9]);
    const own: Word = { text: 'own', box: [0, 0, 8, 12], confidence: 1, line: 0, source: 'pdf' };
    expect(credibleWords([own, ...words(0.1, 0.1)])).to.deep.equal([own]);
  });
});
