import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceMime } from '@scriptorium/contracts/documents/sources';
import { expect } from 'chai';
import sharp, { type Sharp } from 'sharp';
import { chooseBackground } from '../../../packages/documents/src/transparency.ts';
import { redactFile, redactOptions } from '../../support/corpus/redact.ts';
import { callOptions, sharedEngines } from '../../support/engines.ts';
import { imageOf } from '../../support/samples.ts';
import { compact, secretSheet, sheetLines, sheetSecrets } from '../../support/secret-sheet.ts';

/** How a pixel of print is stored: its tones and its alpha, given how dark it is from 0 to 1. */
type Store = (dark: number) => [red: number, green: number, blue: number, alpha: number];
const stores: Readonly<Record<string, Store>> = {
  'white letters on clear': (dark) => [255, 255, 255, Math.round(255 * dark)],
  'grey letters on clear': (dark) => [128, 128, 128, Math.round(255 * dark)],
  'black letters under alpha 0': (dark) => {
    const tone = Math.round(255 * (1 - dark));
    return [tone, tone, tone, 0];
  },
};

async function stored(store: Store): Promise<Sharp> {
  const { raw, width, height } = await secretSheet(4, store);
  return sharp(raw, { raw: { width, height, channels: 4 } }).withMetadata({ density: 150 });
}

describe('redaction of pictures with transparent parts', () => {
  let folder: string;
  let files = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transparent-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function fileOf(bytes: Uint8Array): Promise<string> {
    const path = join(folder, `picture-${++files}`);
    await writeFile(path, bytes);
    return path;
  }
  async function redact(bytes: Uint8Array, mime: SourceMime) {
    const path = await fileOf(bytes);
    const options = redactOptions({ entities: ['EMAIL_ADDRESS', 'US_SSN'] });
    return redactFile(sharedEngines(), { path, mime }, options, `${path}-made`);
  }
  async function textOf(path: string): Promise<string> {
    const how = { languages: ['eng'], existingText: 'skip', rotate: true, deskew: false } as const;
    const request = { path, mime: 'image/png' as const, page: 1, ...how };
    return (await sharedEngines().recognisePage(request, callOptions)).text;
  }
  for (const [name, store] of Object.entries(stores)) {
    it(`finds and removes what is hidden in ${name}`, async () => {
      const made = await redact(await (await stored(store)).png().toBuffer(), 'image/png');
      expect([...made.planned]).to.include.members(sheetSecrets.map(compact));
      expect(made.verified).to.equal(true);
      expect((await sharp(made.path!).metadata()).hasAlpha).to.equal(false);
      // Without transparency there is one way to see it.
      const left = await textOf(made.path!);
      for (const secret of sheetSecrets) expect(compact(left)).not.to.contain(compact(secret));
    });
  }

  it('keeps what is not personal visible, white letters on black', async () => {
    const white = await stored(stores['white letters on clear']!);
    const made = await redact(await white.webp({ lossless: true }).toBuffer(), 'image/webp');
    expect(made.verified).to.equal(true);
    const png = await fileOf(await sharp(made.path!).png().toBuffer());
    expect(compact(await textOf(png))).to.contain('hedgewascut');
  });

  it('reads white letters on clear as they are shown to people', async () => {
    const path = await fileOf(
      await (await stored(stores['white letters on clear']!)).png().toBuffer(),
    );
    expect(compact(await textOf(path))).to.contain('hedgewascut');
    expect(await chooseBackground(path, 1)).to.equal('#000000');
    const opaque = await fileOf(
      await sharp(await imageOf('png', sheetLines))
        .ensureAlpha()
        .png()
        .toBuffer(),
    );
    expect(await chooseBackground(opaque, 1)).to.equal(null);
  });
});
