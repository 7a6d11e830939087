import type { Box } from '@scriptorium/documents/results';
import { expect } from 'chai';
import fc from 'fast-check';
import { lettersOf } from '../../../packages/documents/src/ink/letters.ts';
import {
  unreadInk,
  unreadShare,
  withLetters,
} from '../../../packages/documents/src/ink/unread-ink.ts';

const [width, height] = [320, 200];
/** The width of a letter with the gap to the next, in pixels. */
const pitch = 10;

/** A line of print: its position, number of letters and height. */
const lineOfPrint = fc.record({
  x: fc.integer({ min: 0, max: 150 }),
  y: fc.integer({ min: 0, max: 180 }),
  letters: fc.integer({ min: 1, max: 16 }),
  high: fc.integer({ min: 4, max: 16 }),
  isRead: fc.boolean(),
});

function pageOf(lines: readonly { x: number; y: number; letters: number; high: number }[]) {
  const data = new Uint8Array(width * height).fill(240);
  for (const { x, y, letters, high } of lines) {
    for (let letter = 0; letter < letters; letter += 1) {
      const left = x + letter * pitch;
      for (let row = y; row < Math.min(height, y + high); row += 1) {
        data.fill(30, row * width + left, row * width + left + 3);
        if (row === y) data.fill(30, row * width + left, row * width + left + 7);
      }
    }
  }
  return { data, width, height };
}

describe('the share of unread writing', () => {
  it('covers all lines, although it does not locate them', () => {
    const shares = new Set<number>();
    fc.assert(
      fc.property(fc.array(lineOfPrint, { maxLength: 8 }), (lines) => {
        const page = pageOf(lines);
        const known = lines
          .filter(({ isRead }) => isRead)
          .map(({ x, y, letters, high }): Box => [x, y, x + letters * pitch, y + high]);
        const ink = withLetters(page);
        const { letters, unread } = unreadInk(ink, known);
        const share = unreadShare(ink, known);
        shares.add(share);
        expect(share).to.equal(letters < 24 ? 0 : Math.round((100 * unread) / letters) / 100);
      }),
      { numRuns: 40, seed: 3 },
    );
    // The samples include pages read in full, in part and not at all.
    expect([...shares]).to.include.members([0, 1]);
    expect(shares.size).to.be.greaterThan(3);
  });

  it('is computed on letters at three scales, each pixel the mean of its square', () => {
    const page = {
      data: Uint8Array.from({ length: 200 * 110 }, (_, at) => (at * 7_919 + (at >> 5) * 31) % 256),
      width: 200,
      height: 110,
    };
    const found = lettersOf(page);
    expect(found.map(({ factor }) => factor)).to.deep.equal([1, 3, 9]);
    for (const { factor, picture } of found) {
      expect([picture.width, picture.height]).to.deep.equal([
        Math.floor(200 / factor),
        Math.floor(110 / factor),
      ]);
      picture.data.forEach((tone, at) => {
        const [x, y] = [(at % picture.width) * factor, Math.floor(at / picture.width) * factor];
        let sum = 0;
        for (let row = y; row < y + factor; row += 1) {
          for (let column = x; column < x + factor; column += 1)
            sum += page.data[row * 200 + column]!;
        }
        expect(tone).to.equal(Math.floor(sum / (factor * factor)));
      });
    }
  });
});
