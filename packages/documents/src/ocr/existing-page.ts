import { displaySize } from '../geometry.ts';
import { withNamedGlyphs } from '../pdf/glyph-names.ts';
import { frameOf } from '../pdf/page-frame.ts';
import { readText } from '../pdf/page-glyphs.ts';
import { type PdfDocument, withPage } from '../pdf/pdfium.ts';
import type { PageFrame, PageResult } from '../results.ts';
import { markContradicted, withoutDoubtedText } from './doubts/index.ts';
import { existingWords } from './existing-words.ts';
import { countCharacters, joinWords, type PageWords } from './page-words.ts';
import { round } from './placing.ts';

/**
 * Returns the result for a page that already has text. The page stays unchanged, and its words are
 * the result.
 */
export function existingPage(
  page: number,
  frame: PageFrame,
  { words, lines }: PageWords,
): PageResult {
  const size = displaySize(frame);
  return {
    page,
    state: 'has_text',
    treatment: 'keep',
    widthPt: round(size.width),
    heightPt: round(size.height),
    frame,
    text: joinWords(words, lines),
    words: words.map((word) => {
      const [x0, y0, x1, y1] = word.box;
      return { ...word, box: [round(x0), round(y0), round(x1), round(y1)] };
    }),
    lines: lines.map((line) => ({
      ...line,
      origin: [round(line.origin[0]), round(line.origin[1])],
    })),
    meanConfidence: words.length === 0 ? 0 : 1,
    characters: countCharacters(words),
    orientation: 0,
    skewDegrees: 0,
    deskew: false,
    blank: words.length === 0,
  };
}

/**
 * Reads page `pageNumber` (1-based) of a PDF. Returns the result that recognition returns for a
 * page with text, without words whose drawing contradicts their text.
 */
export function readExistingPage(document: PdfDocument, pageNumber: number): Promise<PageResult> {
  return withPage(document, pageNumber, async (page) => {
    const frame = frameOf(document, page);
    const declared = readText(document, page, frame);
    const marked = markContradicted({ document, page, frame }, declared);
    const glyphs = await withNamedGlyphs(document, pageNumber, marked);
    return existingPage(
      pageNumber,
      frame,
      existingWords(document, withoutDoubtedText(glyphs), frame, false),
    );
  });
}
