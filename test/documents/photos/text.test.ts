import { expect } from 'chai';
import sharp from 'sharp';
import type { GreyRaster } from '../../../packages/documents/src/ink/components.ts';
import { photoAreas } from '../../../packages/documents/src/photos/areas.ts';
import { findTextInPhotos, isTexture } from '../../../packages/documents/src/photos/text.ts';
import type { Box } from '../../../packages/documents/src/results.ts';
import {
  type Handwriting,
  handPath,
  photographSheet,
  renderSheet,
} from '../../support/handwriting.ts';
import { createPick } from '../../support/random.ts';

const [width, height] = [700, 500];
const hand: Handwriting = { size: 16, slant: 0.2, jitter: 0.1, pen: 2, isJoined: true };

/** Draws something over soft tones, like those of a photograph that is out of focus. */
async function photographOf(content: string): Promise<GreyRaster> {
  const pick = createPick(11);
  const side = 7;
  const tones = Buffer.from(Array.from({ length: side * side }, () => 40 + pick(170)));
  const ground = await sharp(tones, { raw: { width: side, height: side, channels: 1 } })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .png()
    .toBuffer();
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`;
  const { data } = await sharp(ground)
    .composite([{ input: Buffer.from(drawing) }])
    .toColourspace('b-w')
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data), width, height };
}

/** Hair: strokes in all tones, each like the stroke of a pen. */
function hair(): string {
  const pick = createPick(3);
  return Array.from({ length: 2600 }, () => {
    const [x, y, tone] = [pick(width), pick(height), 40 + pick(190)];
    const [dx, dy, bend] = [pick(50) - 15, pick(50) - 15, pick(20) - 10];
    return `<path d="M${x} ${y}q${dx / 2 + bend} ${dy / 2} ${dx} ${dy}" fill="none"
      stroke="rgb(${tone},${tone},${tone})" stroke-width="${1 + pick(30) / 10}"/>`;
  }).join('');
}

/** Returns the share of the pixels of a box that others cover. */
function covered([x0, y0, x1, y1]: Box, others: readonly Box[]): number {
  let inside = 0;
  for (let y = y0; y < y1; y += 1) {
    for (let x = x0; x < x1; x += 1) {
      if (others.some(([l, t, r, b]) => x >= l && x < r && y >= t && y < b)) inside += 1;
    }
  }
  return inside / ((x1 - x0) * (y1 - y0));
}

describe('text in photographs', () => {
  it('is not what hair looks like', async () => {
    const picture = await photographOf(hair());
    const found = findTextInPhotos(picture, []);
    expect(found.photos).to.have.length(1);
    const rows = Array.from({ length: 15 }, (_, row): Box => [40, 32 * row, 240, 32 * row + 30]);
    const left = rows.filter((box) => !isTexture(picture, box, found));
    expect(left.length).to.be.lessThan(2);
    expect(covered([0, 0, width, height], found.texts)).to.be.lessThan(0.05);
  });

  for (const ground of ['soft tones', 'hair'] as const) {
    it(`is found if it is printed or written by hand, dark or light, on ${ground}`, async () => {
      const place: Box = [115, 228, 400, 248];
      const path = handPath('meet mara at noon', hand, createPick(5));
      for (const colour of ['#101010', '#ffffff']) {
        const plate = `<rect x="90" y="195" width="440" height="80" fill="${colour === '#ffffff' ? '#204080' : '#f4f0e0'}"/>`;
        const texts = {
          print: `<text x="110" y="250" font-family="DejaVu Sans" font-size="36" fill="${colour}">Market Street 27</text>`,
          hand: `<path transform="translate(110 250)" d="${path}" fill="none" stroke="${colour}" stroke-width="3"/>`,
        };
        for (const [kind, text] of Object.entries(texts)) {
          const content = ground === 'hair' ? hair() + plate + text : text;
          const { texts: found } = findTextInPhotos(await photographOf(content), []);
          expect(
            covered(place, found),
            `${kind} in ${colour}: ${JSON.stringify(found)}`,
          ).to.be.greaterThan(0.7);
        }
      }
    });
  }

  it('leaves strokes on a smooth ground, such as paper in the shade, to the search for ink', async () => {
    const path = handPath('yours', hand, createPick(5));
    const picture = await photographOf(
      `<path transform="translate(110 250)" d="${path}" fill="none" stroke="#101010" stroke-width="3"/>`,
    );
    const box: Box = [105, 215, 260, 262];
    const nothing = { photos: findTextInPhotos(picture, []).photos, texts: [] };
    expect(isTexture(picture, box, nothing)).to.equal(false);
  });

  it('is not searched for on a sheet in the shade', async () => {
    const sheet = await renderSheet([
      { kind: 'rule', from: [50, 90], to: [550, 90] },
      { kind: 'print', text: 'The buyer has read the conditions.', at: [50, 120] },
    ]);
    const { data, info } = await sharp(await photographSheet(sheet, { shadow: 0.35, grain: 14 }))
      .extractChannel(0)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const picture = { data: new Uint8Array(data), width: info.width, height: info.height };
    expect(photoAreas(picture, []), 'areas with varied tones').not.to.be.empty;
    expect(findTextInPhotos(picture, []).photos).to.be.empty;
  });
});
