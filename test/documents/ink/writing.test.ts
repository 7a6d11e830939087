import { expect } from 'chai';
import sharp, { type Sharp } from 'sharp';
import { area, hull } from '../../../packages/documents/src/geometry.ts';
import type { GreyRaster } from '../../../packages/documents/src/ink/components.ts';
import { withoutLongRules, withoutRules } from '../../../packages/documents/src/ink/rules.ts';
import { unreadWriting } from '../../../packages/documents/src/ink/writing.ts';
import { type Handwriting, renderSheet } from '../../support/handwriting.ts';
import { createPick } from '../../support/random.ts';

const hand: Handwriting = { size: 9, slant: 0.2, jitter: 0.2, pen: 1.3, isJoined: true };
const [width, height] = [600, 400];

async function greyOf(picture: Sharp): Promise<GreyRaster> {
  const { data, info } = await picture
    .flatten({ background: '#fff' })
    .toColourspace('b-w')
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data), width: info.width, height: info.height };
}

const drawing = (content: string): Promise<GreyRaster> =>
  greyOf(
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${content}</svg>`,
      ),
    ),
  );

const points = (count: number, at: (index: number) => [number, number]): string =>
  Array.from({ length: count }, (_, index) => at(index).join(',')).join(' ');
const line = (places: string): string =>
  `<polyline points="${places}" fill="none" stroke="#000" stroke-width="3"/>`;

/** Drawings that are not writing. */
const drawings: Readonly<Record<string, string>> = {
  'a table that leans': [0, 1, 2, 3, 4, 5]
    .flatMap((at) => [
      `<path d="M20 ${40 + at * 60}L580 ${60 + at * 60}" stroke="#000" stroke-width="2"/>`,
      `<path d="M${20 + at * 112} ${40 + at * 4}L${14 + at * 112} ${340 + at * 4}" stroke="#000" stroke-width="2"/>`,
    ])
    .join(''),
  'bars of a chart': [0, 1, 2, 3, 4, 5, 6]
    .map((at) => `<rect x="${40 + at * 70}" y="${340 - at * 40}" width="40" height="${at * 40}"/>`)
    .join(''),
  'curves of a chart': [60, 130]
    .map((top) => line(points(60, (at) => [20 + at * 9, top + 90 + 60 * Math.sin(at / 9)])))
    .join(''),
  'a frame with rings': `<rect x="30" y="30" width="200" height="90" fill="none" stroke="#000" stroke-width="4"/><circle cx="400" cy="200" r="90" fill="none" stroke="#000" stroke-width="5"/>`,
  'a solid logo': '<path d="M100 300L200 100L300 300Z"/><circle cx="420" cy="220" r="70"/>',
};

/** Soft blotches of all sizes, as in photographs. */
async function photograph(): Promise<GreyRaster> {
  const pick = createPick(7);
  const layers = await Promise.all(
    [8, 20, 60, 160].map((side) => {
      const tones = Buffer.from(Array.from({ length: side * side }, () => pick(256)));
      return sharp(tones, { raw: { width: side, height: side, channels: 1 } })
        .resize(width, height, { fit: 'fill', kernel: 'cubic' })
        .png()
        .toBuffer();
    }),
  );
  const [first, ...others] = layers;
  const blended = sharp(first!).composite(others.map((input) => ({ input, blend: 'overlay' })));
  return greyOf(sharp(await blended.png().toBuffer()));
}

describe('writing by its strokes', () => {
  const written = (text: string) =>
    renderSheet([{ kind: 'hand', text, at: [30, 60], hand }], { width: 290, height: 120 });

  it('is found in any hand, and one word of it, in both directions', async () => {
    for (const text of ['anna', 'meet mara at noon', '0151 23456']) {
      const level = await written(text);
      expect(unreadWriting(await greyOf(level.clone()), []), text).to.have.length.above(0);
      const upright = sharp(await level.png().toBuffer()).rotate(90);
      const [box] = unreadWriting(await greyOf(upright), []);
      expect(box![3] - box![1], text).to.be.above(box![2] - box![0]);
    }
  });

  it('is found in a felt pen, in short words', async () => {
    const words: readonly [text: string, size: number, pen: number][] = [
      ['rosa', 11, 3.4],
      ['nils', 13, 4.2],
      ['jan', 13, 4.2],
      ['mara', 12, 3.6],
      ['lea', 14, 4.4],
      ['tim', 10, 3.8],
      ['rosa', 9.5, 2.6],
      ['ole', 16, 5.5],
      ['rosa', 9.5, 4.3],
      ['jan', 12, 4.6],
    ];
    for (const [text, size, pen] of words) {
      const felt = { size, slant: 0.1, jitter: 0.15, pen, isJoined: true };
      const sheet = await renderSheet([{ kind: 'hand', text, at: [60, 70], hand: felt }], {
        width: 290,
        height: 120,
      });
      const found = unreadWriting(await greyOf(sheet), []);
      expect(found, `${text} ${pen}`).to.have.length.above(0);
    }
  });

  it('is not found where it was read', async () => {
    const picture = await greyOf(await written('anna'));
    expect(unreadWriting(picture, [[0, 0, picture.width, picture.height]])).to.deep.equal([]);
  });

  it('is found on a line that it is written on', async () => {
    const sheet = await renderSheet(
      [
        { kind: 'rule', from: [20, 61], to: [280, 63] },
        { kind: 'hand', text: 'paul gray', at: [60, 60], hand },
      ],
      { width: 290, height: 120 },
    );
    const [box, ...others] = unreadWriting(await greyOf(sheet), []);
    expect(others).to.deep.equal([]);
    // Without the ends of the line.
    expect(box![0]).to.be.above(100);
  });

  it('is found in a sheet full of a fine texture', async () => {
    const [wide, high] = [1000, 1400];
    const texture = Buffer.alloc(wide * high, 255);
    const pick = createPick(3);
    for (let y = 8; y < high - 16; y += 12) {
      for (let x = 8; x < wide - 16; x += 12) {
        const at = (y + pick(5)) * wide + x + pick(5);
        for (const line of [0, 1, 2, 3, 4, 5])
          texture.fill(60, at + line * wide, at + line * wide + 3);
      }
    }
    const sheet = sharp(texture, { raw: { width: wide, height: high, channels: 1 } });
    const paper = { top: 60, bottom: 60, left: 60, right: 60, background: '#fff' };
    const note = await (await written('meet mara at noon')).extend(paper).png().toBuffer();
    const picture = await greyOf(sheet.composite([{ input: note, left: 240, top: 540 }]));
    const found = unreadWriting(picture, []);
    // In the paper around the writing.
    expect(found.some(([x0, y0]) => x0 > 300 && y0 > 600 && y0 < 780)).to.equal(true);
  });

  it('is marked without the empty paper around its strokes', async () => {
    const word = await renderSheet(
      [{ kind: 'hand', text: 'meet mara at noon', at: [10, 40], hand }],
      {
        width: 288,
        height: 192,
      },
    );
    // Strokes that lead away from the word, such as the edge of a sheet, belong to its run.
    const strokes = Array.from(
      { length: 7 },
      (_, at) =>
        `<path d="M${340 + at * 28} ${70 + at * 30}l24 44" stroke="#000" stroke-width="3"/>`,
    );
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${strokes.join('')}</svg>`;
    const both = sharp(await word.png().toBuffer()).composite([{ input: Buffer.from(svg) }]);
    const boxes = unreadWriting(await greyOf(sharp(await both.png().toBuffer())), []);
    const covered = boxes.reduce((sum, box) => sum + area(box), 0);
    expect(boxes).to.have.length.above(0);
    expect(covered).to.be.below(0.75 * area(hull(boxes)!));
  });

  for (const [name, content] of Object.entries(drawings)) {
    it(`is not found in ${name}`, async () => {
      expect(unreadWriting(await drawing(content), [])).to.deep.equal([]);
    });
  }

  it('is not found in a photograph', async () => {
    expect(unreadWriting(await photograph(), [])).to.deep.equal([]);
  });
});

describe('a picture without rules', () => {
  it('has paper in the place of long straight lines, and keeps strokes across them', async () => {
    const picture = await drawing(
      '<path d="M20 200L580 214" stroke="#000" stroke-width="3"/><path d="M300 170V245" stroke="#000" stroke-width="4"/>',
    );
    const { data } = withoutRules(picture);
    const darkest = (x: number, from: number, to: number): number =>
      Math.min(...Array.from({ length: to - from }, (_, at) => data[(from + at) * width + x]!));
    expect(darkest(100, 190, 215)).to.be.above(200);
    expect(darkest(500, 200, 225)).to.be.above(200);
    expect(darkest(300, 172, 190)).to.be.below(60);
  });

  it('lacks the short sides of frames, and keeps short strokes that end on paper', async () => {
    const picture = await drawing(
      '<rect x="60" y="80" width="400" height="70" fill="none" stroke="#000" stroke-width="3"/><path d="M200 90V138" stroke="#000" stroke-width="4"/>',
    );
    const { data } = withoutRules(picture);
    expect(data[115 * width + 60]).to.be.above(200);
    expect(data[115 * width + 460]).to.be.above(200);
    expect(data[115 * width + 200]).to.be.below(60);
  });

  it('keeps strokes of letters that fill a row from rule to rule', async () => {
    // The letters V, N and K, as high as the row.
    const strokes = [
      'M120 83L140 147L160 83',
      'M200 147L202 83L238 147L240 83',
      'M300 83L302 147M330 83L302 115L332 147',
    ];
    const letters = strokes.map(
      (path) => `<path d="${path}" fill="none" stroke="#000" stroke-width="4"/>`,
    );
    const picture = await drawing(
      `<rect x="20" y="80" width="560" height="70" fill="none" stroke="#000" stroke-width="3"/>${letters.join('')}`,
    );
    const darkInLetters = ({ data }: GreyRaster): number => {
      let dark = 0;
      for (let y = 90; y < 140; y += 1)
        for (let x = 100; x < 350; x += 1) if (data[y * width + x]! < 100) dark += 1;
      return dark;
    };
    const before = darkInLetters(picture);
    expect(darkInLetters(withoutLongRules(picture))).to.equal(before);
    expect(darkInLetters(withoutRules(picture))).to.be.above(0.6 * before);
  });
});
