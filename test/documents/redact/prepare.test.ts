import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  PDFString,
} from 'pdf-lib';
import { existingWords } from '../../../packages/documents/src/ocr/existing-words.ts';
import { frameOf } from '../../../packages/documents/src/pdf/page-frame.ts';
import { readText } from '../../../packages/documents/src/pdf/page-glyphs.ts';
import { listObjects } from '../../../packages/documents/src/pdf/page-objects.ts';
import { openPdf, withPage } from '../../../packages/documents/src/pdf/pdfium.ts';
import { hasUndisplayedValues, preparePage } from '../../../packages/documents/src/pdf/prepare.ts';

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
          const words = existingWords(
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

  /** The words of a page with form fields, as it is after preparation, and how many paths it has. */
  async function prepared(
    build: (source: PDFDocument, page: PDFPage) => void,
  ): Promise<{ words: string[]; paths: number; isLost: boolean }> {
    const source = await PDFDocument.create();
    const page = source.addPage([400, 300]);
    page.drawText('Body', { x: 50, y: 20 });
    build(source, page);
    const path = join(folder, 'fields.pdf');
    await writeFile(path, await source.save({ updateFieldAppearances: false }));
    const document = await openPdf(path);
    try {
      await preparePage(document, 1);
      return await withPage(document, 1, (loaded) => {
        const frame = frameOf(document, loaded);
        const { words } = existingWords(document, readText(document, loaded, frame), frame, true);
        const objects = listObjects(document, loaded, frame);
        return {
          words: words.map(({ text }) => text).sort(),
          paths: objects.all.filter(({ kind }) => kind === 'path').length,
          isLost: hasUndisplayedValues(document, 1),
        };
      });
    } finally {
      document.close();
    }
  }

  /** A widget with an appearance of its own. */
  function field(
    source: PDFDocument,
    page: PDFPage,
    values: Record<string, PDFObject | string>,
    appearance: string,
  ): void {
    const { context } = source;
    const font = context.register(
      context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' }),
    );
    const resources = { Font: { F1: font } };
    const stream = context.stream(appearance, {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, 200, 20],
      Resources: resources,
    });
    const widget = context.obj({
      Type: 'Annot',
      Subtype: 'Widget',
      Rect: [50, 200, 250, 220],
      F: 4,
      DA: PDFString.of('/F1 12 Tf 0 g'),
      AP: { N: context.register(stream) },
    });
    for (const [name, value] of Object.entries(values)) {
      widget.set(PDFName.of(name), typeof value === 'string' ? PDFName.of(value) : value);
    }
    const reference = context.register(widget);
    page.node.addAnnot(reference);
    source.catalog.set(
      PDFName.of('AcroForm'),
      context.obj({ Fields: [reference], NeedAppearances: true, DR: resources }),
    );
  }
  const empty = '/Tx BMC EMC';
  const bordered = '1 1 1 rg 0 0 200 20 re f 0 G 0 0 200 20 re S /Tx BMC EMC';

  it('shows the value of a field whose appearance is empty, or has only a ground', async () => {
    const value = { FT: 'Tx', T: PDFString.of('name'), V: PDFString.of('Fieldvalue') };
    const blank = '/Tx BMC q BT /F1 12 Tf 2 5 Td (  ) Tj ET Q EMC';
    for (const appearance of [empty, bordered, blank]) {
      const { words } = await prepared((source, page) => field(source, page, value, appearance));
      expect(words).to.deep.equal(['Body', 'Fieldvalue']);
    }
    const shown = 'BT /F1 12 Tf 2 5 Td (Shownvalue) Tj ET';
    const kept = await prepared((source, page) => field(source, page, value, shown));
    expect(kept.words).to.deep.equal(['Body', 'Shownvalue']);
  });

  it('shows the choice of a list, and a value that the field has from its parent', async () => {
    const options = (source: PDFDocument): PDFObject =>
      source.context.obj([PDFString.of('Firstchoice'), PDFString.of('Otherchoice')]);
    const choice = await prepared((source, page) =>
      field(
        source,
        page,
        {
          FT: 'Ch',
          Ff: PDFNumber.of(1 << 17),
          V: PDFString.of('Otherchoice'),
          Opt: options(source),
        },
        empty,
      ),
    );
    expect(choice.words).to.deep.equal(['Body', 'Otherchoice']);
    const child = await prepared((source, page) => {
      const parent = source.context.register(
        source.context.obj({ FT: 'Tx', T: PDFString.of('p'), V: PDFString.of('Parentvalue') }),
      );
      field(source, page, { Parent: parent }, empty);
    });
    expect(child.words).to.deep.equal(['Body', 'Parentvalue']);
  });

  it('keeps the appearance of a button, which is drawn', async () => {
    const drawn = '0 G 2 2 m 18 18 l 2 18 m 18 2 l S';
    const { words, paths } = await prepared((source, page) =>
      field(source, page, { FT: 'Btn', T: PDFString.of('agree') }, drawn),
    );
    expect(words).to.deep.equal(['Body']);
    expect(paths).to.be.greaterThan(0);
  });

  it('reports values that the fonts of a form cannot show', async () => {
    const value = (text: PDFObject) => ({ FT: 'Tx', T: PDFString.of('name'), V: text });
    const lost = async (text: PDFObject, appearance = empty): Promise<boolean> =>
      (await prepared((source, page) => field(source, page, value(text), appearance))).isLost;
    expect(await lost(PDFHexString.fromText('Иван Петров'))).to.equal(true);
    expect(await lost(PDFHexString.fromText('Müßig'))).to.equal(false);
    expect(await lost(PDFString.of(''))).to.equal(false);
    const shown = 'BT /F1 12 Tf 2 5 Td (Ivan Petrov) Tj ET';
    expect(await lost(PDFHexString.fromText('Иван Петров'), shown)).to.equal(false);
    const off = await prepared((source, page) =>
      field(source, page, { FT: 'Btn', T: PDFString.of('agree'), V: 'Off' }, ''),
    );
    expect(off.isLost).to.equal(false);
  });
});
