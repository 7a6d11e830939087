import { expect } from 'chai';
import { unzipSync, type Zippable, zipSync } from 'fflate';
import { checkOutput } from '../../../../packages/documents/src/redact/kinds/checks.ts';
import { docxKind } from '../../../../packages/documents/src/redact/kinds/docx/kind.ts';
import { epubKind } from '../../../../packages/documents/src/redact/kinds/epub/kind.ts';
import { htmlKind } from '../../../../packages/documents/src/redact/kinds/html/kind.ts';
import type { RedactableKind } from '../../../../packages/documents/src/redact/kinds/kind.ts';
import { odsKind, odtKind } from '../../../../packages/documents/src/redact/kinds/odf/kind.ts';
import {
  markdownKind,
  textKind,
} from '../../../../packages/documents/src/redact/kinds/plain/kinds.ts';
import { pptxKind } from '../../../../packages/documents/src/redact/kinds/pptx/kind.ts';
import { xlsxKind } from '../../../../packages/documents/src/redact/kinds/xlsx/kind.ts';
import { epub } from '../../../support/books.ts';
import { docx, paragraph, run, xlsx } from '../../../support/office.ts';
import { openDocument, sheet, tableCell, textParagraph } from '../../../support/open-document.ts';
import { createNameDetector, redactBytes } from '../../../support/redact-kinds.ts';
import { deck, textShape } from '../../../support/slides.ts';

const name = 'Mara Quellwasser';
const detector = createNameDetector(name);

/** The checks that fail on an output in which something was left. */
function failures(kind: RedactableKind, output: Uint8Array | string): string[] {
  const bytes = Buffer.from(output);
  const open = () => ({
    reading: kind.read(bytes),
    texts: kind.textsOf(bytes),
    disallowed: kind.disallowedIn(bytes),
  });
  return checkOutput(open, [{ type: 'PERSON', value: name }], detector)
    .filter(({ passed }) => !passed)
    .map((check) => {
      expect(check.detail).to.not.match(/Mara|Quellwasser/i);
      return check.name;
    });
}

/** An output with one part changed or added. */
const spoilt = (output: Uint8Array, part: string, change: (xml: string) => string): Uint8Array => {
  const parts = unzipSync(output);
  const xml = Buffer.from(parts[part] ?? '').toString();
  const files = Object.entries({ ...parts, [part]: Buffer.from(change(xml)) });
  // The media type is not compressed.
  const stored = files.map(([name, bytes]): [string, Zippable[string]] => [
    name,
    name === 'mimetype' ? [bytes, { level: 0 }] : bytes,
  ]);
  return zipSync(Object.fromEntries(stored), { level: 6, mtime: new Date(1980, 0, 1, 12) });
};

describe('checks of files redacted in their own format', () => {
  let document: Uint8Array;
  let workbook: Uint8Array;
  let slides: Uint8Array;
  let text: Uint8Array;
  let sheets: Uint8Array;
  let book: Uint8Array;
  before(async () => {
    document = (await redactBytes('docx', docx(paragraph(run(name))), detector)).output!;
    const rows = `<row r="1"><c r="A1" t="inlineStr"><is><t>${name}</t></is></c></row>`;
    workbook = (await redactBytes('xlsx', xlsx({ One: { rows } }), detector)).output!;
    book = (await redactBytes('epub', epub(`<p>${name}</p>`), detector)).output!;
    text = (await redactBytes('odt', openDocument('odt', textParagraph(name)), detector)).output!;
    const table = sheet('One', tableCell(name));
    sheets = (await redactBytes('ods', openDocument('ods', table), detector)).output!;
    slides = (await redactBytes('pptx', deck(textShape([[name]])), detector)).output!;
  });

  it('pass a redacted file', () => {
    expect(failures(docxKind, document)).to.deep.equal([]);
    expect(failures(xlsxKind, workbook)).to.deep.equal([]);
    expect(failures(pptxKind, slides)).to.deep.equal([]);
    expect(failures(odtKind, text)).to.deep.equal([]);
    expect(failures(epubKind, book)).to.deep.equal([]);
    expect(failures(odsKind, sheets)).to.deep.equal([]);
    expect(failures(textKind, 'On [PERSON]')).to.deep.equal([]);
  });

  const left: Record<string, [RedactableKind, () => Uint8Array | string, string[]]> = {
    'text left': [textKind, () => `a ${name}`, ['strings', 'detector']],
    'text in capitals': [textKind, () => 'a MARA-QUELLWASSER', ['strings']],
    'text backwards': [textKind, () => 'ressawlleuQ araM', ['strings']],
    'percent signs': [markdownKind, () => '[a](b/%4dara%20Quellwasser)', ['strings', 'detector']],
    'a comment in HTML': [htmlKind, () => '<p>x<!-- y -->', ['structure']],
    'a script': [htmlKind, () => '<script>1</script>', ['structure']],
    'a handler': [htmlKind, () => '<p onclick="x">y', ['structure']],
    'an attribute in HTML': [htmlKind, () => `<p title="${name}">y`, ['strings', 'detector']],
    'an unknown attribute': [htmlKind, () => '<p secret="mara_quellwasser">y', ['strings']],
    'base64 in an attribute': [
      htmlKind,
      () => `<p data-a="${Buffer.from(name).toString('base64')}">y`,
      ['strings'],
    ],
    'a file that is not an archive': [docxKind, () => 'x', ['reopened']],
    'bytes behind an archive': [
      docxKind,
      () => Buffer.concat([document, Buffer.from(name)]),
      ['structure'],
    ],
    'text over runs': [
      docxKind,
      () =>
        spoilt(document, 'word/document.xml', (xml) =>
          xml.replace('[PERSON]', 'Mara Quell</w:t></w:r><w:r><w:t>wasser'),
        ),
      ['strings', 'detector'],
    ],
    'an attribute': [
      docxKind,
      () =>
        spoilt(document, 'word/document.xml', (xml) =>
          xml.replace('<w:p>', '<w:p w:x="MaraQuellwasser">'),
        ),
      ['strings'],
    ],
    'a deletion': [
      docxKind,
      () => spoilt(document, 'word/document.xml', (xml) => xml.replace('<w:p>', '<w:p><w:del/>')),
      ['structure'],
    ],
    'a part that is not listed': [
      docxKind,
      () => spoilt(document, 'word/comments.xml', () => '<a/>'),
      ['structure'],
    ],
    'a part’s name': [
      docxKind,
      () => spoilt(document, 'word/Mara Quellwasser.xml', () => '<a/>'),
      ['structure', 'strings'],
    ],
    'a number as a string': [
      xlsxKind,
      () => spoilt(workbook, 'xl/worksheets/sheet1.xml', (xml) => xml.replace('[PERSON]', name)),
      ['strings', 'detector'],
    ],
    'text over runs of a slide': [
      pptxKind,
      () =>
        spoilt(slides, 'ppt/slides/slide1.xml', (xml) =>
          xml.replace('[PERSON]', 'Mara Quell</a:t></a:r><a:r><a:t>wasser'),
        ),
      ['strings', 'detector'],
    ],
    'an animation': [
      pptxKind,
      () =>
        spoilt(slides, 'ppt/slides/slide1.xml', (xml) =>
          xml.replace('</p:cSld>', '</p:cSld><p:timing/>'),
        ),
      ['structure'],
    ],
    'comments on a slide': [
      pptxKind,
      () => spoilt(slides, 'ppt/comments/comment1.xml', () => '<a/>'),
      ['structure'],
    ],
    'text over spans': [
      odtKind,
      () =>
        spoilt(text, 'content.xml', (xml) =>
          xml.replace('[PERSON]', 'Mara Quell<text:span>wasser</text:span>'),
        ),
      ['strings', 'detector'],
    ],
    'a name of a style': [
      odtKind,
      () =>
        spoilt(text, 'content.xml', (xml) =>
          xml.replace('<text:p>', '<text:p text:style-name="To_20_Mara_20_Quellwasser">'),
        ),
      ['strings'],
    ],
    'a comment in OpenDocument': [
      odtKind,
      () =>
        spoilt(text, 'content.xml', (xml) =>
          xml.replace('<text:p>', '<text:p><office:annotation/>'),
        ),
      ['structure'],
    ],
    properties: [odtKind, () => spoilt(text, 'meta.xml', () => '<a/>'), ['structure']],
    'a picture in OpenDocument': [
      odtKind,
      () => spoilt(text, 'Pictures/image1.png', () => '<a/>'),
      ['structure'],
    ],
    'another media type': [
      odtKind,
      () => spoilt(text, 'mimetype', (type) => `${type}-template`),
      ['structure'],
    ],
    'a stored value of a cell': [
      odsKind,
      () =>
        spoilt(sheets, 'content.xml', (xml) =>
          xml.replace(
            'office:value-type="string"',
            `office:value-type="string" office:string-value="${name}"`,
          ),
        ),
      ['strings', 'detector'],
    ],
    'a filter': [
      odsKind,
      () =>
        spoilt(sheets, 'content.xml', (xml) =>
          xml.replace('</office:spreadsheet>', '<table:database-ranges/></office:spreadsheet>'),
        ),
      ['structure'],
    ],
    'text over elements of a chapter': [
      epubKind,
      () =>
        spoilt(book, 'chapter1.xhtml', (xml) => xml.replace('[PERSON]', 'Mara Quell<b>wasser</b>')),
      ['strings', 'detector'],
    ],
    'an author of a book': [
      epubKind,
      () => spoilt(book, 'book.opf', (xml) => xml.replace('<meta ', '<dc:creator/><meta ')),
      ['structure'],
    ],
    'a script of a book': [
      epubKind,
      () => spoilt(book, 'chapter1.xhtml', (xml) => xml.replace('<p>', '<script/><p>')),
      ['structure'],
    ],
    'a file of a book': [epubKind, () => spoilt(book, 'toc.ncx', () => '<ncx/>'), ['structure']],
    'another picture than the placeholder': [
      pptxKind,
      () => spoilt(slides, 'ppt/media/image1.png', () => '<a/>'),
      ['structure'],
    ],
    'an unknown namespace': [
      xlsxKind,
      () =>
        spoilt(workbook, 'xl/worksheets/sheet1.xml', (xml) =>
          xml.replace('<sheetData>', '<sheetData xmlns:e="http://e.example/"><e:f/>'),
        ),
      ['structure'],
    ],
  };
  for (const [what, [kind, make, wanted]] of Object.entries(left)) {
    it(`catch ${what}`, () => {
      expect(failures(kind, make())).to.deep.equal(wanted);
    });
  }

  it('do not mistake marks for values', async () => {
    const { output } = await redactBytes('text', 'PERSON was here', () => [
      { type: 'ORGANIZATION', start: 0, end: 6, score: 1 },
    ]);
    expect(output?.toString()).to.equal('[ORGANIZATION] was here');
  });
});
