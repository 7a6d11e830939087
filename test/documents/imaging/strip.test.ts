import { expect } from 'chai';
import readExif from 'exif-reader';
import fc from 'fast-check';
import sharp from 'sharp';
import { heic } from '../../support/heic.ts';
import {
  cameraExif,
  emptyRows,
  type Format,
  formats,
  placeBytes,
  png,
  pngChunk,
  quarteredPicture,
  rawExif,
  segment,
  withChunks,
  withSegments,
  withWebpChunk,
} from '../../support/pictures.ts';
import { failure, type ImagingFixture, openImagingFixture } from './fixture.ts';

/** Words and numbers that must not be left in any output. */
const secret = 'SECRETPLACE';
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="52,30.978N" exif:GPSLongitude="13,22.662E">${secret}</rdf:Description></rdf:RDF></x:xmpmeta>`;

describe('metadata removal', () => {
  let fixture: ImagingFixture;
  before(async () => {
    fixture = await openImagingFixture();
  });
  after(() => fixture.close());

  const pixels = (bytes: Buffer): Promise<Buffer> => sharp(bytes, { pages: -1 }).raw().toBuffer();
  const exifOf = async (bytes: Buffer) => {
    const { exif } = await sharp(bytes).metadata();
    return exif ? readExif(exif) : null;
  };
  const expectNoPlace = async (bytes: Buffer): Promise<void> => {
    for (const trace of [secret, '52,30.978', 'GPSLatitude', ...placeBytes]) {
      expect(bytes.includes(trace), String(trace)).to.equal(false);
    }
    const exif = await exifOf(bytes);
    expect(exif?.GPSInfo).to.equal(undefined);
    expect(exif?.Image?.GPSTag).to.equal(undefined);
    const { xmp, iptc } = await sharp(bytes).metadata();
    expect([xmp?.includes('GPS') ?? false, iptc]).to.deep.equal([false, undefined]);
  };
  const tagged = (width = 60, height = 40) =>
    quarteredPicture(width, height).withIccProfile('p3').withExif(cameraExif);

  it('keeps the pixels and camera of a HEIC, but no location, or no text at all', async () => {
    const before = await fixture.read(heic, 'image/heic');
    expect(before.location).not.to.equal(null);
    for (const fields of ['gps', 'all'] as const) {
      const stripped = await fixture.strip(heic, 'image/heic', fields);
      for (const trace of [secret, ...placeBytes]) {
        expect(stripped.includes(trace), String(trace)).to.equal(false);
      }
      const after = await fixture.read(stripped, 'image/heic');
      expect(after.location).to.equal(null);
      expect(after.blurhash).to.equal(before.blurhash);
      expect(after.camera?.make ?? null).to.equal(fields === 'gps' ? 'ACME' : null);
    }
  });

  for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
    it(`keeps the pixels, profile and camera of ${format}, but no location`, async () => {
      const bytes = await tagged().withXmp(xmp)[format]().toBuffer();
      expect(bytes.includes(secret)).to.equal(true);
      expect((await exifOf(bytes))!.GPSInfo).to.be.an('object');
      const stripped = await fixture.strip(bytes, formats[format]);
      await expectNoPlace(stripped);
      expect((await pixels(stripped)).equals(await pixels(bytes))).to.equal(true);
      const [before, after] = [await sharp(bytes).metadata(), await sharp(stripped).metadata()];
      expect(after.icc!.equals(before.icc!)).to.equal(true);
      const exif = (await exifOf(stripped))!;
      expect(exif.Image).to.include({ Make: 'ACME', Model: 'Camera 1', Copyright: '(c) Ida Orr' });
      expect(exif.Photo).to.include({ FNumber: 2.8, LensModel: 'ACME 35mm' });
      const reading = await fixture.read(stripped, formats[format]);
      expect(reading.capturedAt).to.equal('2024-07-01T12:30:05.250Z');
      expect(reading.location).to.equal(null);
    });

    it(`keeps no text about the picture in ${format} if everything is removed`, async () => {
      const bytes = await tagged().withXmp(xmp)[format]().toBuffer();
      const stripped = await fixture.strip(bytes, formats[format], 'all');
      await expectNoPlace(stripped);
      for (const word of ['ACME', 'Ida Orr', '2024:07:01']) {
        expect(stripped.includes(word), word).to.equal(false);
      }
      expect((await pixels(stripped)).equals(await pixels(bytes))).to.equal(true);
      expect((await sharp(stripped).metadata()).icc).to.be.an.instanceOf(Buffer);
    });
  }

  for (const orientation of [1, 3, 6, 8]) {
    it(`keeps the orientation of a picture: ${orientation}`, async () => {
      for (const fields of ['gps', 'all'] as const) {
        const bytes = await tagged().withMetadata({ orientation }).jpeg().toBuffer();
        const stripped = await fixture.strip(bytes, 'image/jpeg', fields);
        expect((await sharp(stripped).metadata()).orientation).to.equal(orientation);
      }
    });
  }

  it('finds every location in a JPEG', async () => {
    const plain = await tagged().jpeg({ progressive: true }).toBuffer();
    const thumbnail = await quarteredPicture(16, 12).withExif(cameraExif).jpeg().toBuffer();
    const second = await tagged(8, 8).withXmp(xmp).jpeg().toBuffer();
    const extended = Buffer.concat([
      Buffer.from('http://ns.adobe.com/xmp/extension/\0', 'latin1'),
      Buffer.from('0'.repeat(32)),
      Buffer.alloc(8),
      Buffer.from(xmp),
    ]);
    const photoshop = Buffer.concat([
      Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x10', 'latin1'),
      Buffer.from(`\x1c\x02\x5a\0\x0b${secret}`, 'latin1'),
    ]);
    const bytes = Buffer.concat([
      withSegments(
        plain,
        segment(
          0xe1,
          Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), Buffer.from(xmp)]),
        ),
        segment(0xe1, extended),
        segment(0xed, photoshop),
        segment(0xe0, Buffer.concat([Buffer.from('JFXX\0\x10', 'latin1'), thumbnail])),
        segment(0xe2, Buffer.concat([Buffer.from('MPF\0', 'latin1'), Buffer.from(secret)])),
        segment(0xe5, secret),
        segment(0xfe, `lat=52.516 ${secret}`),
      ),
      // What phones append after the end: a second picture, a video.
      second,
      Buffer.from(`ftypmp42 ©xyz+52.5163+013.3777/ ${secret}`),
    ]);
    const stripped = await fixture.strip(bytes, 'image/jpeg');
    await expectNoPlace(stripped);
    expect(stripped.includes('52.516')).to.equal(false);
    expect((await pixels(stripped)).equals(await pixels(plain))).to.equal(true);
    expect(stripped.indexOf('Exif')).to.equal(stripped.lastIndexOf('Exif'));
  });

  it('copies no maker note, thumbnail or bytes between values', async () => {
    const note = Buffer.from(`${secret} in a note`);
    const gap = Buffer.from(`${secret} in a gap`);
    const start = 8 + 2 + 4 * 12 + 4;
    const exif = rawExif(
      [
        [0x0112, 3, 1, 6],
        [0x927c, 7, note.length, start],
        [0x8769, 4, 1, start + note.length + gap.length],
        [0x8825, 4, 1, 8],
      ],
      8,
      Buffer.concat([note, gap, rawExif([[0x927c, 7, note.length, start]]).subarray(8)]),
    );
    const plain = await quarteredPicture(40, 30).jpeg().toBuffer();
    const bytes = withSegments(
      plain,
      segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif])),
    );
    const stripped = await fixture.strip(bytes, 'image/jpeg');
    expect(stripped.includes(secret)).to.equal(false);
    expect((await sharp(stripped).metadata()).orientation).to.equal(6);
    expect((await pixels(stripped)).equals(await pixels(plain))).to.equal(true);
  });

  it('recognises every chunk of a PNG and of a WebP', async () => {
    const plain = await tagged().png().toBuffer();
    const words = [
      ['tEXt', `Raw profile type exif\0${secret}`],
      ['iTXt', `XML:com.adobe.xmp\0\0\0\0\0${xmp}`],
      ['zTXt', `Comment\0\0${secret}`],
      ['tIME', secret],
      ['prVt', secret],
    ] as const;
    const bytes = Buffer.concat([
      withChunks(plain, ...words.map(([kind, body]) => pngChunk(kind, Buffer.from(body)))),
      Buffer.from(secret),
    ]);
    const stripped = await fixture.strip(bytes, 'image/png');
    await expectNoPlace(stripped);
    expect((await pixels(stripped)).equals(await pixels(plain))).to.equal(true);
    const webp = withWebpChunk(
      await tagged().withXmp(xmp).webp({ lossless: true }).toBuffer(),
      'JUNK',
      Buffer.from(secret),
    );
    const thin = await fixture.strip(webp, 'image/webp');
    await expectNoPlace(thin);
    expect((await pixels(thin)).equals(await pixels(webp))).to.equal(true);
  });

  for (const format of ['gif', 'webp'] as const) {
    it(`keeps every frame of an animated ${format}`, async () => {
      const frames = await Promise.all(
        ['#e03030', '#3050e0', '#30c040'].map((background) =>
          sharp({ create: { width: 20, height: 10, channels: 3, background } })
            .png()
            .toBuffer(),
        ),
      );
      const made = await sharp(frames, { join: { animated: true } })
        .withExif(cameraExif)
        [format]({ delay: [100, 200, 300], loop: 2 })
        .toBuffer();
      const xmpOfGif = Buffer.concat([
        Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1'),
        Buffer.from(xmp),
        Buffer.from([1, ...Array.from({ length: 256 }, (_, at) => 255 - at), 0]),
      ]);
      const comment = Buffer.from(
        `\x21\xfe${String.fromCharCode(secret.length)}${secret}\0`,
        'latin1',
      );
      const bytes =
        format === 'gif'
          ? Buffer.concat([made.subarray(0, -1), comment, xmpOfGif, Buffer.from(`;${secret}`)])
          : made;
      const stripped = await fixture.strip(bytes, formats[format]);
      await expectNoPlace(stripped);
      const { pages, delay, loop } = await sharp(stripped).metadata();
      expect({ pages, delay, loop }).to.deep.equal({ pages: 3, delay: [100, 200, 300], loop: 2 });
      expect((await pixels(stripped)).equals(await pixels(made))).to.equal(true);
    });
  }

  for (const [what, options] of [
    ['strips', { compression: 'lzw' }],
    ['tiles', { compression: 'deflate', tile: true, tileWidth: 32, tileHeight: 32 }],
    ['big offsets', { compression: 'none', bigtiff: true }],
    ['JPEG', { compression: 'jpeg' }],
  ] as const) {
    it(`rewrites a TIFF of ${what} without its metadata`, async () => {
      const bytes = await tagged(100, 80).withXmp(xmp).tiff(options).toBuffer();
      const behind = Buffer.concat([bytes, Buffer.from(secret)]);
      for (const fields of ['gps', 'all'] as const) {
        const stripped = await fixture.strip(behind, 'image/tiff', fields);
        await expectNoPlace(stripped);
        expect((await pixels(stripped)).equals(await pixels(bytes))).to.equal(true);
        const { icc } = await sharp(stripped).metadata();
        expect(icc!.equals((await sharp(bytes).metadata()).icc!)).to.equal(true);
      }
    });
  }

  it('removes GPS, GeoTIFF and everything else from a multi-page TIFF', async () => {
    const rows = Buffer.alloc(64, 200);
    const place = Buffer.from(secret.padEnd(24));
    const note = Buffer.from('ACME scanners\0');
    const entries = 12;
    const size = 8 + 2 + entries * 12 + 4;
    const page = (at: number, next: number, data: number): Buffer =>
      rawExif(
        [
          [256, 3, 1, 8],
          [257, 3, 1, 8],
          [258, 3, 1, 8],
          [259, 3, 1, 1],
          [262, 3, 1, 1],
          [271, 2, note.length, data + 64],
          [273, 4, 1, data],
          [277, 3, 1, 1],
          [279, 4, 1, 64],
          [700, 1, 24, data + 78],
          [33_922, 12, 3, data + 78],
          [0x8825, 4, 1, at],
        ],
        next,
      ).subarray(8);
    const length = size - 8;
    const first = 8;
    const second = first + length;
    const data = second + length;
    const bytes = Buffer.concat([
      Buffer.from('II*\0\x08\0\0\0', 'latin1'),
      page(first, second, data),
      page(second, 0, data),
      rows,
      note,
      place,
    ]);
    expect((await sharp(bytes).metadata()).pages).to.equal(2);
    const stripped = await fixture.strip(bytes, 'image/tiff');
    expect(stripped.includes(secret)).to.equal(false);
    expect((await sharp(stripped).metadata()).pages).to.equal(2);
    expect((await pixels(stripped)).equals(await pixels(bytes))).to.equal(true);
    expect((await fixture.read(stripped, 'image/tiff')).camera!.make).to.equal('ACME scanners');
    expect(stripped.includes(Buffer.from([0x25, 0x88]))).to.equal(false);
  });

  it('rejects what it cannot parse and writes no output that could be served', async () => {
    const tiff = await quarteredPicture(20, 20).tiff().toBuffer();
    const jpeg = await tagged().jpeg().toBuffer();
    for (const [bytes, mime] of [
      [Buffer.alloc(0), 'image/jpeg'],
      [jpeg.subarray(0, 300), 'image/jpeg'],
      [tiff.subarray(0, 40), 'image/tiff'],
      [png({ width: 9, height: 9 }, emptyRows(9, 9)).subarray(0, 45), 'image/png'],
      [jpeg, 'image/png'],
      [jpeg, 'application/pdf'],
    ] as const) {
      const { code } = await failure(fixture.strip(bytes, mime));
      expect(code).to.be.oneOf(['damaged', 'empty', 'unsupported']);
    }
  });

  it('keeps a truncated JPEG truncated, without its location', async () => {
    const whole = await tagged(400, 300).jpeg().toBuffer();
    const bytes = whole.subarray(0, whole.length - 500);
    const stripped = await fixture.strip(bytes, 'image/jpeg');
    await expectNoPlace(stripped);
    expect(stripped.subarray(-100).equals(bytes.subarray(-100))).to.equal(true);
  });

  describe('from a drawing', () => {
    const drawing = (inner: string, before = '') =>
      Buffer.from(
        `${before}<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10">${inner}</svg>`,
      );

    it('removes metadata, comments and instructions and keeps the picture', async () => {
      const bytes = drawing(
        `<!-- ${secret} --><metadata id="m">${xmp}</metadata><?note ${secret}?>
         <rect width="20" height="10" fill="#3050e0"/><text>1 &lt; 2</text>`,
        '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [<!ENTITY ns "http://ns.adobe.com/x/">]>',
      );
      const stripped = await fixture.strip(bytes, 'image/svg+xml');
      expect(stripped.includes(secret)).to.equal(false);
      expect(stripped.toString()).to.include('<rect width="20"').and.include('1 &lt; 2');
      expect((await pixels(stripped)).equals(await pixels(bytes))).to.equal(true);
    });

    it('removes the location from embedded pictures', async () => {
      const inside = await tagged(16, 16).withXmp(xmp).jpeg().toBuffer();
      const bytes = drawing(
        `<image width="20" height="10" href="data:image/jpeg;base64,${inside.toString('base64')}"/>`,
      );
      const stripped = await fixture.strip(bytes, 'image/svg+xml');
      const [, body = ''] = /base64,([^"]*)/.exec(stripped.toString()) ?? [];
      await expectNoPlace(Buffer.from(body, 'base64'));
      expect((await pixels(stripped)).equals(await pixels(bytes))).to.equal(true);
    });

    it('writes a Latin-1 drawing as UTF-8', async () => {
      const text = drawing(
        `<metadata>${secret}</metadata><text>caf\u00e9</text>`,
        '<?xml version="1.0" encoding="ISO-8859-1"?>',
      ).toString();
      const stripped = await fixture.strip(Buffer.from(text, 'latin1'), 'image/svg+xml');
      expect(stripped.toString()).to.include('encoding="UTF-8"').and.include('caf\u00e9');
      expect(stripped.includes(secret)).to.equal(false);
    });

    for (const [what, bytes] of [
      ['entities that hold elements', drawing('&m;', `<!DOCTYPE svg [<!ENTITY m "<a/>">]>`)],
      ['tags that do not match', drawing('<metadata><rect/>')],
      ['another encoding', Buffer.from(`\ufeff${drawing('')}`, 'utf16le')],
    ] as const) {
      it(`rejects ${what}`, async () => {
        const { code } = await failure(fixture.strip(bytes, 'image/svg+xml'));
        expect(code).to.be.oneOf(['unsupported', 'damaged']);
      });
    }
  });

  it('leaves no location in any picture, whatever else it contains', async () => {
    const rational = fc
      .tuple(
        fc.integer({ min: 1_000_000, max: 9_999_999 }),
        fc.integer({ min: 100_000, max: 999_999 }),
      )
      .map(([above, below]) => `${above}/${below}`);
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          format: fc.constantFrom<Format>('jpeg', 'png', 'webp', 'avif'),
          latitude: rational,
          longitude: rational,
          make: fc.string({ minLength: 1, maxLength: 40 }),
          words: fc.stringMatching(/^[A-Za-z]{12,60}$/),
          withXmp: fc.boolean(),
          fields: fc.constantFrom('gps' as const, 'all' as const),
        }),
        async ({ format, latitude, longitude, make, words, withXmp, fields }) => {
          const picture = quarteredPicture(24, 18).withExif({
            IFD0: { Make: make.replaceAll('\0', '') || 'x', ImageDescription: words },
            IFD2: { UserComment: words },
            IFD3: {
              GPSLatitudeRef: 'N',
              GPSLatitude: `1/1 1/1 ${latitude}`,
              GPSLongitudeRef: 'E',
              GPSLongitude: `1/1 1/1 ${longitude}`,
              GPSAreaInformation: words,
            },
          });
          const described = withXmp ? picture.withXmp(xmp.replace(secret, words)) : picture;
          const bytes = await described[format]().toBuffer();
          const stripped = await fixture.strip(bytes, formats[format], fields);
          expect((await exifOf(stripped))?.GPSInfo).to.equal(undefined);
          expect(stripped.includes(words)).to.equal(false);
          for (const number of [...latitude.split('/'), ...longitude.split('/')].map(Number)) {
            const raw = Buffer.alloc(4);
            raw.writeUInt32LE(number);
            expect((await exifBytes(stripped)).includes(raw)).to.equal(false);
          }
          expect((await pixels(stripped)).equals(await pixels(bytes))).to.equal(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  const exifBytes = async (bytes: Buffer): Promise<Buffer> =>
    (await sharp(bytes).metadata()).exif ?? Buffer.alloc(0);
});
