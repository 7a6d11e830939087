import { expect } from 'chai';
import type { Fragment } from '../../../packages/documents/src/model/fragments.ts';
import { selectReadWords } from '../../../packages/documents/src/redact/find/read-words.ts';

/** A line of words with their confidence, each as wide as its letters, `gap` apart. */
function lineOf(words: readonly (readonly [text: string, confidence: number, gap?: number])[]) {
  let x = 0;
  return words.map(([text, confidence, gap = 4]): Fragment => {
    const from = x + gap;
    x = from + text.length * 6;
    return {
      text,
      confidence,
      glyphs: null,
      box: [from, 0, x, 12],
      source: 'ocr',
      visible: true,
      angle: 0,
      start: [from, 10],
      end: [x, 10],
      size: 12,
      blankBefore: true,
      run: 1,
    };
  });
}
type Line = Parameters<typeof lineOf>[0];
const textOf = (words: readonly Fragment[]): string => words.map(({ text }) => text).join(' ');
const read = (...words: Line): string => textOf(selectReadWords(lineOf(words)).sure);
const alone = (...words: Line): string => textOf(selectReadWords(lineOf(words)).alone);

describe('words that count as read', () => {
  it('are the sure ones, and unsure ones among them', () => {
    expect(read(['The', 0.96], ['price', 0.94], ['if', 0.4], ['paid', 0.95])).to.equal(
      'The price if paid',
    );
  });

  it('are unsure ones in a justified line, where all gaps are wide', () => {
    const words = ['The', 'price', 'of', 'the', 'boat', 'is', 'paid'];
    const line = words.map((text) => [text, text === 'boat' ? 0.5 : 0.96, 14] as const);
    expect(read(...line)).to.equal(words.join(' '));
  });

  it('are sure ones that stand apart only if they are print, and no others', () => {
    const lines: Line[] = [
      [
        ['Received', 0.96],
        ['by', 0.95],
        ['gma', 0.77, 30],
      ],
      [
        ['Total', 0.96],
        ['480', 0.96, 30],
      ],
    ];
    expect(lines.map((line) => read(...line))).to.deep.equal(['', '']);
    expect(lines.map((line) => alone(...line))).to.deep.equal(['Received by', 'Total 480']);
  });

  it('are not what is made of handwriting, but the label beside it if it is print', () => {
    const line: Line = [
      ['Email', 0.95],
      ['tdoyreedanosteo', 0.2],
      ['exanple', 0.7],
      ['prune', 0.48],
    ];
    expect(read(...line)).to.equal('');
    expect(alone(...line)).to.equal('Email');
  });

  it('are not unsure ones that are much higher or lower than print', () => {
    const line = lineOf([
      ['The', 0.96],
      ['sum', 0.96],
      ['Mo', 0.3],
      ['was', 0.96],
      ['paid', 0.96],
    ]);
    line[2]!.box[1] = -14;
    expect(textOf(selectReadWords(line).sure)).not.to.include('Mo');
  });

  it('are not short words across the lines of the page, which may have been read upside down', () => {
    const page = lineOf([
      ['The', 0.96],
      ['sum', 0.96],
      ['was', 0.96],
      ['paid', 0.96],
      ['late', 0.96],
    ]);
    const across = (confidence: number): Fragment[] =>
      lineOf([
        ['TSEO', 0.9],
        ['yun', confidence],
      ]).map((word) => ({ ...word, angle: 90, run: 2 }));
    expect(textOf(selectReadWords([...page, ...across(0.4)]).alone)).to.equal('');
    expect(textOf(selectReadWords([...page, ...across(0.95)]).alone)).to.equal('TSEO yun');
  });
});
