import { expect } from 'chai';
import sharp, { type Sharp } from 'sharp';
import type { GreyRaster } from '../../../packages/documents/src/ink/components.ts';
import { unreadSlanted, withLetters } from '../../../packages/documents/src/ink/unread-ink.ts';
import type { Mark } from '../../support/handwriting.ts';
import { renderSheet } from '../../support/handwriting.ts';

async function greyOf(picture: Sharp): Promise<GreyRaster> {
  const { data, info } = await picture
    .flatten({ background: '#fff' })
    .toColourspace('b-w')
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data), width: info.width, height: info.height };
}

/** A line of print, turned by an angle in degrees and as pale as a watermark. */
async function turned(text: string, degrees: number, size: number): Promise<GreyRaster> {
  const mark: Mark = { kind: 'print', text, at: [30, 60], size, bold: true };
  const sheet = await renderSheet([mark], { width: 420, height: 100 });
  const pale = sharp(await sheet.linear(0.25, 190).png().toBuffer());
  return greyOf(sharp(await pale.rotate(degrees, { background: '#fdfdfd' }).png().toBuffer()));
}

describe('slanted writing', () => {
  it('is found at any angle and in any size', async () => {
    for (const degrees of [-60, -45, -28, -15, 15, 30, 45, 70, 135]) {
      for (const size of [14, 34]) {
        const picture = await turned('TANSY QUILL', degrees, size);
        const found = unreadSlanted(withLetters(picture), []);
        expect(found, `${degrees} ${size}`).to.have.length.above(0);
        const longest = found.toSorted((a, b) => b.pieces.length - a.pieces.length)[0]!;
        const apart = (((longest.angle - degrees) % 180) + 180) % 180;
        expect(Math.min(apart, 180 - apart), `${degrees} ${size}`).to.be.below(6);
      }
    }
  });

  it('is found on a page full of it', async () => {
    const marks = Array.from({ length: 40 }, (_, line): Mark => {
      const text = 'CARGO OF THE QUILL AND THE TANSY IN THE HARBOUR OF NORTHFIELD';
      return { kind: 'print', text, at: [30, 40 + line * 26], size: 12 };
    });
    const sheet = await renderSheet(marks, { width: 800, height: 1100 });
    const turnedSheet = sharp(await sheet.png().toBuffer()).rotate(25, { background: '#fff' });
    const found = unreadSlanted(withLetters(await greyOf(turnedSheet)), []);
    expect(found.reduce((sum, { pieces }) => sum + pieces.length, 0)).to.be.above(1_500);
  });

  it('is not level or upright print, and not what was read', async () => {
    for (const degrees of [0, 90, 3]) {
      const found = unreadSlanted(withLetters(await turned('TANSY QUILL', degrees, 20)), []);
      expect(found, String(degrees)).to.deep.equal([]);
    }
    const picture = await turned('TANSY QUILL', 30, 20);
    const known = [[0, 0, picture.width, picture.height]] as const;
    expect(
      unreadSlanted(
        withLetters(picture),
        known.map(([...box]) => box),
      ),
    ).to.deep.equal([]);
  });
});
