import { EngineError } from '@scriptorium/documents';
import { expect } from 'chai';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { epub } from '../../../support/books.ts';
import { docx, ns, officeFile, paragraph, run, xlsx } from '../../../support/office.ts';
import {
  chartContent,
  openDocument,
  sheet,
  tableCell,
  textParagraph,
} from '../../../support/open-document.ts';
import {
  createNameDetector,
  failedChecks,
  mimes,
  redactBytes,
} from '../../../support/redact-kinds.ts';
import { deck, pptx, textShape } from '../../../support/slides.ts';

const detector = createNameDetector('Mara Quellwasser');

async function refusal(kind: keyof typeof mimes, bytes: Uint8Array | string): Promise<EngineError> {
  try {
    await redactBytes(kind, bytes, detector);
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('nothing was rejected');
}

/** A package whose directory contradicts its first entry. */
function lying(bytes: Uint8Array, change: (directory: Buffer) => void): Uint8Array {
  const file = Buffer.from(bytes);
  change(file.subarray(file.indexOf(Buffer.from('PK\x01\x02', 'latin1'))));
  return file;
}

const good = docx(paragraph(run('x')));
const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
const zeros = new Uint8Array(4 * 2 ** 20);
const nested = (depth: number): string => '<w:p>'.repeat(depth) + '</w:p>'.repeat(depth);

const files: Record<
  string,
  [keyof typeof mimes, () => Uint8Array | string, code: string, says: RegExp]
> = {
  'an empty file': ['text', () => '', 'empty', /empty/],
  'a picture said to be text': [
    'text',
    () => Buffer.from('89504e470d0a1a0a0000000d', 'hex'),
    'unsupported',
    /binary/,
  ],
  'text in UTF-32': ['csv', () => Buffer.from('fffe000041000000', 'hex'), 'unsupported', /UTF-32/],
  'HTML nested without end': ['html', () => '<div>'.repeat(5000), 'too_large', /nested/],
  'HTML of 33 MiB': ['html', () => 'x'.repeat(33 * 2 ** 20), 'too_large', /32 MiB/],
  'more text than can be searched': ['text', () => 'word '.repeat(5e6), 'too_large', /24 million/],
  'text said to be a document': ['docx', () => 'hello', 'unsupported', /not of its declared type/],
  'an archive that is not a document': [
    'docx',
    () => zipSync({ a: strToU8('b') }),
    'unsupported',
    /not of its declared type/,
  ],
  'a workbook said to be a document': [
    'docx',
    () => xlsx({ One: { rows: '' } }),
    'unsupported',
    /not a Word/,
  ],
  'a document said to be a workbook': ['xlsx', () => good, 'unsupported', /not an Excel/],
  'a workbook said to be a presentation': [
    'pptx',
    () => xlsx({ One: { rows: '' } }),
    'unsupported',
    /not a PowerPoint/,
  ],
  'a presentation without slides': ['pptx', () => pptx([]), 'damaged', /no slides/],
  'a presentation of 2001 slides': [
    'pptx',
    () => pptx(Array.from({ length: 2001 }, () => ({ title: 'x', lines: [] }))),
    'too_large',
    /2000 slides/,
  ],
  'a presentation whose slides are missing': [
    'pptx',
    () => {
      const { 'ppt/slides/slide1.xml': _, ...parts } = unzipSync(pptx([{ title: 'x', lines: [] }]));
      return zipSync(parts);
    },
    'damaged',
    /no slides/,
  ],
  'a presentation of an unknown namespace': [
    'pptx',
    () => {
      const parts = unzipSync(deck(''));
      const main = strFromU8(parts['ppt/presentation.xml']!);
      const unknown = main.replace(/xmlns:p="[^"]*"/, 'xmlns:p="http://other.example/"');
      return zipSync({ ...parts, 'ppt/presentation.xml': strToU8(unknown) });
    },
    'damaged',
    /main part/,
  ],
  'shapes nested without end': [
    'pptx',
    () => deck('<p:grpSp>'.repeat(3000) + '</p:grpSp>'.repeat(3000)),
    'too_large',
    /nested/,
  ],
  'half a presentation': ['pptx', () => deck('').subarray(0, 900), 'damaged', /damaged/],
  'an encrypted presentation': [
    'pptx',
    () => Buffer.concat([ole, Buffer.from('EncryptedPackage', 'utf16le')]),
    'encrypted',
    /password/,
  ],
  'a text said to be a workbook': [
    'ods',
    () => openDocument('odt', textParagraph('x')),
    'unsupported',
    /not of its declared type/,
  ],
  'an archive said to be a text': [
    'odt',
    () => zipSync({ a: strToU8('b') }),
    'unsupported',
    /not of its declared type/,
  ],
  'a workbook in OpenDocument without sheets': [
    'ods',
    () => openDocument('ods', ''),
    'damaged',
    /no pages/,
  ],
  'a presentation in OpenDocument without slides': [
    'odp',
    () => openDocument('odp', textParagraph('x')),
    'damaged',
    /no pages/,
  ],
  'a workbook in OpenDocument of 2001 sheets': [
    'ods',
    () => openDocument('ods', sheet('x').repeat(2001)),
    'too_large',
    /2000 pages/,
  ],
  'an encrypted text': [
    'odt',
    () =>
      openDocument('odt', '', {
        parts: {
          'META-INF/manifest.xml':
            '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry m:full-path="content.xml"><m:encryption-data/></m:file-entry></m:manifest>',
          'content.xml': 'not XML',
        },
      }),
    'encrypted',
    /password/,
  ],
  'half a text': ['odt', () => openDocument('odt', '').subarray(0, 700), 'damaged', /damaged/],
  'frames nested without end': [
    'odt',
    () => openDocument('odt', '<draw:frame>'.repeat(3000) + '</draw:frame>'.repeat(3000)),
    'too_large',
    /nested/,
  ],
  'an archive said to be a book': [
    'epub',
    () => zipSync({ a: strToU8('b') }),
    'unsupported',
    /not an EPUB/,
  ],
  'a book without chapters': [
    'epub',
    () => epub('', { parts: { 'OPS/one.xhtml': '', 'OPS/two b.xhtml': '' } }),
    'damaged',
    /no chapters/,
  ],
  'an encrypted book': [
    'epub',
    () =>
      epub('', {
        parts: {
          'META-INF/encryption.xml':
            '<encryption><CipherReference URI="OPS/one.xhtml"/></encryption>',
        },
      }),
    'encrypted',
    /encrypted/,
  ],
  'a chapter nested without end': ['epub', () => epub('<div>'.repeat(5000)), 'too_large', /nested/],
  'half a book': ['epub', () => epub('').subarray(0, 700), 'damaged', /damaged/],
  'an old binary document': ['docx', () => ole, 'unsupported', /old binary/],
  'an encrypted document': [
    'docx',
    () => Buffer.concat([ole, Buffer.from('EncryptedPackage', 'utf16le')]),
    'encrypted',
    /password/,
  ],
  'an encrypted entry': [
    'docx',
    () => lying(good, (entry) => entry.writeUInt16LE(1, 8)),
    'encrypted',
    /encrypted/,
  ],
  'half a document': ['docx', () => good.subarray(0, good.length / 2), 'damaged', /damaged/],
  'an entry that unpacks to more than it says': [
    'docx',
    () => lying(zipSync({ a: zeros }), (entry) => entry.writeUInt32LE(10, 24)),
    'damaged',
    /damaged/,
  ],
  'an archive of 448 MiB': [
    'docx',
    () => lying(zipSync({ a: zeros }), (entry) => entry.writeUInt32LE(448 * 2 ** 20, 24)),
    'too_large',
    /384 MiB/,
  ],
  'a wrong checksum': [
    'docx',
    () => lying(good, (entry) => entry.writeUInt32LE(1, 16)),
    'damaged',
    /damaged/,
  ],
  'an entry that leaves the archive': [
    'docx',
    () => zipSync({ '../a': strToU8('b') }),
    'damaged',
    /damaged/,
  ],
  'two entries of one name': [
    'docx',
    () => zipSync({ 'a.xml': strToU8('b'), 'A.xml': strToU8('c') }),
    'damaged',
    /damaged/,
  ],
  'another compression': [
    'docx',
    () => lying(good, (entry) => entry.writeUInt16LE(12, 10)),
    'unsupported',
    /compression method/,
  ],
  'ill-formed XML': ['docx', () => docx('<w:p>'), 'damaged', /well-formed/],
  'a document type with entities': [
    'docx',
    () =>
      officeFile({
        '': { body: '', rels: { rId1: ['officeDocument', 'a.xml'] } },
        'a.xml': {
          type: `${mimes.docx}.main+xml`,
          body: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
        },
      }),
    'unsupported',
    /Document type definitions/,
  ],
  'XML nested without end': ['docx', () => docx(nested(3000)), 'too_large', /nested/],
  'another main part': [
    'docx',
    () =>
      officeFile({
        '': { body: '', rels: { rId1: ['officeDocument', 'a.xml'] } },
        'a.xml': { type: `${mimes.docx}.main+xml`, body: '<a/>' },
      }),
    'damaged',
    /main part/,
  ],
  'a workbook without sheets': ['xlsx', () => xlsx({}), 'damaged', /no sheets/],
  'a workbook of too much text': [
    'xlsx',
    () =>
      xlsx(
        {
          One: {
            rows: Array.from(
              { length: 300 },
              (_, at) => `<row r="${at + 1}"><c t="s"><v>0</v></c></row>`,
            ).join(''),
          },
        },
        { strings: `<si><t>${'word '.repeat(20_000)}</t></si>` },
      ),
    'too_large',
    /24 million/,
  ],
};

describe('hostile files without pages', () => {
  for (const [what, [kind, make, code, says]] of Object.entries(files)) {
    it(`are rejected: ${what}`, async () => {
      const error = await refusal(kind, make());
      expect(error.code).to.equal(code);
      expect(error.message).to.match(says);
    });
  }

  it('may have circular references between parts, which are followed once', async () => {
    const header = {
      type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml',
      body: '<w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>',
    };
    const file = docx(paragraph(run('x')), {
      rels: {
        rId1: ['header', 'h1.xml'],
        rId2: ['header', '../../../../h1.xml'],
        rId3: ['header', 'nowhere.xml'],
      },
      parts: {
        'word/h1.xml': {
          ...header,
          rels: { rId1: ['header', 'h1.xml'], rId2: ['officeDocument', 'document.xml'] },
        },
      },
    });
    const redacted = await redactBytes('docx', file, detector);
    expect(failedChecks(redacted)).to.deep.equal([]);
  });

  it('may have twenty groups of shapes in each other, and macros', async () => {
    const types = `application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml`;
    const shape = textShape([['Mara ', 'Quellwasser']]);
    const file = unzipSync(deck('<p:grpSp>'.repeat(20) + shape + '</p:grpSp>'.repeat(20)));
    const main = /application[^"]*presentation\.main\+xml/;
    const list = strFromU8(file['[Content_Types].xml']!).replace(main, types);
    const macros = zipSync({ ...file, '[Content_Types].xml': strToU8(list) });
    const { output, ...redacted } = await redactBytes('pptx', macros, detector);
    expect(failedChecks({ output, ...redacted })).to.deep.equal([]);
    expect(redacted.result.pages).to.deep.equal(['[PERSON]\n']);
    const parts = unzipSync(output!);
    expect(strFromU8(parts['[Content_Types].xml']!)).to.match(main).and.not.contain('macro');
    expect(strFromU8(parts['ppt/presentation.xml']!)).to.contain(ns.r);
  });

  it('may have charts that contain each other, and tables and sections twenty deep', async () => {
    const frame = (href: string): string =>
      `<draw:frame><draw:object xlink:href="${href}"/></draw:frame>`;
    const parts = Object.fromEntries(
      Array.from({ length: 3000 }, (_, at) => [
        `Object ${at}/content.xml`,
        chartContent(
          'Mara Quellwasser',
          `<table:table-cell>${frame(`./Object ${at + 1}`)}</table:table-cell>`,
        ),
      ]),
    );
    const wrap = (content: string): string =>
      `<text:section text:name="s"><table:table><table:table-row><table:table-cell>${content}</table:table-cell></table:table-row></table:table></text:section>`;
    let deep = textParagraph('Mara Quell<text:span>wasser</text:span>');
    for (let level = 0; level < 20; level += 1) deep = wrap(deep);
    const body = textParagraph(frame('./Object 0')) + deep;
    const redacted = await redactBytes('odt', openDocument('odt', body, { parts }), detector);
    expect(failedChecks(redacted)).to.deep.equal([]);
    expect(
      Object.keys(unzipSync(redacted.output!)).filter((part) => /^Object/.test(part)),
    ).to.have.length(1);
    expect(redacted.result.pages[0]).to.not.match(/Mara|Quellwasser/);
  });

  it('may repeat cells without end', async () => {
    const times = 'table:number-columns-repeated="16384"';
    const cells =
      tableCell('Mara Quellwasser', times) + tableCell('x', 'table:number-columns-repeated="-7"');
    const row = `<table:table-row table:number-rows-repeated="1048576">${cells}</table:table-row>`;
    const formula = tableCell('Mar', 'table:formula="of:=LEFT([.B9];3)"');
    const body = sheet('One').replace('</table:table>', `${row.repeat(50)}</table:table>`);
    const file = openDocument('ods', body + sheet('Two', formula.replace('[.B9]', '[One.B9]')));
    const redacted = await redactBytes('ods', file, detector);
    expect(failedChecks(redacted)).to.deep.equal([]);
    expect(redacted.result.pages[1]?.trim()).to.equal('[PERSON]');
  });

  it('may have cells with nonsensical attributes', async () => {
    const rows = [
      '<row r="x"><c r="ZZZZ9" t="s"><v>99</v></c><c t="s"><v>x</v></c><c r="A1"/><c t="e"><v>Mara Quellwasser</v></c><c t="b"><v>Mara Quellwasser</v></c></row>',
      '<row><c><v>Mara Quellwasser</v></c><c s="1e9" t="d"><v>Mara</v></c><c><v>1e400</v></c><c t="n"><is><t>Mara Quellwasser</t></is></c></row>',
    ];
    const redacted = await redactBytes('xlsx', xlsx({ One: { rows: rows.join('') } }), detector);
    expect(failedChecks(redacted)).to.deep.equal([]);
    expect(redacted.result.pages[0]).to.not.match(/Mara|Quellwasser/);
  });
});
