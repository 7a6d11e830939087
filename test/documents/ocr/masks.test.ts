import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import sharp from 'sharp';
import { callOptions, sharedEngines } from '../../support/engines.ts';
import { imageOf } from '../../support/samples.ts';

const lines = ['Minutes of the garden club', 'The hedge was cut in the autumn'];

/** A page of one JPEG with a mask, a byte of alpha per pixel, by how dark the print of the lines is there. */
async function maskedPage(
  colours: 'black' | 'print',
  alphaOf: (dark: number) => number,
): Promise<Uint8Array> {
  const print = await imageOf('png', lines);
  const { data, info } = await sharp(print)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const alpha = Buffer.alloc(width * height);
  for (let at = 0; at < alpha.length; at += 1) {
    alpha[at] = alphaOf(255 - (data[at * channels] ?? 255));
  }
  const black = sharp({ create: { width, height, channels: 3, background: '#000' } });
  const jpeg = await (colours === 'black' ? black : sharp(print)).jpeg().toBuffer();
  const document = await PDFDocument.create();
  const image = await document.embedJpg(jpeg);
  await image.embed();
  const stream = document.context.lookup(image.ref);
  if (!(stream instanceof PDFRawStream)) throw new Error('The picture is not in the document.');
  const mask = document.context.flateStream(alpha, {
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    ColorSpace: 'DeviceGray',
    BitsPerComponent: 8,
  });
  stream.dict.set(PDFName.of('SMask'), document.context.register(mask));
  document.addPage([420, 595]).drawImage(image, { x: 0, y: 0, width: 420, height: 595 });
  return document.save();
}

describe('a page of one picture with a mask', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'masks-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function textOf(bytes: Uint8Array): Promise<string> {
    const path = join(folder, 'page.pdf');
    await writeFile(path, bytes);
    const how = { languages: ['eng'], existingText: 'skip', rotate: true, deskew: false } as const;
    const request = { path, mime: 'application/pdf' as const, page: 1, ...how };
    return (await sharedEngines().recognisePage(request, callOptions)).text;
  }

  it('is read as its mask shows it', async () => {
    const text = await textOf(await maskedPage('black', (dark) => dark));
    expect(text).to.contain('hedge was cut');
  });

  it('is blank if its mask hides all', async () => {
    expect(await textOf(await maskedPage('print', () => 0))).to.equal('');
  });
});
