import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assembleSearchablePdf } from '@scriptorium/documents/pdf/text-layer';
import type { ArchiveReport } from '@scriptorium/documents/results';
import { expect } from 'chai';
import {
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFPage,
  PDFString,
  StandardFonts,
} from 'pdf-lib';
import sharp from 'sharp';
import { archivalFaults } from '../../../packages/documents/src/pdf/archival/check.ts';
import { isoDate } from '../../../packages/documents/src/pdf/archival/metadata.ts';
import { textOf } from '../../support/samples.ts';

const name = PDFName.of;

type Fault = {
  clause: string;
  what: string;
  add: (document: PDFDocument, page: PDFPage) => unknown;
  /** What becomes of it: the page becomes a picture, something is removed, or it is rewritten. */
  becomes: 'picture' | 'rewritten' | ArchiveReport['removed'][number];
};

/** Draws with operators of the test's own, and resources. */
function draw(page: PDFPage, operators: string, resources: Record<string, object> = {}): void {
  const { context } = page.doc;
  page.node.set(name('Contents'), context.register(context.flateStream(operators)));
  page.node.set(name('Resources'), context.obj(resources as never));
}

function annotate(page: PDFPage, entries: Record<string, unknown>): void {
  const { context } = page.doc;
  const look = context.register(
    context.flateStream('', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 9, 9] }),
  );
  const usual = { Type: 'Annot', Subtype: 'Square', Rect: [9, 9, 18, 18], F: 4, AP: { N: look } };
  page.node.set(name('Annots'), context.obj([{ ...usual, ...entries }] as never));
}

const script = { S: 'JavaScript', JS: PDFString.of('app.alert(1)') };
const flate = (page: PDFPage, text: string | Uint8Array, dict: Record<string, unknown> = {}) =>
  page.doc.context.register(page.doc.context.flateStream(text, dict as never));

const faults: Fault[] = [
  {
    clause: '6.1.3',
    what: 'no identifier',
    add: (document) => delete document.context.trailerInfo.ID,
    becomes: 'rewritten',
  },
  {
    clause: '6.1.7',
    what: 'LZW compression',
    add: (document, page) => {
      // "q" and "Q", between the codes that clear the table and end the data.
      const lzw = document.context.stream(Buffer.from('801C44051808', 'hex'), {
        Filter: 'LZWDecode',
      });
      page.node.set(name('Contents'), document.context.register(lzw));
    },
    becomes: 'rewritten',
  },
  {
    clause: '6.1.12',
    what: 'permissions',
    add: ({ catalog, context }) => catalog.set(name('Perms'), context.obj({})),
    becomes: 'rewritten',
  },
  {
    clause: '6.1.13',
    what: 'states that nest too deep',
    add: (_document, page) => draw(page, `${'q '.repeat(40)}${'Q '.repeat(40)}`),
    becomes: 'picture',
  },
  {
    clause: '6.2.2',
    what: 'operators that PDF does not define',
    add: (_document, page) => draw(page, '0 0 m 9 9 l S xyz'),
    becomes: 'picture',
  },
  {
    clause: '6.2.4.2',
    what: 'a profile of another kind',
    add: (_document, page) => {
      const grey = flate(page, Buffer.alloc(128, 'RGB '), { N: 1 });
      draw(page, '/P cs 0.5 sc 0 0 9 9 re f', { ColorSpace: { P: ['ICCBased', grey] } });
    },
    becomes: 'picture',
  },
  {
    clause: '6.2.4.3',
    what: 'CMYK without a profile',
    add: (_document, page) => draw(page, '0 0 1 0 k 0 0 9 9 re f'),
    becomes: 'picture',
  },
  {
    clause: '6.2.5',
    what: 'a transfer function',
    add: (_document, page) => draw(page, '/G gs', { ExtGState: { G: { TR: 'Identity' } } }),
    becomes: 'rewritten',
  },
  {
    clause: '6.2.6',
    what: 'an unknown rendering intent',
    add: (_document, page) => draw(page, '/Vivid ri'),
    becomes: 'picture',
  },
  {
    clause: '6.2.8',
    what: 'an interpolated image',
    add: (_document, page) => {
      const image = { Subtype: 'Image', Width: 1, Height: 1, BitsPerComponent: 8 };
      const dict = { ...image, ColorSpace: 'DeviceGray', Interpolate: true };
      draw(page, '/I Do', { XObject: { I: flate(page, Buffer.alloc(1), dict) } });
    },
    becomes: 'rewritten',
  },
  {
    clause: '6.2.9',
    what: 'PostScript',
    add: (_document, page) => {
      draw(page, '/S Do', { XObject: { S: flate(page, 'showpage', { Subtype: 'PS' }) } });
    },
    becomes: 'picture',
  },
  {
    clause: '6.2.10',
    what: 'an unknown blend mode',
    add: (_document, page) => draw(page, '/G gs', { ExtGState: { G: { BM: 'Sparkle' } } }),
    becomes: 'picture',
  },
  {
    clause: '6.2.11',
    what: 'a font that is not embedded',
    add: async (document, page) => {
      page.drawText('Dear reader', { font: await document.embedFont(StandardFonts.Helvetica) });
    },
    becomes: 'picture',
  },
  {
    clause: '6.3.1',
    what: 'a sound',
    add: (_document, page) => annotate(page, { Subtype: 'Sound' }),
    becomes: 'annotations',
  },
  {
    clause: '6.3.2',
    what: 'a hidden annotation',
    add: (_document, page) => annotate(page, { F: 2 }),
    becomes: 'annotations',
  },
  {
    clause: '6.3.3',
    what: 'an annotation without an appearance',
    add: (_document, page) => annotate(page, { AP: {}, C: [1, 0, 0] }),
    becomes: 'rewritten',
  },
  {
    clause: '6.4.1',
    what: 'a dynamic form',
    add: ({ catalog, context }) =>
      catalog.set(name('AcroForm'), context.obj({ Fields: [], XFA: [] } as never)),
    becomes: 'form data',
  },
  {
    clause: '6.5',
    what: 'a script that runs on opening',
    add: ({ catalog, context }) => catalog.set(name('OpenAction'), context.obj(script as never)),
    becomes: 'scripts and actions',
  },
  {
    clause: '6.5.1',
    what: 'a script of an annotation',
    add: (_document, page) => annotate(page, { A: script }),
    becomes: 'scripts and actions',
  },
  {
    clause: '6.5.2',
    what: 'an action of a page',
    add: (document, page) => page.node.set(name('AA'), document.context.obj({})),
    becomes: 'scripts and actions',
  },
  {
    clause: '6.8',
    what: 'an attachment',
    add: (document) => document.attach(Buffer.from('a,b'), 'table.csv'),
    becomes: 'attachments',
  },
  {
    clause: '6.9',
    what: 'layers that change with their use',
    add: ({ catalog, context }) => {
      const layers = { OCGs: [], D: { AS: [] } };
      catalog.set(name('OCProperties'), context.obj(layers as never));
    },
    becomes: 'rewritten',
  },
  {
    clause: '6.10',
    what: 'steps of a presentation',
    add: (document, page) => page.node.set(name('PresSteps'), document.context.obj({})),
    becomes: 'rewritten',
  },
  {
    clause: '6.11',
    what: 'requirements',
    add: ({ catalog, context }) => catalog.set(name('Requirements'), context.obj([])),
    becomes: 'rewritten',
  },
];

describe('PDF/A-2b', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archival-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function archive(bytes: Uint8Array, mime = 'application/pdf') {
    const [path, pagesFile, outPath] = ['in', 'pages', 'out'].map((file) => join(folder, file));
    if (!path || !pagesFile || !outPath) throw new Error('no path');
    await writeFile(path, bytes);
    await writeFile(pagesFile, '');
    const request = { path, mime, pagesFile, outPath, empty: [], pdfa: true };
    const { archived } = await assembleSearchablePdf(request);
    return { archived: archived ?? { pictures: [], removed: [] }, out: await readFile(outPath) };
  }

  async function withFault(add: Fault['add']): Promise<Buffer> {
    const document = await PDFDocument.create({ updateMetadata: false });
    await add(document, document.addPage([200, 200]));
    return Buffer.from(await document.save({ addDefaultPage: false }));
  }

  for (const { clause, what, add, becomes } of faults) {
    it(`${clause} does not allow ${what}, which becomes ${becomes}`, async () => {
      const source = await withFault(add);
      const own = await archivalFaults(source);
      expect(own.some((fault) => fault.startsWith(`${clause}:`))).to.equal(true, own.join('; '));
      const { archived, out } = await archive(source);
      expect(await archivalFaults(out)).to.deep.equal([]);
      const { pictures, removed } = archived;
      expect(pictures.map(({ page }) => page)).to.deep.equal(becomes === 'picture' ? [1] : []);
      const isRemoved = becomes !== 'picture' && becomes !== 'rewritten';
      expect(removed).to.deep.equal(isRemoved ? [becomes] : []);
    });
  }

  it('keeps the words of a page that becomes a picture', async () => {
    const source = await withFault(async (document, page) => {
      const font = await document.embedFont(StandardFonts.TimesRoman);
      page.drawText('The quick brown fox', { x: 20, y: 100, size: 12, font });
    });
    const { out } = await archive(source);
    expect((await textOf(out)).join('')).to.include('The quick brown fox');
  });

  it('needs no font for text that is not drawn', async () => {
    const source = await withFault((_document, page) => {
      const font = { Type: 'Font', Subtype: 'Type1', BaseFont: 'Courier' };
      draw(page, 'BT 3 Tr /F 9 Tf 20 20 Td (hidden) Tj ET', { Font: { F: font } });
    });
    expect((await archive(source)).archived.pictures).to.deep.equal([]);
  });

  it('keeps what a document says about itself, twice and in agreement', async () => {
    const source = await withFault((document) => {
      document.setTitle('Minutes <1> & others');
      document.setAuthor('R. Ito');
      document.setCreationDate(new Date(Date.UTC(2024, 1, 29, 12, 0, 0)));
      const info = document.context.lookup(document.context.trailerInfo.Info);
      expect(info).to.not.equal(undefined);
    });
    const { out } = await archive(source);
    const written = await PDFDocument.load(out, { updateMetadata: false });
    expect(written.getTitle()).to.equal('Minutes <1> & others');
    const xmp = out.toString('utf8');
    expect(xmp).to.include('<rdf:li xml:lang="x-default">Minutes &lt;1&gt; &amp; others</rdf:li>');
    expect(xmp).to.include('<xmp:CreateDate>2024-02-29T12:00:00Z</xmp:CreateDate>');
  });

  it('drops metadata that it cannot say twice', async () => {
    const source = await withFault((document) => {
      document.setTitle('x');
      const info = document.context.lookup(document.context.trailerInfo.Info);
      if (info && 'set' in info) {
        (info as { set: (key: PDFName, value: PDFHexString) => void }).set(
          name('CreationDate'),
          PDFHexString.fromText('last Tuesday'),
        );
      }
    });
    const { out } = await archive(source);
    expect(out.toString('latin1')).to.not.include('CreateDate');
    expect(await archivalFaults(out)).to.deep.equal([]);
  });

  it('turns a CMYK picture into RGB', async () => {
    const jpeg = await sharp({
      create: { width: 40, height: 40, channels: 3, background: '#336699' },
    })
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer();
    const { out } = await archive(jpeg, 'image/jpeg');
    expect(await archivalFaults(out)).to.deep.equal([]);
    expect(out.toString('latin1')).to.not.include('DeviceCMYK');
  });

  it('is the same for the same source', async () => {
    const source = await withFault((_document, page) => draw(page, '0 0 1 0 k 0 0 9 9 re f'));
    const [first, second] = [await archive(source), await archive(source)];
    expect(first.out.equals(second.out)).to.equal(true);
  });

  it('fails for what cannot be repaired, and says why', async () => {
    const source = await withFault((_document, page) =>
      page.node.set(name('Private'), PDFString.of('x'.repeat(40_000))),
    );
    const error = await archive(source).catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'unsupported');
    expect(String(error)).to.include('6.1.13: a value beyond the limits');
  });
});

describe('dates of a PDF', () => {
  const cases: [string, string | undefined][] = [
    ["D:20240131120000+01'00'", '2024-01-31T12:00:00+01:00'],
    ['D:20240131120000Z', '2024-01-31T12:00:00Z'],
    ["D:20240131120000-05'30", '2024-01-31T12:00:00-05:30'],
    ['D:20240131', undefined],
    ['yesterday', undefined],
  ];
  for (const [date, expected] of cases) {
    it(`${date} is ${expected ?? 'left out'}`, () => {
      expect(isoDate(date)).to.equal(expected);
    });
  }
});
