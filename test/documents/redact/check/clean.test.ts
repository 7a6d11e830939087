import type { RemovalReport } from '@scriptorium/documents';
import type { Box } from '@scriptorium/documents/results';
import { expect } from 'chai';
import { degrees, PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { cidFont, subsetFont, type3Font } from '../../../support/corpus/fonts.ts';
import { ref } from '../../../support/corpus/pdf-writer.ts';
import { rasterOf } from '../../../support/samples.ts';
import { type Change, Judge, region, report, size, values, write } from './redacted.ts';

/* Correctly redacted files of many kinds: a false alarm costs a page. */

const [x0, y0, x1, y1] = region;

/** A scan of the page with the box painted in its pixels. */
async function scan(dpi: number): Promise<{ data: Buffer; width: number; height: number }> {
  const scale = dpi / 72;
  const { data, width, height, channels } = await rasterOf(await write(), 1, dpi);
  const box = { left: Math.round(x0 * scale), top: Math.round(y0 * scale) };
  const area = { width: Math.round((x1 - x0) * scale), height: Math.round((y1 - y0) * scale) };
  const black = { create: { ...area, channels: 3 as const, background: '#000000' } };
  return {
    data: await sharp(data, { raw: { width, height, channels } })
      .composite([{ input: await sharp(black).png().toBuffer(), ...box }])
      .greyscale()
      .jpeg({ quality: 75 })
      .toBuffer(),
    width,
    height,
  };
}

/** A page that is one picture, rotated if requested. */
async function burned(rotation = 0): Promise<Buffer> {
  const { data } = await scan(200);
  const document = await PDFDocument.create({ updateMetadata: false });
  const isTurned = rotation % 180 !== 0;
  const upright = await sharp(data).rotate(-rotation).jpeg({ quality: 80 }).toBuffer();
  const [width, height] = isTurned ? [size.height, size.width] : [size.width, size.height];
  const page = document.addPage([width, height]);
  page.drawImage(await document.embedJpg(upright), { x: 0, y: 0, width, height });
  page.setRotation(degrees(rotation));
  return Buffer.from(await document.save());
}

const drawn =
  (below: string, resources = ''): Change =>
  (sheet) => {
    sheet.below = below;
    sheet.resources = resources;
  };

const label: Change = (sheet) => {
  sheet.above = '1 g BT /F1 11 Tf 1 0 0 1 124 506 Tm ([PERSON]) Tj ET 0 g\n';
};

/** What checks say that had nothing to examine. */
const details: Readonly<Record<string, string>> = {
  picture_metadata: 'The file has no pictures.',
  barcodes: 'Barcodes were not to be removed.',
  faces: 'Faces were not to be removed.',
};

describe('checks of correctly redacted files', () => {
  const judge = new Judge();
  before(() => judge.open());
  after(() => judge.close());

  const pass = async (
    bytes: Uint8Array,
    reported: RemovalReport = report(),
    mime?: string,
  ): Promise<void> => {
    expect(await judge.failures(bytes, reported, mime)).to.deep.equal([]);
  };

  it('report what they examined', async () => {
    const checks = await judge.checks(await write());
    expect(checks.map(({ name }) => name)).to.deep.equal([
      'structure',
      'streams',
      'picture_metadata',
      'text_pdfium',
      'text_pdfjs',
      'occlusion',
      'pictures',
      'ocr_regions',
      'unread_text',
      'barcodes',
      'faces',
    ]);
    for (const check of checks) {
      expect(check).to.include({ passed: true });
      const detail = details[check.name];
      if (detail) expect(check.detail).to.equal(detail);
      else expect(check.detail).to.match(/\d/);
    }
  });

  it('pass a page copied by pdf-lib, with and without object streams', async () => {
    for (const useObjectStreams of [true, false]) {
      const copy = await PDFDocument.create({ updateMetadata: false });
      const [page] = await copy.copyPages(await PDFDocument.load(await write()), [0]);
      copy.addPage(page);
      await pass(await copy.save({ useObjectStreams }));
    }
  });

  it('pass a page with a label on its box', async () => {
    await pass(await write(label));
  });

  it('pass a box over lines of a table, a background and a photograph', async () => {
    await pass(
      await write(
        drawn(
          '0.9 g 30 400 360 150 re f 0 g 0.5 w 30 520 m 390 520 l S 30 502 m 390 502 l S 118 400 m 118 550 l S\n',
        ),
      ),
    );
    const photo = await sharp({
      create: {
        width: 300,
        height: 60,
        channels: 3,
        background: '#808080',
        noise: { type: 'gaussian', mean: 128, sigma: 20 },
      },
    })
      .blur(4)
      .jpeg()
      .toBuffer();
    await pass(
      await write((sheet) => {
        const image = sheet.writer.stream(
          '/Type /XObject /Subtype /Image /Width 300 /Height 60 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode',
          photo,
          false,
        );
        sheet.resources = `/XObject << /I ${ref(image)} >>`;
        sheet.below = 'q 380 0 0 80 20 460 cm /I Do Q\n';
      }),
    );
  });

  it('pass figures that a box reaches', async () => {
    await pass(
      await write(drawn('60 420 m 100 500 140 510 300 420 c S 20 300 m 200 510 l 400 300 l S\n')),
    );
  });

  it('pass a field with a rounded frame', async () => {
    // The frame ends before the box does and is hardly taller.
    const frame = (y0: number, y1: number): string =>
      `116 ${y0} m 297 ${y0} l 299 ${y0} 300 ${y0 + 1} 300 ${y0 + 3} c 300 ${y1 - 3} l 300 ${y1 - 1} 299 ${y1} 297 ${y1} c 116 ${y1} l h`;
    await pass(await write(drawn(`1 g ${frame(500.5, 521)} f 0 G ${frame(500, 521.5)} S 0 g\n`)));
  });

  it('pass neighbouring glyphs that reach slightly into the box', async () => {
    const text =
      'BT /F1 11 Tf 1 0 0 1 200 521 Tm (gypsy jogging) Tj 1 0 0 1 200 494 Tm (WHKL) Tj ET\n';
    await pass(await write(drawn(text)));
  });

  it('pass fonts of every kind', async () => {
    const kinds = [
      (sheet: Parameters<Change>[0]) => cidFont(sheet.writer, 'F2', { isMapped: true }),
      (sheet: Parameters<Change>[0]) => cidFont(sheet.writer, 'F2', { isMapped: false }),
      (sheet: Parameters<Change>[0]) => subsetFont(sheet.writer, 'F2', { isMapped: true }),
      (sheet: Parameters<Change>[0]) => type3Font(sheet.writer, 'F2', 'named'),
    ];
    for (const kind of kinds) {
      await pass(
        await write((sheet) => {
          const font = kind(sheet);
          const number = font.resource.replace('/F2 ', '');
          const inner = sheet.writer.stream(
            `/Type /XObject /Subtype /Form /BBox [0 0 420 595] /Resources << /Font << /F2 ${number} >> >>`,
            `BT /F2 11 Tf 1 0 0 1 40 300 Tm ${font.show('Some other words')} Tj ET\n`,
          );
          sheet.resources = `/XObject << /X ${ref(inner)} >>`;
          sheet.below = '/X Do\n';
        }),
      );
    }
  });

  it('pass a scan with painted pixels, burned, upright and rotated', async () => {
    for (const rotation of [0, 90, 180, 270]) {
      await pass(await burned(rotation), report({ treatment: 'burned' }));
    }
  });

  it('pass a burned page with its remaining text beneath it', async () => {
    const document = await PDFDocument.load(await burned(), { updateMetadata: false });
    const [page] = document.getPages();
    const font = await document.embedFont('Helvetica');
    page?.setFont(font);
    const { PDFOperator, PDFOperatorNames, PDFNumber } = await import('pdf-lib');
    page?.pushOperators(PDFOperator.of(PDFOperatorNames.SetTextRenderingMode, [PDFNumber.of(3)]));
    page?.drawText('Notes on a meeting by the river', { x: 40, y: 540, size: 11 });
    await pass(await document.save({ useObjectStreams: false }), report({ treatment: 'burned' }));
  });

  it('pass an empty page with a notice', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    document
      .addPage([size.width, size.height])
      .drawText('This page could not be redacted.', { size: 11 });
    const reported = report({ treatment: 'empty', reason: 'It could not be read.', regions: [] });
    await pass(await document.save(), reported);
  });

  it('pass a rotated and cropped page', async () => {
    const turned = await write((sheet) => {
      sheet.page = '/Rotate 90 /CropBox [10 20 410 580]';
    });
    // As displayed: x was the distance up from the bottom of the crop, y the distance from its
    // left.
    const bottom = size.height - y1;
    const box: Box = [bottom - 20, x0 - 10, bottom - 20 + (y1 - y0), x1 - 10];
    await pass(turned, report({ regions: [{ box, type: 'PERSON' }] }));
  });

  it('pass values that occur as parts of other words', async () => {
    const reported = report();
    reported.values = [
      ...values,
      { type: 'PERSON', value: 'Marked' },
      { type: 'PERSON', value: 'Bo' },
      { type: 'ORGANIZATION', value: 'Helvetica' },
      { type: 'ADDRESS', value: '00595' },
      { type: 'AGE', value: '11' },
      { type: 'DATE_TIME', value: '2024' },
    ];
    await pass(
      await write(drawn('BT /F1 11 Tf 1 0 0 1 40 300 Tm (Unmarked bottles, 11 of them.) Tj ET\n')),
      reported,
    );
  });

  it('pass pictures without a stored resolution', async () => {
    const { data } = await scan(200);
    const reported = report();
    const forms = [
      ['image/png', await sharp(data).png().toBuffer()],
      ['image/jpeg', await sharp(data).jpeg({ quality: 80 }).toBuffer()],
      ['image/webp', await sharp(data).webp({ lossless: true }).toBuffer()],
    ] as const;
    for (const [mime, bytes] of forms) {
      await pass(bytes, reported, mime);
      const long = report({ heightPt: size.height * 1.1 });
      const other = await judge.failures(bytes, long, mime).catch(({ message }: Error) => message);
      expect(other).to.equal('The picture does not have the reported size.');
    }
  });
});
