import { expect } from 'chai';
import fc from 'fast-check';
import sharp from 'sharp';
import { type GreyRaster, inkPieces } from '../../../packages/documents/src/ink/components.ts';
import { isBlankPicture } from '../../../packages/documents/src/ocr/pictures/picture.ts';

/** A rectangle of ink: left, top, width, height. */
type Ink = [number, number, number, number];

/** Vertical stripes of ink beside each other. */
const stripes = (count: number, height: number): Ink[] =>
  Array.from({ length: count }, (_, at) => [4 + at * 6, 10, 3, height]);

/** Paper with rectangles of ink. */
function paper(width: number, height: number, ...ink: Ink[]): GreyRaster {
  const data = new Uint8Array(width * height).fill(240);
  for (const [left, top, wide, high] of ink) {
    for (let y = top; y < top + high; y += 1) {
      data.fill(20, y * width + left, y * width + left + wide);
    }
  }
  return { data, width, height };
}

const boxes = (pieces: ReturnType<typeof inkPieces>['dark']) =>
  pieces.map(({ x0, y0, x1, y1 }) => [x0, y0, x1, y1]);

describe('pieces of ink', () => {
  it('are joined if their strokes meet further down', () => {
    const teeth: [number, number, number, number][] = [10, 18, 26, 34].map((x) => [x, 10, 4, 12]);
    const { dark } = inkPieces(paper(60, 50, ...teeth, [10, 22, 28, 4]));
    expect(dark).to.have.length(1);
    const [comb] = dark;
    expect(boxes(dark)[0]).to.deep.equal([10, 10, 38, 26]);
    expect(comb!.ink).to.be.within(4 * 4 * 12, 28 * 16);
    // Two sides for each run: four per row of teeth, one per row of the spine, less what smoothing
    // removed.
    expect(comb!.backgroundCount).to.be.within(2 * 4 * 10, 2 * (4 * 12 + 4));
  });

  it('stay apart if there is paper between them, and are joined if corners touch', () => {
    const apart = inkPieces(paper(60, 40, [10, 10, 5, 5], [25, 10, 5, 5], [10, 25, 5, 5]));
    expect(apart.dark).to.have.length(3);
    const touching = inkPieces(paper(60, 40, [10, 10, 6, 6], [16, 16, 6, 6]));
    // Smoothing moves a corner by a pixel.
    expect(boxes(touching.dark)).to.deep.equal([[9, 9, 23, 23]]);
  });

  it('are found down to the last row of a picture with any number of runs', () => {
    // 200 stripes of 700 rows are 140,000 runs.
    const last: Ink = [600, 730, 8, 8];
    const { dark } = inkPieces(paper(1_210, 750, ...stripes(200, 700), last));
    expect(dark).to.have.length(201);
    expect(dark.slice(-1)).to.deep.equal(inkPieces(paper(1_210, 750, last)).dark);
    expect(dark.filter(({ y0, y1 }) => y1 - y0 >= 700)).to.have.length(200);
  });

  it('are joined after any number of runs', () => {
    const { dark } = inkPieces(paper(1_210, 650, ...stripes(200, 600), [4, 610, 1_197, 4]));
    expect(dark).to.have.length(1);
  });

  it('lie within the picture on grain', () => {
    const [width, height] = [1_200, 700];
    let state = 7;
    const data = Uint8Array.from({ length: width * height }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return (state >> 16) & 255;
    });
    const { dark, light } = inkPieces({ data, width, height });
    for (const pieces of [dark, light]) {
      expect(pieces.length).to.be.at.least(1_000);
      expect(pieces.every(({ x1, y1 }) => x1 <= width && y1 <= height)).to.equal(true);
    }
  });
});

describe('a blank picture', () => {
  it('has tones that deviate by less than 1, by the same count as libvips', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 40 }),
        fc.integer({ min: 1, max: 300 }),
        async (tones, times) => {
          const data = Uint8Array.from(Array(times).fill(tones).flat(), (tone) => 200 + tone);
          const raw = { width: data.length, height: 1, channels: 1 } as const;
          const { channels } = await sharp(data, { raw }).stats();
          const picture = { data, width: data.length, height: 1, dpi: undefined };
          // Closer than this, the two may round differently.
          fc.pre(Math.abs((channels[0]?.stdev ?? 0) - 1) > 1e-9);
          expect(isBlankPicture(picture)).to.equal((channels[0]?.stdev ?? 0) < 1);
        },
      ),
      { numRuns: 60 },
    );
  });
});
