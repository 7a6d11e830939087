import { expect } from 'chai';
import { HonestFonts } from '../../../../src/engines/redact/check/page/honest-fonts.ts';
import { strayInk } from '../../../../src/engines/redact/check/page/stray-ink.ts';

const [width, height] = [400, 300];
type Rect = readonly [x0: number, y0: number, x1: number, y1: number, tone?: number];

/** White paper with rectangles on it. */
function paper(...rects: readonly Rect[]) {
  const data = new Uint8Array(width * height).fill(255);
  for (const [x0, y0, x1, y1, tone = 0] of rects) {
    for (let y = y0; y < y1; y += 1) data.fill(tone, y * width + x0, y * width + x1);
  }
  return { data, width, height };
}

const letters: Rect[] = [0, 10, 20, 30].flatMap((x): Rect[] => [
  [100 + x, 100, 102 + x, 110],
  [100 + x, 104, 107 + x, 106],
]);

describe('ink that is not explained', () => {
  it('is what known boxes do not cover', () => {
    const picture = paper(...letters);
    expect(strayInk(picture, 1, [[99, 99, 140, 111]]).count).to.equal(0);
    const half = strayInk(picture, 1, [[99, 99, 118, 111]]);
    expect(half.count).to.be.above(20);
    expect(half.within([119, 90, 150, 120])).to.equal(half.count);
    expect(half.within([90, 90, 110, 120])).to.equal(0);
  });

  it('counts faint letters, and not rules and backgrounds that letters cross', () => {
    const faint = letters.map(([a, b, c, d]): Rect => [a, b, c, d, 235]);
    expect(strayInk(paper(...faint), 1, []).count).to.be.above(40);
    const table = paper(
      [20, 50, 380, 250, 200],
      [20, 108, 380, 110],
      [200, 50, 201, 250],
      ...letters,
    );
    expect(strayInk(table, 1, [[99, 99, 140, 111]]).count).to.be.below(8);
    expect(strayInk(table, 1, []).count).to.be.above(40);
  });

  it('counts large letters of straight strokes', () => {
    expect(
      strayInk(paper([100, 100, 108, 150], [140, 100, 148, 150], [100, 120, 148, 128]), 1, [])
        .count,
    ).to.be.above(100);
  });
});

describe('fonts', () => {
  const glyphs = (text: string, font: string) =>
    [...text].map((letter, at) => ({
      text: letter,
      box: [at * 10, 0, at * 10 + 8, 10] as [number, number, number, number],
      font,
      visible: true,
    }));
  const word = (text: string) => ({
    text,
    box: [0, 0, text.length * 10, 10] as [number, number, number, number],
    confidence: 0.9,
  });

  it('are believed once the recogniser has read what they say', () => {
    const fonts = new HonestFonts();
    for (let times = 0; times < 3; times += 1)
      fonts.learn([word('Gardening')], glyphs('Gardening', 'A'));
    expect(fonts.has('A', 'g')).to.equal(false);
    for (let times = 0; times < 3; times += 1)
      fonts.learn([word('Gardening')], glyphs('gardening', 'A'));
    expect([fonts.has('A', 'g'), fonts.has('B', 'g')]).to.deep.equal([true, false]);
  });

  it('are not if they say something else, now and then', () => {
    const fonts = new HonestFonts();
    for (let times = 0; times < 9; times += 1) {
      fonts.learn([word('Gardening')], glyphs('Gardening', 'A'));
      if (times % 3 === 0) fonts.learn([word('Thornbury')], glyphs('Wheelhouse', 'A'));
    }
    expect(fonts.has('A', 'g')).to.equal(false);
  });

  it('are believed for letters that were read only', () => {
    const fonts = new HonestFonts();
    for (let times = 0; times < 9; times += 1) {
      fonts.learn([word('Gardening')], glyphs('Gardening', 'A'));
      // What says 7 looks like a 3.
      fonts.learn([word('garden3')], glyphs('garden7', 'A'));
    }
    const letters = ['g', 'G', '7', '3', 'q'];
    expect(letters.filter((letter) => fonts.has('A', letter))).to.deep.equal(['g', 'G']);
  });
});
