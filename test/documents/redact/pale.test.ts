import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceMime } from '@scriptorium/contracts/documents/sources';
import type { Box } from '@scriptorium/documents/results';
import { expect } from 'chai';
import sharp, { type Sharp } from 'sharp';
import type { GreyRaster } from '../../../packages/documents/src/ink/components.ts';
import { paleInkFinder } from '../../../packages/documents/src/ink/pale-ink.ts';
import { redactFile, redactOptions } from '../../support/corpus/redact.ts';
import { callOptions, sharedEngines } from '../../support/engines.ts';
import { handmadePdf } from '../../support/samples.ts';
import { compact, secretSheet, sheetSecrets } from '../../support/secret-sheet.ts';

/** The colour of a pixel of print, by how dark it is from 0 to 1. */
type Ink = (dark: number, row: number) => [red: number, green: number, blue: number];
const byte = (tone: number): number => Math.round(tone);
const inks: Readonly<Record<string, Ink>> = {
  'nearly white on white': (dark) => [byte(255 - 30 * dark), 255, 255],
  'letters in blue alone': (dark) => [255, 255, byte(255 - 135 * dark)],
  'pale lines between black ones': (dark, row) => {
    const tone = byte(255 - (row > 130 && row < 265 ? 6 : 255) * dark);
    return [tone, tone, tone];
  },
};

const printed = (ink: Ink) => secretSheet(3, ink);

const pictureOf = ({ raw, width, height }: Awaited<ReturnType<typeof printed>>): Sharp =>
  sharp(raw, { raw: { width, height, channels: 3 } }).withMetadata({ density: 150 });

const formats: Readonly<Record<string, (picture: Sharp) => Promise<Buffer>>> = {
  'image/png': (picture) => picture.png().toBuffer(),
  'image/webp': (picture) => picture.webp({ lossless: true }).toBuffer(),
  'image/tiff': (picture) => picture.tiff({ compression: 'lzw' }).toBuffer(),
};

describe('redaction of pale ink', () => {
  let folder: string;
  let files = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pale-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function redact(bytes: Uint8Array, mime: SourceMime) {
    const path = join(folder, `source-${++files}`);
    await writeFile(path, bytes);
    const options = redactOptions({ entities: ['EMAIL_ADDRESS', 'US_SSN'] });
    return redactFile(sharedEngines(), { path, mime }, options, `${path}-made`);
  }

  /** What each channel of a picture shows, with black for all that is darker than paper. */
  async function textOf(path: string): Promise<string> {
    const texts: string[] = [];
    for (const channel of [0, 1, 2] as const) {
      const stretched = await sharp(path)
        .toColourspace('srgb')
        .extractChannel(channel)
        .threshold(252)
        .png()
        .toBuffer();
      const one = join(folder, `channel-${++files}`);
      await writeFile(one, stretched);
      const how = {
        languages: ['eng'],
        existingText: 'skip',
        rotate: true,
        deskew: false,
      } as const;
      const request = { path: one, mime: 'image/png' as const, page: 1, ...how };
      texts.push(compact((await sharedEngines().recognisePage(request, callOptions)).text));
    }
    return texts.join(' ');
  }

  for (const [name, ink] of Object.entries(inks)) {
    it(`finds and removes ${name}`, async () => {
      const made = await redact(
        await formats['image/png']!(pictureOf(await printed(ink))),
        'image/png',
      );
      expect([...made.planned]).to.include.members(sheetSecrets.map(compact));
      expect(made.verified).to.equal(true);
      const left = await textOf(made.path!);
      expect(left).to.contain('hedgewascut');
      for (const secret of sheetSecrets) expect(left).not.to.contain(compact(secret));
    });
  }

  for (const mime of ['image/webp', 'image/tiff'] as const) {
    it(`finds and removes letters in blue alone in ${mime}`, async () => {
      const picture = pictureOf(await printed(inks['letters in blue alone']!));
      const made = await redact(await formats[mime]!(picture), mime);
      expect([...made.planned]).to.include.members(sheetSecrets.map(compact));
      expect(made.verified).to.equal(true);
    });
  }

  it('finds and removes letters in blue alone on a picture of a PDF', async () => {
    const { raw, width, height } = await printed(inks['letters in blue alone']!);
    const jpeg = await sharp(raw, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      .toBuffer();
    const image = `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter [/ASCIIHexDecode /DCTDecode] /Length ${jpeg.length * 2 + 1} >>\nstream\n${jpeg.toString('hex')}>\nendstream`;
    const made = handmadePdf('q 420 0 0 595 0 0 cm /Im1 Do Q', { objects: [image] });
    const bytes = made
      .toString('latin1')
      .replace('/Resources << /Font', '/Resources << /XObject << /Im1 6 0 R >> /Font');
    const redacted = await redact(Buffer.from(bytes, 'latin1'), 'application/pdf');
    expect([...redacted.planned]).to.include.members(sheetSecrets.map(compact));
    expect(redacted.verified).to.equal(true);
  });
});

describe('pale ink', () => {
  const look = (picture: GreyRaster, known: readonly Box[] = []) =>
    paleInkFinder([picture])(0, known);
  async function greyOf(ink: Ink, disturb: (at: number) => number = () => 0) {
    const { raw, width, height } = await printed(ink);
    const data = Uint8Array.from({ length: width * height }, (_, at) =>
      Math.min(255, Math.max(0, raw[at * 3]! + disturb(at))),
    );
    return { data, width, height };
  }
  const grey =
    (contrast: number): Ink =>
    (dark) => {
      const tone = byte(240 - contrast * dark);
      return [tone, tone, tone];
    };

  it('is seen from a contrast of a few tones on, and only outside of what was read', async () => {
    for (const contrast of [4, 8, 16]) {
      const picture = await greyOf(grey(contrast));
      expect(look(picture), String(contrast)).not.to.equal(null);
      const { width, height } = picture;
      expect(look(picture, [[0, 0, width, height]])).to.equal(null);
    }
  });

  it('is not seen in strong ink, its edges, or grain', async () => {
    expect(look(await greyOf(grey(200)))).to.equal(null);
    const grain = (at: number): number => ((Math.imul(at, 0x9e3779b1) >>> 16) % 9) - 4;
    expect(look(await greyOf(grey(200), grain))).to.equal(null);
    expect(look(await greyOf(grey(6), grain))).to.equal(null);
  });
});
