import { credibleWords } from '../credible.ts';
import { applyToBox, displaySize, invert, quarter } from '../geometry.ts';
import { inkOf, unreadShare } from '../ink/unread.ts';
import { type Glyph, readText } from '../pdf/page-glyphs.ts';
import { type PdfDocument, withPage } from '../pdf/pdfium.ts';
import type { PageFrame, PageResult, Word } from '../results.ts';
import { checkMime, frameOf, openCachedPdf } from '../source.ts';
import { isSure } from './own-means.ts';
import { existingPage } from './own-page.ts';
import { ownWords } from './own-words.ts';
import { countCharacters, joinWords, type PageWords } from './page-words.ts';
import { inPictures, picturedText } from './pictured.ts';
import { pictureOfImage, pictureOfPdfPage } from './pictures/page-picture.ts';
import {
  cropPicture,
  isBlankPicture,
  type PagePicture,
  pictureToDisplay,
} from './pictures/picture.ts';
import {
  mergeTexts,
  placeLines,
  placeWords,
  readingToDisplay,
  round,
  sidewaysTurn,
  skewOf,
} from './placing.ts';
import { confidenceOf, type DrawPage, type PageAttempt, read } from './reading.ts';
import type { Tesseract } from './tesseract/recogniser.ts';

export type RecognitionRequest = {
  path: string;
  mime: string;
  /** 1-based. */
  page: number;
  languages: readonly string[];
  /**
   * `skip` pages that have text, `redo` an invisible layer, or `force` recognition of everything.
   */
  existingText: 'skip' | 'redo' | 'force';
  /** Detect the orientation of the page. */
  rotate: boolean;
  /** Straighten the page in the searchable PDF. */
  deskew: boolean;
};

/** A page is turned only if it can be read then: photos are noise in every direction. */
const leastTurned = 0.5;

type Source = DrawPage & {
  frame: PageFrame | undefined;
  /** Visible text that is kept when a page is recognised nevertheless. */
  kept: PageWords;
};

async function recognise(
  tesseract: Tesseract,
  source: Source,
  request: RecognitionRequest,
  isolation: string,
  treatment: PageResult['treatment'],
): Promise<PageResult> {
  const reading = await read(tesseract, source, request, isolation);
  const { hocr, picture, turned } = reading;
  // A photo has no direction that its noise could show.
  const isPrint = confidenceOf(hocr.words) >= leastTurned;
  const orientation = request.rotate && isPrint ? quarter(turned + sidewaysTurn(hocr)) : 0;
  const map = readingToDisplay(reading);
  const { kept, frame } = source;
  const found = placeWords(hocr, map, kept.words);
  const { words, lines } = mergeTexts(kept, found, placeLines(hocr, map));
  const credible = credibleWords(words);
  const size = frame ? displaySize(frame) : { width: picture.box[2], height: picture.box[3] };
  const width = turned % 180 === 0 ? picture.width : picture.height;
  return {
    page: request.page,
    state: 'recognised',
    treatment: found.length === 0 && treatment === 'add' && orientation === 0 ? 'keep' : treatment,
    widthPt: round(size.width),
    heightPt: round(size.height),
    frame: frame ?? null,
    text: joinWords(credible, lines),
    words,
    lines,
    meanConfidence: Math.round(confidenceOf(words) * 1e4) / 1e4,
    characters: countCharacters(credible),
    orientation,
    skewDegrees: skewOf(hocr, width),
    deskew: request.deskew,
    blank: words.length === 0,
    unreadShare: unreadShareOf(reading, words),
  };
}

/**
 * The share of apparent writing in which no word was read with confidence; 0 if there is hardly
 * any.
 */
function unreadShareOf({ picture, ink }: PageAttempt, words: readonly Word[]): number {
  if (isBlankPicture(picture)) return 0;
  const toPixels = invert(pictureToDisplay(picture));
  return unreadShare(
    ink ?? inkOf(picture),
    words.filter(isSure).map(({ box }) => applyToBox(toPixels, box)),
  );
}

/**
 * Recognises a picture of a page, drawn at the requested resolution. Words and lines are in points
 * of the page as displayed. With `rotate`, text may run in any direction.
 */
export async function recognisePicture(
  tesseract: Tesseract,
  picture: (dpi: number) => Promise<PagePicture>,
  languages: readonly string[],
  isolation: string,
  rotate = true,
): Promise<PageWords> {
  const reading = await read(tesseract, { picture }, { languages, rotate }, isolation);
  const map = readingToDisplay(reading);
  return { words: placeWords(reading.hocr, map, []), lines: placeLines(reading.hocr, map) };
}

/** With fewer unreadable letters, they may be the bullets and signs of a page of few words. */
const leastSilent = 20;

/**
 * Whether a page has text that can be read. A page of fonts that do not say what their codes mean may have
 * a hyphen or two that can be; such a page is read as its picture.
 */
function hasReadableText(glyphs: readonly Glyph[]): boolean {
  let [readable, silent] = [0, 0];
  for (const { text, visible, object } of glyphs) {
    if (text.trim() !== '') readable += 1;
    else if (text === '' && visible && object !== 0) silent += 1;
  }
  return readable > 0 && (silent < leastSilent || readable >= silent);
}

/** A page with its own text, and with that of its pictures which its own words do not tell. */
async function withPictured(
  tesseract: Tesseract,
  { document, page, frame }: { document: PdfDocument; page: number; frame: PageFrame },
  own: PageWords,
  request: RecognitionRequest,
  isolation: string,
): Promise<PageResult> {
  const existing = existingPage(request.page, frame, own);
  const pictured = await picturedText(document, page, frame, own.words);
  if (!pictured) return existing;
  const draw = async (dpi: number): Promise<PagePicture> =>
    cropPicture(await pictureOfPdfPage(document, page, frame, dpi), pictured.around);
  const reading = await read(tesseract, { picture: draw }, request, isolation);
  const map = readingToDisplay(reading);
  const inside = inPictures(placeWords(reading.hocr, map, own.words), pictured);
  // Handwriting and photos are noise, and only counted as unread.
  const found = confidenceOf(inside) >= leastTurned ? inside : [];
  const { words, lines } = mergeTexts(existing, found, placeLines(reading.hocr, map));
  const credible = credibleWords(words);
  return {
    ...existing,
    treatment: found.length === 0 ? 'keep' : 'add',
    text: joinWords(credible, lines),
    words,
    lines,
    meanConfidence: Math.round(confidenceOf(found) * 1e4) / 1e4,
    characters: countCharacters(credible),
    unreadShare: unreadShareOf(reading, words),
  };
}

async function recognisePdfPage(
  tesseract: Tesseract,
  request: RecognitionRequest,
  isolation: string,
): Promise<PageResult> {
  const document = await openCachedPdf(request.path);
  return withPage(document, request.page, (page) => {
    const frame = frameOf(document, page);
    const { existingText } = request;
    const glyphs = existingText === 'force' ? [] : readText(document, page, frame);
    const isText = ({ text }: Glyph): boolean => text.trim() !== '';
    if (existingText === 'skip' && hasReadableText(glyphs)) {
      const own = ownWords(document, glyphs, frame, false);
      return withPictured(tesseract, { document, page, frame }, own, request, isolation);
    }
    const nothing: PageWords = { words: [], lines: [] };
    const kept =
      existingText === 'redo' && glyphs.some((glyph) => glyph.visible && isText(glyph))
        ? ownWords(document, glyphs, frame, true)
        : nothing;
    const treatment =
      existingText === 'force'
        ? 'rasterise'
        : existingText === 'redo'
          ? 'replace_invisible'
          : 'add';
    const source: Source = {
      picture: (dpi) => pictureOfPdfPage(document, page, frame, dpi),
      frame,
      kept,
    };
    return recognise(tesseract, source, request, isolation, treatment);
  });
}

/**
 * Recognises a page, or reads the text that it has. Boxes and sizes are in points of the page as
 * the source displays it, regardless of detected rotation and skew. Throws EngineError.
 */
export async function recognisePage(
  tesseract: Tesseract,
  request: RecognitionRequest,
  isolation: string,
): Promise<PageResult> {
  const mime = await checkMime(request.path, request.mime);
  if (mime === 'application/pdf') return recognisePdfPage(tesseract, request, isolation);
  const source: Source = {
    picture: (dpi) => pictureOfImage(request.path, request.page, dpi),
    frame: undefined,
    kept: { words: [], lines: [] },
  };
  return recognise(tesseract, source, request, isolation, 'add');
}
