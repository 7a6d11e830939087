import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceMime } from '@scriptorium/contracts/documents/sources';
import type { OperationOptions } from '@scriptorium/contracts/operations';
import type { RemovalReport } from '@scriptorium/documents';
import { expect } from 'chai';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';
import { redactFile, redactOptions } from '../../support/corpus/redact.ts';
import { callOptions, sharedEngines } from '../../support/engines.ts';

type Options = Partial<OperationOptions<'redact_pii'>>;

/**
 * Leonardo da Vinci, Mona Lisa, in the public domain; softened, because cracks in paint may be read as
 * strokes of a pen. The face is about 110 of 260 pixels wide.
 */
const portrait = new URL('../../support/faces/mona-lisa.jpg', import.meta.url);

describe('faces in redactions', () => {
  let folder: string;
  let files = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'faces-'));
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

  /** A page of text with the portrait, 140 points wide. */
  async function pageWithPortrait(): Promise<Uint8Array> {
    const document = await PDFDocument.create();
    const page = document.addPage([595, 842]);
    page.setFont(await document.embedFont(StandardFonts.Helvetica));
    page.drawText('Loan of a painting', { x: 60, y: 760, size: 12 });
    const picture = await document.embedJpg(await readFile(portrait));
    page.drawImage(picture, { x: 300, y: 450, width: 140, height: 217 });
    return document.save();
  }

  /** Whether a box covers the face of the portrait, as `pageWithPortrait` draws it. */
  const isFaceCovered = (regions: RemovalReport['pages'][number]['regions']): boolean =>
    regions.some(
      ({ type, box: [x0, y0, x1, y1] }) =>
        type === 'FACE' && x0 < 345 && x1 > 385 && y0 < 215 && y1 > 262,
    );

  it('are covered on a page of a PDF, and cannot be seen again', async () => {
    const { path, report, page, types, source } = await redact(await pageWithPortrait());
    expect(types).to.include('FACE');
    expect(isFaceCovered(page.regions)).to.equal(true);
    expect(report!.values.map(({ value }) => value).join('')).to.equal('');
    const reportFile = join(folder, 'report.json');
    const facesLeft = async (file: string): Promise<boolean> => {
      const pages: RemovalReport['pages'] = [{ ...page, regions: [], kept: { FACE: [] } }];
      await writeFile(reportFile, JSON.stringify({ ...report, pages }));
      const checks = await sharedEngines().checkPage(
        { path: file, mime: 'application/pdf', reportFile, outputPage: 1 },
        callOptions,
      );
      return checks.some(({ name, passed }) => name === 'faces' && !passed);
    };
    expect(await facesLeft(source)).to.equal(true);
    expect(await facesLeft(path!)).to.equal(false);
  });

  it('are covered in a scan of a photograph, also on its side', async () => {
    for (const turned of [0, 90]) {
      const sheet = await sharp({
        create: { width: 700, height: 900, channels: 3, background: '#ffffff' },
      })
        .composite([{ input: await readFile(portrait), left: 200, top: 150 }])
        .png()
        .toBuffer();
      const photo = sharp(sheet).rotate(turned).withMetadata({ density: 150 }).png();
      const { types } = await redact(await photo.toBuffer(), 'image/png');
      expect(types, `turned by ${turned}`).to.include('FACE');
    }
  });

  it('stay with `keep`, or if no listed kind names them', async () => {
    const source = await pageWithPortrait();
    const each: Options[] = [{ keep: ['FACE'] }, { entities: ['EMAIL_ADDRESS'] }];
    for (const options of each) {
      const { types } = await redact(source, 'application/pdf', options);
      expect(types).not.to.include('FACE');
    }
  });

  it('stay below the minimum confidence, which the checks accept', async () => {
    const { types } = await redact(await pageWithPortrait(), 'application/pdf', {
      min_confidence: 0.99,
    });
    expect(types).not.to.include('FACE');
  });

  it('are not found in the examples of this service', async () => {
    const { types } = await redact(await readFile('examples/scan.pdf'));
    expect(types).not.to.include('FACE');
  });
});
