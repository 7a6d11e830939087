import type { Box } from '@scriptorium/documents/results';
import { expect } from 'chai';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { alternativeReadings, readPageText } from '../../../packages/documents/src/model/index.ts';
import { cellBorders } from '../../../packages/documents/src/model/line-gaps.ts';
import { modelOfPdf, textOperators } from '../../support/page-model.ts';
import { handmadePdf } from '../../support/samples.ts';

/** Lines set flush on both sides of a column, by the width of their gaps. */
async function justified(
  columns: readonly { x: number; width: number; lines: readonly string[] }[],
  size = 9,
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.TimesRoman);
  const page = document.addPage([420, 595]);
  for (const { x, width, lines } of columns) {
    lines.forEach((line, at) => {
      const words = line.split(' ');
      const taken = words.reduce((sum, word) => sum + font.widthOfTextAtSize(word, size), 0);
      const gap = at === lines.length - 1 ? 0.25 * size : (width - taken) / (words.length - 1);
      let from = x;
      for (const word of words) {
        page.drawText(word, { x: from, y: 540 - at * 1.25 * size, size, font });
        from += font.widthOfTextAtSize(word, size) + gap;
      }
    });
  }
  return document.save();
}

const left = [
  'La signora riferisce dispnea dopo due rampe',
  'di scale, e il rimborso va accreditato a Ciro',
  'al numero di conto seguente: IBAN IT72',
  'X030 6903 4911 0000 0067 152. Tessera',
  'sanitaria 80380001500417722914.',
];
const right = [
  'Nel controllo di agosto si valuta di nuovo la',
  'frazione di eiezione, con la carta di credito',
  '4532 0781 1926',
  '4039 per il saldo della visita, come da accordi',
  'presi con la segreteria.',
];

describe('gaps on a line', () => {
  it('are no walls in justified columns, however wide', async () => {
    const model = await modelOfPdf(
      await justified([
        { x: 30, width: 170, lines: left },
        { x: 220, width: 170, lines: right },
      ]),
    );
    const { text } = readPageText(model);
    expect(text).to.include('IBAN IT72 X030 6903 4911 0000 0067 152.');
    expect(text).to.include('Tessera sanitaria 80380001500417722914.');
    expect(text).to.include('4532 0781 1926 4039 per il saldo');
  });

  it('are walls where the lines around them begin at the same place', async () => {
    const model = await modelOfPdf(
      handmadePdf(
        textOperators([
          [40, 500, 'Ada Quist'],
          [200, 500, 'Bell Winter'],
          [40, 486, 'Kay Marsh'],
          [200, 486, 'Dee Hall'],
        ]),
      ),
    );
    const { text } = readPageText(model);
    expect(text).not.to.include('Quist Bell').and.not.include('Marsh Dee');
    expect(alternativeReadings(model).some(({ joins }) => joins)).to.equal(false);
  });

  it('are read in both ways where nothing tells what they are', async () => {
    const model = await modelOfPdf(
      handmadePdf(
        textOperators([
          [40, 500, 'card 4532 0781'],
          [180, 500, '1926 4039'],
        ]),
      ),
    );
    const readings = [
      readPageText(model).text,
      ...alternativeReadings(model).map(({ text }) => text),
    ];
    expect(readings.some((text) => text.includes('4532 0781 1926 4039'))).to.equal(true);
    expect(readings.some((text) => !text.includes('4532 0781 1926 4039'))).to.equal(true);
  });

  it('are walls where a rule or the side of a field runs, however narrow', async () => {
    const model = await modelOfPdf(
      handmadePdf(
        textOperators([
          [40, 500, 'Anselm Guidry'],
          [121, 500, 'Known as'],
        ]),
      ),
    );
    expect(readPageText(model).text).to.equal('Anselm Guidry Known as');
    const y = model.words[0]!.box[1];
    const ruled = (from: number) =>
      cellBorders(
        { across: [], down: [{ at: 118.5, from, to: from + 20, thickness: 1 }], fills: [] },
        [],
      );
    expect(readPageText({ ...model, rules: ruled(y - 4) }).text).to.equal(
      'Anselm Guidry\tKnown as',
    );
    const box: Box = [38, y - 2, 119, y + 14];
    const rules = cellBorders({ across: [], down: [], fills: [] }, [{ name: '', box, values: [] }]);
    expect(readPageText({ ...model, rules }).text).to.equal('Anselm Guidry\tKnown as');
    const below = ruled(y + 40);
    expect(readPageText({ ...model, rules: below }).text).to.equal('Anselm Guidry Known as');
  });

  it('leave form fields a reading of their own, behind their names', async () => {
    const model = await modelOfPdf(handmadePdf(textOperators([[40, 500, '8830047712']])));
    const [box] = model.words.map((word) => word.box);
    const fields = [{ name: 'form1[0].page[0].AccountNumber[0]', box: box!, values: [] }];
    const texts = alternativeReadings({ ...model, fields }).map(({ text }) => text);
    expect(texts).to.deep.equal(['Account Number: 8830047712\n']);
  });
});
