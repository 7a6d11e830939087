import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceMime } from '@scriptorium/contracts/documents/sources';
import type { OperationOptions } from '@scriptorium/contracts/operations';
import type { RemovalReport } from '@scriptorium/documents';
import { expect } from 'chai';
import sharp from 'sharp';
import { withRemovals } from '../../../src/jobs/operations/redact-pii/reviewed.ts';
import {
  type BarcodeFormat,
  barcodePage,
  barcodePng,
  drawModules,
  encodeBarcode,
} from '../../support/barcodes.ts';
import { redactFile, redactOptions } from '../../support/corpus/redact.ts';
import { callOptions, sharedEngines } from '../../support/engines.ts';

type Options = Partial<OperationOptions<'redact_pii'>>;

const link = 'https://example.org/p/7d2f81';

describe('barcodes in redactions', () => {
  let folder: string;
  let files = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'barcodes-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function redact(
    bytes: Uint8Array,
    mime: SourceMime = 'application/pdf',
    options: Options = {},
  ) {
    const path = join(folder, `source-${++files}`);
    await writeFile(path, bytes);
    const all = redactOptions({ entities: 'personal', ...options });
    const made = await redactFile(sharedEngines(), { path, mime }, all, `${path}-made`);
    expect(made.verified).to.equal(true);
    const [page] = made.report!.pages;
    return { ...made, source: path, page: page!, types: page!.regions.map(({ type }) => type) };
  }

  /** A page with a QR code of shapes, about an inch wide. */
  const pageWithLink = async (): Promise<Buffer> => {
    const code = await encodeBarcode(link, 'QRCode');
    return barcodePage((page) => drawModules(page, code, { x: 300, y: 400, side: 2 }));
  };

  it('are covered where a page draws them, and cannot be decoded again', async () => {
    const { path, report, page, types, source } = await redact(await pageWithLink());
    expect(types).to.deep.equal(['BARCODE']);
    const [x0, y0, x1, y1] = page.regions[0]!.box;
    // The modules without the blank zone, which is 8 points wide.
    expect([x0 <= 308, x1 >= 358, y0 <= 384, y1 >= 434]).to.deep.equal([true, true, true, true]);
    const reportFile = join(folder, 'report.json');
    const barcodesLeft = async (file: string): Promise<boolean> => {
      const pages: RemovalReport['pages'] = [{ ...page, regions: [], kept: { BARCODE: [] } }];
      await writeFile(reportFile, JSON.stringify({ ...report, pages }));
      const checks = await sharedEngines().checkPage(
        { path: file, mime: 'application/pdf', reportFile, outputPage: 1 },
        callOptions,
      );
      return checks.some(({ name, passed }) => name === 'barcodes' && !passed);
    };
    expect(await barcodesLeft(source)).to.equal(true);
    expect(await barcodesLeft(path!)).to.equal(false);
  });

  it('are covered in pictures of a page, with the content printed beside their bars', async () => {
    const code = await encodeBarcode('PX-4471-0932', 'Code128');
    const { types, page } = await redact(
      await barcodePage(async (page, document) => {
        const png = await barcodePng(code, 3);
        page.drawImage(await document.embedPng(png), { x: 100, y: 400, width: 130, height: 40 });
        page.drawText('PX-4471-0932', { x: 125, y: 388, size: 9 });
        page.drawText('Parcel PX-4471-0932', { x: 40, y: 700, size: 11 });
      }),
    );
    expect(new Set(types)).to.deep.equal(new Set(['BARCODE']));
    const covers = (x: number, y: number): boolean =>
      page.regions.some(({ box: [x0, y0, x1, y1] }) => x > x0 && x < x1 && y > y0 && y < y1);
    expect(covers(150, 422)).to.equal(true);
    expect(covers(150, 842 - 391)).to.equal(true);
    // Elsewhere, text is judged as text.
    expect(covers(100, 842 - 704)).to.equal(false);
  });

  const symbologies: [BarcodeFormat, string][] = [
    ['DataMatrix', 'MRN 0047115'],
    ['Aztec', 'M1HOLM/INES E7K2PL'],
    ['PDF417', 'DLN 4471 0932 HOLM INES'],
    ['Code39', 'PX44710932'],
    ['EAN13', '4006381333931'],
  ];
  it('are covered in a photograph, in many symbologies, leaning and light on dark', async () => {
    const sheet = sharp({
      create: { width: 1654, height: 2339, channels: 3, background: '#ffffff' },
    });
    const codes = await Promise.all(
      symbologies.map(async ([format, text], at) => {
        const code = await encodeBarcode(text, format);
        const isMatrix = format === 'DataMatrix' || format === 'Aztec';
        const png = await barcodePng(code, isMatrix ? 6 : 3, { inverted: at === 0 || at === 3 });
        const turned = await sharp(png).rotate([0, 30, 90, -4, 38][at]!, { background: '#ffffff' });
        return { input: await turned.png().toBuffer(), left: 200, top: 80 + 440 * at };
      }),
    );
    const { types, report } = await redact(
      await sheet.composite(codes).withMetadata({ density: 200 }).jpeg({ quality: 80 }).toBuffer(),
      'image/jpeg',
    );
    expect(types.filter((type) => type === 'BARCODE')).to.have.length(symbologies.length);
    const values = report!.values.map(({ value }) => value.replace(/[^A-Z0-9]/g, ''));
    expect(values).to.include.members(
      symbologies.map(([, text]) => text.replace(/[^A-Z0-9]/g, '')),
    );
  });

  it('are covered when their content is as long as it can be', async () => {
    const bytes = new Uint8Array(2_900).map((_, at) => at % 32);
    const code = await encodeBarcode(bytes, 'QRCode');
    const { types, report } = await redact(
      await barcodePage((page) => drawModules(page, code, { x: 100, y: 300, side: 1.5 })),
    );
    expect(types).to.deep.equal(['BARCODE']);
    expect(report!.values[0]!.value).to.have.length(10_000);
  });

  it('stay with `keep`, or with an allowed value', async () => {
    const source = await pageWithLink();
    for (const options of [{ keep: ['BARCODE'] }, { allow_list: [link] }] satisfies Options[]) {
      const { types } = await redact(source, 'application/pdf', options);
      expect(types).to.deep.equal([]);
    }
  });

  it('may stay only where a reviewer rejected them', () => {
    const plan = {
      state: 'planned' as const,
      page: 1,
      widthPt: 595,
      heightPt: 842,
      redactedText: '',
      kept: { BARCODE: [] },
      removals: [0, 100].map((x) => ({
        type: 'BARCODE' as const,
        score: 1,
        value: link,
        boxes: [[x, 0, x + 50, 50] as [number, number, number, number]],
        source: 'ocr' as const,
        here: true,
      })),
    };
    const accepted = {
      id: 'finding',
      page: 1,
      type: 'BARCODE',
      score: 1,
      source: 'detector' as const,
      decision: 'accepted' as const,
      content: { text: link, boxes: plan.removals[0]!.boxes, here: true },
      range: null,
    };
    const decided = withRemovals(plan, [accepted]);
    expect(decided).to.have.deep.property('kept', { BARCODE: [[100, 0, 150, 50]] });
  });

  it('are not found in the examples of this service', async () => {
    const { types } = await redact(await readFile('examples/scan.pdf'));
    expect(types).not.to.include('BARCODE');
  });
});
