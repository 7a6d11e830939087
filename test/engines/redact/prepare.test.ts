import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { ownWords } from '../../../src/engines/ocr/own-words.ts';
import { readText } from '../../../src/engines/pdf/page-glyphs.ts';
import { openPdf, withPage } from '../../../src/engines/pdf/pdfium.ts';
import { preparePage } from '../../../src/engines/pdf/prepare.ts';
import { frameOf } from '../../../src/engines/source.ts';

describe('a page prepared for redaction', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prepare-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('contains visible fields and annotations as content, and no others', async () => {
    const source = await PDFDocument.create();
    const page = source.addPage([400, 300]);
    page.drawText('Body', { x: 50, y: 100 });
    const form = source.getForm();
    const shown = form.createTextField('shown');
    shown.setText('Shownvalue');
    shown.addToPage(page, { x: 50, y: 200, width: 200, height: 20 });
    const hidden = form.createTextField('hidden');
    hidden.setText('Hiddenvalue');
    hidden.addToPage(page, { x: 50, y: 150, width: 200, height: 20, hidden: true });
    const note = { Type: 'Annot', Subtype: 'Popup', Rect: [300, 200, 390, 290], Open: true };
    page.node.addAnnot(
      source.context.register(
        source.context.obj({ ...note, Contents: PDFString.of('Popupvalue') }),
      ),
    );
    // Inherited boxes, which flattening does not know.
    page.node.Parent()?.set(PDFName.of('MediaBox'), source.context.obj([0, 0, 400, 300]));
    for (const box of ['MediaBox', 'CropBox', 'BleedBox', 'TrimBox', 'ArtBox']) {
      page.node.delete(PDFName.of(box));
    }
    const path = join(folder, 'form.pdf');
    await writeFile(path, await source.save());

    const document = await openPdf(path);
    try {
      for (let time = 0; time < 2; time += 1) {
        await preparePage(document, 1);
        await withPage(document, 1, (loaded) => {
          expect(document.pdfium.FPDFPage_GetAnnotCount(loaded)).to.equal(0);
          const frame = frameOf(document, loaded);
          expect([frame.width, frame.height]).to.deep.equal([400, 300]);
          const words = ownWords(
            document,
            readText(document, loaded, frame),
            frame,
            true,
          ).words.map(({ text }) => text);
          expect(words.sort()).to.deep.equal(['Body', 'Shownvalue']);
        });
      }
    } finally {
      document.close();
    }
  });
});
