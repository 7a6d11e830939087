import { expect } from 'chai';
import { frameOf } from '../../../packages/documents/src/pdf/page-frame.ts';
import { readGlyphs } from '../../../packages/documents/src/pdf/page-glyphs.ts';
import { listObjects } from '../../../packages/documents/src/pdf/page-objects.ts';
import { openPdf, withPage } from '../../../packages/documents/src/pdf/pdfium.ts';
import { type Areas, areasToRecognise } from '../../../packages/documents/src/redact/find/areas.ts';
import { type CorpusFont, cidFont, standardFont } from '../../support/corpus/fonts.ts';
import { PdfWriter, ref } from '../../support/corpus/pdf-writer.ts';
import { liberation } from '../../support/corpus/truetype.ts';
import { handmadePdf, pageHeight, withFile } from '../../support/samples.ts';

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
  const unknown = cidFont(writer, 'F2', { isMapped: false });
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

  /** Lines between points, and a dot at each. */
  const graph = Array.from({ length: 12 }, (_, at): [number, number] => [
    210 + 150 * Math.cos((at * Math.PI) / 6),
    400 + 150 * Math.sin((at * Math.PI) / 6),
  ]);
  const lines = graph.map(([x, y], at) => {
    const [x1, y1] = graph[(at + 5) % graph.length]!;
    return `${x} ${y} m ${x1} ${y1} l S`;
  });
  const circle = ([x, y]: readonly [number, number], r: number): string => {
    const k = 0.5523 * r;
    return `${x + r} ${y} m ${x + r} ${y + k} ${x + k} ${y + r} ${x} ${y + r} c ${x - k} ${y + r} ${x - r} ${y + k} ${x - r} ${y} c ${x - r} ${y - k} ${x - k} ${y - r} ${x} ${y - r} c ${x + k} ${y - r} ${x + r} ${y - k} ${x + r} ${y} c`;
  };
  const drawing = [...lines, ...graph.map((point) => `${circle(point, 3)} f`)].join('\n');

  it('are no drawings of long lines, circles and a few short strokes', async () => {
    const arrows = '100 100 m 108 104 l 100 108 l S 300 100 m 310 120 330 90 340 110 c S';
    const { areas } = await areasOf(
      handmadePdf(`${drawing} ${circle([210, 400], 150)} S ${arrows}`),
    );
    expect(areas).to.deep.equal([]);
  });

  it('are drawings with letters of strokes, of outlines, or of one path, beside the rest', async () => {
    const font = liberation();
    const outlines = [...'Ann Lee']
      .map((letter, at) => `q .02 0 0 .02 ${50 + 24 * at} 200 cm ${font.pathOf(letter)} f Q`)
      .join('\n');
    // V, X, A and the like, as a plotter draws them.
    const strokes = Array.from({ length: 9 }, (_, at) => {
      const [x, y] = [50 + 20 * at, 200];
      return `${x} ${y + 16} m ${x + 8} ${y} l S ${x + 8} ${y} m ${x + 16} ${y + 16} l S`;
    });
    const together = strokes.join('\n').replaceAll(' S', '');
    for (const text of [outlines, strokes.join('\n'), `${together} S`]) {
      const { areas } = await areasOf(handmadePdf(`${drawing}\n${text}`));
      expect(areas).to.have.length(1);
      expect(areas[0]![0]).to.be.below(60);
      expect(areas[0]![3]).to.be.above(pageHeight - 220);
    }
  });

  it('are shapes filled with a pattern, in which there may be anything', async () => {
    const letters = 'BT /F1 14 Tf 2 4 Td (John Smith 078-05-1120) Tj ET';
    const pattern = `<< /Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 200 20] /XStep 200 /YStep 20 /Resources << /Font << /F1 5 0 R >> >> /Length ${letters.length} >>\nstream\n${letters}\nendstream`;
    const content = `${drawing} /Pattern cs /P1 scn ${circle([200, 150], 80)} f`;
    const plain = handmadePdf(content, { objects: [pattern] }).toString('latin1');
    const bytes = plain.replace('<< /Font', '<< /Pattern << /P1 6 0 R >> /Font');
    const { areas } = await areasOf(Buffer.from(bytes, 'latin1'));
    expect(areas).to.have.length(1);
  });
});
