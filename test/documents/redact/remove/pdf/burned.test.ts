import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { type Raster, renderPage } from '../../../../../packages/documents/src/pdf/bitmaps.ts';
import { openPdf, withPage } from '../../../../../packages/documents/src/pdf/pdfium.ts';
import { Bench, pageOf } from './support.ts';

const text = (x: number, y: number, word: string): string =>
  `BT /F 12 Tf ${x} ${y} Td (${word}) Tj ET\n`;
/** A word in a font of drawings, which cannot be removed: its page is burned. */
const secret = 'BT /T 10 Tf 50 200 Td (ab) Tj ET\n';

/** A page with Helvetica as `F`, drawings as `T` and a coloured picture as `I`. */
function page(content: string): Promise<Uint8Array> {
  return pageOf(content, {
    resources: ({ context }) => {
      const glyph = (x: number) =>
        context.register(context.stream(`600 0 0 0 500 500 d1 ${x} 0 300 500 re f`));
      const unicode = context.register(
        context.stream(
          '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange 2 beginbfchar <61> <0061> <62> <0062> endbfchar endcmap end',
        ),
      );
      const type3 = context.register(
        context.obj({
          Type: 'Font',
          Subtype: 'Type3',
          FontBBox: [0, 0, 600, 500],
          FontMatrix: [0.001, 0, 0, 0.001, 0, 0],
          CharProcs: { a: glyph(0), b: glyph(100) },
          Encoding: { Type: 'Encoding', Differences: [97, 'a', 'b'] },
          FirstChar: 97,
          LastChar: 98,
          Widths: [600, 600],
          Resources: {},
          ToUnicode: unicode,
        }),
      );
      const tones = Uint8Array.from({ length: 64 * 64 * 3 }, (_, at) => (at * 7919) % 251);
      const picture = PDFRawStream.of(
        context.obj({
          Type: 'XObject',
          Subtype: 'Image',
          Width: 64,
          Height: 64,
          BitsPerComponent: 8,
          ColorSpace: 'DeviceRGB',
          Filter: 'FlateDecode',
        }),
        new Uint8Array(deflateSync(tones)),
      );
      const font = context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' });
      return { Font: { F: font, T: type3 }, XObject: { I: context.register(picture) } };
    },
  });
}

/** The page as drawn, one pixel per third of a point. */
async function draw(path: string): Promise<Raster> {
  const document = await openPdf(path);
  try {
    return await withPage(document, 1, (loaded) => {
      const how = { width: 1200, height: 900, grey: false, annotations: false };
      return renderPage(document.pdfium, loaded, how);
    });
  } finally {
    document.close();
  }
}

/** The colour at a position in points from the lower left of the page, as `rrggbb`. */
const colourAt = ({ data, width }: Raster, x: number, y: number): string => {
  const at = ((300 - y) * 3 * width + x * 3) * 3;
  return Buffer.from(data.subarray(at, at + 3)).toString('hex');
};

async function pictureOf(bytes: Uint8Array): Promise<{ coding: string; length: number }> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  const pictures = document.context
    .enumerateIndirectObjects()
    .map(([, object]) => object)
    .filter((object): object is PDFRawStream => object instanceof PDFRawStream)
    .filter(({ dict }) => dict.get(PDFName.of('Subtype')) === PDFName.of('Image'));
  expect(pictures).to.have.length(1);
  const [picture] = pictures;
  const entry = (key: string) => String(picture?.dict.get(PDFName.of(key)));
  return {
    coding: `${entry('Filter')} ${entry('BitsPerComponent')}`,
    length: picture?.contents.length ?? 0,
  };
}

describe('burned pages', () => {
  const bench = new Bench();
  before(() => bench.open());
  after(() => bench.close());

  const burn = async (source: Uint8Array) => {
    const redacted = await bench.redact(source, { words: ['ab'] });
    expect(redacted.report.pages[0]?.treatment).to.equal('burned');
    const drawn = await draw(redacted.path);
    expect(colourAt(drawn, 52, 202)).to.equal('000000');
    return { ...redacted, drawn, ...(await pictureOf(redacted.bytes)) };
  };

  it('state the reason and keep their other words selectable', async () => {
    const { report, texts } = await burn(await page(`${text(50, 250, 'Normal words')}${secret}`));
    expect(report.pages[0]?.reason).to.be.a('string');
    expect(texts[0]?.trim()).to.equal('Normal words');
  });

  it('are JBIG2 of a few kilobytes if black on white, with every thin rule', async () => {
    const lines = Array.from({ length: 6 }, (_, at) => text(50, 150 - at * 15, 'Normal words'));
    const rules = [0.05, 0.2, 0.5].map(
      (width, at) => `${width} w 250 ${60 + at * 20} m 350 ${60 + at * 20} l S\n`,
    );
    // Text is often in a black mixed from inks, which is not quite black on screens.
    const ink = '0 0 0 1 k 250 150 40 40 re f 0 g\n';
    const source = await page(`${lines.join('')}${rules.join('')}${ink}${secret}`);
    const { coding, length, drawn } = await burn(source);
    expect(coding).to.equal('/JBIG2Decode 1');
    expect(length).to.be.at.most(2500);
    expect(colourAt(drawn, 270, 170)).to.equal('000000');
    expect(colourAt(drawn, 200, 280)).to.equal('ffffff');
    for (const y of [60, 80, 100]) {
      const across = [-1, 0, 1].map((by) => colourAt(drawn, 300, y + by / 3));
      expect(
        across.some((colour) => colour < 'a00000'),
        `rule at ${y}`,
      ).to.equal(true);
    }
  });

  it('are JBIG2 if a mask smooths their letters', async () => {
    const content = `q /G gs 0 g 0 0 400 100 re f Q\n${text(50, 250, 'Normal words')}${secret}`;
    const base = await PDFDocument.load(await page(content));
    const { context } = base;
    const seen = context.stream(`1 g ${text(50, 50, 'Seen through a mask')}`, {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, 400, 100],
      Group: { S: 'Transparency', CS: 'DeviceGray' },
      Resources: { Font: { F: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' } } },
    });
    const mask = { S: 'Luminosity', G: context.register(seen) };
    const resources = base.getPage(0).node.Resources();
    resources?.set(PDFName.of('ExtGState'), context.obj({ G: { SMask: mask } }));
    const { coding } = await burn(await base.save());
    expect(coding).to.equal('/JBIG2Decode 1');
  });

  it('keep their few colours, but not those of hidden content', async () => {
    const flat = '1 0 0 rg 250 150 40 40 re f 0.9 g 300 150 40 40 re f 0 g\n';
    const { coding, drawn } = await burn(await page(`${flat}${text(50, 250, 'Red')}${secret}`));
    expect(coding).to.equal('/FlateDecode 2');
    expect(colourAt(drawn, 270, 170)).to.equal('ff0000');
    expect(colourAt(drawn, 320, 170)).to.equal('e6e6e6');
    expect(colourAt(drawn, 200, 280)).to.equal('ffffff');

    const hidden = await burn(await page(`${text(50, 250, 'Black')}1 0 0 rg ${secret}`));
    expect(hidden.coding).to.equal('/JBIG2Decode 1');
  });

  it('keep the tones of pictures', async () => {
    const content = `q 100 0 0 100 250 150 cm /I Do Q\n${text(50, 250, 'Photo')}${secret}`;
    const { coding } = await burn(await page(content));
    expect(coding).to.match(/^\/(DCT|Flate)Decode 8$/);
  });
});
