import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  EngineError,
  type Engines,
  type PageResult,
  type RecogniseRequest,
} from '@scriptorium/documents';
import { expect } from 'chai';
import {
  beginText,
  endText,
  PDFDocument,
  PDFHexString,
  PDFName,
  setFontAndSize,
  setTextMatrix,
  showText,
} from 'pdf-lib';
import sharp from 'sharp';
import { families, makeFile } from '../support/corpus/index.ts';
import { compact, SecretSource } from '../support/corpus/secrets.ts';
import { callOptions, sharedEngines } from '../support/engines.ts';
import { cameraExif, placeBytes } from '../support/pictures.ts';
import {
  bornDigitalPdf,
  encryptedPdf,
  handmadePdf,
  imageOf,
  mixedPdf,
  multiPageTiff,
  pageHeight,
  pageWidth,
  rasterOf,
  scannedPdf,
  textOf,
} from '../support/samples.ts';

const letter = [
  'The quick brown fox jumps over the lazy dog',
  'while seven wizards brew a bitter potion.',
  'Please send the invoice before Friday.',
];
const second = ['Another page speaks of rivers and hills', 'and of nothing that was said before.'];

describe('document engines', () => {
  let engines: Engines;
  let folder: string;
  let files = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'engines-test-'));
    engines = sharedEngines('wasm');
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  async function store(bytes: Uint8Array): Promise<string> {
    const path = join(folder, `file-${++files}`);
    await writeFile(path, bytes);
    return path;
  }

  async function failure(promise: Promise<unknown>): Promise<EngineError> {
    try {
      await promise;
    } catch (error) {
      if (error instanceof EngineError) return error;
      throw error;
    }
    throw new Error('nothing was thrown');
  }

  type Outcome = { pages: PageResult[]; pdf: Buffer; pagesFile: string; path: string };

  /** Recognises every page, then assembles them. */
  async function work(
    bytes: Uint8Array,
    mime: string,
    options: Partial<RecogniseRequest> = {},
  ): Promise<Outcome> {
    const path = await store(bytes);
    const inspection = await engines.inspect({ path, mime }, callOptions);
    const pages: PageResult[] = [];
    for (const { number } of inspection.pages) {
      pages.push(
        await engines.recognisePage({ ...options, path, mime, page: number }, callOptions),
      );
    }
    const pagesFile = await store(
      Buffer.from(pages.map((page) => `${JSON.stringify(page)}\n`).join('')),
    );
    const outPath = `${path}.pdf`;
    await engines.assembleSearchablePdf({ path, mime, pagesFile, outPath }, callOptions);
    return { pages, pdf: await readFile(outPath), pagesFile, path };
  }

  const pdf = 'application/pdf';

  describe('scanned PDF', () => {
    it('becomes searchable and looks exactly as before', async () => {
      const scan = await scannedPdf([letter, second]);
      const { pages, pdf: out } = await work(scan, pdf);
      expect(pages.map(({ state }) => state)).to.deep.equal(['recognised', 'recognised']);
      expect(pages[0]?.meanConfidence).to.be.greaterThan(0.9);
      const texts = await textOf(out);
      expect(texts[0]?.trim().split('\n')).to.deep.equal(letter);
      expect(texts[1]?.trim().split('\n')).to.deep.equal(second);
      expect(pages[0]?.text).to.equal(`${letter.join('\n')}\n`);
      for (const number of [1, 2]) {
        expect((await rasterOf(out, number)).data).to.deep.equal(
          (await rasterOf(scan, number)).data,
        );
      }
    });

    it('gives the same bytes for the same input', async () => {
      const { pdf: out, path, pagesFile } = await work(await scannedPdf([letter]), pdf);
      const again = `${path}.again`;
      await engines.assembleSearchablePdf(
        { path, mime: pdf, pagesFile, outPath: again },
        callOptions,
      );
      expect(out.equals(await readFile(again))).to.equal(true);
    });

    it('reports the position of each word', async () => {
      const { pages } = await work(await scannedPdf([letter]), pdf);
      const [page] = pages;
      const words = page?.words ?? [];
      expect(words.slice(0, 3).map(({ text }) => text)).to.deep.equal(['The', 'quick', 'brown']);
      // Drawn at 40 points from the left with its baseline 54 points below the top.
      const [x0 = 0, y0 = 0, , y1 = 0] = words[0]?.box ?? [];
      expect(x0).to.be.closeTo(40, 2);
      expect(y0).to.be.closeTo(44, 2);
      expect(y1).to.be.closeTo(54, 2);
      expect(page?.widthPt).to.be.closeTo(pageWidth, 0.5);
      expect(page?.heightPt).to.be.closeTo(pageHeight, 0.5);
    });

    it('reads a page on its side or upside down and turns it upright', async () => {
      for (const turned of [90, 180] as const) {
        const { pages, pdf: out } = await work(
          await scannedPdf([letter], { rotation: turned }),
          pdf,
        );
        expect(pages[0]?.orientation).to.equal(360 - turned);
        expect((await textOf(out))[0]?.trim().split('\n')).to.deep.equal(letter);
        const { width, height } = await rasterOf(out);
        expect(height).to.be.greaterThan(width);
      }
    });

    it('keeps the rotation of a page if turning is off', async () => {
      const scan = await scannedPdf([letter], { rotation: 180 });
      const { pages, pdf: out } = await work(scan, pdf, { rotate: false });
      expect(pages[0]?.orientation).to.equal(0);
      expect((await rasterOf(out)).data).to.deep.equal((await rasterOf(scan)).data);
    });

    it('honours /Rotate and a CropBox with an offset origin', async () => {
      for (const rotate of [90, 270] as const) {
        const scan = await scannedPdf([letter], { pageRotation: rotate, offset: [100, -50] });
        const { pages, pdf: out } = await work(scan, pdf);
        expect(pages[0]?.orientation).to.equal(0);
        expect(pages[0]?.words[0]?.box[0]).to.be.closeTo(40, 2);
        expect(pages[0]?.words[0]?.box[3]).to.be.closeTo(54, 2);
        expect((await rasterOf(out)).data).to.deep.equal((await rasterOf(scan)).data);
        const { pages: reread } = await work(out, pdf);
        expect(reread[0]?.state).to.equal('has_text');
        const box = reread[0]?.words[0]?.box ?? [];
        expect(box[0]).to.be.closeTo(40, 2);
        expect(box[3]).to.be.closeTo(57, 3);
      }
    });
  });

  describe('existing text', () => {
    it('does not count if its font maps to no characters: the page is recognised', async () => {
      const family = families.find(({ name }) => name === 'cid-unmapped')!;
      const file = await makeFile(family, 0, new SecretSource(1));
      const path = await store(file.pdf);
      const inspection = await engines.inspect({ path, mime: pdf }, callOptions);
      expect(inspection.pages[0]).to.include({ hasText: false, characters: 0 });
      const { pages, pdf: out } = await work(file.pdf, pdf);
      expect(pages[0]?.state).to.equal('recognised');
      const text = compact((await textOf(out))[0] ?? '');
      expect(text).to.include(compact(pages[0]?.words[0]?.text ?? ''));
      const read = file.secrets.filter(({ value }) => text.includes(compact(value)));
      expect(read.length).to.be.at.least(Math.ceil(file.secrets.length / 2));
    });

    it('leaves its page untouched, byte for byte', async () => {
      const source = await bornDigitalPdf([letter]);
      const { pages, pdf: out } = await work(source, pdf);
      expect(pages[0]).to.include({ state: 'has_text', treatment: 'keep', meanConfidence: 1 });
      expect(pages[0]?.text).to.equal(`${letter.join('\n')}\n`);
      expect(out.equals(source)).to.equal(true);
    });

    it('keeps its page unchanged while pages without text are recognised', async () => {
      const source = await mixedPdf([letter, second]);
      const { pages, pdf: out } = await work(source, pdf);
      expect(pages.map(({ state }) => state)).to.deep.equal(['recognised', 'has_text']);
      const texts = await textOf(out);
      expect(texts.map((text) => text.trim().split('\n'))).to.deep.equal([letter, second]);
    });

    it('is not taken for that of a page of fonts that do not say what their letters are', async () => {
      const source = await PDFDocument.load(await scannedPdf([letter]));
      const [page] = source.getPages();
      if (!page) throw new Error('The scan has no page.');
      const { context } = source;
      const codes = Array.from({ length: 26 }, (_, at) => 97 + at);
      const glyph = context.register(context.stream('600 0 0 0 1 1 d1'));
      const font = context.obj({
        Type: 'Font',
        Subtype: 'Type3',
        FontBBox: [0, 0, 600, 700],
        Resources: {},
        FontMatrix: [0.001, 0, 0, 0.001, 0, 0],
        CharProcs: Object.fromEntries(codes.map((code) => [`a${code}`, glyph])),
        Encoding: {
          Type: 'Encoding',
          Differences: codes.flatMap((code) => [code, PDFName.of(`a${code}`)]),
        },
        FirstChar: 97,
        LastChar: 122,
        Widths: codes.map(() => 600),
      });
      page.node.setFontDictionary(PDFName.of('T3'), context.register(font));
      page.pushOperators(
        beginText(),
        setFontAndSize('T3', 8),
        setTextMatrix(1, 0, 0, 1, 60, 40),
        showText(PDFHexString.of(codes.map((code) => code.toString(16)).join(''))),
        endText(),
      );
      page.drawText('-', { x: 60, y: 20, size: 8 });
      const { pages } = await work(Buffer.from(await source.save()), pdf);
      expect(pages[0]?.state).to.equal('recognised');
      expect(pages[0]?.text).to.contain(letter[1]);
    });

    it('does not keep a scan under it from being read, and is not read twice', async () => {
      const source = await PDFDocument.load(await scannedPdf([letter]));
      const [page] = source.getPages();
      if (!page) throw new Error('The scan has no page.');
      const stamp = 'Filed with the registry on 12 March';
      page.drawText(stamp, { x: 60, y: 60, size: 10 });
      const { pages, pdf: out } = await work(Buffer.from(await source.save()), pdf);
      const [result] = pages;
      expect(result?.state).to.equal('has_text');
      expect(result?.text.trim().split(/\n+/)).to.deep.equal([stamp, ...letter]);
      const [text = ''] = await textOf(out);
      for (const line of [stamp, ...letter]) expect(text.split(line)).to.have.length(2);
      const again = await work(out, pdf);
      expect(again.pages[0]?.treatment).to.equal('keep');
    });

    it('is not joined by the labels of a chart or by a photo', async () => {
      const source = await PDFDocument.load(await bornDigitalPdf([letter]));
      const [page] = source.getPages();
      if (!page) throw new Error('The document has no page.');
      const labels = await source.embedPng(await imageOf('png', ['North', 'South', 'East']));
      page.drawImage(labels, { x: 60, y: 60, width: 200, height: 283 });
      const { pages } = await work(Buffer.from(await source.save()), pdf);
      expect(pages[0]?.treatment).to.equal('keep');
      expect(pages[0]?.text.trim().split('\n')).to.deep.equal(letter);
    });

    it('is replaced only in its invisible layer with `redo`', async () => {
      const scan = await scannedPdf([letter]);
      const { pdf: once } = await work(scan, pdf);
      const { pages, pdf: twice } = await work(once, pdf, { existingText: 'redo' });
      expect(pages[0]).to.include({ state: 'recognised', treatment: 'replace_invisible' });
      expect((await textOf(twice))[0]?.trim().split('\n')).to.deep.equal(letter);
      expect((await rasterOf(twice)).data).to.deep.equal((await rasterOf(scan)).data);
    });

    it('is not repeated where it is visible with `redo`', async () => {
      const { pages, pdf: out } = await work(await bornDigitalPdf([letter]), pdf, {
        existingText: 'redo',
      });
      expect(pages[0]?.words.every(({ source }) => source === 'pdf')).to.equal(true);
      expect((await textOf(out))[0]?.trim().split('\n')).to.deep.equal(letter);
    });

    it('is replaced by a picture of the page with `force`', async () => {
      const source = await bornDigitalPdf([letter]);
      const { pages, pdf: out } = await work(source, pdf, { existingText: 'force' });
      expect(pages[0]?.words.every((word) => word.source === 'ocr')).to.equal(true);
      expect((await textOf(out))[0]?.trim().split('\n')).to.deep.equal(letter);
      expect(out.includes('Helvetica')).to.equal(false);
      const before = await rasterOf(source);
      const after = await rasterOf(out);
      const differing = after.data.filter(
        (value, at) => Math.abs(value - (before.data[at] ?? 0)) > 128,
      );
      expect(differing.length / after.data.length).to.be.lessThan(0.01);
    });
  });

  describe('images', () => {
    for (const kind of ['png', 'jpeg', 'webp', 'tiff'] as const) {
      it(`become a page of their true size: ${kind}`, async () => {
        const { pages, pdf: out } = await work(await imageOf(kind, letter), `image/${kind}`);
        // WebP has no field for its resolution: such a picture is taken to show an A4 page.
        const size = kind === 'webp' ? [594, 842] : [pageWidth, pageHeight];
        expect(pages[0]?.widthPt).to.be.closeTo(size[0] ?? 0, 0.5);
        expect((await textOf(out))[0]?.trim().split('\n')).to.deep.equal(letter);
        const { width, height } = await rasterOf(out);
        expect([width, height]).to.deep.equal(size);
      });
    }

    it('are read where they are in a shadow', async () => {
      const { data, info } = await sharp(await imageOf('png', letter))
        .toColourspace('b-w')
        .raw()
        .toBuffer({ resolveWithObject: true });
      const { width, height, channels } = info;
      const dark = Uint8Array.from({ length: width * height }, (_, at) => {
        const light = Math.min(1, 0.15 + (1.4 * (at % width)) / width);
        return Math.round((data[at * channels] ?? 0) * light);
      });
      const png = sharp(dark, { raw: { width, height, channels: 1 } }).withMetadata({
        density: 150,
      });
      const { pages } = await work(await png.png().toBuffer(), 'image/png');
      expect(pages[0]?.text.trim().split('\n')).to.deep.equal(letter);
    });

    it('keep the pixels of a JPEG as they are coded, but not its location', async () => {
      const jpeg = await imageOf('jpeg', letter);
      const photo = await sharp(jpeg).withExif(cameraExif).jpeg({ quality: 80 }).toBuffer();
      expect(placeBytes.some((bytes) => photo.includes(bytes))).to.equal(true);
      const { pdf: out } = await work(photo, 'image/jpeg');
      const scan = photo.subarray(photo.lastIndexOf(Buffer.from([0xff, 0xda])));
      expect(out.includes(scan)).to.equal(true);
      for (const bytes of [...placeBytes, 'SECRETPLACE', 'ACME', 'Some Body']) {
        expect(out.includes(bytes), String(bytes)).to.equal(false);
      }
    });

    it('become one page for each page of a TIFF', async () => {
      const tiff = await multiPageTiff([letter, second, letter]);
      const { pages, pdf: out } = await work(tiff, 'image/tiff');
      expect(pages).to.have.length(3);
      const texts = await textOf(out);
      expect(texts.map((text) => text.trim().split('\n'))).to.deep.equal([letter, second, letter]);
    });
  });

  describe('text outputs', () => {
    it('separate pages with a form feed, and list words with boxes', async () => {
      const { pagesFile } = await work(await scannedPdf([letter, second], { rotation: 90 }), pdf);
      const outPath = await store(Buffer.alloc(0));
      expect(await engines.assembleText({ pagesFile, outPath }, callOptions)).to.include({
        pages: 2,
      });
      const text = await readFile(outPath, 'utf8');
      expect(text).to.equal(`${letter.join('\n')}\n\f${second.join('\n')}\n`);
      await engines.assembleWords({ pagesFile, outPath }, callOptions);
      const words = JSON.parse(await readFile(outPath, 'utf8'));
      expect(words.pages).to.have.length(2);
      // Upright, as the searchable PDF shows it.
      expect(words.pages[0].width).to.be.closeTo(pageWidth, 0.5);
      expect(words.pages[0].words[0].text).to.equal('The');
      expect(words.pages[0].words[0].box[0]).to.be.closeTo(40, 2);
    });
  });

  describe('hostile and odd input', () => {
    const expectFailure = async (bytes: Uint8Array, mime: string, code: string) => {
      const source = { path: await store(bytes), mime };
      const error = await failure(engines.inspect(source, callOptions));
      expect(error.code).to.equal(code);
      const same = await failure(engines.summarise(source, callOptions));
      expect(same.code).to.equal(code);
      expect(error.message).not.to.include(folder);
      expect(error.message).to.match(/^[A-Z][^\n]*\.$/);
    };

    it('asks for the password to be removed', async () => {
      await expectFailure(await encryptedPdf(letter, { user: 'u', owner: 'o' }), pdf, 'encrypted');
    });

    it('opens a PDF with only an owner password and writes it without restrictions', async () => {
      const { pdf: out } = await work(await encryptedPdf(letter, { user: '', owner: 'o' }), pdf);
      expect((await textOf(out))[0]?.trim().split('\n')).to.deep.equal(letter);
      expect(out.includes('/Encrypt')).to.equal(false);
    });

    it('reads a truncated PDF as far as possible and rejects one without pages', async () => {
      const whole = await bornDigitalPdf([letter]);
      await expectFailure(whole.subarray(0, 200), pdf, 'damaged');
      const handmade = handmadePdf('BT /F1 20 Tf 50 300 Td (Still readable) Tj ET');
      const cut = Buffer.concat([
        handmade.subarray(0, handmade.indexOf('xref')),
        handmade.subarray(handmade.indexOf('trailer')),
      ]);
      const inspection = await engines.inspect({ path: await store(cut), mime: pdf }, callOptions);
      expect(inspection).to.include({ repaired: true });
      const summary = await engines.summarise({ path: await store(cut), mime: pdf }, callOptions);
      expect(summary).to.deep.equal({ pageCount: 1, signed: false, repaired: true });
      expect(inspection.pages[0]).to.include({ hasText: true, characters: 13 });
    });

    it('rejects files of another type than declared', async () => {
      await expectFailure(Buffer.from('<svg xmlns="x"/>'), 'image/png', 'unsupported');
      await expectFailure(Buffer.from('<svg xmlns="x"/>'), 'image/svg+xml', 'unsupported');
      await expectFailure(Buffer.from('hello'), pdf, 'damaged');
      await expectFailure(Buffer.alloc(0), pdf, 'empty');
      await expectFailure(
        Buffer.from('\x89PNG\r\n\x1a\n garbage', 'latin1'),
        'image/png',
        'damaged',
      );
    });

    it('reports which page of an image is damaged, and keeps the child', async () => {
      const png = await imageOf('png', letter);
      const path = await store(png.subarray(0, png.length / 2));
      const error = await failure(
        engines.recognisePage({ path, mime: 'image/png', page: 1 }, callOptions),
      );
      expect(error.code).to.equal('damaged');
    });

    it('renders a huge page at a lower resolution instead of running out of memory', async () => {
      const huge = handmadePdf('0 g 1000 7000 12000 60 re f', { mediaBox: '0 0 14400 14400' });
      const { pages } = await work(huge, pdf);
      expect(pages[0]).to.include({ state: 'recognised', widthPt: 14400 });
    });

    it('rejects an oversized page only when it is processed', async () => {
      const path = await store(handmadePdf('', { mediaBox: '0 0 1000000 1000000' }));
      const { pages } = await engines.inspect({ path, mime: pdf }, callOptions);
      expect(pages).to.have.length(1);
      const { pageCount } = await engines.summarise({ path, mime: pdf }, callOptions);
      expect(pageCount).to.equal(1);
      const error = await failure(engines.recognisePage({ path, mime: pdf, page: 1 }, callOptions));
      expect(error.code).to.equal('too_large');
    });

    it('finds nothing on an empty page and keeps the page', async () => {
      const source = handmadePdf('');
      const { pages, pdf: out } = await work(source, pdf);
      expect(pages[0]).to.include({ blank: true, characters: 0, text: '' });
      expect(out.equals(source)).to.equal(true);
    });

    it('rejects a page that does not exist and an unknown language', async () => {
      const path = await store(await bornDigitalPdf([letter]));
      const ask = (options: Partial<RecogniseRequest>) =>
        failure(engines.recognisePage({ path, mime: pdf, page: 1, ...options }, callOptions));
      expect((await ask({ page: 2 })).code).to.equal('page_not_found');
      const missing = await ask({ languages: ['xyz'] });
      expect(missing.code).to.equal('language_unavailable');
      expect(missing.message).to.match(/Available: .*eng/);
      expect((await ask({ languages: ['../eng'] })).code).to.equal('invalid_argument');
      expect((await ask({ languages: [] })).code).to.equal('invalid_argument');
    });

    it('keeps the content of a page with unbalanced q and Q', async () => {
      const stroke = '1 0 0 rg 2 0 0 2 30 30 cm 20 20 100 60 re f';
      for (const content of [`q ${stroke}`, `q 0 1 0 rg Q Q Q ${stroke} Q 5 5 30 30 re f`]) {
        const source = handmadePdf(content);
        const path = await store(source);
        const page = await engines.recognisePage({ path, mime: pdf, page: 1 }, callOptions);
        const lines = [
          { origin: [50, 100], angle: 0, size: 12, paragraph: true },
        ] satisfies PageResult['lines'];
        const words = [
          { text: 'hello', box: [50, 90, 90, 100], confidence: 1, line: 0, source: 'ocr' },
        ] satisfies PageResult['words'];
        const pagesFile = await store(
          Buffer.from(JSON.stringify({ ...page, treatment: 'add', lines, words })),
        );
        const outPath = `${path}.out`;
        await engines.assembleSearchablePdf({ path, mime: pdf, pagesFile, outPath }, callOptions);
        const out = await readFile(outPath);
        expect((await rasterOf(out)).data).to.deep.equal((await rasterOf(source)).data);
        expect((await textOf(out))[0]?.trim()).to.equal('hello');
        const { pages } = await work(out, pdf);
        expect(pages[0]?.words[0]?.box[0]).to.be.closeTo(50, 0.5);
      }
    });

    it('writes characters of every plane and direction', async () => {
      const source = handmadePdf('');
      const path = await store(source);
      const page = await engines.recognisePage({ path, mime: pdf, page: 1 }, callOptions);
      const texts = ['Straße', '日本語', '𝒜𝓑🙂', 'שלום', 'مرحبا'];
      const lines: PageResult['lines'] = texts.map((_, index) => ({
        origin: [50, 100 + index * 40],
        angle: 0,
        size: 12,
        paragraph: true,
      }));
      const words: PageResult['words'] = texts.map((text, index) => ({
        text,
        box: [50, 90 + index * 40, 120, 100 + index * 40],
        confidence: 1,
        line: index,
        source: 'ocr',
      }));
      const pagesFile = await store(
        Buffer.from(JSON.stringify({ ...page, treatment: 'add', lines, words })),
      );
      const outPath = `${path}.out`;
      await engines.assembleSearchablePdf({ path, mime: pdf, pagesFile, outPath }, callOptions);
      const read = (await textOf(await readFile(outPath)))[0]?.trim().split('\n');
      expect(read).to.deep.equal(texts);
    });
  });

  it('ends a page at its deadline and processes the next', async () => {
    const path = await store(await scannedPdf([letter]));
    const request = { path, mime: pdf, page: 1 };
    const error = await failure(engines.recognisePage(request, { ...callOptions, deadlineMs: 1 }));
    expect(error).to.include({ code: 'deadline_exceeded', retryable: true });
    expect(await engines.recognisePage(request, callOptions)).to.include({ state: 'recognised' });
  });

  it('stops when cancelled', async () => {
    const path = await store(await scannedPdf([letter]));
    const abort = new AbortController();
    const work_ = engines.recognisePage(
      { path, mime: pdf, page: 1 },
      { ...callOptions, signal: abort.signal },
    );
    const error = failure(work_);
    abort.abort();
    expect((await error).code).to.equal('cancelled');
  });
});
