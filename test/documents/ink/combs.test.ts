import { expect } from 'chai';
import sharp from 'sharp';
import { combsOf } from '../../../packages/documents/src/ink/combs.ts';
import type { GreyRaster } from '../../../packages/documents/src/ink/components.ts';
import { combMarks, type Mark, photographSheet, renderSheet } from '../../support/handwriting.ts';

const dpi = 170;

/** A scan of some marks, turned by quarters. */
async function scan(
  marks: readonly Mark[],
  { tilt = 0.5, grain = 5, turned = 0 } = {},
): Promise<GreyRaster> {
  const sheet = await renderSheet(marks, { dpi, width: 420, height: 200 });
  const photo = await photographSheet(sheet, { dpi, tilt, grain, shadow: 0 });
  const upright = await sharp(photo).png().toBuffer();
  const { data, info } = await sharp(upright)
    .rotate(turned)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const grey = Uint8Array.from(
    { length: info.width * info.height },
    (_, at) => data[at * info.channels]!,
  );
  return { data: grey, width: info.width, height: info.height };
}

/** How many cells each row has, and how many of them are filled. */
const countsOf = (picture: GreyRaster): [cells: number, filled: number][] =>
  combsOf(picture, dpi / 72).map(({ cells }) => [
    cells.length,
    cells.filter(({ isFilled }) => isFilled).length,
  ]);

const hand = { size: 6.5, slant: 0, jitter: 0.1, pen: 1.3, isJoined: false };

describe('cells for letters', () => {
  const forms: Record<string, Mark[]> = {
    'of printed letters': combMarks('TORGERSEN', [60, 100], { cells: 14 }),
    'of letters by hand': combMarks('TORGERSEN', [60, 100], { cells: 14, hand }),
    'of thick rules, close to the letters': combMarks('TORGERSEN', [60, 100], {
      cells: 14,
      cell: 13,
      width: 1.4,
    }),
  };
  for (const [what, marks] of Object.entries(forms)) {
    it(`are found with those that are filled: ${what}`, async () => {
      for (const how of [{ tilt: 0 }, { tilt: 1, grain: 8 }, { tilt: -0.7, turned: 90 }]) {
        expect(countsOf(await scan(marks, how)), JSON.stringify(how)).to.deep.equal([[14, 9]]);
      }
    });
  }

  it('are empty in an empty form', async () => {
    expect(countsOf(await scan(combMarks('', [60, 100], { cells: 14 })))).to.deep.equal([[14, 0]]);
  });

  it('are not found in print, tables and upright strokes', async () => {
    const rows = [60, 80, 100].map((y): Mark => ({ kind: 'rule', from: [60, y], to: [380, y] }));
    const columns = [60, 140, 220, 300, 380].map(
      (x): Mark => ({ kind: 'rule', from: [x, 60], to: [x, 100] }),
    );
    const strokes = Array.from({ length: 12 }, (_, at): Mark => {
      const x = 60 + at * 20;
      return { kind: 'rule', from: [x, 150], to: [x, 168] };
    });
    const print: Mark[] = ['Illinois will fill all little hills', 'HILL HIT ILL TILT'].map(
      (text, at) => ({
        kind: 'print',
        text,
        at: [60, 30 + at * 16],
        size: 12,
      }),
    );
    expect(countsOf(await scan([...print, ...rows, ...columns, ...strokes]))).to.deep.equal([]);
  });
});
