import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Box } from '@scriptorium/documents/results';
import { expect } from 'chai';
import sharp from 'sharp';
import { redactPicture } from '../../../../packages/documents/src/redact/remove/picture/index.ts';
import { describeImage } from '../../../../packages/documents/src/source/images.ts';
import { Judge } from '../check/redacted.ts';
import { Bench } from './pdf/support.ts';

const width = 400;
const height = 300;
const density = 96;
const secretAt = { x: 160, y: 96, w: 80, h: 24 };

/** A box in pixels converted to points, as the engines measure the picture. */
async function inPoints(bench: Bench, picture: Buffer, box: Box): Promise<Box> {
  // A separate file: tests measure several pictures in parallel.
  const path = join(await mkdtemp(join(bench.folder, 'measured-')), 'picture');
  await writeFile(path, picture);
  const { dpi } = await describeImage(path, 1);
  const [x0, y0, x1, y1] = box.map((value) => (value * 72) / dpi);
  return [x0 ?? 0, y0 ?? 0, x1 ?? 0, y1 ?? 0];
}

const secretBox: Box = [secretAt.x, secretAt.y, secretAt.x + secretAt.w, secretAt.y + secretAt.h];

/** Coloured bars, with stripes in place of the secret. */
function pixels(stripe: number, length = secretAt.w): Buffer {
  const data = Buffer.alloc(width * height * 3, 255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3;
      const { x: left, y: top, h } = secretAt;
      const isSecret = x >= left + 2 && x < left + length - 2 && y >= top + 2 && y < top + h - 2;
      if (isSecret) data.fill(x % stripe < stripe / 2 ? 0 : 255, at, at + 3);
      else if (y > 200 && x % 40 < 20) data.set([200, 40, 30], at);
    }
  }
  return data;
}

const picture = (stripe: number) =>
  sharp(pixels(stripe), { raw: { width, height, channels: 3 } })
    .withExif({
      IFD0: { Artist: 'Exifsecret' },
      IFD2: {},
    })
    .withXmp(
      '<?xpacket begin="" id="W5M0"?><x:xmpmeta xmlns:x="adobe:ns:meta/">Xmpsecret</x:xmpmeta>',
    )
    .withDensity(density);

describe('redaction of pictures', () => {
  const bench = new Bench();
  const judge = new Judge();
  before(() => Promise.all([bench.open(), judge.open()]));
  after(() => Promise.all([bench.close(), judge.close()]));

  const kinds = {
    'image/png': (stripe: number) => picture(stripe).png().toBuffer(),
    'image/jpeg': (stripe: number) => picture(stripe).jpeg({ quality: 85 }).toBuffer(),
    'image/webp': (stripe: number) => picture(stripe).webp({ lossless: true }).toBuffer(),
  };
  for (const [mime, make] of Object.entries(kinds)) {
    it(`paints over pixels and drops metadata: ${mime}`, async () => {
      const made = [];
      for (const stripe of [4, 6, 10]) {
        const source = await make(stripe);
        const box = await inPoints(bench, source, secretBox);
        const wanted = { boxes: [{ page: 1, box }], style: 'label' as const };
        made.push(await bench.redact(source, wanted, mime));
      }
      expect(new Set(made.map(({ sha256 }) => sha256)).size).to.equal(1);
      const [first] = made;
      const metadata = await sharp(first?.bytes).metadata();
      expect(`image/${metadata.format}`).to.equal(mime);
      expect([metadata.width, metadata.height]).to.deep.equal([width, height]);
      expect(metadata.exif).to.equal(undefined);
      expect(metadata.xmp).to.equal(undefined);
      if (mime !== 'image/webp') expect(metadata.density).to.equal(density);
      // Boxes are in points: the checks must find them in the same place.
      const sized = await inPoints(bench, await make(4), secretBox);
      expect(await inPoints(bench, first!.bytes, secretBox)).to.deep.equal(sized);
      const { data } = await sharp(first?.bytes).raw().toBuffer({ resolveWithObject: true });
      const tone = (x: number, y: number): number => data[(y * width + x) * 3] ?? -1;
      // The label is on the left of the box; to its right all is black.
      expect(tone(width - 4, secretAt.y + 12)).to.be.at.most(8);
      expect(tone(30, 250)).to.be.greaterThan(180);
    });
  }

  it('passes the checks with labels on its boxes', async () => {
    const page = { create: { width: 1275, height: 400, channels: 3 as const, background: '#fff' } };
    const source = await sharp(page).withDensity(150).png().toBuffer();
    // Up to the edge; just long enough for a label; too short for one.
    const places: Box[] = [
      ...[0, 1, 2, 3, 4].map((line): Box => [160, 100 + line * 42, 210, 122 + line * 42]),
      [160, 320, 194, 342],
    ];
    const boxes = await Promise.all(
      places.map(async (box) => ({ page: 1, box: await inPoints(bench, source, box) })),
    );
    const { bytes, report } = await bench.redact(source, { boxes, style: 'label' }, 'image/png');
    expect(report.pages[0]?.regions).to.have.length(6);
    expect(await judge.failures(bytes, report, 'image/png')).to.deep.equal([]);
  });

  for (const direction of [0, 180] as const) {
    it(`passes the checks with labels of all types at ${direction} degrees`, async () => {
      const page = {
        create: { width: 1241, height: 800, channels: 3 as const, background: '#fff' },
      };
      const source = await sharp(page).withDensity(150).png().toBuffer();
      const lines = ['EMAIL_ADDRESS', 'US_SSN', 'PHONE_NUMBER', 'CREDIT_CARD', 'ADDRESS'] as const;
      const boxes = await Promise.all(
        lines.map(async (type, line) => {
          const [x, y] = [160 + 10 * line, 270 + 42 * line];
          const box = await inPoints(bench, source, [x, y, x + 240, y + 30]);
          return { page: 1, box, direction, type };
        }),
      );
      const { bytes, report } = await bench.redact(source, { boxes, style: 'label' }, 'image/png');
      expect(await judge.failures(bytes, report, 'image/png')).to.deep.equal([]);
    });
  }

  it('applies the EXIF orientation before painting', async () => {
    const source = await picture(4).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const box = await inPoints(bench, source, [
      height - secretAt.y - secretAt.h,
      secretAt.x,
      height - secretAt.y,
      secretAt.x + secretAt.w,
    ]);
    const { bytes } = await bench.redact(source, { boxes: [{ page: 1, box }] }, 'image/jpeg');
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).to.deep.equal([height, width]);
    const at = (height - secretAt.y - 12 + (secretAt.x + 40) * info.width) * info.channels;
    expect(data[at]).to.be.at.most(8);
  });

  for (const turn of [0, 90, 180, 270] as const) {
    it(`hides the length of a secret, rotated by ${turn}`, async () => {
      const hashes = [];
      for (const length of [80, 97, 143]) {
        const level = sharp(pixels(4, length), { raw: { width, height, channels: 3 } });
        const source = await level.rotate(turn).withDensity(density).png().toBuffer();
        const { x, y, h } = secretAt;
        const corners: Record<typeof turn, Box> = {
          0: [x, y, x + length, y + h],
          90: [height - y - h, x, height - y, x + length],
          180: [width - x - length, height - y - h, width - x, height - y],
          270: [y, width - x - length, y + h, width - x],
        };
        const box = await inPoints(bench, source, corners[turn]);
        const wanted = { boxes: [{ page: 1, box, direction: turn }] };
        hashes.push((await bench.redact(source, wanted, 'image/png')).sha256);
      }
      expect(new Set(hashes).size).to.equal(1);
    });
  }

  it('does not report a picture as damaged if the output cannot be written', async () => {
    const path = join(bench.folder, 'unwritten.png');
    await writeFile(path, await kinds['image/png'](4));
    const outPath = join(bench.folder, 'missing', 'out.png');
    const plan = { page: 1, widthPt: 1, heightPt: 1, removals: [], redactedText: '' };
    const work = redactPicture({ path, outPath, style: 'blackbox' }, 'image/png', {
      state: 'planned',
      ...plan,
    });
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.have.property('code', 'ENOENT');
  });

  it('writes a PDF of the planned pages of a TIFF', async () => {
    const source = await picture(4).tiff({ compression: 'lzw' }).toBuffer();
    const box = await inPoints(bench, source, secretBox);
    const wanted = { boxes: [{ page: 1, box }] };
    const { bytes, report } = await bench.redact(source, wanted, 'image/tiff');
    expect(bytes.toString('latin1', 0, 5)).to.equal('%PDF-');
    expect(report.pages).to.have.length(1);
    expect(report.pages[0]?.treatment).to.equal('redacted');
    expect(report.values).to.deep.equal([{ type: 'PERSON', value: 'picture' }]);
    expect(bytes.toString('latin1')).not.to.match(/Exifsecret|Xmpsecret/);
  });
});
