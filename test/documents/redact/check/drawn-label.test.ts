import type { Box, Quarter } from '@scriptorium/documents/results';
import { expect } from 'chai';
import sharp from 'sharp';
import {
  isDrawnLabel,
  labelText,
} from '../../../../packages/documents/src/redact/check/page/drawn-label.ts';
import type { GreyTile } from '../../../../packages/documents/src/redact/check/page/tiles.ts';
import { drawLabels } from '../../../../packages/documents/src/redact/remove/pdf/burned/labels.ts';
import type { PaintRegion } from '../../../../packages/documents/src/redact/remove/pdf/regions/regions.ts';

/** A black box with the label of its type, as the remover draws it into a picture. */
async function boxed(
  types: PaintRegion['types'],
  { width = 300, height = 24, direction = 0 as Quarter } = {},
): Promise<GreyTile> {
  const size = direction % 180 === 0 ? { width, height } : { width: height, height: width };
  const box: Box = [0, 0, size.width, size.height];
  const region: PaintRegion = { box, types, direction, planned: [box], textOnly: false };
  const half = { width: size.width / 2, height: size.height / 2 };
  const points: PaintRegion = { ...region, box: [0, 0, half.width, half.height] };
  return { data: await drawLabels([points], half, size), ...size };
}

/** The same after it was coded as JPEG. */
async function asJpeg({ data, width, height }: GreyTile): Promise<GreyTile> {
  const jpeg = await sharp(data, { raw: { width, height, channels: 1 } })
    .jpeg({ quality: 75 })
    .toBuffer();
  const grey = await sharp(jpeg).toColourspace('b-w').extractChannel(0).raw().toBuffer();
  return { data: grey, width, height };
}

/** With a faint rest of something in its right half. */
function withRest(tile: GreyTile, tone: number): GreyTile {
  const data = new Uint8Array(tile.data);
  for (let y = 6; y < tile.height - 6; y += 1) {
    for (let x = tile.width * 0.8; x < tile.width * 0.95; x += 6) {
      data.fill(tone, y * tile.width + x, y * tile.width + x + 3);
    }
  }
  return { ...tile, data };
}

describe('the label on a box of a picture', () => {
  it('is known by its pixels at any size and turn, also in a JPEG', async () => {
    for (const height of [18, 24, 36, 60]) {
      for (const direction of [0, 90, 180, 270] as const) {
        const tile = await boxed(['IBAN_CODE'], { height, direction });
        for (const shown of [tile, await asJpeg(tile)]) {
          expect(await isDrawnLabel(shown, '[IBAN_CODE]'), `${height} ${direction}`).to.equal(true);
        }
      }
    }
  });

  it('is not taken for another one', async () => {
    const tile = await boxed(['IBAN_CODE']);
    for (const text of ['[PHONE_NUMBER]', '[PERSON]', '[IBAN_CODE] [PERSON]', '[US_BANK_NO]']) {
      expect(await isDrawnLabel(tile, text), text).to.equal(false);
    }
    expect(await isDrawnLabel(await boxed(['ADDRESS']), '[PASSPORT]')).to.equal(false);
  });

  it('is not enough if something else is on the box, or nothing', async () => {
    const tile = await boxed(['IBAN_CODE']);
    for (const tone of [255, 120]) {
      expect(await isDrawnLabel(withRest(tile, tone), '[IBAN_CODE]'), String(tone)).to.equal(false);
    }
    const empty = { ...tile, data: new Uint8Array(tile.data.length) };
    expect(await isDrawnLabel(empty, '[IBAN_CODE]')).to.equal(false);
  });

  it('names all types that one box hides, in their order', () => {
    const box: Box = [0, 0, 10, 10];
    const regions = [
      { box, type: 'PERSON' as const },
      { box: [20, 0, 30, 10] as Box, type: 'ADDRESS' as const },
      { box, type: 'IBAN_CODE' as const },
    ];
    expect(labelText(regions, regions[0]!)).to.equal('[PERSON] [IBAN_CODE]');
  });
});
