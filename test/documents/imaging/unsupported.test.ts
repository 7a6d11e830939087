import { expect } from 'chai';
import sharp from 'sharp';
import { openTiff, readDirectory, sourceOf } from '../../../packages/documents/src/imaging/tiff.ts';
import { imageError } from '../../../packages/documents/src/source/images.ts';
import { type ImagingFixture, openImagingFixture } from './fixture.ts';

const compression = 259;
const bitsPerSample = 258;
const photometric = 262;
const sampleFormat = 339;

/** A TIFF that declares another form than it has. */
async function tiffWith(tag: number, value: number): Promise<Buffer> {
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .tiff({ compression: 'none' })
    .toBuffer();
  const tiff = openTiff(sourceOf(bytes))!;
  const entry = readDirectory(tiff, tiff.firstDirectory)!.entries.find((one) => one.tag === tag)!;
  for (let at = 0; at < entry.count; at += 1) bytes.writeUInt16LE(value, entry.offset + 2 * at);
  return bytes;
}

describe('a TIFF in a form that is not supported', () => {
  let fixture: ImagingFixture;
  before(async () => {
    fixture = await openImagingFixture();
  });
  after(() => fixture.close());

  const failure = (bytes: Buffer): Promise<{ code: string; message: string }> =>
    fixture.read(bytes, 'image/tiff').then(
      () => ({ code: 'none', message: '' }),
      (error: { code: string; message: string }) => error,
    );

  const schemes: [number, string][] = [
    [6, 'Old-style JPEG'],
    [9, 'scheme 9'],
    [32909, 'PixarLog'],
    [34661, 'ISO JBIG'],
    [34712, 'scheme 34712'],
    [34887, 'LERC'],
    [34925, 'LZMA'],
    [50000, 'ZSTD'],
    [50002, 'scheme 50002'],
  ];
  it('is not called damaged, and its compression is named', async () => {
    for (const [scheme, name] of schemes) {
      const { code, message } = await failure(await tiffWith(compression, scheme));
      expect([code, message]).to.deep.equal([
        'unsupported',
        `TIFF compression is not supported: ${name}.`,
      ]);
    }
  });

  it('is not called damaged for its samples or colours either', async () => {
    const forms: [number, number][] = [
      [bitsPerSample, 12],
      [sampleFormat, 5],
      [photometric, 32844],
    ];
    for (const [tag, value] of forms) {
      expect((await failure(await tiffWith(tag, value))).code, `${tag}`).to.equal('unsupported');
    }
  });

  it('is called damaged if it is', async () => {
    for (const scheme of [5, 8, 32773]) {
      expect((await failure(await tiffWith(compression, scheme))).code).to.equal('damaged');
    }
  });

  it('has the same error as the page of a document', async () => {
    const error = await sharp(await tiffWith(compression, 34887))
      .raw()
      .toBuffer()
      .catch((reason: unknown) => imageError(reason));
    expect(error).to.include({
      code: 'unsupported',
      message: 'TIFF compression is not supported: LERC.',
    });
  });
});
