import { expect } from 'chai';
import { detectRules } from '../../../packages/documents/src/normalize/pages/tables/rules/detect-rules.ts';

const [width, height] = [400, 300];

/** A page of a paper with some grain, print in `ink`, and two lines in `line`. */
function pageOf(paper: number, ink: number, line: number) {
  const data = Uint8Array.from(
    { length: width * height },
    (_, at) => paper + ((at * 7_919) % 13) - 6,
  );
  const fill = (tone: number, x: number, y: number, wide: number, high: number): void => {
    for (let row = y; row < y + high; row += 1) {
      data.fill(tone, row * width + x, row * width + x + wide);
    }
  };
  for (let letter = 0; letter < 60; letter += 1) {
    fill(ink, 40 + (letter % 20) * 9, 60 + Math.floor(letter / 20) * 40, 4, 7);
  }
  for (const y of [50, 90]) fill(line, 30, y, 300, 1);
  return { data, width, height };
}

const linesOf = (page: ReturnType<typeof pageOf>): number[] =>
  detectRules(page, 0.72).across.map(({ at }) => Math.round(at / 0.72 - 0.5));

describe('the lines of a scanned table', () => {
  it('are seen on a page of low contrast, where they are as pale as the print', () => {
    expect(linesOf(pageOf(217, 90, 187))).to.deep.equal([50, 90]);
  });

  it('are not seen in what shines through the paper of a page of full contrast', () => {
    expect(linesOf(pageOf(245, 20, 215))).to.deep.equal([]);
    expect(linesOf(pageOf(245, 20, 150))).to.deep.equal([50, 90]);
  });

  it('are not seen in the grain of the paper', () => {
    expect(linesOf(pageOf(217, 190, 217))).to.deep.equal([]);
  });
});
