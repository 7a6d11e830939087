import { Readable } from 'node:stream';
import { expect } from 'chai';
import { strToU8, zipSync } from 'fflate';
import { sniff } from '../../../src/library/files/sniff.ts';
import { certainFacts, readTypeAndTraits } from '../../../src/library/files/traits.ts';

const ooxml = 'application/vnd.openxmlformats-officedocument';
const kinds = {
  docx: `${ooxml}.wordprocessingml.document`,
  xlsx: `${ooxml}.spreadsheetml.sheet`,
  pptx: `${ooxml}.presentationml.presentation`,
};
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const rels = (target: string, type = office): string =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/><Relationship Id="b" Type="${type}/officeDocument" Target="${target}"/></Relationships>`;
const override = (part: string, type: string): string =>
  `<Override PartName="/${part}" ContentType="${type}"/>`;
const types = (...entries: string[]): string =>
  `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/>${entries.join('')}</Types>`;

type Files = Record<string, string | Uint8Array>;
const zip = (files: Files, level: 0 | 6 = 6): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, data]) => [
          name,
          typeof data === 'string' ? strToU8(data) : data,
        ]),
      ),
      { level },
    ),
  );

/** Bytes that deflate does not make smaller. */
function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state >> 16;
  });
}

/** The type that an upload of these bytes gets, and how many of them were read for it. */
async function typed(bytes: Buffer) {
  const hints = { bytes: bytes.length };
  const sniffed = sniff(bytes.subarray(0, 65_536), hints);
  let read = 0;
  const found = await readTypeAndTraits(sniffed, hints, async (range) => {
    const piece = range ? bytes.subarray(range.start, range.end + 1) : bytes;
    read += piece.length;
    return Readable.from([piece]);
  });
  return { ...found, read, certain: certainFacts(sniffed) };
}

const padded = (files: Files): Files => ({ 'media/picture.bin': noise(200_000), ...files });

describe('the type of a ZIP file', () => {
  const presentation = {
    '[Content_Types].xml': types(
      '<Default Extension="xlsx" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"/>',
      override('ppt/presentation.xml', `${kinds.pptx}.main+xml`),
    ),
    '_rels/.rels': rels('ppt/presentation.xml'),
    'ppt/presentation.xml': '<p/>',
    'ppt/embeddings/book.xlsx': 'PK',
    'ppt/embeddings/letter.docx': 'PK',
  };
  const cases: [string, Files, string][] = [
    ['a presentation with a workbook and a document in it', presentation, kinds.pptx],
    [
      'a document with a workbook in it, its types in another order',
      {
        '_rels/.rels': rels('/word/document.xml'),
        '[Content_Types].xml': types(
          override('word/embeddings/a.xlsx', kinds.xlsx),
          override('word/charts/chart1.xml', `${ooxml}.drawingml.chart+xml`),
          override('word/document.xml', `${kinds.docx}.main+xml`),
        ),
        'xl/a': 'x',
      },
      kinds.docx,
    ],
    [
      'a document whose main part has another name, in the strict form',
      {
        '[Content_Types].xml': types(override('Main.XML', `${kinds.docx}.main+xml`)),
        '_rels/.rels': rels('main.xml', 'http://purl.oclc.org/ooxml/officeDocument/relationships'),
        'xl/a': 'x',
      },
      kinds.docx,
    ],
    [
      'a workbook whose part has its type by extension, with single quotes',
      {
        '[Content_Types].xml': `<ct:Types xmlns:ct="x"><ct:Default Extension='xml' ContentType='${kinds.xlsx}.main+xml'/></ct:Types>`,
        '_rels/.rels': rels('xl/workbook.xml').replaceAll('"', "'"),
        'word/a': 'x',
      },
      kinds.xlsx,
    ],
    [
      'a template of OpenDocument whose type is compressed and last',
      {
        'content.xml': '<a/>',
        mimetype: 'application/vnd.oasis.opendocument.spreadsheet-template',
      },
      'application/vnd.oasis.opendocument.spreadsheet',
    ],
    [
      'a text that declares its type only in its manifest',
      {
        'content.xml': '<a/>',
        'META-INF/manifest.xml':
          '<manifest:manifest><manifest:file-entry manifest:media-type="application/vnd.oasis.opendocument.text" manifest:full-path="/"/></manifest:manifest>',
      },
      'application/vnd.oasis.opendocument.text',
    ],
    ['a book without a type', { 'META-INF/container.xml': '<a/>' }, 'application/epub+zip'],
    ['an archive of Office files', { 'word/letter.docx': 'PK', 'a.xlsx': 'PK' }, 'application/zip'],
  ];
  for (const [what, files, mime] of cases) {
    it(`is ${mime} for ${what}`, async () => {
      expect(sniff(zip(files)).mime).to.equal(mime);
      const large = await typed(zip(padded(files)));
      expect(large).to.deep.include({ mime, traits: [] });
      expect(large.read).to.be.below(2 ** 20);
    });
  }

  it('is found at the end of a large file, of which nothing is certain before', async () => {
    const files = {
      'docProps/app.xml': 'x',
      'word/media/picture.bin': noise(300_000),
      'word/document.xml': '<w/>',
      '_rels/.rels': rels('word/document.xml'),
      '[Content_Types].xml': types(override('word/document.xml', `${kinds.docx}.main+xml`)),
    };
    const found = await typed(zip(files, 0));
    expect(found).to.deep.include({ mime: kinds.docx, traits: [], certain: {} });
  });

  it('shows macros and programs, wherever they are in the file', async () => {
    const macros = await typed(zip(padded({ ...presentation, 'ppt/vbaProject.bin': 'x' })));
    expect(macros).to.deep.include({
      mime: 'application/vnd.ms-powerpoint.presentation.macroEnabled.12',
      traits: ['scripted'],
    });
    for (const name of ['AndroidManifest.xml', 'META-INF/MANIFEST.MF']) {
      expect((await typed(zip(padded({ [name]: 'x' })))).traits).to.deep.equal(['executable']);
    }
  });

  it('is that of its first entries if it is cut off', async () => {
    const files = {
      '[Content_Types].xml': types(override('word/document.xml', `${kinds.docx}.main+xml`)),
      '_rels/.rels': rels('word/document.xml'),
      'word/document.xml': noise(100_000),
    };
    const bytes = zip(files);
    expect((await typed(bytes.subarray(0, 90_000))).mime).to.equal(kinds.docx);
  });

  it('is found in bounded time and memory, whatever the directory says', async () => {
    const bytes = zip(padded(presentation));
    const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
    for (const [at, value] of [
      [12, 0xffffffff],
      [16, 0xfffffff0],
      [16, 0],
      [10, 0xffff],
    ] as const) {
      const broken = Buffer.from(bytes);
      if (at === 10) broken.writeUInt16LE(value, end + at);
      else broken.writeUInt32LE(value, end + at);
      const found = await typed(broken);
      expect(found.read).to.be.below(2 ** 20);
      expect(found.mime).to.match(/^application\//);
    }
  });
});
