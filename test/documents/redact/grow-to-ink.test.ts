import type { Box } from '@scriptorium/documents/results';
import { expect } from 'chai';
import type { PagePicture } from '../../../packages/documents/src/ocr/pictures/picture.ts';
import { growToInk } from '../../../packages/documents/src/redact/find/grow-to-ink.ts';

const height = 20;

/** A line of letters, one pixel per point, each 8 wide: two pixels apart, and ten between words. */
function line(text: string): { picture: PagePicture; at: number[] } {
  const width = 200;
  const data = new Uint8Array(width * 60).fill(255);
  const at: number[] = [];
  let x = 20;
  for (const letter of text) {
    at.push(x);
    if (letter === ' ') x += 8;
    else {
      for (let y = 20; y < 20 + height; y += 1) data.fill(0, y * width + x, y * width + x + 8);
      x += 10;
    }
  }
  const box: Box = [0, 0, width, 60];
  return { picture: { data, width, height: 60, dpi: 72, box, finestDpi: 72, usedDpi: 72 }, at };
}

describe('boxes of recognised words', () => {
  const { picture, at } = line('abc defg hi');
  const [first = 0, last = 0, next = 0] = [at[4], at[7], at[9]];
  const beside = { left: (at[2] ?? 0) + 8, right: next };

  for (const [what, from, to] of [
    ['as read', first, last + 8],
    ['without its last letter', first, last - 2],
    ['without its first letter and half of the last', first + 10, last + 4],
  ] as const) {
    it(`contain a whole word read ${what}, and no part of adjacent words`, () => {
      const [x0, y0, x1, y1] = growToInk(picture, [from, 20, to, 40], height, beside);
      expect(x0).to.be.within(first - 5, first);
      expect(x1).to.be.within(last + 8, last + 13);
      expect([y0 <= 20, y1 >= 40]).to.deep.equal([true, true]);
    });
  }

  it('exclude the letters of adjacent words that were read in part', () => {
    const shy = { left: (at[1] ?? 0) + 8, right: next + 10 };
    const [x0, , x1] = growToInk(picture, [first, 20, last + 8, 40], height, shy);
    expect(x0).to.be.within((at[2] ?? 0) + 8, first);
    expect(x1).to.be.within(last + 8, next);
  });

  it('end at the first gap between words if nothing else was read', () => {
    const alone = { left: undefined, right: undefined };
    const [x0, , x1] = growToInk(picture, [first, 20, last - 2, 40], height, alone);
    expect(x0).to.be.within((at[2] ?? 0) + 8, first);
    expect(x1).to.be.within(last + 8, next);
  });
});
