import { expect } from 'chai';
import sharp, { type Sharp } from 'sharp';
import type { GreyRaster } from '../../../packages/documents/src/ink/components.ts';
import { readSignatureWeights } from '../../../packages/documents/src/ink/signature-model.ts';
import { findWritingByHand } from '../../../packages/documents/src/ink/signatures.ts';
import type { Box } from '../../../packages/documents/src/results.ts';
import { renderSheet } from '../../support/handwriting.ts';

async function greyOf(image: Sharp): Promise<GreyRaster> {
  const { data, info } = await image
    .greyscale()
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const drawing = (content: string): Sharp =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="500"><rect width="100%" height="100%" fill="white"/><g fill="none" stroke="#222" stroke-width="2.5">${content}</g></svg>`,
    ),
  );

describe('signatures without a word beside them', () => {
  it('are found in hands of many sizes and slants', async () => {
    const missed: number[] = [];
    for (let at = 0; at < 8; at += 1) {
      const hand = {
        size: 6 + at,
        slant: at * 0.06,
        jitter: 0.05 + at * 0.04,
        pen: 0.8 + at * 0.15,
        isJoined: true,
      };
      const sheet = await renderSheet([{ kind: 'signature', at: [60, 130], hand }], {
        width: 400,
        height: 200,
        seed: at + 1,
      });
      const found = findWritingByHand(await greyOf(sheet), [], []);
      if (!found.some(({ type }) => type === 'SIGNATURE')) missed.push(at);
    }
    expect(missed).to.deep.equal([]);
  });

  const drawings: readonly [name: string, content: string][] = [
    ['shapes', '<circle cx="200" cy="150" r="60"/><rect x="400" y="100" width="150" height="90"/>'],
    ['an arrow', '<path d="M100 300 H400 M380 288 L400 300 L380 312"/>'],
    ['a chart', '<path d="M60 400 H740 M60 400 V60 M60 380 L200 300 L340 320 L480 180 L700 90"/>'],
    ['a wave', '<path d="M60 200 Q100 100 140 200 T220 200 T300 200 T380 200 T460 200 T540 200"/>'],
  ];
  for (const [name, content] of drawings) {
    it(`are not found in ${name}`, async () => {
      expect(findWritingByHand(await greyOf(drawing(content)), [], [])).to.deep.equal([]);
    });
  }

  it('are told apart from a line of words, unless a signature is expected there', async () => {
    const hand = { size: 9, slant: 0.2, jitter: 0.15, pen: 1.4, isJoined: true };
    const sheet = await greyOf(
      await renderSheet([{ kind: 'hand', text: 'meet us at nine', at: [40, 130], hand }], {
        width: 400,
        height: 200,
      }),
    );
    const typesWith = (expected: readonly Box[]): string[] =>
      findWritingByHand(sheet, [], expected).map(({ type }) => type);
    expect(typesWith([])).to.deep.equal(['HANDWRITING']);
    expect(typesWith([[0, 0, sheet.width, sheet.height]])).to.deep.equal(['SIGNATURE']);
  });

  it('are judged only by weights of the same measurements', () => {
    expect(() => readSignatureWeights('AAAA')).to.throw('other features');
  });
});
