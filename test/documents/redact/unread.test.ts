import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceMime } from '@scriptorium/contracts/documents/sources';
import type { Engines } from '@scriptorium/documents';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import sharp, { type Sharp } from 'sharp';
import type { GreyRaster } from '../../../packages/documents/src/ink/components.ts';
import {
  isIllegible,
  unreadInk,
  withLetters,
} from '../../../packages/documents/src/ink/unread-ink.ts';
import { redactFile, redactOptions } from '../../support/corpus/redact.ts';
import { sharedEngines } from '../../support/engines.ts';
import { type Mark, renderSheet } from '../../support/handwriting.ts';
import { createPick } from '../../support/random.ts';
import { imageOf, scannedPdf, textOf } from '../../support/samples.ts';
import { compact } from '../../support/secret-sheet.ts';

const secrets = ['jane.roe@example.com', '536-22-8765'];
const lines = [
  'Minutes of the garden club',
  'The hedge was cut in the autumn',
  `Write to ${secrets[0]}`,
  `Social security number ${secrets[1]}`,
  'The pond froze twice last winter',
  'Members meet again in the spring',
  'Nobody has seen the cat since then',
  'The shed needs a coat of paint',
];

async function greyOf(picture: Sharp): Promise<GreyRaster> {
  const { data, info } = await picture
    .flatten({ background: '#fff' })
    .toColourspace('b-w')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const grey = new Uint8Array(info.width * info.height);
  for (let at = 0; at < grey.length; at += 1) grey[at] = data[at * info.channels]!;
  return { data: grey, width: info.width, height: info.height };
}

const drawing = (content: string): Sharp =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="875" height="1240"><rect width="100%" height="100%" fill="#fff"/>${content}</svg>`,
    ),
  );

/** Soft blotches of all sizes, as on leaves and skin. */
async function photograph(): Promise<Sharp> {
  const pick = createPick(7);
  const layers = await Promise.all(
    [8, 20, 60, 160].map(async (side) => {
      const tones = Buffer.from(Array.from({ length: side * side }, () => pick(256)));
      return sharp(tones, { raw: { width: side, height: side, channels: 1 } })
        .resize(875, 1240, { fit: 'fill', kernel: 'cubic' })
        .png()
        .toBuffer();
    }),
  );
  const [first, ...others] = layers;
  const blended = sharp(first!).composite(others.map((input) => ({ input, blend: 'overlay' })));
  return sharp(await blended.png().toBuffer());
}

const table = drawing(
  [
    ...Array.from({ length: 20 }, (_, at) => `<path d="M60 ${100 + at * 50}H800" stroke="#000"/>`),
    ...Array.from({ length: 8 }, (_, at) => `<path d="M${60 + at * 105} 100V1050" stroke="#000"/>`),
  ].join(''),
);
const chart = drawing(
  Array.from(
    { length: 10 },
    (_, at) =>
      `<rect x="${80 + at * 70}" y="${900 - at * 60}" width="50" height="${at * 60}" fill="#36a"/>`,
  ).join(''),
);
const signature = drawing(
  '<path d="M90 600c40-90 60-80 50-10s40-60 60-20 20 50 60-10 70-40 80 0 30-20 60-30 90 20 130 0" fill="none" stroke="#113" stroke-width="4"/>',
);

describe('unread writing', () => {
  describe('is recognised by its ink', () => {
    const lookAt = async (picture: Sharp) => unreadInk(withLetters(await greyOf(picture)), []);
    const scan = async (): Promise<Sharp> => sharp(await imageOf('png', lines));

    it('in any orientation, mirrored, skewed, light on dark or faint', async () => {
      const turned = async (degrees: number) =>
        sharp(await (await scan()).rotate(degrees, { background: '#fff' }).png().toBuffer());
      const pictures: Record<string, Sharp> = {
        upright: await scan(),
        90: await turned(90),
        180: await turned(180),
        270: await turned(270),
        leaning: await turned(7),
        'leaning back': await turned(-13),
        mirrored: (await scan()).flop(),
        'light on dark': (await scan()).negate(),
        faint: (await scan()).linear(0.12, 210),
        large: (await scan()).resize({ width: 3500 }),
      };
      const letters = lines.join('').replace(/\s/g, '').length;
      for (const [name, picture] of Object.entries(pictures)) {
        const found = await lookAt(picture);
        expect(found.unread, name).to.be.at.least(0.4 * letters);
        expect(isIllegible(found), name).to.equal(true);
      }
    });

    it('but not in photographs, drawings, charts, signatures or empty tables', async () => {
      const pictures = { photograph: await photograph(), table, chart, signature };
      for (const [name, picture] of Object.entries(pictures)) {
        expect(isIllegible(await lookAt(picture)), name).to.equal(false);
      }
    });

    it('except in boxes of recognised text', async () => {
      const whole = unreadInk(withLetters(await greyOf(await scan())), [[0, 0, 875, 1240]]);
      expect(whole.unread).to.equal(0);
      expect(whole.letters).to.be.at.least(100);
      const half = unreadInk(withLetters(await greyOf(await scan())), [[0, 0, 875, 260]]);
      expect(half.unread).to.be.within(0.3 * whole.letters, 0.8 * whole.letters);
    });
  });

  describe('is never left on a verified page', () => {
    let engines: Engines;
    let folder: string;
    let files = 0;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'unread-'));
      engines = sharedEngines();
    });
    after(async () => {
      await rm(folder, { recursive: true, force: true });
    });

    async function redact(
      bytes: Buffer,
      mime: SourceMime,
      read: Parameters<typeof redactFile>[4] = {},
    ) {
      const path = join(folder, `source-${++files}`);
      await writeFile(path, bytes);
      const options = redactOptions({ entities: ['EMAIL_ADDRESS', 'US_SSN'] });
      return redactFile(engines, { path, mime }, options, `${path}-made`, read);
    }

    for (const turned of [90, 180] as const) {
      it(`but is read if ocr was told not to rotate the page (${turned}°)`, async () => {
        const pdf = await scannedPdf([lines], { rotation: turned });
        const made = await redact(pdf, 'application/pdf', { rotate: false });
        expect([...made.planned]).to.include(compact(secrets[1]!));
        expect(made.refusal).to.equal(null);
        expect(made.verified).to.equal(true);
      });
    }

    it('but is read in a picture as well', async () => {
      const picture = await sharp(await imageOf('png', lines))
        .rotate(180)
        .png()
        .toBuffer();
      const made = await redact(picture, 'image/png', { rotate: false });
      expect([...made.planned]).to.include(compact(secrets[1]!));
      expect(made.verified).to.equal(true);
    });

    /** How many letters an output shows outside its boxes. */
    const lettersIn = async (path: string | null): Promise<number> =>
      unreadInk(withLetters(await greyOf(sharp(path!))), []).letters;

    it('but covered if it is illegible', async () => {
      const picture = await sharp(await imageOf('png', lines))
        .flop()
        .png()
        .toBuffer();
      const made = await redact(picture, 'image/png');
      expect(made.failedChecks.join()).to.contain('unread_text');
      expect(made.warnings.map(({ code }) => code)).to.deep.equal(['unreadable_covered']);
      expect(made.verified).to.equal(true);
      expect(await lettersIn(made.path)).to.be.below(12);
    });

    it('and is not covered if nothing would be left', async () => {
      const text = 'The hedge was cut in the autumn, the pond froze twice in winter';
      const marks = Array.from(
        { length: 12 },
        (_, at): Mark => ({ kind: 'print', text, at: [2, 10 + at * 12] }),
      );
      const sheet = await renderSheet(marks, { width: 312, height: 148 });
      const picture = await sheet.flop().withMetadata({ density: 150 }).png().toBuffer();
      const made = await redact(picture, 'image/png');
      expect(made.path).to.equal(null);
      expect(made.refusal).to.contain('writing that could not be read');
    });

    it('but covered in a PDF, where the text that was read stays', async () => {
      const document = await PDFDocument.create();
      const page = document.addPage([595, 842]);
      const known = 'The committee met twice before the winter';
      page.drawText(known, { x: 40, y: 40, size: 11 });
      const mirrored = await sharp(await imageOf('png', lines))
        .flop()
        .png()
        .toBuffer();
      page.drawImage(await document.embedPng(mirrored), { x: 40, y: 300, width: 380, height: 530 });
      const made = await redact(Buffer.from(await document.save()), 'application/pdf');
      expect(made.warnings.map(({ message }) => message)).to.deep.equal([
        'Writing that could not be read was covered on page 1.',
      ]);
      expect(made.verified).to.equal(true);
      const output = await readFile(made.path!);
      expect((await textOf(output))[0]).to.contain(known);
      expect(made.report!.pages[0]!.regions.map(({ type }) => type)).to.include('UNREADABLE');
    });

    it('but covered if a part is upside down', async () => {
      const page = await imageOf('png', lines);
      const part = await sharp(page).extract({ left: 0, top: 0, width: 875, height: 260 });
      const picture = await sharp(page)
        .composite([{ input: await part.rotate(180).png().toBuffer(), top: 900, left: 0 }])
        .png()
        .toBuffer();
      const made = await redact(picture, 'image/png');
      expect(made.failedChecks.join()).to.contain('unread_text');
      expect(made.refusal).to.equal(null);
      expect(made.verified).to.equal(true);
    });

    it('but not on pages with stamps, signatures and pictures', async () => {
      const signed = signature
        .clone()
        .extract({ left: 60, top: 480, width: 600, height: 200 })
        .png();
      const photo = await (await photograph()).resize(300, 300).png().toBuffer();
      const picture = await sharp(await imageOf('png', lines))
        .composite([
          { input: await signed.toBuffer(), top: 800, left: 60 },
          { input: photo, top: 850, left: 520 },
        ])
        .png()
        .toBuffer();
      const made = await redact(picture, 'image/png');
      expect(made.refusal).to.equal(null);
      expect(made.verified).to.equal(true);
      expect([...made.planned]).to.include(compact(secrets[1]!));
    });
  });
});
