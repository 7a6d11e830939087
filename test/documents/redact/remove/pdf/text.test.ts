import { expect } from 'chai';
import { degrees, PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { Bench, everythingIn, pageOf } from './support.ts';

const at = (x: number, y: number, shown: string): string =>
  `BT /F 12 Tf ${x} ${y} Td ${shown} ET\n`;

describe('text redacted in place', () => {
  const bench = new Bench();
  before(() => bench.open());
  after(() => bench.close());

  it('is gone from the page and its bytes, while neighbouring text keeps its place', async () => {
    const source = await pageOf(
      at(50, 250, '(Dear Secretname, welcome) Tj') +
        at(50, 220, '[(Hello Sec) 40 (ret) -30 (name) 20 (! Bye Secretname.)] TJ') +
        at(50, 190, '(Last is Secretname) Tj'),
    );
    const { report, texts, bytes, before, glyphs } = await bench.redact(source, {
      words: ['Secretname'],
    });
    expect(report.pages).to.have.length(1);
    expect(report.pages[0]).to.include({ treatment: 'redacted', reason: null });
    expect(report.pages[0]?.regions).to.have.length(4);
    expect(texts[0]?.replaceAll(' ', '')).to.equal('Dear,welcomeHello!Bye.Lastis');
    expect(await everythingIn(bytes)).not.to.match(/Sec|ret|name/);
    const comma = (page: typeof before): number =>
      page[0]?.find(({ code }) => code === 0x2c)?.origin[0] ?? Number.NaN;
    expect(comma(glyphs)).to.be.closeTo(comma(before), 0.01);
  });

  it('is gone from nested and shared forms, and stays where the form is drawn elsewhere', async () => {
    const source = await pageOf('q 1 0 0 1 0 100 cm /X Do Q q 1 0 0 1 0 -40 cm /X Do Q', {
      resources: (document) => {
        const { context } = document;
        const font = context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' });
        const form = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 400, 300] };
        const inner = context.register(
          context.flateStream(at(40, 150, '(Inner Secretname here) Tj'), {
            ...form,
            Resources: { Font: { F: font } },
          }),
        );
        const outer = context.register(
          context.flateStream('q 1 0 0 1 10 0 cm /Deep Do Q', {
            ...form,
            Resources: { XObject: { Deep: inner } },
          }),
        );
        return { XObject: { X: outer } };
      },
    });
    const both = await bench.redact(source, { words: ['Secretname'] });
    expect(both.report.pages[0]?.treatment).to.equal('redacted');
    expect(both.texts[0]?.replaceAll(' ', '')).to.equal('InnerhereInnerhere');
    expect(await everythingIn(both.bytes)).not.to.contain('Secretname');
    const [first] = both.report.pages[0]?.regions ?? [];
    const one = await bench.redact(source, { boxes: [{ page: 1, box: first!.box }] });
    expect(one.texts[0]).to.match(/^Inner ?hereInner Secretname here$/);
  });

  for (const rotation of [0, 90, 180, 270]) {
    it(`is gone from a cropped page rotated by ${rotation}°, horizontal and vertical`, async () => {
      const upright = '0 1 -1 0 250 120 Tm (Up Secretname end) Tj';
      const source = await pageOf(
        `${at(120, 200, '(Level Secretname end) Tj')}BT /F 12 Tf ${upright} ET\n`,
        {
          change: (document) => {
            const page = document.getPage(0);
            page.setRotation(degrees(rotation));
            page.setCropBox(100, 80, 250, 200);
          },
        },
      );
      const { report, texts } = await bench.redact(source, {
        words: ['Secretname'],
        style: 'label',
      });
      expect(report.pages[0]?.treatment).to.equal('redacted');
      const rest = texts[0]?.match(/Level|Up|end|\[PERSON\]|\S+?/g)?.sort();
      expect(rest).to.deep.equal(['Level', 'Up', '[PERSON]', '[PERSON]', 'end', 'end']);
      for (const { box } of report.pages[0]?.regions ?? []) {
        const [width, height] = rotation % 180 === 0 ? [250, 200] : [200, 250];
        expect(box[0]).to.be.at.least(0);
        expect(box[1]).to.be.at.least(0);
        expect(box[2]).to.be.at.most(width + 0.01);
        expect(box[3]).to.be.at.most(height + 0.01);
      }
    });
  }

  it('is gone from invisible and hidden layers, off the page and behind marks', async () => {
    const source = await pageOf(
      `${at(50, 250, '3 Tr (Layer Secretname rest) Tj 0 Tr')}` +
        `${at(500, 250, '(Offpage) Tj')}` +
        `/OC /Off BDC ${at(50, 150, '(Hiddenlayer) Tj')} EMC\n` +
        `/Span <</ActualText (Actualtext) /Alt (Alttext) /MCID 0>> BDC ${at(50, 100, '(Shown) Tj')} EMC\n`,
      {
        resources: (document) => {
          const { context, catalog } = document;
          const group = context.register(
            context.obj({ Type: 'OCG', Name: PDFString.of('Layername') }),
          );
          catalog.set(
            PDFName.of('OCProperties'),
            context.obj({ OCGs: [group], D: { OFF: [group] } }),
          );
          return { Properties: { Off: group } };
        },
      },
    );
    const { report, texts, bytes } = await bench.redact(source, { words: ['Secretname'] });
    expect(report.pages[0]?.treatment).to.equal('redacted');
    expect(texts[0]?.replaceAll(' ', '')).to.equal('LayerrestShown');
    const all = await everythingIn(bytes);
    for (const word of ['Secretname', 'Offpage', 'Hidden', 'Actual', 'Alttext', 'Layername']) {
      expect(all).not.to.contain(word);
    }
  });

  it('leaves no trace of the file’s other contents', async () => {
    const source = await pageOf(at(50, 250, '(Plain) Tj'), {
      change: (document) => {
        const { context, catalog } = document;
        document.setTitle('Infosecret');
        const page = document.getPage(0);
        const note = { Type: 'Annot', Subtype: 'Text', Rect: [0, 0, 10, 10], F: 2 };
        page.node.addAnnot(
          context.register(context.obj({ ...note, Contents: PDFString.of('Notesecret') })),
        );
        page.node.set(PDFName.of('PieceInfo'), context.obj({ A: PDFString.of('Piecesecret') }));
        page.node.set(
          PDFName.of('Metadata'),
          context.register(
            context.stream('<x>Xmpsecret</x>', { Type: 'Metadata', Subtype: 'XML' }),
          ),
        );
        const script = context.obj({ S: 'JavaScript', JS: PDFString.of('Scriptsecret()') });
        catalog.set(PDFName.of('OpenAction'), script);
        const item = context.register(context.obj({ Title: PDFString.of('Outlinesecret') }));
        catalog.set(PDFName.of('Outlines'), context.obj({ First: item, Last: item, Count: 1 }));
        catalog.set(
          PDFName.of('PageLabels'),
          context.obj({ Nums: [0, { P: PDFString.of('Labelsecret') }] }),
        );
        context.register(context.stream('Orphansecret'));
      },
    });
    const { bytes, texts } = await bench.redact(source, {});
    expect(texts).to.deep.equal(['Plain']);
    expect(await everythingIn(bytes)).not.to.contain('secret');
    expect(bytes.toString('latin1')).not.to.match(/\/Info|\/ID|CreationDate|Producer/);
    expect(bytes.toString('latin1').match(/%%EOF/g)).to.have.length(1);
  });

  // The types of ISO 32000-2, tables 86 and 171, and one that is not among them.
  const annotations =
    `Text Link FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly
    StrikeOut Caret Stamp Ink Popup FileAttachment Sound Movie Screen Widget PrinterMark TrapNet Watermark 3D
    Redact Projection RichMedia New`.split(/\s+/);

  it('leaves no trace of annotations of any type, whether they are shown or not', async () => {
    for (const Subtype of annotations) {
      for (const F of [0, 2, 4]) {
        const source = await pageOf(at(50, 250, '(Plain) Tj'), {
          change: (document) => {
            const { context } = document;
            const secret = (word: string) => PDFString.of(`${word}secret`);
            const file = context.register(context.stream('Filesecret', { Type: 'EmbeddedFile' }));
            const annotation = context.obj({ Type: 'Annot', Subtype, Rect: [10, 10, 60, 30], F });
            for (const key of ['Contents', 'T', 'TU', 'RC', 'Subj', 'NM', 'OverlayText']) {
              // The contents of free text are text of the page, of which nothing is removed here.
              const isShown = key === 'Contents' && Subtype === 'FreeText';
              if (!isShown) annotation.set(PDFName.of(key), secret(key));
            }
            annotation.set(
              PDFName.of('FS'),
              context.obj({ Type: 'Filespec', F: secret('Name'), EF: { F: file } }),
            );
            document.getPage(0).node.addAnnot(context.register(annotation));
          },
        });
        const { bytes } = await bench.redact(source, {});
        expect(await everythingIn(bytes), `${Subtype} ${F}`).not.to.contain('secret');
      }
    }
  });

  it('leaves no trace of external objects that are neither pictures nor forms', async () => {
    for (const Subtype of ['PS', 'New']) {
      const source = await pageOf(`${at(50, 250, '(Plain) Tj')} /P Do`, {
        resources: ({ context }) => {
          const font = context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' });
          const stream = context.stream('(Streamsecret) show', { Type: 'XObject', Subtype });
          return { Font: { F: font }, XObject: { P: context.register(stream) } };
        },
      });
      const { bytes, texts } = await bench.redact(source, {});
      expect(texts).to.deep.equal(['Plain']);
      expect(await everythingIn(bytes)).not.to.contain('secret');
    }
  });

  it('leaves failed pages empty, with a notice', async () => {
    const source = await pageOf(at(50, 250, '(Secretname) Tj'));
    const document = await PDFDocument.load(source);
    expect(document.getPageCount()).to.equal(1);
    const { redactPdf } = await import(
      '../../../../../packages/documents/src/redact/remove/pdf/index.ts'
    );
    const { writeFile } = await import('node:fs/promises');
    const path = `${bench.folder}/failed.pdf`;
    await writeFile(path, source);
    const outPath = `${bench.folder}/failed.out.pdf`;
    const pages = await redactPdf({ path, outPath, style: 'blackbox' }, [
      { state: 'failed', page: 1, widthPt: 400, heightPt: 300 },
    ]);
    expect(pages[0]).to.include({ treatment: 'empty', page: 1, outputPage: 1 });
  });
});
