import type { Box } from '@scriptorium/documents/results';
import { expect } from 'chai';
import type { Fragment } from '../../../packages/documents/src/model/fragments.ts';
import type { PagePicture } from '../../../packages/documents/src/ocr/pictures/picture.ts';
import { growToLines } from '../../../packages/documents/src/redact/find/recognised-words.ts';

const side = 200;

/** A page with one pixel per point and ink in these boxes. */
function paper(...inked: readonly Box[]): PagePicture {
  const data = new Uint8Array(side * side).fill(255);
  for (const [x0, y0, x1, y1] of inked) {
    for (let y = y0; y < y1; y += 1) data.fill(0, y * side + x0, y * side + x1);
  }
  const box: Box = [0, 0, side, side];
  return { data, width: side, height: side, dpi: 72, box, finestDpi: 72, usedDpi: 72 };
}

/** A word on a slanted line of 20 points, with its ink from `above` to `below` the line. */
function word(angle: 0 | 90 | 180 | 270, above: number, below: number): [Fragment, Box] {
  const [from, to, base] = [60, 120, 100];
  const places: Record<typeof angle, { box: Box; ends: [number, number][] }> = {
    0: {
      box: [from, base - above, to, base + below],
      ends: [
        [from, base],
        [to, base],
      ],
    },
    90: {
      box: [base - below, from, base + above, to],
      ends: [
        [base, from],
        [base, to],
      ],
    },
    180: {
      box: [from, base - below, to, base + above],
      ends: [
        [to, base],
        [from, base],
      ],
    },
    270: {
      box: [base - above, from, base + below, to],
      ends: [
        [base, to],
        [base, from],
      ],
    },
  };
  const { box, ends } = places[angle];
  const fragment: Fragment = {
    text: 'word',
    glyphs: null,
    box,
    confidence: 1,
    source: 'ocr',
    visible: true,
    angle,
    start: ends[0]!,
    end: ends[1]!,
    size: 20,
    blankBefore: true,
    run: -1,
  };
  return [fragment, box];
}

describe('boxes of recognised words', () => {
  for (const angle of [0, 90, 180, 270] as const) {
    it(`do not reveal the ascenders and descenders of the letters, at an angle of ${angle}`, () => {
      const boxes = [
        [10, 0],
        [15, 0],
        [15, 4],
        [10, 4],
      ].map(([above = 0, below = 0]) => {
        const [fragment, ink] = word(angle, above, below);
        return growToLines([fragment], paper(ink))[0]?.box;
      });
      expect(new Set(boxes.map(String)).size).to.equal(1);
    });
  }

  for (const angle of [0, 90, 180, 270] as const) {
    it(`contain a letter that was left out at the end of a word, at an angle of ${angle}`, () => {
      const [fragment, [x0, y0, x1, y1]] = word(angle, 15, 0);
      const isLevel = angle % 180 === 0;
      const last: Box = isLevel ? [x1 + 2, y0, x1 + 14, y1] : [x0, y1 + 2, x1, y1 + 14];
      const [grownTo] = growToLines([fragment], paper([x0, y0, x1, y1], last));
      expect(grownTo!.box[isLevel ? 2 : 3]).to.be.at.least(isLevel ? last[2] : last[3]);
    });
  }

  it('contain all of the ink, however tall', () => {
    const [fragment] = word(0, 15, 4);
    const [, , , bottom = 0] = growToLines([fragment], paper([60, 80, 120, 109]))[0]?.box ?? [];
    expect(bottom).to.be.at.least(109);
  });
});
