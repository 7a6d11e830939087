import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, rgb } from 'pdf-lib';
import { channelsOf } from '../../../packages/documents/src/ink/channels.ts';
import { renderChannels, renderPage } from '../../../packages/documents/src/pdf/bitmaps.ts';
import { openPdf, withPage } from '../../../packages/documents/src/pdf/pdfium.ts';

const size = { width: 61, height: 40, annotations: true };

describe('the channels of a drawn page', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bitmaps-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Draws a page with a box, as channels, and as the channels of its colours. */
  async function channelsWith(colour: ReturnType<typeof rgb>) {
    const file = await PDFDocument.create();
    file.addPage([61, 40]).drawRectangle({ x: 9, y: 7, width: 21, height: 13, color: colour });
    const path = join(folder, 'box.pdf');
    await writeFile(path, await file.save());
    const document = await openPdf(path);
    try {
      return await withPage(document, 1, async (page) => {
        const drawn = renderPage(document.pdfium, page, { ...size, grey: false });
        const channels = renderChannels(document.pdfium, page, size);
        return { channels, expected: channelsOf(drawn.data, drawn) };
      });
    } finally {
      document.close();
    }
  }

  it('are red, green and blue', async () => {
    const { channels, expected } = await channelsWith(rgb(0.9, 0.5, 0.1));
    expect(channels).to.have.length(3).and.to.deep.equal(expected);
    expect(channels.map(({ data }) => Math.min(...data))).to.deep.equal([230, 128, 26]);
  });

  it('are one picture if they are equal', async () => {
    const { channels, expected } = await channelsWith(rgb(0.4, 0.4, 0.4));
    expect(channels).to.have.length(1).and.to.deep.equal(expected);
  });
});
