import { expect } from 'chai';
import { parseHocr } from '../../../packages/documents/src/ocr/tesseract/hocr.ts';

type Placed = [text: string, box: [number, number, number, number]];

/** One line of words, as Tesseract writes it. */
function lineOf(words: readonly Placed[]): string {
  const spans = words.map(
    ([text, box], at) =>
      `    <span class='ocrx_word' id='word_1_${at}' title='bbox ${box.join(' ')}; x_wconf 90'>${text}</span>`,
  );
  return [
    ` <span class='ocr_line' id='line_1_1' title="bbox 0 180 600 210; baseline 0 -6; x_size 27; x_descenders 5; x_ascenders 6">`,
    ...spans,
    ' </span>',
  ].join('\n');
}

const boxesOf = (words: readonly Placed[]): Placed[] =>
  parseHocr(lineOf(words)).words.map(({ text, box }) => [text, box]);

describe('words of Tesseract', () => {
  it('end where the next part begins, if the first has the box of the whole', () => {
    expect(
      boxesOf([
        ['to', [160, 185, 183, 204]],
        ['jane.roe', [191, 182, 499, 210]],
        ['@', [310, 178, 325, 214]],
        ['example.com', [334, 182, 493, 210]],
        ['today', [509, 183, 579, 210]],
      ]),
    ).to.deep.equal([
      ['to', [160, 185, 183, 204]],
      ['jane.roe', [191, 182, 310, 210]],
      ['@', [310, 178, 325, 214]],
      ['example.com', [334, 182, 493, 210]],
      ['today', [509, 183, 579, 210]],
    ]);
  });

  it('begin where the part before ends, if the last has the box of the whole', () => {
    expect(
      boxesOf([
        ['jane', [191, 182, 250, 210]],
        ['roe', [191, 182, 310, 210]],
      ]),
    ).to.deep.equal([
      ['jane', [191, 182, 250, 210]],
      ['roe', [250, 182, 310, 210]],
    ]);
  });

  it('are separated where text runs from the right', () => {
    expect(
      boxesOf([
        ['שלום', [100, 182, 300, 210]],
        ['עולם', [100, 182, 180, 210]],
      ]),
    ).to.deep.equal([
      ['שלום', [180, 182, 300, 210]],
      ['עולם', [100, 182, 180, 210]],
    ]);
  });

  it('keep their boxes if these only touch, or are one over the other', () => {
    const words: Placed[] = [
      ['fi', [100, 182, 150, 210]],
      ['Af', [140, 182, 200, 210]],
      ['2', [190, 160, 200, 180]],
    ];
    expect(boxesOf(words)).to.deep.equal(words);
  });
});
