import type { Box } from '@scriptorium/documents/results';
import { expect } from 'chai';
import { drawLabels } from '../../../../../packages/documents/src/redact/remove/pdf/burned/labels.ts';
import type { PaintRegion } from '../../../../../packages/documents/src/redact/remove/pdf/regions/regions.ts';

const size = { width: 200, height: 100 };
const pixels = { width: 400, height: 200 };

const labelled = (box: Box): PaintRegion => ({
  box,
  types: ['US_SSN'],
  direction: 0,
  planned: [box],
  textOnly: false,
});

describe('labels of boxes in pictures', () => {
  it('consist of letters only: box edges leave no frame', async () => {
    const drawn = await drawLabels([labelled([10.3, 20.4, 150.6, 40.7])], size, pixels);
    const lit = [...drawn.keys()].filter((at) => (drawn[at] ?? 0) > 0);
    expect(lit.length).to.be.greaterThan(50);
    const rows = lit.map((at) => Math.floor(at / pixels.width) / 2);
    expect(Math.min(...rows)).to.be.greaterThan(22);
    expect(Math.max(...rows)).to.be.lessThan(39);
  });

  it('are omitted if they would be illegible', async () => {
    const drawn = await drawLabels([labelled([10, 20, 24, 40])], size, pixels);
    expect(drawn.some((tone) => tone > 0)).to.equal(false);
  });
});
