import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { normalizePages, readPageLayout } from '../../../src/engines/normalize/pages/index.ts';
import type { PageResult } from '../../../src/engines/results.ts';
import { closeSources } from '../../../src/engines/source.ts';

const dir = mkdtempSync(join(tmpdir(), 'pages-'));
after(() => {
  closeSources();
  rmSync(dir, { recursive: true });
});

const noResult: PageResult = {
  page: 1,
  state: 'has_text',
  treatment: 'keep',
  widthPt: 612,
  heightPt: 792,
  frame: null,
  text: '',
  words: [],
  lines: [],
  meanConfidence: 0,
  characters: 0,
  orientation: 0,
  skewDegrees: 0,
  deskew: false,
  blank: false,
};

describe('pages of a PDF', () => {
  it('become one document in the order of reading', async () => {
    const pdf = await PDFDocument.create();
    const font = await pdf.embedFont(StandardFonts.Helvetica);
    const page = pdf.addPage([612, 792]);
    page.drawText('First line of the text', { x: 72, y: 700, size: 11, font });
    page.drawText('and the second line of it.', { x: 72, y: 686, size: 11, font });
    const path = join(dir, 'plain.pdf');
    const pageFile = join(dir, 'page.json');
    const layoutsFile = join(dir, 'layouts.ndjson');
    const markdown = join(dir, 'out.md');
    writeFileSync(path, await pdf.save());
    writeFileSync(pageFile, JSON.stringify(noResult));
    const request = { path, mime: 'application/pdf', page: 1, number: 3, pageFile, redacted: [] };
    const layout = await readPageLayout(request);
    expect(layout.page).to.equal(3);
    writeFileSync(layoutsFile, `${JSON.stringify(layout)}\n`);
    const write = { markdown, json: null, chunks: null, chunkTokens: 800, overlapTokens: 80 };
    const normalized = await normalizePages({ layoutsFile, write });
    expect(normalized.pages).to.equal(1);
    expect(readFileSync(markdown, 'utf8').trim()).to.equal(
      'First line of the text and the second line of it.',
    );
  });
});
