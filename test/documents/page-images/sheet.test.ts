import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError, type Engines } from '@scriptorium/documents';
import { expect } from 'chai';
import sharp from 'sharp';
import { hasGlyph } from '../../../packages/documents/src/page-images/sheet/fonts.ts';
import { callOptions, sharedEngines } from '../../support/engines.ts';
import { docx, paragraph, run, xlsx } from '../../support/office.ts';
import { mimes } from '../../support/redact-kinds.ts';

describe('the drawn page of a file without pages', () => {
  let engines: Engines;
  let folder: string;
  let files = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sheets-test-'));
    engines = sharedEngines('wasm');
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const draw = async (
    bytes: Uint8Array | string,
    mime: string,
    { page = 1, width = 600 } = {},
  ): Promise<Buffer> => {
    files += 1;
    const path = join(folder, `file-${files}`);
    const outPath = join(folder, `drawn-${files}.png`);
    await writeFile(path, bytes);
    const request = { path, mime, page, width, format: 'image/png', boxes: [], outPath } as const;
    const size = await engines.drawPage(request, callOptions);
    const drawn = await readFile(outPath);
    const metadata = await sharp(drawn).metadata();
    expect(size).to.deep.equal({ width: metadata.width, height: metadata.height });
    return drawn;
  };
  /** How dark a part of a picture is, from 0 to 1; the part in parts of its width and height. */
  const inkIn = async (
    drawn: Buffer,
    [left, top, right, bottom]: [number, number, number, number] = [0, 0, 1, 1],
  ): Promise<number> => {
    const { width, height } = await sharp(drawn).metadata();
    const part = await sharp(drawn)
      .extract({
        left: Math.round(left * width),
        top: Math.round(top * height),
        width: Math.round((right - left) * width),
        height: Math.round((bottom - top) * height),
      })
      .greyscale()
      .raw()
      .toBuffer();
    return 1 - part.reduce((sum, value) => sum + value, 0) / part.length / 255;
  };
  const read = async (drawn: Buffer): Promise<string> => {
    const path = join(folder, `read-${files}.png`);
    await writeFile(path, drawn);
    const page = { path, mime: 'image/png', page: 1, languages: ['eng'] };
    return (await engines.recognisePage(page, callOptions)).text.replace(/\s+/g, ' ');
  };

  it('says what the document says: headings, paragraphs, lists and tables', async () => {
    const markdown = [
      '# Harbour dues',
      'Every vessel pays at the quay before it leaves.',
      '- Rowing boats are free',
      '',
      '| Vessel | Dues |',
      '|---|---|',
      '| Trawler | 4200 |',
    ].join('\n');
    const text = await read(await draw(markdown, mimes.markdown, { width: 1200 }));
    for (const words of ['Harbour dues', 'pays at the quay', 'Rowing boats', 'Trawler', '4200']) {
      expect(text).to.contain(words);
    }
  });

  it('is a sheet of A4, upright for text and wide for tables', async () => {
    const sizeOf = async (drawn: Buffer): Promise<number> => {
      const { width, height } = await sharp(drawn).metadata();
      expect(width).to.equal(595);
      return height;
    };
    const width = 595;
    expect(await sizeOf(await draw('Hello', mimes.text, { width }))).to.equal(842);
    expect(await sizeOf(await draw('a,b\n1,2', mimes.csv, { width }))).to.equal(420);
  });

  it('draws Office documents, and the sheet of a workbook that is asked for', async () => {
    const letter = docx(paragraph(run('Dear Sir or Madam')));
    expect(await read(await draw(letter, mimes.docx, { width: 1200 }))).to.contain('Dear Sir');
    const row = (text: string): string =>
      `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`;
    const book = xlsx({ One: { rows: row('Income') }, Two: { rows: row('Expenses') } });
    const [one, two] = [
      await draw(book, mimes.xlsx, { width: 1200 }),
      await draw(book, mimes.xlsx, { width: 1200, page: 2 }),
    ];
    expect(await read(one)).to.contain('Income');
    expect(await read(two)).to.contain('Expenses');
  });

  it('rules the cells of tables', async () => {
    const drawn = await draw('name,dues\nTrawler,42\n', mimes.csv, { width: 842 });
    const { data, info } = await sharp(drawn)
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    // The left rule of the table runs through its rows without a gap.
    const rows = Array.from({ length: 24 }, (_, at) => 26 + at);
    const darkest = Array.from({ length: 60 }, (_, x) =>
      Math.max(...rows.map((y) => data[y * info.width + x] ?? 255)),
    );
    expect(Math.min(...darkest)).to.be.below(230);
  });

  it('keeps the lines of plain text, also those that look like markup', async () => {
    const plain = await draw('one\n  two\nthree', mimes.text);
    const joined = await draw('one two three', mimes.text);
    expect(await inkIn(plain, [0, 0.075, 1, 0.12])).to.be.above(
      await inkIn(joined, [0, 0.075, 1, 0.12]),
    );
    const markup = await draw('<b>A</b> & <span size="90000">B</span>', mimes.text, {
      width: 1200,
    });
    expect(await read(markup)).to.contain('span');
  });

  it('writes right-to-left text from the right', async () => {
    const drawn = await draw('# שלום עולם\n\nمرحبا بالعالم\n', mimes.markdown);
    expect(await inkIn(drawn, [0.5, 0, 1, 0.25])).to.be.above(
      2 * (await inkIn(drawn, [0, 0, 0.5, 0.25])),
    );
  });

  it('has letters of many scripts from our own fonts', async () => {
    const missing = await draw('\u{10ffff}\u{10ffff}\u{10ffff}', mimes.text);
    for (const text of ['жжж', 'ωωω', 'ñññ', 'ששש']) {
      const drawn = await draw(text, mimes.text);
      expect(await inkIn(drawn), text).to.be.above(0);
      expect(drawn.equals(missing), text).to.equal(false);
    }
  });

  it('says below the page what no font has', async () => {
    const foot = async (text: string): Promise<number> =>
      inkIn(await draw(text, mimes.text), [0, 0.985, 1, 1]);
    expect(await foot('At noon')).to.equal(0);
    for (const text of ['🎉', 'தமிழ்', 'አማርኛ']) {
      const isNoted = (await foot(`At noon ${text}`)) > 0;
      expect(isNoted, text).to.equal(!(await hasGlyph([...text][0]!)));
    }
  });

  it('reads no more of a large text than fits the sheet', async () => {
    const large = `${'A line of a very long text.\n'.repeat(2_000_000)}`;
    expect(await inkIn(await draw(large, mimes.text))).to.be.above(0.01);
    const rows = `name,number\n${'Trawler,42\n'.repeat(2_000_000)}`;
    expect(await inkIn(await draw(rows, mimes.csv))).to.be.above(0.005);
  });

  it('draws what is far too wide, too long or empty', async () => {
    const wide = Array.from({ length: 3_000 }, (_, at) => `column ${at}`).join(',');
    expect(await inkIn(await draw(`${wide}\n${wide}\n`, mimes.csv))).to.be.above(0);
    const word = 'x'.repeat(500_000);
    expect(await inkIn(await draw(word, mimes.markdown))).to.be.above(0);
    expect(await inkIn(await draw('\n \n', mimes.text))).to.equal(0);
    expect(await inkIn(await draw(word, mimes.text, { width: 150 }))).to.be.above(0);
  });

  for (const [name, bytes, mime, page, code] of [
    ['what is not a document', 'PK nothing', mimes.docx, 1, 'unsupported'],
    ['an empty file', '', mimes.text, 1, 'empty'],
    ['binary data', Buffer.from([1, 0, 2, 0, 0, 3, 0, 0, 0, 4]), mimes.text, 1, 'unsupported'],
    ['a page after the last one', 'Hello', mimes.text, 2, 'page_not_found'],
    ['a sheet after the last one', 'a,b', mimes.csv, 2, 'page_not_found'],
  ] as const) {
    it(`rejects ${name}`, async () => {
      const error = await draw(bytes, mime, { page }).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(EngineError);
      expect((error as EngineError).code).to.equal(code);
    });
  }
});
