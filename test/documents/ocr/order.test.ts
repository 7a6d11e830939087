import { expect } from 'chai';
import { readInOrder } from '../../../packages/documents/src/ocr/order.ts';
import type { Hocr, HocrLine } from '../../../packages/documents/src/ocr/tesseract/hocr.ts';

type Place = [text: string, x0: number, y0: number, x1: number];

/** Lines of twenty pixels, one word each, in the given order. */
function pageOf(places: readonly Place[], textAngle = 0): Hocr {
  const lines = places.map(
    ([, x0, y0, x1]): HocrLine => ({
      box: [x0, y0, x1, y0 + 20],
      slope: 0,
      baseline: y0 + 16,
      size: 20,
      xHeight: 10,
      descenders: 4,
      textAngle,
      paragraph: false,
    }),
  );
  const words = places.map(([text], line) => {
    const box = lines[line]?.box ?? [0, 0, 0, 0];
    return { text, box, confidence: 1, line };
  });
  return { words, lines };
}

function read(places: readonly Place[]): string {
  const { words, lines } = readInOrder(pageOf(places));
  for (const word of words) expect(lines[word.line]?.box).to.equal(word.box);
  return words.map(({ text }) => text).join(' ');
}

const left: Place[] = [0, 1, 2].map((row) => [`l${row}`, 0, row * 25, 200]);
const right: Place[] = [0, 1, 2].map((row) => [`r${row}`, 230, row * 25, 430]);

describe('the order of recognised lines', () => {
  it('is unchanged on a page of two columns, whichever is longer', () => {
    const longer: Place[] = [...left, ['l3', 0, 75, 200], ['l4', 0, 100, 120], ...right];
    expect(read(longer)).to.equal('l0 l1 l2 l3 l4 r0 r1 r2');
    const indented: Place[] = [
      ['a', 0, 0, 60],
      ['b', 90, 25, 200],
      ['c', 0, 60, 200],
      ...right.slice(0, 2),
    ];
    expect(read(indented)).to.equal('a b c r0 r1');
  });

  it('moves a title that spans the columns after them', () => {
    const title: Place[] = [
      ['title', 100, 90, 400],
      ['author', 100, 115, 180],
    ];
    expect(read([...left, ...title, ...right])).to.equal('l0 l1 l2 r0 r1 r2 title author');
  });

  it('keeps a column together that widens below a caption between the two', () => {
    const around: Place[] = [
      ['a0', 0, 0, 100],
      ['a1', 0, 25, 200],
      ['caption', 140, 0, 290],
      ['b0', 330, 0, 430],
      ['b1', 230, 25, 430],
    ];
    expect(read(around)).to.equal('a0 a1 caption b0 b1');
  });

  it('moves a footer after the columns', () => {
    const footer: Place[] = [
      ['page', 0, 110, 60],
      ['month', 80, 110, 160],
    ];
    expect(read([...left, ...footer, ...right])).to.equal('l0 l1 l2 r0 r1 r2 page month');
  });

  it('lets a title between columns separate them', () => {
    const lower: Place[] = [
      ['l8', 0, 150, 200],
      ['r8', 230, 150, 430],
    ];
    const given: Place[] = [...left, ['title', 0, 100, 430], ...lower.slice(0, 1)];
    expect(read([...given, ...right, ...lower.slice(1)])).to.equal('l0 l1 l2 r0 r1 r2 title l8 r8');
  });

  it('is unchanged if lines are vertical or too many', () => {
    const sideways = pageOf([...left, ['title', 0, 100, 430], ...right], 90);
    expect(readInOrder(sideways)).to.deep.equal(sideways);
    const many = Array.from({ length: 20_000 }, (_, row): Place => [`w${row}`, 0, -row * 25, 200]);
    expect(readInOrder(pageOf(many)).words[0]?.text).to.equal('w0');
  });
});
