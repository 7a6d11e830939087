import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engines } from '@scriptorium/documents';
import { expect } from 'chai';
import { strToU8, zipSync } from 'fflate';
import sharp from 'sharp';
import {
  hasGlyph,
  loadFonts,
  replaceWithPatches,
} from '../../../packages/documents/src/page-images/sheet/fonts.ts';
import { callOptions, sharedEngines } from '../../support/engines.ts';
import { xlsx } from '../../support/office.ts';
import { mimes } from '../../support/redact-kinds.ts';
import { flagPicture, isFlag, pptx, pptxMime, type Slide } from '../../support/slides.ts';

const odpMime = 'application/vnd.oasis.opendocument.presentation';
const odsMime = 'application/vnd.oasis.opendocument.spreadsheet';

const odf = (body: string, thumbnail?: Uint8Array): Uint8Array =>
  zipSync({
    'content.xml': strToU8(
      `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body>${body}</office:body></office:document-content>`,
    ),
    ...(thumbnail ? { 'Thumbnails/thumbnail.png': thumbnail } : {}),
  });
const odp = (thumbnail?: Uint8Array) =>
  odf('<office:presentation><draw:page/></office:presentation>', thumbnail);

describe('the drawn page of a slide or sheet', () => {
  let engines: Engines;
  let folder: string;
  let files = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slides-test-'));
    engines = sharedEngines('wasm');
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const draw = async (
    bytes: Uint8Array,
    mime: string,
    { page = 1, width = 480, boxes = [] as number[][] } = {},
  ): Promise<Buffer> => {
    files += 1;
    const path = join(folder, `file-${files}`);
    const outPath = join(folder, `drawn-${files}.png`);
    await writeFile(path, bytes);
    await engines.drawPage(
      { path, mime, page, width, format: 'image/png', boxes, outPath },
      callOptions,
    );
    return readFile(outPath);
  };
  const read = async (drawn: Buffer): Promise<string> => {
    const path = join(folder, `read-${files}.png`);
    await writeFile(path, drawn);
    const page = { path, mime: 'image/png', page: 1, languages: ['eng'] };
    return (await engines.recognisePage(page, callOptions)).text.replace(/\s+/g, ' ');
  };
  /** Where there is ink, in parts of the picture: left, top, right, bottom. */
  const inkOf = async (drawn: Buffer): Promise<[number, number, number, number]> => {
    const { data, info } = await sharp(drawn)
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const box: [number, number, number, number] = [1, 1, 0, 0];
    for (const [at, value] of data.entries()) {
      if (value > 128) continue;
      const [x, y] = [(at % info.width) / info.width, Math.floor(at / info.width) / info.height];
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x);
      box[3] = Math.max(box[3], y);
    }
    return box;
  };
  const harbour: Slide = { title: 'Harbour dues', lines: ['Paid at the quay', 'Before noon'] };

  it('is a slide with a large title and as much text as fits', async () => {
    const drawn = await draw(pptx([harbour]), pptxMime, { width: 1280 });
    const { width, height } = await sharp(drawn).metadata();
    expect([width, height]).to.deep.equal([1280, 720]);
    const text = await read(drawn);
    for (const words of ['Harbour dues', 'Paid at the quay', 'Before noon'])
      expect(text).to.contain(words);
    const long = Array.from({ length: 12 }, (_, at) => `Item ${at + 1} of the long list of dues`);
    const full = await draw(pptx([{ title: 'All', lines: long }]), pptxMime, { width: 1280 });
    expect(await read(full)).to.match(/Item 1 .*Item 12 /);
  });

  it('is a slide with the title in the middle if there is hardly more', async () => {
    const drawn = await draw(pptx([{ title: 'Harbour', lines: ['2031'] }]), pptxMime);
    const [left, top, right, bottom] = await inkOf(drawn);
    expect(left + right).to.be.closeTo(1, 0.05);
    expect(top + bottom).to.be.closeTo(1, 0.15);
  });

  it('is a grid in which cells are at their places', async () => {
    const cell = (name: string, text: string): string =>
      `<row r="${name.replace(/\D/g, '')}"><c r="${name}" t="inlineStr"><is><t>${text}</t></is></c></row>`;
    const book = xlsx({ Quay: { rows: cell('C5', 'Trawlers') + cell('A9', '42') } });
    const drawn = await draw(book, mimes.xlsx, { width: 1120 });
    const text = await read(drawn);
    for (const word of ['Trawlers', 'Quay']) expect(text).to.contain(word);
    const inkAt = async (left: number, top: number): Promise<number> => {
      const part = { left: 2 * left, top: 2 * top, width: 60, height: 22 };
      return Math.min(...(await sharp(drawn).extract(part).greyscale().raw().toBuffer()));
    };
    // In points: columns of 56 beside row numbers of 28; rows of 15 below the letters.
    expect(await inkAt(142, 76)).to.be.below(100);
    expect(await inkAt(142, 61)).to.be.above(150);
    expect(await inkAt(86, 76)).to.be.above(150);
  });

  describe('with a thumbnail in the file', () => {
    it('shows it as the preview of the first slide', async () => {
      const jpeg = await flagPicture().jpeg().toBuffer();
      const file = pptx([harbour, harbour], { bytes: jpeg });
      const drawn = await draw(file, pptxMime);
      expect(await isFlag(drawn)).to.equal(true);
      const { width, height } = await sharp(drawn).metadata();
      expect([width, height]).to.deep.equal([480, 270]);
      expect(await isFlag(await draw(odp(await flagPicture().png().toBuffer()), odpMime))).to.equal(
        true,
      );
    });

    it('draws other pages, large pictures and pictures with places marked', async () => {
      const file = pptx([harbour, harbour], { bytes: await flagPicture().jpeg().toBuffer() });
      for (const how of [{ page: 2 }, { width: 1280 }, { boxes: [[10, 10, 20, 20]] }]) {
        const drawn = await draw(file, pptxMime, how);
        expect(await isFlag(drawn), JSON.stringify(how)).to.equal(false);
      }
    });

    it('draws sheets, but shows the thumbnail of one without cells', async () => {
      const png = await flagPicture().png().toBuffer();
      const row = '<row r="1"><c r="A1"><v>42</v></c></row>';
      const thumbnail = {
        root: { rId9: ['thumbnail', 'docProps/thumbnail.png'] as [string, string] },
        parts: { 'docProps/thumbnail.png': { body: png } },
      };
      const full = await draw(xlsx({ One: { rows: row } }, thumbnail), mimes.xlsx);
      expect(await isFlag(full)).to.equal(false);
      const empty = await draw(xlsx({ One: { rows: '' } }, thumbnail), mimes.xlsx);
      expect(await isFlag(empty)).to.equal(true);
      const sheet = '<office:spreadsheet><table:table table:name="One"/></office:spreadsheet>';
      expect(await isFlag(await draw(odf(sheet, png), odsMime))).to.equal(true);
    });

    const bad: [string, () => Promise<{ bytes: Uint8Array; name?: string; target?: string }>][] = [
      [
        'empty',
        async () => ({
          bytes: await sharp({
            create: { width: 256, height: 144, channels: 3, background: '#fff' },
          })
            .jpeg()
            .toBuffer(),
        }),
      ],
      [
        'truncated',
        async () => ({ bytes: (await flagPicture(800, 450).jpeg().toBuffer()).subarray(0, 900) }),
      ],
      ['too small', async () => ({ bytes: await flagPicture(32, 18).jpeg().toBuffer() })],
      ['too large', async () => ({ bytes: await flagPicture(4000, 2250).jpeg().toBuffer() })],
      ['of another format', async () => ({ bytes: await flagPicture().webp().toBuffer() })],
      [
        'a drawing',
        async () => ({ bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') }),
      ],
      [
        'a metafile',
        async () => ({
          bytes: Buffer.from('0100000058000000', 'hex'),
          name: 'docProps/thumbnail.emf',
        }),
      ],
      [
        'outside the file',
        async () => ({
          bytes: await flagPicture().jpeg().toBuffer(),
          target: 'file:///docProps/thumbnail.jpeg',
        }),
      ],
      [
        'another part',
        async () => ({
          bytes: await flagPicture().jpeg().toBuffer(),
          name: 'ppt/media/image1.jpeg',
        }),
      ],
    ];
    for (const [name, made] of bad) {
      it(`draws the slide if it is ${name}`, async () => {
        const file = pptx([{ title: 'Harbour', lines: ['2031'] }], await made());
        const drawn = await draw(file, pptxMime);
        const plain = await draw(pptx([{ title: 'Harbour', lines: ['2031'] }]), pptxMime);
        expect(drawn.equals(plain)).to.equal(true);
      });
    }
  });

  describe('with characters that no font has', () => {
    it('finds out which those are', async () => {
      await loadFonts();
      expect(await hasGlyph('A')).to.equal(true);
      expect(await hasGlyph('Ж')).to.equal(true);
      expect(await hasGlyph('\u{10ffff}')).to.equal(false);
    });

    it('has patches in their places and names their scripts', () => {
      const missing = new Set<string>();
      const lacking = [{ name: 'Korean', pattern: /\p{Script=Hangul}/gu }];
      expect(replaceWithPatches('<b>서울 office</b>', lacking, missing)).to.equal(
        '<b>░░ office</b>',
      );
      expect([...missing]).to.deep.equal(['Korean']);
    });
  });
});
