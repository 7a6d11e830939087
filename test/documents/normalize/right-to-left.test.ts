import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box, PageResult } from '@scriptorium/documents/results';
import { expect } from 'chai';
import { PDFDocument, PDFName, StandardFonts } from 'pdf-lib';
import {
  normalizePages,
  readPageLayout,
} from '../../../packages/documents/src/normalize/pages/index.ts';
import { closeCachedPdfs } from '../../../packages/documents/src/pdf/document-cache.ts';
import { recognisedPage } from '../../support/page-results.ts';

const dir = mkdtempSync(join(tmpdir(), 'right-to-left-'));
after(() => {
  closeCachedPdfs();
  rmSync(dir, { recursive: true });
});

/** Words of a recognised right-to-left page, their widths by their numbers of letters. */
function recognised(lines: readonly string[]): PageResult {
  const words = lines.flatMap((text, line) => {
    let right = 560;
    return text.split(' ').map((word) => {
      const box: Box = [right - 6 * word.length, 80 + 16 * line, right, 92 + 16 * line];
      right = box[0] - 5;
      return { text: word, box, confidence: 0.9, line, source: 'ocr' as const };
    });
  });
  return recognisedPage({
    words,
    lines: lines.map((_, line) => ({
      origin: [80, 92 + 16 * line],
      angle: 0,
      size: 12,
      paragraph: false,
    })),
  });
}

const none = { ...recognised([]), state: 'has_text', treatment: 'keep' } as const;

/** The Markdown of a page with a content stream in Helvetica and recognised text. */
async function markdownOf(content: string, result: PageResult): Promise<string> {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([612, 792]);
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  page.node.setFontDictionary(PDFName.of('F1'), font.ref);
  page.node.addContentStream(pdf.context.register(pdf.context.stream(content)));
  const path = join(dir, 'page.pdf');
  writeFileSync(path, await pdf.save());
  const [pageFile, layoutsFile] = [join(dir, 'page.json'), join(dir, 'layouts.ndjson')];
  writeFileSync(pageFile, JSON.stringify(result));
  const request = { path, mime: 'application/pdf', page: 1, number: 1, pageFile, redacted: [] };
  writeFileSync(layoutsFile, `${JSON.stringify(await readPageLayout(request))}\n`);
  const markdown = join(dir, 'out.md');
  const write = { markdown, json: null, chunks: null, chunkTokens: 800, overlapTokens: 80 };
  await normalizePages({ layoutsFile, write });
  closeCachedPdfs();
  return readFileSync(markdown, 'utf8').trim();
}

/** Glyphs from left to right, as programs draw them, each with its text. */
function drawn(glyphs: readonly string[], from: number, y: number): string {
  const hex = (text: string): string =>
    [...text].map((char) => (char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')).join('');
  return glyphs
    .map((text, at) => {
      const place = `1 0 0 1 ${(from + 6.67 * at).toFixed(2)} ${y} Tm`;
      return `/Span <</ActualText <feff${hex(text)}>>> BDC BT /F1 12 Tf ${place} (A) Tj ET EMC`;
    })
    .join('\n');
}

describe('right-to-left text', () => {
  it('keeps the order of words, numbers and left-to-right parts', async () => {
    const lines = [
      'بدأت الشركة العمل في عام 2015 مع فريق صغير (حوالي 12 شخصا) ثم توسعت',
      'لاحقا وارتفعت النسبة إلى 45.5% من الإجمالي في 14/03/2021 حسب التقرير.',
    ];
    expect(await markdownOf('', recognised(lines))).to.equal(lines.join(' '));
  });

  it('has opening and closing brackets in reading order, however they were mirrored', async () => {
    const text = 'שלב ראשון: ניתוח הנתונים [ראו נספח] ובניית (אב טיפוס) בשנת 2021';
    const mirrored = text
      .replace('[', ']')
      .replace(/\](?= )/, '[')
      .replace('(', ')');
    expect(await markdownOf('', recognised([mirrored]))).to.equal(text);
  });

  it('keeps a letter with its vowels, although both have the same position', async () => {
    // Drawn from left to right: alef, sad with its vowel, khah, sheen.
    const page = await markdownOf(drawn(['ا', 'صً', 'خ', 'ش'], 300, 700), none);
    expect(page).to.equal('شخصًا');
  });

  it('keeps lists that start at the right', async () => {
    const items = ['1. קריאת החוזה במלואו', '2. חתימה על העותק', '3. שליחת הקובץ לכולם'];
    expect(await markdownOf('', recognised(items))).to.equal(items.join('\n'));
  });
});
