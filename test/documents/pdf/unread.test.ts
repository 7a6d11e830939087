import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { openPdf, withPage } from '../../../packages/documents/src/pdf/pdfium.ts';
import { unreadKindsOnPage } from '../../../packages/documents/src/pdf/unread.ts';

describe('content of a PDF page that is not read', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'unread-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function unread(build: (source: PDFDocument) => void | Promise<void>): Promise<string[]> {
    const source = await PDFDocument.create();
    source.addPage([400, 300]).drawText('Body', { x: 50, y: 100 });
    await build(source);
    const path = join(folder, 'file.pdf');
    await writeFile(path, await source.save());
    const document = await openPdf(path);
    try {
      return await withPage(document, 1, (page) => unreadKindsOnPage(document, page));
    } finally {
      document.close();
    }
  }
  const annotated = (Subtype: string, contents = '', F = 4) =>
    unread((source) => {
      const annotation = source.context.obj({ Type: 'Annot', Subtype, Rect: [10, 10, 60, 30], F });
      if (contents !== '') annotation.set(PDFName.of('Contents'), PDFString.of(contents));
      source.getPage(0).node.addAnnot(source.context.register(annotation));
    });

  // The annotation types of ISO 32000-2, table 171.
  const harmless = [
    'Link',
    'FreeText',
    'Popup',
    'Widget',
    'PrinterMark',
    'TrapNet',
    'Watermark',
    'Redact',
  ];
  const marks =
    `Text Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Caret Stamp
    Ink`.split(/\s+/);
  const reported: Record<string, string> = {
    FileAttachment: 'file attachment annotation',
    Sound: 'sound annotation',
    Movie: 'movie annotation',
    Screen: 'screen annotation',
    '3D': '3D annotation',
    RichMedia: 'rich media annotation',
    Projection: 'unknown annotation',
    SomethingNew: 'unknown annotation',
  };

  it('is reported by the types of annotations, and no others', async () => {
    for (const type of harmless) expect(await annotated(type, 'words'), type).to.deep.equal([]);
    for (const [type, kind] of Object.entries(reported)) {
      expect(await annotated(type)).to.deep.equal([kind]);
    }
  });

  it('is the text of comments, unless they are hidden or empty', async () => {
    for (const type of marks) {
      expect(await annotated(type, 'Is this so?'), type).to.deep.equal(['comments']);
      expect(await annotated(type)).to.deep.equal([]);
      expect(await annotated(type, 'Is this so?', 2)).to.deep.equal([]);
    }
  });

  it('is a file embedded in the document', async () => {
    const embed = (source: PDFDocument) => source.attach(Buffer.from('words'), 'a.txt');
    expect(await unread(embed)).to.deep.equal(['embedded files']);
    expect(await unread(() => undefined)).to.deep.equal([]);
  });
});
