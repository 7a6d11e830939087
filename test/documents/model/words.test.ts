import { expect } from 'chai';
import { readOwnText } from '../../../packages/documents/src/model/words/own-text.ts';
import { frameOf } from '../../../packages/documents/src/pdf/page-frame.ts';
import { openPdf, withPage } from '../../../packages/documents/src/pdf/pdfium.ts';
import { PdfWriter, ref } from '../../support/corpus/pdf-writer.ts';
import { withFile } from '../../support/samples.ts';

/** A page with a content in Helvetica, whose `W` is said to be the letters `fi`. */
function pageOf(code: string): Buffer {
  const writer = new PdfWriter();
  const map = writer.stream(
    '',
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <57> <00660069> endbfchar endcmap end end',
  );
  const font = writer.add(
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode ${ref(map)} >>`,
  );
  const pages = writer.reserve();
  const content = writer.stream('', `BT /F1 20 Tf 20 50 Td ${code} ET`);
  const page = writer.add(
    `<< /Type /Page /Parent ${ref(pages)} /MediaBox [0 0 300 100] /Contents ${ref(content)} ` +
      `/Resources << /Font << /F1 ${ref(font)} >> >> >>`,
  );
  writer.set(pages, `<< /Type /Pages /Kids [${ref(page)}] /Count 1 >>`);
  return writer.toBuffer(`/Root ${ref(writer.add(`<< /Type /Catalog /Pages ${ref(pages)} >>`))}`);
}

/** The words of a page with a content. */
function wordsOf(code: string): Promise<ReturnType<typeof readOwnText>> {
  return withFile(pageOf(code), async (path) => {
    const document = await openPdf(path);
    try {
      return await withPage(document, 1, (page) =>
        readOwnText(document, page, frameOf(document, page)),
      );
    } finally {
      document.close();
    }
  });
}

describe('words of a page', () => {
  it('go on after a ligature, which is several letters at one place', async () => {
    const { words } = await wordsOf('(a Wgure of Wve) Tj');
    expect(words.map(({ text }) => text)).to.deep.equal(['a', 'figure', 'of', 'five']);
  });

  it('are as wide in a layer as the text with the space that was stretched with it', async () => {
    const ends = async (code: string): Promise<[string, number][]> => {
      const { words, hidden } = await wordsOf(code);
      return [...words, ...hidden].map(({ text, box }) => [text, Math.round(box[2])]);
    };
    const parted = '(ab ) Tj 80 0 Td (cd ) Tj 80 0 Td (ef) Tj';
    expect(await ends(`3 Tr ${parted}`)).to.deep.equal([
      ['ab', 48],
      ['cd', 127],
      ['ef', 197],
    ]);
    expect(await ends(parted)).to.deep.equal([
      ['ab', 42],
      ['cd', 121],
      ['ef', 197],
    ]);
    expect(await ends('3 Tr (ab cd) Tj')).to.deep.equal([
      ['ab', 42],
      ['cd', 69],
    ]);
  });

  it('have one direction upside down, whatever the sign of the zeros', async () => {
    const { words } = await wordsOf(
      '-1 0 0 -1 200 50 Tm (up) Tj -1 -0.0000001 0.0000001 -1 150 50 Tm (side) Tj',
    );
    expect(words.map(({ text, angle }) => [text, angle])).to.have.deep.members([
      ['up', 180],
      ['side', 180],
    ]);
  });
});
