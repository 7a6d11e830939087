import { expect } from 'chai';
import { frameOf } from '../../../packages/documents/src/pdf/page-frame.ts';
import { readGlyphs } from '../../../packages/documents/src/pdf/page-glyphs.ts';
import { listObjects, type PageObjects } from '../../../packages/documents/src/pdf/page-objects.ts';
import { readShapes } from '../../../packages/documents/src/pdf/page-shapes.ts';
import { openPdf, withPage } from '../../../packages/documents/src/pdf/pdfium.ts';
import { PdfWriter, ref } from '../../support/corpus/pdf-writer.ts';
import { withFile } from '../../support/samples.ts';

/**
 * A page with a square, then a text and a square `depth` forms deep, each form 10 points further
 * right.
 */
function nested(depth: number): Buffer {
  const writer = new PdfWriter();
  const font = writer.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  const box = '/BBox [-1000 -1000 2000 2000] /Matrix [1 0 0 1 10 0]';
  const text = 'BT /F1 12 Tf 0 100 Td (deep) Tj ET 0 20 5 5 re f';
  let inner = writer.stream(
    `/Type /XObject /Subtype /Form ${box} /Resources << /Font << /F1 ${ref(font)} >> >>`,
    text,
  );
  for (let level = 1; level < depth; level += 1) {
    const resources = `/Resources << /XObject << /X ${ref(inner)} >> >>`;
    inner = writer.stream(`/Type /XObject /Subtype /Form ${box} ${resources}`, '/X Do');
  }
  const pages = writer.reserve();
  const content = writer.stream('', '0 0 10 10 re f /X Do');
  const page = writer.add(
    `<< /Type /Page /Parent ${ref(pages)} /MediaBox [0 0 600 200] /Contents ${ref(content)} ` +
      `/Resources << /XObject << /X ${ref(inner)} >> >> >>`,
  );
  writer.set(pages, `<< /Type /Pages /Kids [${ref(page)}] /Count 1 >>`);
  const root = writer.add(`<< /Type /Catalog /Pages ${ref(pages)} >>`);
  return writer.toBuffer(`/Root ${ref(root)}`);
}

function onPage<T>(pdf: Uint8Array, use: (objects: PageObjects, read: () => string) => T) {
  return withFile(pdf, async (path) => {
    const document = await openPdf(path);
    try {
      return await withPage(document, 1, (page) => {
        const frame = frameOf(document, page);
        const objects = listObjects(document, page, frame);
        return use(objects, () =>
          readGlyphs(objects, page, frame)
            .map(({ text }) => text)
            .join(''),
        );
      });
    } finally {
      document.close();
    }
  });
}

describe('the objects of a page', () => {
  it('are listed in drawing order, with the contents of forms in their places', async () => {
    await onPage(nested(20), (objects, read) => {
      expect(objects.complete).to.equal(true);
      const kinds = objects.all.map(({ kind }) => kind);
      expect(kinds).to.deep.equal(['path', ...new Array(20).fill('form'), 'text', 'path']);
      expect(readShapes(objects).paths.map(({ box }) => box)).to.deep.equal([
        [0, 190, 10, 200],
        [200, 175, 205, 180],
      ]);
      expect(read()).to.equal('deep');
    });
  });

  it('are incomplete if forms nest too deeply, and redaction then rejects the page', async () => {
    await onPage(nested(32), (objects, read) => {
      expect(objects.complete).to.equal(false);
      expect(readShapes(objects).truncated).to.equal(true);
      expect(read).to.throw('too many objects');
    });
  });
});
