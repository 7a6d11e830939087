import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { degrees, PDFDocument, rgb } from 'pdf-lib';
import { detectRules } from '../../../packages/documents/src/normalize/pages/tables/index.ts';
import { frameOf } from '../../../packages/documents/src/pdf/page-frame.ts';
import { listObjects } from '../../../packages/documents/src/pdf/page-objects.ts';
import { readRules } from '../../../packages/documents/src/pdf/page-rules.ts';
import { openPdf, withPage } from '../../../packages/documents/src/pdf/pdfium.ts';

async function rulesOf(bytes: Uint8Array): Promise<ReturnType<typeof readRules>> {
  const folder = mkdtempSync(join(tmpdir(), 'rules-'));
  const path = join(folder, 'page.pdf');
  writeFileSync(path, bytes);
  const document = await openPdf(path);
  try {
    return await withPage(document, 1, (page) =>
      readRules(listObjects(document, page, frameOf(document, page))),
    );
  } finally {
    document.close();
    rmSync(folder, { recursive: true });
  }
}

describe('page rules', () => {
  it('are read from strokes, thin boxes, framed boxes and shading, as displayed', async () => {
    const pdf = await PDFDocument.create();
    const page = pdf.addPage([300, 200]);
    page.drawLine({ start: { x: 20, y: 150 }, end: { x: 220, y: 150 }, thickness: 1 });
    page.drawRectangle({ x: 20, y: 100, width: 0.5, height: 50, color: rgb(0, 0, 0) });
    page.drawRectangle({ x: 20, y: 60, width: 100, height: 20, color: rgb(0.8, 0.8, 0.9) });
    page.drawRectangle({
      x: 20,
      y: 20,
      width: 100,
      height: 20,
      borderWidth: 1,
      borderColor: rgb(0, 0, 0),
    });
    page.drawRectangle({ x: 0, y: 0, width: 300, height: 200, color: rgb(1, 1, 1) });
    const rules = await rulesOf(await pdf.save());
    expect(rules.across.map(({ at, from, to }) => [at, from, to])).to.deep.include([50, 20, 220]);
    expect(rules.across.map(({ at }) => at).sort((a, b) => a - b)).to.deep.equal([50, 160, 180]);
    expect(rules.down.map(({ at }) => at).sort((a, b) => a - b)).to.deep.equal([20, 20.25, 120]);
    expect(rules.fills).to.deep.equal([[20, 120, 120, 140]]);
  });

  it('are read from placed forms and from rotated pages, as displayed', async () => {
    const inner = await PDFDocument.create();
    const drawn = inner.addPage([100, 100]);
    drawn.drawLine({ start: { x: 10, y: 50 }, end: { x: 90, y: 50 }, thickness: 1 });
    const pdf = await PDFDocument.create();
    const page = pdf.addPage([300, 200]);
    const form = await pdf.embedPage(drawn);
    page.drawPage(form, { x: 100, y: 20, xScale: 2, yScale: 1 });
    page.setRotation(degrees(90));
    const { across, down } = await rulesOf(await pdf.save());
    expect(across).to.deep.equal([]);
    expect(down.map(({ at, from, to }) => [at, from, to])).to.deep.equal([[70, 120, 280]]);
  });

  it('are seen in a picture, skewed ones included, but not in letters or dark areas', () => {
    const [width, height] = [400, 300];
    const data = new Uint8Array(width * height).fill(240);
    const ink = (x: number, y: number): void => {
      data[y * width + x] = 30;
    };
    // A line that descends by two pixels, with a gap; a vertical one; letters; a dark area.
    for (let x = 20; x < 380; x += 1) if (x !== 200) ink(x, 50 + Math.floor(x / 150));
    for (let y = 60; y < 260; y += 1) for (let x = 100; x < 103; x += 1) ink(x, y);
    for (let x = 150; x < 300; x += 1) if (x % 9 < 5) for (let y = 100; y < 110; y += 1) ink(x, y);
    for (let x = 200; x < 320; x += 1) for (let y = 150; y < 220; y += 1) ink(x, y);
    const { across, down } = detectRules({ data, width, height }, 0.72);
    expect(across).to.have.length(1);
    expect(across[0]?.from).to.be.closeTo(20 * 0.72, 2);
    expect(across[0]?.to).to.be.closeTo(380 * 0.72, 2);
    expect(across[0]?.at).to.be.closeTo(51.5 * 0.72, 1.5);
    expect(down.map(({ at }) => Math.round(at))).to.deep.equal([73]);
  });
});
