import { readFile } from 'node:fs/promises';
import type { PictureReading } from '@scriptorium/documents/imaging';
import { expect } from 'chai';
import sharp from 'sharp';
import { heic } from '../../support/heic.ts';
import {
  cameraExif,
  emptyRows,
  type Format,
  formats,
  png,
  quarteredPicture,
  quarters,
  rawExif,
  withExif,
} from '../../support/pictures.ts';
import { type ImagingFixture, openImagingFixture } from './fixture.ts';

describe('reading a picture', () => {
  let fixture: ImagingFixture;
  before(async () => {
    fixture = await openImagingFixture();
  });
  after(() => fixture.close());

  const rendition = async (reading: PictureReading, name: string, mime = 'image/webp') => {
    const found = reading.renditions.find((each) => each.name === name && each.mime === mime);
    const bytes = await readFile(found!.path);
    return { found: found!, bytes, metadata: await sharp(bytes).metadata() };
  };
  /** The colours in the centre of each quarter. */
  const quartersOf = async (bytes: Buffer): Promise<number[][]> => {
    const { data, info } = await sharp(bytes)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return [0.25, 0.75].flatMap((y) =>
      [0.25, 0.75].map((x) => {
        const at = (Math.floor(info.height * y) * info.width + Math.floor(info.width * x)) * 3;
        return [...data.subarray(at, at + 3)];
      }),
    );
  };
  const rgb = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const expectQuarters = async (bytes: Buffer, wanted: readonly string[] = quarters) => {
    const found = await quartersOf(bytes);
    found.forEach((colour, at) => {
      const off = rgb(wanted[at]!).map((channel, of) => Math.abs(channel - colour[of]!));
      expect(Math.max(...off), `${colour} for ${wanted[at]}`).to.be.lessThan(30);
    });
  };

  for (const format of Object.keys(formats) as Format[]) {
    it(`returns the size, colours and renditions of ${format}`, async () => {
      const bytes = await quarteredPicture(800, 500)[format]().toBuffer();
      const reading = await fixture.read(bytes, formats[format]);
      expect(reading).to.include({ width: 800, height: 500, orientation: 'landscape' });
      expect(reading.palette).to.have.length(4);
      expect(reading.blurhash).to.match(/^[\x21-\x7e]{28}$/);
      const sizes = reading.renditions.map(
        ({ name, mime, width, height }) => `${name} ${mime} ${width}x${height}`,
      );
      expect(sizes).to.deep.equal(
        ['thumb 160x100', 'w320 320x200', 'w640 640x400', 'w1280 800x500'].flatMap((line) => {
          const [name, size] = line.split(' ');
          return [`${name} image/webp ${size}`, `${name} image/avif ${size}`];
        }),
      );
      for (const mime of ['image/webp', 'image/avif']) {
        const { bytes: small, metadata } = await rendition(reading, 'w320', mime);
        expect(metadata).to.include({ width: 320, height: 200, space: 'srgb' });
        await expectQuarters(small);
      }
    });
  }

  it('returns the size, colours, EXIF and renditions of a HEIC', async () => {
    const reading = await fixture.read(heic, 'image/heic');
    expect(reading).to.include({
      width: 160,
      height: 120,
      orientation: 'landscape',
      capturedAt: '2024-07-01T12:30:05.250Z',
    });
    expect(reading.camera).to.include({ make: 'ACME', model: 'Camera 1' });
    expect(reading.location?.latitude).to.equal(52.5163028);
    expect(reading.palette).to.have.length(4);
    await expectQuarters((await rendition(reading, 'w320')).bytes);
  });

  for (const [name, bytes] of [
    ['cut off', heic.subarray(0, heic.length - 200)],
    ['of noise', Buffer.concat([heic.subarray(0, 40), Buffer.alloc(600, 0x5a)])],
  ] as const) {
    it(`reports a HEIC that is ${name} as damaged`, async () => {
      const error = await fixture.read(bytes, 'image/heic').catch((reason: unknown) => reason);
      expect(error).to.have.property('code', 'damaged');
    });
  }

  it('draws an SVG no larger than its own size', async () => {
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="120">
      <rect width="90" height="120" fill="#3050e0"/></svg>`;
    const reading = await fixture.read(Buffer.from(drawing), 'image/svg+xml');
    expect(reading).to.include({ width: 90, height: 120, orientation: 'portrait' });
    expect(reading.palette).to.deep.equal(['#3050e0']);
    expect((await rendition(reading, 'w1280')).metadata).to.include({ width: 90, height: 120 });
  });

  it('draws a large SVG at the size of its largest rendition', async () => {
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="8000" height="4000">
      <rect width="4000" height="4000" fill="red"/></svg>`;
    const reading = await fixture.read(Buffer.from(drawing), 'image/svg+xml');
    expect(reading).to.include({ width: 8000, height: 4000 });
    expect((await rendition(reading, 'w1280')).metadata).to.include({ width: 1280, height: 640 });
  });

  /** The EXIF orientation is written as a camera held this way would write it. */
  const stored: Readonly<Record<number, (bytes: Buffer) => Promise<Buffer>>> = {
    1: async (bytes) => bytes,
    2: (bytes) => sharp(bytes).flop().toBuffer(),
    3: (bytes) => sharp(bytes).rotate(180).toBuffer(),
    4: (bytes) => sharp(bytes).flip().toBuffer(),
    5: async (bytes) =>
      sharp(await sharp(bytes).rotate(90).toBuffer())
        .flop()
        .toBuffer(),
    6: (bytes) => sharp(bytes).rotate(270).toBuffer(),
    7: async (bytes) =>
      sharp(await sharp(bytes).rotate(270).toBuffer())
        .flop()
        .toBuffer(),
    8: (bytes) => sharp(bytes).rotate(90).toBuffer(),
  };
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    it(`turns a picture with EXIF orientation ${orientation} upright`, async () => {
      const upright = await quarteredPicture(120, 80).png().toBuffer();
      const bytes = await sharp(await stored[orientation]!(upright))
        .withMetadata({ orientation })
        .jpeg({ quality: 95 })
        .toBuffer();
      const reading = await fixture.read(bytes, 'image/jpeg');
      expect(reading).to.include({ width: 120, height: 80, orientation: 'landscape' });
      const { bytes: shown, metadata } = await rendition(reading, 'w1280');
      await expectQuarters(shown);
      expect([metadata.orientation, metadata.exif]).to.deep.equal([undefined, undefined]);
    });
  }

  describe('reading EXIF', () => {
    for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
      it(`reads the time, camera and location from ${format}`, async () => {
        const bytes = await quarteredPicture(40, 30).withExif(cameraExif)[format]().toBuffer();
        const reading = await fixture.read(bytes, formats[format]);
        expect(reading.capturedAt).to.equal('2024-07-01T12:30:05.250Z');
        expect(reading.camera).to.deep.equal({
          make: 'ACME',
          model: 'Camera 1',
          lens: 'ACME 35mm',
          exposure_seconds: 0.004,
          aperture: 2.8,
          iso: 400,
          focal_length_mm: 35,
        });
        expect(reading.location).to.deep.equal({
          latitude: 52.5163028,
          longitude: 13.3777,
          altitude_metres: 34.5,
        });
        const { metadata } = await rendition(reading, 'thumb');
        expect([metadata.exif, metadata.xmp, metadata.icc]).to.deep.equal([
          undefined,
          undefined,
          undefined,
        ]);
      });
    }

    it('reads locations in the south, in the west and below sea level', async () => {
      const bytes = await quarteredPicture(40, 30)
        .withExif({
          IFD3: {
            ...cameraExif.IFD3,
            GPSLatitudeRef: 'S',
            GPSLongitudeRef: 'W',
          },
        })
        .jpeg()
        .toBuffer();
      // GPSAltitudeRef is a byte, which sharp writes as a letter.
      const ref = bytes.indexOf(Buffer.from([0x05, 0, 1, 0, 1, 0, 0, 0]));
      bytes[ref + 8] = 1;
      const { location } = await fixture.read(bytes, 'image/jpeg');
      expect(location).to.deep.equal({
        latitude: -52.5163028,
        longitude: -13.3777,
        altitude_metres: -34.5,
      });
    });

    for (const [what, change] of [
      ['a latitude beyond the pole', { GPSLatitude: '91/1 0/1 0/1' }],
      ['a longitude beyond the date line', { GPSLongitude: '181/1 0/1 0/1' }],
      ['an angle over nothing', { GPSLatitude: '52/0 0/1 0/1' }],
      ['a direction that is none', { GPSLatitudeRef: 'X' }],
    ] as const) {
      it(`ignores ${what} as a location`, async () => {
        const exif = { IFD3: { ...cameraExif.IFD3, ...change } };
        const bytes = await quarteredPicture(40, 30).withExif(exif).jpeg().toBuffer();
        expect((await fixture.read(bytes, 'image/jpeg')).location).to.equal(null);
      });
    }

    const takenAt = async (exif: Record<string, string>): Promise<string | null> => {
      const bytes = await quarteredPicture(40, 30).withExif({ IFD2: exif }).jpeg().toBuffer();
      return (await fixture.read(bytes, 'image/jpeg')).capturedAt;
    };
    it('assumes UTC for a time without an offset', async () => {
      expect(await takenAt({ DateTimeOriginal: '2020:02:29 23:59:59' })).to.equal(
        '2020-02-29T23:59:59.000Z',
      );
    });
    for (const date of [
      '0000:00:00 00:00:00',
      '2021:02:29 10:00:00',
      '2021:13:01 10:00:00',
      '2021:01:01 24:00:00',
      '2021:01:01 10:61:00',
      '    :  :     :  :  ',
      'yesterday at noon..',
    ]) {
      it(`ignores '${date}' as a time`, async () => {
        expect(await takenAt({ DateTimeOriginal: date })).to.equal(null);
      });
    }

    it('sanitises hostile text and keeps names', async () => {
      const make = `A\u0001CM\u001b[31mE\u202e  Über\n`;
      const raw = Buffer.from(`${make}\0HIDDEN\0`);
      const model = Buffer.from(`${'x'.repeat(5_000)}\0`);
      const start = 8 + 2 + 2 * 12 + 4;
      const exif = rawExif(
        [
          [0x010f, 2, raw.length, start],
          [0x0110, 2, model.length, start + raw.length],
        ],
        0,
        Buffer.concat([raw, model]),
      );
      const bytes = withExif(await quarteredPicture(40, 30).jpeg().toBuffer(), exif);
      const { camera } = await fixture.read(bytes, 'image/jpeg');
      expect(camera!.make).to.equal('A CM [31mE Über');
      expect(camera!.model).to.equal('x'.repeat(100));
    });

    it('reads the directories of a TIFF', async () => {
      const name = Buffer.from('ACME scanner\0\0');
      const [x, rows] = [8, Buffer.alloc(8 * 8, 200)];
      const entries = 9;
      const start = 8 + 2 + entries * 12 + 4;
      const bytes = rawExif(
        [
          [256, 3, 1, x],
          [257, 3, 1, 8],
          [258, 3, 1, 8],
          [259, 3, 1, 1],
          [262, 3, 1, 1],
          [271, 2, name.length, start],
          [273, 4, 1, start + name.length],
          [277, 3, 1, 1],
          [279, 4, 1, rows.length],
        ],
        0,
        Buffer.concat([name, rows]),
      );
      const reading = await fixture.read(bytes, 'image/tiff');
      expect(reading).to.include({ width: 8, height: 8, orientation: 'square' });
      expect(reading.camera!.make).to.equal('ACME scanner');
    });
  });

  it('reads 16-bit, CMYK, greyscale and transparent pictures', async () => {
    const red = sharp({
      create: { width: 64, height: 32, channels: 3, background: '#c03020' },
    });
    const deep = await fixture.read(
      await red.clone().toColourspace('rgb16').png().toBuffer(),
      'image/png',
    );
    expect(deep.palette).to.deep.equal(['#c03020']);
    const cmyk = await fixture.read(
      await red.clone().toColourspace('cmyk').jpeg().toBuffer(),
      'image/jpeg',
    );
    const [near] = cmyk.palette.map(rgb);
    expect(Math.hypot(near![0]! - 0xc0, near![1]! - 0x30, near![2]! - 0x20)).to.be.lessThan(40);
    const grey = await fixture.read(png({ width: 9, height: 5 }, emptyRows(9, 5)), 'image/png');
    expect(grey.palette).to.deep.equal(['#000000']);
    for (const format of ['png', 'webp'] as const) {
      const clear = sharp({
        create: {
          width: 32,
          height: 64,
          channels: 4,
          background: { r: 255, g: 0, b: 0, alpha: 0 },
        },
      });
      const reading = await fixture.read(await clear[format]().toBuffer(), formats[format]);
      expect(reading.palette).to.deep.equal(['#ffffff']);
      expect((await rendition(reading, 'w320')).metadata.hasAlpha).to.equal(true);
    }
  });

  it('converts colours with a profile to sRGB', async () => {
    const wide = await quarteredPicture(64, 64)
      .withIccProfile('p3')
      .jpeg({ quality: 95 })
      .toBuffer();
    expect((await sharp(wide).metadata()).icc).to.be.an.instanceOf(Buffer);
    const reading = await fixture.read(wide, 'image/jpeg');
    await expectQuarters((await rendition(reading, 'w1280')).bytes);
  });

  it('reads a single pixel, and long or tall strips', async () => {
    const make = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#808080' } })
        .png()
        .toBuffer();
    const dot = await fixture.read(await make(1, 1), 'image/png');
    expect(dot).to.include({ width: 1, height: 1, orientation: 'square' });
    expect(dot.renditions.map(({ width, height }) => [width, height])).to.deep.equal(
      Array(8).fill([1, 1]),
    );
    const long = await fixture.read(await make(30_000, 1), 'image/png');
    expect((await rendition(long, 'w640')).metadata).to.include({ width: 640, height: 1 });
    const tall = await fixture.read(await make(700, 20_000), 'image/png');
    expect(tall.orientation).to.equal('portrait');
    expect((await rendition(tall, 'w320')).metadata).to.include({ height: 1280 });
    expect((await rendition(tall, 'thumb')).metadata).to.include({ height: 160 });
  });

  for (const format of ['gif', 'webp'] as const) {
    it(`uses the first frame of an animated ${format}`, async () => {
      const frames = await Promise.all(
        ['#e03030', '#3050e0', '#30c040'].map((background) =>
          sharp({ create: { width: 60, height: 40, channels: 3, background } })
            .png()
            .toBuffer(),
        ),
      );
      const bytes = await sharp(frames, { join: { animated: true } })
        [format]()
        .toBuffer();
      expect((await sharp(bytes).metadata()).pages).to.equal(3);
      const reading = await fixture.read(bytes, formats[format]);
      expect(reading).to.include({ width: 60, height: 40 });
      expect(reading.palette).to.have.length(1);
      await expectQuarters((await rendition(reading, 'w320')).bytes, Array(4).fill('#e03030'));
    });
  }

  it('orders the palette by each colour’s share', async () => {
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" shape-rendering="crispEdges">
      <rect width="100" height="100" fill="#102040"/><rect width="30" height="100" fill="#f0f0f0"/>
      <rect width="10" height="100" fill="#d02020"/></svg>`;
    const reading = await fixture.read(
      await sharp(Buffer.from(drawing)).png().toBuffer(),
      'image/png',
    );
    expect(reading.palette).to.deep.equal(['#102040', '#f0f0f0', '#d02020']);
  });
});
