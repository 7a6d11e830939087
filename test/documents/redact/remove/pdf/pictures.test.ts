import { writeFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import type { Box } from '@scriptorium/documents/results';
import { expect } from 'chai';
import { PDFDict, PDFDocument, PDFHexString, PDFName, PDFRawStream } from 'pdf-lib';
import sharp from 'sharp';
import { renderPage } from '../../../../../packages/documents/src/pdf/bitmaps.ts';
import { openPdf, withPage } from '../../../../../packages/documents/src/pdf/pdfium.ts';
import { describeMetadata } from '../../../../../packages/documents/src/redact/check/metadata.ts';
import { encodeJbig2 } from '../../../../../packages/documents/src/redact/remove/pdf/pictures/jbig2.ts';
import { readJpegHead } from '../../../../../packages/documents/src/redact/remove/pdf/pictures/jpeg.ts';
import { encodeFax } from '../../../../support/fax.ts';
import { Bench, everythingIn, pageOf } from './support.ts';

const width = 800;
const height = 600;
/** The position of the secret in pixels; the page has half a point per pixel. */
const secretAt = { x: 320, y: 200, w: 160, h: 40 };
const secretBox: Box = [160, 100, 240, 120];

/** A greyscale scan: lines of bars, and one bar of stripes that is the secret. */
function scan(stripe: number, noise = false): Uint8Array {
  const data = new Uint8Array(width * height).fill(noise ? 244 : 255);
  let seed = 7;
  for (let at = 0; noise && at < data.length; at += 1) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    data[at] = 236 + ((seed >> 16) % 20);
  }
  for (let line = 0; line < 9; line += 1) {
    for (let y = 40 + line * 60; y < 70 + line * 60; y += 1) {
      for (let x = 60; x < (line === 3 ? 300 : 740); x += 1) {
        if (x % 14 < 8 && line !== 2) data[y * width + x] = 20;
      }
    }
  }
  const { x, y, w, h } = secretAt;
  for (let row = y + 4; row < y + h - 4; row += 1) {
    for (let column = x + 4; column < x + w - 4; column += 1) {
      data[row * width + column] = column % stripe < stripe / 2 ? 10 : 255;
    }
  }
  return data;
}

const rgb = (grey: Uint8Array): Uint8Array => {
  const out = new Uint8Array(grey.length * 3);
  for (const [at, value] of grey.entries()) out.fill(value, at * 3, at * 3 + 3);
  return out;
};

const bits = (grey: Uint8Array): Uint8Array => {
  const out = new Uint8Array((width / 8) * height);
  for (const [at, value] of grey.entries()) {
    if (value >= 128) out[at >> 3] = (out[at >> 3] ?? 0) | (0x80 >> (at & 7));
  }
  return out;
};

const halves = (grey: Uint8Array): Uint8Array =>
  Uint8Array.from(
    { length: grey.length / 2 },
    (_, at) => ((grey[at * 2] ?? 0) & 0xf0) | ((grey[at * 2 + 1] ?? 0) >> 4),
  );

type Entries = Record<string, string | number | boolean | object>;

/** A page with one picture, drawn by `content` or over the whole page. */
function withPicture(
  bytes: Uint8Array,
  entries: Entries,
  content = 'q 400 0 0 300 0 0 cm /I Do Q',
) {
  return pageOf(content, {
    resources: ({ context }) => {
      const dict = context.obj({
        Type: 'XObject',
        Subtype: 'Image',
        Width: width,
        Height: height,
        BitsPerComponent: 8,
        ColorSpace: 'DeviceGray',
        ...(entries as Record<string, string>),
      });
      return { XObject: { I: context.register(PDFRawStream.of(dict, bytes)) } };
    },
  });
}

async function picturesOf(bytes: Uint8Array): Promise<PDFRawStream[]> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  return document.context
    .enumerateIndirectObjects()
    .map(([, object]) => object)
    .filter((object): object is PDFRawStream => object instanceof PDFRawStream)
    .filter(({ dict }) => dict.get(PDFName.of('Subtype')) === PDFName.of('Image'));
}

const entryOf = (stream: PDFRawStream | undefined, key: string): string =>
  String(stream?.dict.get(PDFName.of(key)));

/** The page as drawn, in grey, one pixel for each of the picture's. */
async function draw(path: string): Promise<Uint8Array> {
  const document = await openPdf(path);
  try {
    return await withPage(document, 1, (page) => {
      const how = { width, height, grey: true, annotations: false };
      return renderPage(document.pdfium, page, how).data;
    });
  } finally {
    document.close();
  }
}

/** Pixels that differ by more than `most`, outside of rows and columns near the secret. */
function changed(a: Uint8Array, b: Uint8Array, most: number): number {
  let count = 0;
  for (let y = 0; y < height; y += 1) {
    if (y >= secretAt.y - 12 && y < secretAt.y + secretAt.h + 12) continue;
    for (let x = 0; x < width; x += 1) {
      if (Math.abs((a[y * width + x] ?? 0) - (b[y * width + x] ?? 0)) > most) count += 1;
    }
  }
  return count;
}

function tonesIn(data: Uint8Array): Set<number> {
  const tones = new Set<number>();
  for (let y = secretAt.y; y < secretAt.y + secretAt.h; y += 1) {
    for (let x = secretAt.x; x < secretAt.x + secretAt.w; x += 1) {
      tones.add(data[y * width + x] ?? 0);
    }
  }
  return tones;
}

const grey = (data: Uint8Array) => sharp(data, { raw: { width, height, channels: 1 } });
const jpegOf = async (data: Uint8Array, quality = 80): Promise<Uint8Array> =>
  new Uint8Array(await grey(data).toColourspace('b-w').jpeg({ quality }).toBuffer());

const wanted = { boxes: [{ page: 1, box: secretBox }] };

describe('pictures redacted in a PDF', () => {
  const bench = new Bench();
  before(() => bench.open());
  after(() => bench.close());

  const kinds: Record<
    string,
    { make: (data: Uint8Array) => Promise<[Uint8Array, Entries]>; loss: number; filter: string }
  > = {
    'grey JPEG': {
      make: async (data) => [await jpegOf(data), { Filter: 'DCTDecode' }],
      loss: 60,
      filter: '/DCTDecode',
    },
    'colour JPEG': {
      make: async (data) => {
        const raw = { width, height, channels: 3 } as const;
        const jpeg = await sharp(rgb(data), { raw })
          .withExif({ IFD0: { Artist: 'Exifsecret' } })
          .jpeg({ quality: 85 })
          .toBuffer();
        return [new Uint8Array(jpeg), { Filter: 'DCTDecode', ColorSpace: 'DeviceRGB' }];
      },
      loss: 60,
      filter: '/DCTDecode',
    },
    'Flate, grey': {
      make: async (data) => [new Uint8Array(deflateSync(data)), { Filter: 'FlateDecode' }],
      loss: 0,
      filter: '/FlateDecode',
    },
    'bilevel fax': {
      make: async (data) => [
        encodeFax(bits(data), width, height),
        {
          Filter: 'CCITTFaxDecode',
          BitsPerComponent: 1,
          DecodeParms: { K: -1, Columns: width, Rows: height },
        },
      ],
      loss: 0,
      filter: '/JBIG2Decode',
    },
    JBIG2: {
      make: async (data) => [
        encodeJbig2(bits(data), width, height),
        { Filter: 'JBIG2Decode', BitsPerComponent: 1 },
      ],
      loss: 0,
      filter: '/JBIG2Decode',
    },
    'palette of 16': {
      make: async (data) => [
        new Uint8Array(deflateSync(halves(data))),
        {
          Filter: 'FlateDecode',
          BitsPerComponent: 4,
          ColorSpace: [
            'Indexed',
            'DeviceGray',
            15,
            PDFHexString.of(
              Array.from({ length: 16 }, (_, at) => at.toString(16).repeat(2)).join(''),
            ),
          ],
        },
      ],
      loss: 0,
      filter: '/FlateDecode',
    },
    'bilevel stencil': {
      make: async (data) => [
        new Uint8Array(deflateSync(bits(data))),
        { Filter: 'FlateDecode', BitsPerComponent: 1, ImageMask: true, ColorSpace: 'DeviceGray' },
      ],
      loss: 0,
      filter: '/FlateDecode',
    },
  };
  for (const [kind, { make, loss, filter }] of Object.entries(kinds)) {
    it(`are painted over and otherwise unchanged: ${kind}`, async () => {
      const source = await withPicture(...(await make(scan(9))));
      const original = `${bench.folder}/original.pdf`;
      await writeFile(original, source);
      const { report, bytes, path } = await bench.redact(source, wanted);
      expect(report.pages[0]).to.include({ treatment: 'redacted', reason: null });
      const drawn = await draw(path);
      expect([...tonesIn(drawn)]).to.deep.equal([0]);
      expect(changed(await draw(original), drawn, loss)).to.be.at.most(200);
      const [picture, more] = await picturesOf(bytes);
      expect(more).to.equal(undefined);
      expect(entryOf(picture, 'Filter')).to.equal(filter);
      expect(bytes.length).to.be.at.most(source.length * 1.3);
      expect(await everythingIn(bytes)).not.to.contain('Exifsecret');
    });
  }

  for (const [kind, { make }] of Object.entries(kinds)) {
    it(`give the same bytes whatever was painted over: ${kind}`, async () => {
      const made = [];
      for (const stripe of [6, 9, 16]) {
        made.push(await bench.redact(await withPicture(...(await make(scan(stripe)))), wanted));
      }
      expect(new Set(made.map(({ sha256 }) => sha256)).size).to.equal(1);
    });
  }

  const codings: Record<string, [(jpeg: Buffer) => Buffer, string | string[]]> = {
    once: [(jpeg) => jpeg, 'DCTDecode'],
    twice: [(jpeg) => deflateSync(jpeg), ['FlateDecode', 'DCTDecode']],
  };
  for (const [times, [coded, filter]] of Object.entries(codings)) {
    it(`keep their pixels, but no EXIF, if nothing touches them: coded ${times}`, async () => {
      const jpeg = await grey(scan(9)).withMetadata({ orientation: 6 }).jpeg().toBuffer();
      expect(jpeg.includes('Exif')).to.equal(true);
      const entries = { Filter: filter, ColorSpace: 'DeviceRGB' };
      const source = await withPicture(new Uint8Array(coded(jpeg)), entries);
      const { bytes, report } = await bench.redact(source, {});
      expect(report.pages[0]?.treatment).to.equal('copied');
      const [picture] = await picturesOf(bytes);
      expect(entryOf(picture, 'Filter')).to.equal('/DCTDecode');
      const copied = Buffer.from(picture!.contents);
      expect(copied.subarray(-1000).equals(jpeg.subarray(-1000))).to.equal(true);
      expect(describeMetadata('jpeg', copied)).to.equal(undefined);
    });
  }

  for (const size of [
    { Width: width / 2, Height: height / 2 },
    { Width: width * 2, Height: height * 2 },
  ]) {
    it(`burn the page if a JPEG declared ${size.Width} wide has another width`, async () => {
      const source = await withPicture(await jpegOf(scan(9)), { Filter: 'DCTDecode', ...size });
      const { report } = await bench.redact(source, wanted);
      expect(report.pages[0]?.treatment).to.equal('burned');
      expect(report.pages[0]?.reason).to.include('does not have its declared size');
    });
  }

  it('burn every page that shows them if they cannot be painted', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const { context } = document;
    for (const stripe of [6, 9, 16]) {
      const { node } = document.addPage([400, 300]);
      const dict = context.obj({
        Type: 'XObject',
        Subtype: 'Image',
        Width: width,
        Height: height,
        BitsPerComponent: 8,
        ColorSpace: ['Unheard', 1],
        Filter: 'FlateDecode',
      });
      const picture = PDFRawStream.of(dict, new Uint8Array(deflateSync(scan(stripe))));
      node.set(PDFName.Resources, context.obj({ XObject: { I: context.register(picture) } }));
      const content = context.stream('q 400 0 0 300 0 0 cm /I Do Q');
      node.set(PDFName.Contents, context.register(content));
    }
    const boxes = [1, 2, 3].map((page) => ({ page, box: secretBox }));
    const { report } = await bench.redact(await document.save(), { boxes });
    expect(report.pages.map(({ treatment }) => treatment)).to.deep.equal(Array(3).fill('burned'));
    expect(report.pages[2]?.reason).to.include('unknown colour space');
  });

  for (const [kind, { make }] of Object.entries(kinds)) {
    it(`give the same bytes for any length if nothing follows: ${kind}`, async () => {
      const made = [];
      for (const long of [60, 101, 160]) {
        const data = scan(9);
        for (let y = secretAt.y; y < secretAt.y + secretAt.h; y += 1) {
          data.fill(255, y * width + secretAt.x + long, (y + 1) * width);
        }
        const box: Box = [secretBox[0], secretBox[1], (secretAt.x + long) / 2, secretBox[3]];
        made.push(
          await bench.redact(await withPicture(...(await make(data))), {
            boxes: [{ page: 1, box }],
          }),
        );
      }
      expect(new Set(made.map(({ sha256 }) => sha256)).size).to.equal(1);
    });
  }

  it('are coded as JBIG2 pixel by pixel, whatever they show', async () => {
    let seed = 3;
    const noise = new Uint8Array(width * height);
    for (let at = 0; at < noise.length; at += 1) {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      noise[at] = seed & 0x100000 ? 255 : 0;
    }
    const half = Uint8Array.from(noise, (tone, at) => (at < noise.length / 2 ? 255 : tone));
    for (const data of [scan(9), noise, half, noise.map(() => 0), noise.map(() => 255)]) {
      const entries = { Filter: 'JBIG2Decode', BitsPerComponent: 1 };
      const path = `${bench.folder}/jbig2.pdf`;
      await writeFile(path, await withPicture(encodeJbig2(bits(data), width, height), entries));
      const expected = data.map((tone) => (tone >= 128 ? 255 : 0));
      expect(Buffer.compare(await draw(path), expected)).to.equal(0);
    }
  });

  for (const progressive of [false, true]) {
    it(`keep the quality and size of JPEGs ${progressive ? 'in steps' : 'in rows'}`, async () => {
      for (const colour of [false, true]) {
        const channels = colour ? 3 : 1;
        const noisy = colour ? rgb(scan(9, true)) : scan(9, true);
        const image = sharp(noisy, { raw: { width, height, channels } });
        const jpeg = await (colour ? image : image.toColourspace('b-w'))
          .jpeg({ quality: 40, progressive })
          .toBuffer();
        const entries = { Filter: 'DCTDecode', ColorSpace: colour ? 'DeviceRGB' : 'DeviceGray' };
        const source = await withPicture(new Uint8Array(jpeg), entries);
        const [picture] = await picturesOf((await bench.redact(source, wanted)).bytes);
        const contents = Buffer.from(picture?.contents ?? []);
        expect(readJpegHead(contents)).to.include({
          quality: 40,
          progressive,
          components: channels,
        });
        expect(contents.length).to.be.at.most(jpeg.length * 1.02);
      }
    });
  }

  it('keep letters next to a box, also in JPEGs', async () => {
    const data = scan(9);
    // An L, ten pixels after the secret and in the middle of a block.
    const letter = { x: 490, y: secretAt.y + 4, w: 12, h: 32 };
    for (let y = 0; y < letter.h; y += 1) {
      const wide = y < letter.h - 4 ? 3 : letter.w;
      const from = (letter.y + y) * width + letter.x;
      data.fill(20, from, from + wide);
    }
    const source = await withPicture(await jpegOf(data), { Filter: 'DCTDecode' });
    const { path, report } = await bench.redact(source, wanted);
    const [region] = report.pages[0]?.regions ?? [];
    expect(region?.box[2]).to.be.within(240, letter.x / 2);
    const drawn = await draw(path);
    for (let y = letter.y + 4; y < letter.y + letter.h - 8; y += 1) {
      expect(drawn[y * width + 482], 'the box').to.be.at.most(8);
      expect(drawn[y * width + letter.x + 1], 'the letter').to.be.at.most(100);
      expect(drawn[y * width + letter.x + 5], 'the paper in it').to.be.at.least(180);
    }
  });

  it('lose what the page or a clip crops', async () => {
    const data = new Uint8Array(deflateSync(scan(9)));
    // Only the right half of the page shows the picture, and of that half only a band.
    const content = 'q 200 0 200 300 re W n 400 0 0 300 0 0 cm /I Do Q';
    const source = await withPicture(data, { Filter: 'FlateDecode' }, content);
    const { bytes, report } = await bench.redact(source, {});
    expect(report.pages[0]?.treatment).to.equal('copied');
    const path = `${bench.folder}/uncropped.pdf`;
    const document = await PDFDocument.load(bytes);
    const [picture] = await picturesOf(bytes);
    const page = document.getPage(0).node;
    expect(picture).not.to.equal(undefined);
    const resources = page.Resources();
    const name = resources?.lookup(PDFName.of('XObject'), PDFDict).keys()[0];
    page.set(
      PDFName.of('Contents'),
      document.context.register(document.context.stream(`400 0 0 300 0 0 cm ${name} Do`)),
    );
    await writeFile(path, await document.save());
    const drawn = await draw(path);
    for (const x of [80, 200, 380]) {
      const column = Array.from({ length: height }, (_, y) => drawn[y * width + x]);
      expect(new Set(column).size).to.equal(1);
    }
  });

  it('are replaced with their soft mask, inline, and once for each placement', async () => {
    const data = new Uint8Array(deflateSync(scan(9)));
    const both = 'q 200 0 0 150 0 0 cm /I Do Q q 200 0 0 150 200 150 cm /I Do Q';
    const twice = await withPicture(data, { Filter: 'FlateDecode' }, both);
    const box: Box = [80, 200, 120, 210];
    const { bytes } = await bench.redact(twice, { boxes: [{ page: 1, box }] });
    expect(await picturesOf(bytes)).to.have.length(2);

    const masked = await pageOf('q 400 0 0 300 0 0 cm /I Do Q', {
      resources: ({ context }) => {
        const mask = context.register(
          PDFRawStream.of(
            context.obj({
              Type: 'XObject',
              Subtype: 'Image',
              Width: width,
              Height: height,
              BitsPerComponent: 8,
              ColorSpace: 'DeviceGray',
              Filter: 'FlateDecode',
            }),
            new Uint8Array(deflateSync(scan(9).map((value) => 255 - value))),
          ),
        );
        const black = new Uint8Array(deflateSync(new Uint8Array(width * height)));
        const dict = context.obj({
          Type: 'XObject',
          Subtype: 'Image',
          Width: width,
          Height: height,
          BitsPerComponent: 8,
          ColorSpace: 'DeviceGray',
          Filter: 'FlateDecode',
          SMask: mask,
        });
        return { XObject: { I: context.register(PDFRawStream.of(dict, black)) } };
      },
    });
    const first = await bench.redact(masked, wanted);
    expect(first.report.pages[0]?.treatment).to.equal('redacted');
    expect(await picturesOf(first.bytes)).to.have.length(2);
    expect([...tonesIn(await draw(first.path))]).to.deep.equal([0]);

    const inline = await pageOf(
      'q 400 0 0 300 0 0 cm BI /W 4 /H 3 /CS /G /BPC 8 /F /AHx ID 00ff00ff ff10ff00 00ff00ff > EI Q',
    );
    const second = await bench.redact(inline, wanted);
    const [picture] = await picturesOf(second.bytes);
    expect(entryOf(picture, 'Width')).to.equal('4');
    expect([...tonesIn(await draw(second.path))]).to.deep.equal([0]);
  });

  it('keep no entry of a picture that has no meaning there, as Chrome writes them', async () => {
    const document = await PDFDocument.create();
    const jpeg = await sharp(scan(9), { raw: { width, height, channels: 1 } })
      .jpeg()
      .toBuffer();
    const picture = await document.embedJpg(jpeg);
    await picture.embed();
    const stream = document.context.lookup(picture.ref);
    if (!(stream instanceof PDFRawStream)) throw new Error('no picture');
    stream.dict.set(PDFName.of('ColorTransform'), document.context.obj(0));
    stream.dict.set(PDFName.of('LastModified'), PDFHexString.of('00'));
    document.addPage([400, 300]).drawImage(picture, { x: 0, y: 0, width: 400, height: 300 });
    const { bytes, report } = await bench.redact(await document.save(), {});
    const [copied] = await picturesOf(bytes);
    expect(report.pages[0]?.treatment).to.equal('copied');
    for (const key of ['ColorTransform', 'LastModified']) {
      expect(entryOf(copied, key), key).to.equal('undefined');
    }
    expect(entryOf(copied, 'Width')).to.equal(String(width));
  });
});
