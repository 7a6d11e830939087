import { expect } from 'chai';
import { readOwnText } from '../../../src/engines/model/words/own.ts';
import { openPdf, withPage } from '../../../src/engines/pdf/pdfium.ts';
import { frameOf } from '../../../src/engines/source.ts';
import { PdfWriter, ref } from '../../support/corpus/pdf-writer.ts';
import { withFile } from '../../support/samples.ts';

/** A page with a text in Helvetica, whose `W` is said to be the letters `fi`. */
function withLigature(text: string): Buffer {
  const writer = new PdfWriter();
  const map = writer.stream(
    '',
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <57> <00660069> endbfchar endcmap end end',
  );
  const font = writer.add(
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode ${ref(map)} >>`,
  );
  const pages = writer.reserve();
  const content = writer.stream('', `BT /F1 20 Tf 20 50 Td (${text}) Tj ET`);
  const page = writer.add(
    `<< /Type /Page /Parent ${ref(pages)} /MediaBox [0 0 300 100] /Contents ${ref(content)} ` +
      `/Resources << /Font << /F1 ${ref(font)} >> >> >>`,
  );
  writer.set(pages, `<< /Type /Pages /Kids [${ref(page)}] /Count 1 >>`);
  return writer.toBuffer(`/Root ${ref(writer.add(`<< /Type /Catalog /Pages ${ref(pages)} >>`))}`);
}

describe('words of a page', () => {
  it('go on after a ligature, which is several letters at one place', async () => {
    await withFile(withLigature('a Wgure of Wve'), async (path) => {
      const document = await openPdf(path);
      try {
        const words = await withPage(
          document,
          1,
          (page) => readOwnText(document, page, frameOf(document, page)).words,
        );
        expect(words.map(({ text }) => text)).to.deep.equal(['a', 'figure', 'of', 'five']);
      } finally {
        document.close();
      }
    });
  });
});
