import { expect } from 'chai';
import { readGlyphs } from '../../../src/engines/pdf/page-glyphs.ts';
import { listObjects } from '../../../src/engines/pdf/page-objects.ts';
import { openPdf, withPage } from '../../../src/engines/pdf/pdfium.ts';
import { type Areas, areasToRecognise } from '../../../src/engines/redact/find/areas.ts';
import { frameOf } from '../../../src/engines/source.ts';
import { type CorpusFont, cidFont, standardFont } from '../../support/corpus/fonts.ts';
import { PdfWriter, ref } from '../../support/corpus/pdf-writer.ts';
import { withFile } from '../../support/samples.ts';

/** What has to be recognised of a page with this content. */
function areasOf(pdf: Uint8Array): Promise<Areas> {
  return withFile(pdf, async (path) => {
    const document = await openPdf(path);
    try {
      return await withPage(document, 1, (page) => {
        const frame = frameOf(document, page);
        const objects = listObjects(document, page, frame);
        return areasToRecognise(objects, page, frame, readGlyphs(objects, page, frame));
      });
    } finally {
      document.close();
    }
  });
}

/** A page in two fonts, of which the second says nothing of its letters and is called as given. */
function inFont(name: string, content: (known: CorpusFont, unknown: CorpusFont) => string): Buffer {
  const writer = new PdfWriter();
  const known = standardFont(writer, 'F1', 'Helvetica');
  const unknown = cidFont(writer, 'F2', { mapped: false });
  const pages = writer.reserve();
  const stream = writer.stream('', content(known, unknown));
  const page = writer.add(
    `<< /Type /Page /Parent ${ref(pages)} /MediaBox [0 0 600 800] /Contents ${ref(stream)} ` +
      `/Resources << /Font << ${known.resource} ${unknown.resource} >> >> >>`,
  );
  writer.set(pages, `<< /Type /Pages /Kids [${ref(page)}] /Count 1 >>`);
  const root = writer.add(`<< /Type /Catalog /Pages ${ref(pages)} >>`);
  const bytes = writer.toBuffer(`/Root ${ref(root)}`).toString('latin1');
  const renamed = bytes.replaceAll('/AAAAAA+LiberationSans', `/AAAAAA+${name}`.padEnd(22));
  return Buffer.from(renamed, 'latin1');
}

/** Lines of text one below the other, in pieces of the known font and, between bars, of the unknown. */
const written =
  (...lines: string[]) =>
  (known: CorpusFont, unknown: CorpusFont): string =>
    lines
      .map((line, at) => {
        const shown = line
          .split('|')
          .map((piece, index) => [index % 2 === 0 ? known : unknown, piece] as const)
          .filter(([, piece]) => piece !== '')
          .map(([font, piece]) => `/${font.name} 12 Tf ${font.show(piece)} Tj`);
        return `BT 50 ${700 - 40 * at} Td ${shown.join(' ')} ET`;
      })
      .join('\n');

describe('what has to be recognised of a page', () => {
  it('are lines with letters that nothing tells of, but not the signs of formulas', async () => {
    const formulas = written('f: X |~| Y is open', 'and |[(| x, y |)]| too');
    expect((await areasOf(inFont('LiberationSans', formulas))).lines.boxes).to.have.length(2);
    for (const name of ['CMSY10', 'MSAM7', 'CMEX10', 'LINE10']) {
      const { areas, lines } = await areasOf(inFont(name, formulas));
      expect([...areas, ...lines.boxes], name).to.deep.equal([]);
    }
    // Fonts of variables have letters.
    expect((await areasOf(inFont('CMMI10', formulas))).lines.boxes).to.have.length(2);
  });

  it('are also lines in a font of signs that spells something, in one piece or letter by letter', async () => {
    const spelled = written('known', 'SSN |078-05-1120| known', 'known', 'SSN |0 7 8 0 5| known');
    const { lines } = await areasOf(inFont('CMSY10', spelled));
    expect(lines.boxes).to.have.length(2);
  });
});
