import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from 'pdf-lib';
import {
  normalizePages,
  readPageLayout,
} from '../../../packages/documents/src/normalize/pages/index.ts';
import { closeCachedPdfs } from '../../../packages/documents/src/pdf/document-cache.ts';
import { recognisedPage } from '../../support/page-results.ts';

const folder = mkdtempSync(join(tmpdir(), 'listings-'));
after(() => {
  closeCachedPdfs();
  rmSync(folder, { recursive: true });
});

type Fonts = { plain: PDFFont; mono: PDFFont };
let files = 0;

/** The Markdown and the JSON of a page. */
async function outputsOf(draw: (page: PDFPage, fonts: Fonts) => void) {
  const pdf = await PDFDocument.create();
  const plain = await pdf.embedFont(StandardFonts.Helvetica);
  const mono = await pdf.embedFont(StandardFonts.Courier);
  draw(pdf.addPage([612, 792]), { plain, mono });
  files += 1;
  const path = join(folder, `${files}.pdf`);
  writeFileSync(path, await pdf.save());
  const pageFile = join(folder, 'page.json');
  writeFileSync(
    pageFile,
    JSON.stringify(recognisedPage({ state: 'has_text', treatment: 'keep', words: [], lines: [] })),
  );
  const request = { path, mime: 'application/pdf', page: 1, number: 1, pageFile, redacted: [] };
  const layoutsFile = join(folder, 'layouts.ndjson');
  writeFileSync(layoutsFile, `${JSON.stringify(await readPageLayout(request))}\n`);
  const [markdown, json] = [join(folder, 'out.md'), join(folder, 'out.json')];
  const write = { markdown, json, chunks: null, chunkTokens: 800, overlapTokens: 80 };
  await normalizePages({ layoutsFile, write });
  return { markdown: readFileSync(markdown, 'utf8').trim(), json: readFileSync(json, 'utf8') };
}

const code = [
  'function total(items) {',
  '  let sum = 0;',
  '',
  '  for (const item of items) {',
  '    sum += item.price;  // net',
  '  }',
  '  return sum;',
  '}',
];

/** A listing with right-aligned line numbers. */
function drawListing(page: PDFPage, { plain, mono }: Fonts, x: number, first = 6): void {
  for (const [at, text] of code.entries()) {
    const y = 700 - at * 12;
    const number = `${first + at}`;
    page.drawText(number, {
      x: x - 8 - plain.widthOfTextAtSize(number, 7),
      y,
      size: 7,
      font: plain,
    });
    page.drawText(text, { x, y, size: 9, font: mono });
  }
}

describe('code listings with line numbers', () => {
  const fenced = `\`\`\`\n${code.join('\n')}\n\`\`\``;

  it('are code with its indentation and empty lines, without the numbers', async () => {
    const { markdown, json } = await outputsOf((page, fonts) => drawListing(page, fonts, 90));
    expect(markdown).to.equal(fenced);
    expect(json).to.match(/"text": ?"6 7 8 9 10 11 12 13"/);
  });

  it('are code in a frame, with a line between numbers and code', async () => {
    const { markdown } = await outputsOf((page, fonts) => {
      drawListing(page, fonts, 90);
      page.drawRectangle({ x: 60, y: 605, width: 400, height: 110, borderWidth: 1 });
      page.drawLine({ start: { x: 84, y: 605 }, end: { x: 84, y: 715 }, thickness: 1 });
    });
    expect(markdown).to.equal(fenced);
  });

  it('are code beside a column of text', async () => {
    const { markdown } = await outputsOf((page, fonts) => {
      drawListing(page, fonts, 90);
      for (let at = 0; at < 30; at += 1) {
        const text = 'The text of the second column runs on and on';
        page.drawText(text, { x: 330, y: 700 - at * 12, size: 10, font: fonts.plain });
      }
    });
    expect(markdown).to.contain(fenced);
  });

  it('continue on lines without a number', async () => {
    const { markdown } = await outputsOf((page, { plain, mono }) => {
      const lines = ['1 start(options,', '      callback);', '2 stop();', '3 end();'];
      for (const [at, line] of lines.entries()) {
        const y = 700 - at * 12;
        if (line[0] !== ' ') page.drawText(line.slice(0, 1), { x: 60, y, size: 7, font: plain });
        page.drawText(line.slice(2), { x: 80, y, size: 9, font: mono });
      }
    });
    expect(markdown).to.equal('```\nstart(options,\n    callback);\nstop();\nend();\n```');
  });

  it('are not tables with numbered rows and identifiers in a monospaced font', async () => {
    const serials = ['AX-4411-09', 'BX-1270-13', 'CX-9932-77', 'DX-3108-52', 'EX-6075-21'];
    const { markdown } = await outputsOf((page, { plain, mono }) => {
      for (const [x, text] of [
        [60, 'Nr.'],
        [90, 'Serial'],
        [200, 'Checked'],
      ] as const)
        page.drawText(text, { x, y: 716, size: 9, font: plain });
      for (const [at, serial] of serials.entries()) {
        const y = 700 - at * 14;
        page.drawText(`${at + 1}`, { x: 60, y, size: 9, font: plain });
        page.drawText(serial, { x: 90, y, size: 9, font: mono });
        page.drawText(`2026-03-0${at + 1}`, { x: 200, y, size: 9, font: plain });
      }
    });
    expect(markdown).to.match(/\| 1 \| AX-4411-09 \| 2026-03-01 \|/);
    expect(markdown).to.match(/\| 5 \| EX-6075-21 \| 2026-03-05 \|/);
  });
});

describe('code beside a margin', () => {
  it('has the same indentation in all lines if it begins half a letter beside its column', async () => {
    const lines = ['run(a);', 'if (a) {', '  stop(bcd, efg);', '}', 'go(x, y, z);', 'end();'];
    const { markdown } = await outputsOf((page, { plain, mono }) => {
      page.drawText('A line of text before', { x: 60, y: 730, size: 9, font: plain });
      for (const [at, line] of lines.entries())
        page.drawText(line, { x: 62.7, y: 700 - at * 12, size: 9, font: mono });
    });
    expect(markdown).to.contain(`\`\`\`\n${lines.join('\n')}\n\`\`\``);
  });
});
