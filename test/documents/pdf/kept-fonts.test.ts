import { expect } from 'chai';
import { oncePerFont } from '../../../packages/documents/src/pdf/kept-fonts.ts';
import { frameOf } from '../../../packages/documents/src/pdf/page-frame.ts';
import { listObjects } from '../../../packages/documents/src/pdf/page-objects.ts';
import { openPdf, rawFunction, withPage } from '../../../packages/documents/src/pdf/pdfium.ts';
import { PdfWriter, ref } from '../../support/corpus/pdf-writer.ts';
import { withFile } from '../../support/samples.ts';

const pageCount = 3;

/** Pages with a text in Helvetica, then one in a Type 3 font. */
function twoFonts(): Buffer {
  const writer = new PdfWriter();
  const helvetica = writer.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  const square = writer.stream('', '1000 0 0 0 750 750 d1 0 0 750 750 re f');
  const drawn = writer.add(
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 750 750] /FontMatrix [0.001 0 0 0.001 0 0] ' +
      `/CharProcs << /a ${ref(square)} >> /Encoding << /Type /Encoding /Differences [97 /a] >> ` +
      '/FirstChar 97 /LastChar 97 /Widths [1000] /Resources << >> >>',
  );
  const pages = writer.reserve();
  const content = writer.stream('', 'BT /F1 12 Tf 10 100 Td (text) Tj /F2 12 Tf (a) Tj ET');
  const kids = Array.from({ length: pageCount }, () =>
    writer.add(
      `<< /Type /Page /Parent ${ref(pages)} /MediaBox [0 0 300 200] /Contents ${ref(content)} ` +
        `/Resources << /Font << /F1 ${ref(helvetica)} /F2 ${ref(drawn)} >> >> >>`,
    ),
  );
  writer.set(pages, `<< /Type /Pages /Kids [${kids.map(ref).join(' ')}] /Count ${pageCount} >>`);
  const root = writer.add(`<< /Type /Catalog /Pages ${ref(pages)} >>`);
  return writer.toBuffer(`/Root ${ref(root)}`);
}

describe('kept fonts', () => {
  it('reads a font once per document, and a Type 3 font once per page', async () => {
    await withFile(twoFonts(), async (path) => {
      const document = await openPdf(path);
      const getFont = rawFunction(document.pdfium, 'FPDFTextObj_GetFont');
      const results = new WeakMap();
      const reads = [0, 0];
      for (let number = 1; number <= pageCount; number += 1) {
        await withPage(document, number, (page) => {
          const { all } = listObjects(document, page, frameOf(document, page));
          const texts = all.filter(({ kind }) => kind === 'text');
          expect(texts).to.have.length(2);
          texts.forEach(({ handle }, index) => {
            const read = oncePerFont(document, results, () => (reads[index]! += 1));
            expect(read(getFont(handle))).to.equal(index === 0 ? 1 : number);
          });
        });
      }
      document.close();
      expect(reads).to.deep.equal([1, pageCount]);
    });
  });
});
