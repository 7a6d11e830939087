import { expect } from 'chai';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';
import type { AngledWord } from '../../../packages/documents/src/model/words/word.ts';
import { boldDpi, markBold } from '../../../packages/documents/src/normalize/pages/boldness.ts';
import type { PagePicture } from '../../../packages/documents/src/ocr/pictures/picture.ts';
import { rasterOf } from '../../support/samples.ts';

const [width, height] = [300, 200];
const size = 10;

type Family = 'Helvetica' | 'TimesRoman';

/** A page of lines, those with `*` in bold, as a picture and as words that were recognised on it. */
async function scanOf(family: Family, lines: readonly string[], blur = 0) {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([width, height]);
  const plain = await pdf.embedFont(StandardFonts[family]);
  const bold = await pdf.embedFont(StandardFonts[`${family}Bold`]);
  const words = lines.flatMap((line, at): AngledWord[] => {
    const font = line.startsWith('*') ? bold : plain;
    const base = 30 + 20 * at;
    let x = 20;
    return line
      .replace('*', '')
      .split(' ')
      .map((text) => {
        page.drawText(text, { x, y: height - base, size, font });
        const end = x + font.widthOfTextAtSize(text, size);
        const word: AngledWord = {
          text,
          base,
          size,
          box: [x, base - 8, end, base + 2],
          angle: 0,
          mark: -2 - at,
          blankBefore: true,
          blankAfter: true,
          confidence: 0.9,
          source: 'ocr',
          href: null,
          bold: false,
          italic: false,
          mono: false,
          math: false,
        };
        x = end + 3;
        return word;
      });
  });
  const raster = await rasterOf(await pdf.save(), 1, boldDpi);
  const raw = { width: raster.width, height: raster.height, channels: raster.channels } as const;
  const drawn = sharp(raster.data, { raw }).flatten({ background: '#ffffff' });
  const { data, info } = await (blur > 0 ? drawn.blur(blur) : drawn)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const grey = Uint8Array.from(
    { length: info.width * info.height },
    (_, at) => data[at * info.channels] ?? 255,
  );
  const picture: PagePicture = {
    data: grey,
    width: info.width,
    height: info.height,
    dpi: boldDpi,
    usedDpi: boldDpi,
    finestDpi: boldDpi,
    box: [0, 0, width, height],
  };
  return { words, picture };
}

const lines = [
  '*Minutes of the trustees',
  'A reader in the gallery reports a loan',
  'that outlasted its exposure by a year.',
  '*Roof',
  'The annex had been closed, and 1,240',
  'visitors were told to come again later.',
];

describe('recognised words', () => {
  for (const family of ['Helvetica', 'TimesRoman'] as const) {
    for (const blur of [0, 0.5]) {
      it(`are bold where their strokes are wide: ${family}, ${blur > 0 ? 'blurred' : 'sharp'}`, async () => {
        const { words, picture } = await scanOf(family, lines, blur);
        const bold = markBold(words, picture).filter((word) => word.bold);
        expect(bold.map(({ text }) => text).join(' ')).to.equal('Minutes of the trustees Roof');
      });
    }
  }

  it('are not bold on a page that is set in bold', async () => {
    const all = lines.map((line) => `*${line.replace('*', '')}`);
    const { words, picture } = await scanOf('Helvetica', all);
    expect(markBold(words, picture).filter(({ bold }) => bold)).to.have.length(0);
  });
});
