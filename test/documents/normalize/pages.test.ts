import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box, PageResult } from '@scriptorium/documents/results';
import { expect } from 'chai';
import {
  beginText,
  degrees,
  endText,
  PDFDocument,
  type PDFFont,
  PDFHexString,
  PDFName,
  type PDFPage,
  rgb,
  StandardFonts,
  setFontAndSize,
  setTextMatrix,
  setTextRenderingMode,
  showText,
  TextRenderingMode,
} from 'pdf-lib';
import sharp from 'sharp';
import {
  normalizePages,
  readPageLayout,
} from '../../../packages/documents/src/normalize/pages/index.ts';
import { closeCachedPdfs } from '../../../packages/documents/src/pdf/document-cache.ts';
import { recognisedPage } from '../../support/page-results.ts';

const dir = mkdtempSync(join(tmpdir(), 'pages-'));
after(() => {
  closeCachedPdfs();
  rmSync(dir, { recursive: true });
});

type Fonts = { plain: PDFFont; bold: PDFFont; mono: PDFFont };
type Shown = { text: string; box: Box }[];

function resultOf(shown: Shown): PageResult {
  return recognisedPage({
    state: shown.length > 0 ? 'recognised' : 'has_text',
    treatment: shown.length > 0 ? 'add' : 'keep',
    words: shown.map(({ text, box }, line) => ({
      text,
      box,
      confidence: 0.9,
      line,
      source: 'ocr',
    })),
    lines: shown.map(({ box }) => ({
      origin: [box[0], box[3]],
      angle: 0,
      size: 12,
      paragraph: false,
    })),
  });
}

/** Lines of text from a position downwards. */
function column(
  page: PDFPage,
  font: PDFFont,
  at: [number, number],
  lines: readonly string[],
): void {
  const [x, y] = at;
  for (const [index, line] of lines.entries()) {
    page.drawText(line, { x, y: y - index * 12, size: 10, font });
  }
}

let files = 0;

async function pageOf(
  draw: (pages: PDFPage[], fonts: Fonts) => void,
): Promise<{ markdown: string; json: string }> {
  const markdown = await markdownOf(draw);
  return { markdown, json: readFileSync(join(dir, 'out.json'), 'utf8') };
}

async function markdownOf(
  draw: (pages: PDFPage[], fonts: Fonts) => void,
  count = 1,
  options: { shown?: Shown; redacted?: { box: Box; mark: string }[] } = {},
): Promise<string> {
  const pdf = await PDFDocument.create();
  const [plain, bold, mono] = await Promise.all(
    [StandardFonts.TimesRoman, StandardFonts.TimesRomanBold, StandardFonts.Courier].map((name) =>
      pdf.embedFont(name),
    ),
  );
  if (!plain || !bold || !mono) throw new Error('no fonts');
  const pages = Array.from({ length: count }, () => pdf.addPage([612, 792]));
  draw(pages, { plain, bold, mono });
  files += 1;
  const path = join(dir, `${files}.pdf`);
  writeFileSync(path, await pdf.save());
  return normalized(path, 'application/pdf', count, options);
}

async function normalized(
  path: string,
  mime: string,
  count: number,
  { shown = [], redacted = [] }: { shown?: Shown; redacted?: { box: Box; mark: string }[] },
): Promise<string> {
  const [pageFile, layoutsFile] = [join(dir, 'page.json'), join(dir, 'layouts.ndjson')];
  const markdown = join(dir, 'out.md');
  writeFileSync(pageFile, JSON.stringify(resultOf(shown)));
  const layouts: string[] = [];
  for (let page = 1; page <= count; page += 1) {
    const request = { path, mime, page, number: page, pageFile, redacted };
    layouts.push(JSON.stringify(await readPageLayout(request)));
  }
  writeFileSync(layoutsFile, `${layouts.join('\n')}\n`);
  const json = join(dir, 'out.json');
  const write = { markdown, json, chunks: null, chunkTokens: 800, overlapTokens: 80 };
  expect((await normalizePages({ layoutsFile, write })).pages).to.equal(count);
  return readFileSync(markdown, 'utf8').trim();
}

const left = [
  'The first column of this page begins here and is to',
  'be read to its end before the second one is begun,',
  'though the lines of both stand side by side and far',
  'more than one program reads across them, which com-',
];
const right = [
  'putes nothing but noise. The second column goes on',
  'with the sentence that the first one has left in the',
  'middle, and it ends the whole paragraph with a stop',
  'at the end of its last line, as is usual in print.',
];

describe('normalised PDF pages', () => {
  it('do not read a layer under a scan as code, whatever its font', async () => {
    const markdown = await markdownOf(([page], { mono }) => {
      page?.pushOperators(setTextRenderingMode(TextRenderingMode.Invisible));
      if (page) column(page, mono, [60, 680], left);
    });
    expect(markdown)
      .to.match(/^The first column/)
      .and.not.include('`');
  });

  it('are read column by column, with paragraphs that continue across columns', async () => {
    const markdown = await markdownOf(([page], { plain, bold }) => {
      page?.drawText('A Title over Both Columns', { x: 150, y: 720, size: 20, font: bold });
      if (page) column(page, plain, [60, 680], left);
      if (page) column(page, plain, [320, 680], right);
    });
    const [title, text] = markdown.split('\n\n');
    expect(title).to.equal('# A Title over Both Columns');
    expect(text).to.equal([...left, ...right].join(' ').replace('com- putes', 'computes'));
  });

  it('keep headings of two columns apart, and lists side by side', async () => {
    const markdown = await markdownOf(([page], { plain, bold }) => {
      if (!page) return;
      for (const [at, name] of ['M. Okafor', 'L. Brandt', 'S. Vidal'].entries()) {
        page.drawText(name, { x: 90 + 100 * at, y: 720, size: 12, font: plain });
      }
      page.drawText('Abstract', { x: 60, y: 690, size: 14, font: bold });
      page.drawText('3 Results', { x: 320, y: 690, size: 14, font: bold });
      column(page, plain, [60, 665], [...left, ...left]);
      column(page, plain, [320, 668], [...right, ...right]);
      page.drawText('Features', { x: 60, y: 500, size: 12, font: bold });
      page.drawText('Uses', { x: 320, y: 500, size: 12, font: bold });
      const items = [
        ['Little noise', 'Two outputs', 'Two ports'],
        ['Chargers', 'Telecom', 'Teaching'],
      ];
      for (const [at, texts] of items.entries()) {
        for (const [row, text] of texts.entries()) {
          page.drawText(`• ${text}`, { x: 60 + 260 * at, y: 480 - 12 * row, size: 9, font: plain });
        }
      }
    });
    expect(markdown).to.contain('## Abstract').and.to.contain('## 3 Results');
    expect(markdown.replace(/\s+/g, ' ')).to.match(/Little noise - Two outputs - Two ports/);
  });

  it('lose running headers and footers, and join paragraphs across page breaks', async () => {
    const markdown = await markdownOf((pages, { plain }) => {
      for (const [index, page] of pages.entries()) {
        page.drawText('A Handbook of Things', { x: 60, y: 760, size: 8, font: plain });
        page.drawText(`${index + 7}`, { x: 300, y: 30, size: 8, font: plain });
        column(page, plain, [60, 700], index % 2 === 0 ? left : right);
      }
    }, 4);
    expect(markdown).not.to.match(/Handbook|\b[78]\b|com-/);
    expect(markdown.split('\n\n')).to.have.length(2);
  });

  it('keep a compound’s hyphen if the document uses it elsewhere', async () => {
    const markdown = await markdownOf(([page], { plain }) => {
      if (!page) return;
      column(
        page,
        plain,
        [60, 700],
        [
          'Only a face-lift is what we have here, and then a face-',
          'lift again, whatever the hyphen at the end of the li-',
          'ne would have us think of it.',
        ],
      );
    });
    expect(markdown).to.contain('then a face-lift again').and.to.contain('end of the line would');
  });

  it('have headings of several levels, lists and code', async () => {
    const markdown = await markdownOf(([page], { plain, bold, mono }) => {
      if (!page) return;
      page.drawText('Manual of the Machine', { x: 60, y: 740, size: 22, font: bold });
      page.drawText('1 Setting Up', { x: 60, y: 705, size: 14, font: bold });
      column(page, plain, [60, 685], left.slice(0, 3));
      page.drawText('1.1 Tools', { x: 60, y: 635, size: 12, font: bold });
      column(page, plain, [60, 615], ['• a hammer', '• a saw', '• nails of several sizes']);
      column(page, mono, [60, 560], ['if (ready) {', '  start();', '}']);
    });
    expect(markdown).to.contain('# Manual of the Machine\n\n## 1 Setting Up\n\n');
    expect(markdown).to.contain('### 1.1 Tools\n\n- a hammer\n- a saw\n- nails of several sizes');
    expect(markdown).to.contain('```\nif (ready) {\n  start();\n}\n```');
  });

  it('omit a stamp along the margin and text that is drawn twice', async () => {
    const markdown = await markdownOf(([page], { plain }) => {
      if (!page) return;
      page.drawText('archive:1234', { x: 20, y: 300, size: 18, font: plain, rotate: degrees(90) });
      column(page, plain, [60, 700], left.slice(0, 3));
      column(page, plain, [60.3, 700], left.slice(0, 3));
    });
    expect(markdown.replace(/\*/g, '')).to.equal(left.slice(0, 3).join(' '));
  });

  it('keep a note up the margin, unless other pages have it too', async () => {
    const note = 'Shelf mark 4412 amber';
    const pages = (count: number): Promise<string> =>
      markdownOf((all, { plain }) => {
        for (const page of all.slice(0, count)) {
          page.drawText(note, { x: 20, y: 300, size: 10, font: plain, rotate: degrees(90) });
          column(page, plain, [60, 700], left);
        }
      }, 3);
    expect(await pages(1)).to.contain(note);
    expect(await pages(3)).not.to.contain(note);
  });

  it('keep their columns if one line is too long for its column', async () => {
    const markdown = await markdownOf(([page], { plain }) => {
      if (!page) return;
      const long = `${left[0]} beyond`;
      column(
        page,
        plain,
        [60, 700],
        [...left, ...right, long, ...left.slice(1), ...right, ...left],
      );
      // Letter by letter, because drawn text has no kerning.
      const width = [...long].reduce((sum, one) => sum + plain.widthOfTextAtSize(one, 10), 0);
      const start = 60 + width + 7.2;
      column(page, plain, [start, 700], [...right, ...right, ...right, ...right, ...right]);
    });
    const text = markdown.replace(/\s+/g, ' ');
    expect(text).to.contain('is to beyond be read to its end before the second one is begun');
  });

  it('list authors that are set side by side one after the other', async () => {
    const markdown = await markdownOf(([page], { plain }) => {
      if (!page) return;
      column(page, plain, [60, 600], [...left, ...right]);
      const authors = [
        ['Ada Lovelace', 'Institute of Analytical Engines', 'London', 'ada@example.org'],
        ['Emil Post', 'City College', 'New York, United States', 'post@example.org'],
      ];
      for (const [at, lines] of authors.entries()) {
        for (const [row, line] of lines.entries()) {
          const x = 180 + at * 220 - plain.widthOfTextAtSize(line, 10) / 2;
          page.drawText(line, { x, y: 720 - row * 12, size: 10, font: plain });
        }
      }
    });
    expect(markdown.replace(/\s+/g, ' ')).to.match(
      /Ada Lovelace Institute of Analytical Engines London ada@example.org Emil Post City College/,
    );
  });

  it('treat letters raised for effect as plain text, others as superscript', async () => {
    const markdown = await markdownOf(([page], { plain }) => {
      if (!page) return;
      const at = (text: string, x: number, y: number, size: number): number => {
        page.drawText(text, { x, y, size, font: plain });
        return x + plain.widthOfTextAtSize(text, size);
      };
      let x = at('This was set by L', 60, 700, 10);
      x = at('A', x - 0.5, 702.5, 7);
      x = at('TEX in the year of the 2', x - 0.3, 700, 10);
      at('nd', x, 703.5, 7);
    });
    expect(markdown).to.contain('by LATEX in').and.to.contain('2<sup>nd</sup>');
  });

  it('lose line numbers, as in manuscripts', async () => {
    const markdown = await markdownOf(([page], { plain }) => {
      if (!page) return;
      const lines = [...left, ...right, ...left];
      column(page, plain, [80, 700], lines);
      for (const index of lines.keys()) {
        page.drawText(`${index + 5}`, { x: 40, y: 700 - index * 12, size: 7, font: plain });
      }
    });
    expect(markdown).to.match(/^The first column of this page begins here and is to be read/);
    expect(markdown).not.to.match(/\d/);
  });

  it('keep the row numbers of a list', async () => {
    const markdown = await markdownOf(([page], { plain }) => {
      for (let row = 0; row < 12; row += 1) {
        const y = 700 - row * 14;
        page?.drawText(`${row + 1}`, { x: 60, y, size: 10, font: plain });
        page?.drawText(`Thing ${'abcdefghijkl'[row]}`, { x: 120, y, size: 10, font: plain });
        page?.drawText(`${(row + 3) * 17}`, { x: 260, y, size: 10, font: plain });
      }
    });
    expect(markdown)
      .to.match(/\b1\b.*Thing a.*51/)
      .and.to.match(/\b12\b.*Thing l/);
  });

  it('include text in a drawing with the drawing, but keep small print next to it', async () => {
    const { markdown, json } = await pageOf(([page], { plain }) => {
      if (!page) return;
      column(page, plain, [60, 740], [...left, ...right]);
      for (let index = 0; index < 12; index += 1) {
        page.drawCircle({ x: 120 + index * 14, y: 560, size: 20, color: rgb(0, 0.4, 0.8) });
      }
      page.drawText('Peak', { x: 190, y: 557, size: 7, font: plain });
      const print = 'All prices are in dollars and hold until the end of the year.';
      page.drawText(print, { x: 100, y: 532, size: 7, font: plain });
      page.drawText('No refunds.', { x: 100, y: 524, size: 7, font: plain });
    });
    expect(markdown).to.contain('All prices are in dollars').and.to.contain('No refunds.');
    expect(markdown).to.contain('<!-- image -->').and.not.to.contain('Peak');
    expect(json).to.match(/"role":"picture".*"text":"Peak"/);
  });

  it('keep labels in a form whose borders are shapes of many segments', async () => {
    const markdown = await markdownOf(([page], { plain }) => {
      if (!page) return;
      column(page, plain, [60, 740], [...left, ...right]);
      // Each side of a cell is two rectangles, one upon the other.
      const side = (x: number, y: number, width: number, height: number): void => {
        const rectangle = `M 0 0 h ${width} v ${height} h ${-width} Z`;
        page.drawSvgPath(`${rectangle} ${rectangle}`, { x, y, color: rgb(0, 0, 0) });
      };
      for (const y of [620, 580, 540]) side(60, y, 400, 1);
      for (const x of [60, 260, 460]) {
        side(x, 620, 1, 40);
        side(x, 580, 1, 40);
      }
      for (const [at, text] of ['Surname', 'Given names', 'Postcode', 'Telephone'].entries()) {
        const y = 610 - 40 * Math.floor(at / 2);
        page.drawText(text, { x: 66 + 200 * (at % 2), y, size: 7, font: plain });
      }
    });
    expect(markdown).to.contain('| Surname | Given names |').and.not.to.contain('image');
  });

  it('read fonts that do not say what their letters are, where recognition reads their codes', async () => {
    const lines = ['The weight of snow on a roof', 'is seldom known; a scale tells'];
    const shown = lines.flatMap((text, row): Shown => {
      const words = [...text.matchAll(/\S{2,}/g)];
      return words.map(({ 0: word, index }) => {
        const x = 60 + 6 * index;
        return { text: word, box: [x, 92 + 14 * row - 9, x + 6 * word.length, 94 + 14 * row] };
      });
    });
    const draw = (shift: number) =>
      markdownOf(
        ([page]) => {
          if (!page) return;
          const { context } = page.doc;
          const codes = [...new Set(lines.join(''))].map((char) => char.charCodeAt(0) + shift);
          const glyph = context.register(context.stream('600 0 0 0 500 700 d1 0 0 500 700 re f'));
          const font = context.obj({
            Type: 'Font',
            Subtype: 'Type3',
            FontBBox: [0, 0, 600, 700],
            FontMatrix: [0.001, 0, 0, 0.001, 0, 0],
            CharProcs: Object.fromEntries(codes.map((code) => [`a${code}`, glyph])),
            Encoding: {
              Type: 'Encoding',
              Differences: codes.flatMap((code) => [code, PDFName.of(`a${code}`)]),
            },
            FirstChar: 0,
            LastChar: 255,
            Widths: Array.from({ length: 256 }, () => 600),
            Resources: {},
          });
          page.node.setFontDictionary(PDFName.of('T3'), context.register(font));
          for (const [row, text] of lines.entries()) {
            const hex = [...text].map((char) => (char.charCodeAt(0) + shift).toString(16));
            page.pushOperators(
              beginText(),
              setFontAndSize('T3', 10),
              setTextMatrix(1, 0, 0, 1, 60, 700 - 14 * row),
              showText(PDFHexString.of(hex.join(''))),
              endText(),
            );
          }
        },
        1,
        { shown },
      );
    expect(await draw(0)).to.equal(lines.join(' '));
    expect(await draw(1))
      .to.contain('weight')
      .and.not.to.contain('xfjhiu');
  });

  it('include filled-in form fields and annotations', async () => {
    const pdf = await PDFDocument.create();
    const page = pdf.addPage([612, 792]);
    page.drawText('Name:', { x: 60, y: 700, size: 11 });
    const field = pdf.getForm().createTextField('name');
    field.setText('Ada Lovelace');
    field.addToPage(page, { x: 100, y: 695, width: 160, height: 18, borderWidth: 0 });
    const path = join(dir, 'form.pdf');
    writeFileSync(path, await pdf.save());
    for (const _ of ['first', 'again']) {
      expect(await normalized(path, 'application/pdf', 1, {})).to.match(/Name:\s+Ada Lovelace/);
    }
  });

  it('keep text that runs in another direction', async () => {
    const markdown = await markdownOf(([page], { plain }) => {
      if (!page) return;
      column(page, plain, [60, 700], left);
      const at = { x: 200, y: 500, size: 10, font: plain, rotate: degrees(90) };
      page.drawText('turned heading', at);
    });
    expect(markdown).to.contain('turned heading');
  });

  it('show marks in place of removed words', async () => {
    const shown: Shown = [
      { text: 'Dear', box: [60, 100, 84, 112] },
      { text: 'Klaus', box: [88, 100, 118, 112] },
      { text: 'welcome', box: [122, 100, 170, 112] },
    ];
    const redacted = [{ box: [87, 99, 119, 113] as Box, mark: '[PERSON]' }];
    const markdown = await markdownOf(() => undefined, 1, { shown, redacted });
    expect(markdown).to.equal('Dear [PERSON] welcome');
  });

  it('keep punctuation at the end of removed text and nothing else', async () => {
    const box: Box = [87, 99, 119, 113];
    const dear = async (...parts: { text: string; box: Box }[]) => {
      const shown: Shown = [{ text: 'Dear', box: [60, 100, 84, 112] }, ...parts];
      return markdownOf(() => undefined, 1, { shown, redacted: [{ box, mark: '[PERSON]' }] });
    };
    const welcome = { text: 'welcome', box: [124, 100, 172, 112] as Box };
    const removed = (text: string) => ({ text, box: [88, 100, 121, 112] as Box });
    expect(await dear(removed('Klaus,'), welcome)).to.equal('Dear [PERSON], welcome');
    expect(await dear(removed('K.'))).to.equal('Dear [PERSON].');
    for (const text of ['Klaus/', 'Klaus,7', 'Klaus-', 'Klaus+']) {
      expect(await dear(removed(text), welcome)).to.equal('Dear [PERSON] welcome');
    }
    // Of two words the last counts, without the words before or below it.
    const first = { text: 'Klaus,', box: [88, 100, 102, 112] as Box };
    const second = { text: 'Quill', box: [104, 100, 118, 112] as Box };
    expect(await dear(first, second, welcome)).to.equal('Dear [PERSON] welcome');
    const below = { text: 'under,', box: [88, 109, 130, 121] as Box };
    expect(await dear(removed('Klaus'), below)).to.equal('Dear [PERSON]');
  });

  it('have the recognised text of a picture', async () => {
    const path = join(dir, 'white.png');
    await sharp({ create: { width: 612, height: 792, channels: 3, background: 'white' } })
      .png()
      .toFile(path);
    const shown: Shown = [
      { text: 'Hello', box: [60, 100, 84, 112] },
      { text: 'there', box: [88, 100, 118, 112] },
    ];
    expect(await normalized(path, 'image/png', 1, { shown })).to.equal('Hello there');
    // Near the edge of the page as well, line by line.
    const top: Shown = [
      { text: 'Invoice', box: [60, 20, 100, 32] },
      { text: 'Paper', box: [60, 36, 90, 48] },
      { text: 'Limited', box: [60, 52, 100, 64] },
    ];
    const words = (await normalized(path, 'image/png', 1, { shown: top })).match(/\w+/g);
    expect(words).to.deep.equal(['Invoice', 'Paper', 'Limited']);
  });
});
