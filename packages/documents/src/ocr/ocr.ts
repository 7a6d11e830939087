import { credibleWords } from '../credible.ts';
import { applyToBox, displaySize, invert, nearestQuarter } from '../geometry.ts';
import { unreadShare, withLetters } from '../ink/unread-ink.ts';
import { openCachedPdf } from '../pdf/document-cache.ts';
import { withNamedGlyphs } from '../pdf/glyph-names.ts';
import { frameOf } from '../pdf/page-frame.ts';
import { type Glyph, readText } from '../pdf/page-glyphs.ts';
import { type PdfDocument, withPage } from '../pdf/pdfium.ts';
import type { Box, Line, PageFrame, PageResult, Word } from '../results.ts';
import { checkMime } from '../source/mime.ts';
import { doubtedBoxes, markDoubted, withoutDoubtedText } from './doubts/index.ts';
import { existingPage } from './existing-page.ts';
import { existingWords } from './existing-words.ts';
import { countCharacters, joinWords, type PageWords } from './page-words.ts';
import { findPicturesWithText, wordsInPictures } from './picture-text.ts';
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
  withoutRepeatedWords,
} from './placing.ts';
import { confidenceOf, type DrawPage, type PageAttempt, readPageText } from './reading.ts';
import { recogniseLines } from './recognise-picture.ts';
import type { Tesseract } from './tesseract/recogniser.ts';
import { isSure } from './trusted-recognition.ts';
import { linesWith } from './unread-lines.ts';

export type RecognitionRequest = {
  path: string;
  mime: string;
  /** 1-based. */
  page: number;
  languages: readonly string[];
  /**
   * `skip`: pages with text are not recognised. `redo`: an invisible layer is recognised again.
   * `force`: everything is recognised.
   */
  existingText: 'skip' | 'redo' | 'force';
  /** Whether to detect the orientation of the page. */
  rotate: boolean;
  /** Whether to straighten the page in the searchable PDF. */
  deskew: boolean;
};

/** Minimum confidence for turning a page. A photo is read as noise in any orientation. */
const minTurnConfidence = 0.5;

type PageSource = DrawPage & {
  frame: PageFrame | undefined;
  /** Visible text that is kept when the page is recognised. */
  keptText: PageWords;
  /** Boxes of words in the PDF that are not trusted. */
  doubted: readonly Box[];
};

type OpenPage = { document: PdfDocument; page: number; frame: PageFrame };

async function recognise(
  tesseract: Tesseract,
  source: PageSource,
  request: RecognitionRequest,
  isolation: string,
  treatment: PageResult['treatment'],
): Promise<PageResult> {
  const reading = await readPageText(tesseract, source, request, isolation);
  const { hocr, picture, turned } = reading;
  // The noise of a photo does not indicate an orientation.
  const isPrint = confidenceOf(hocr.words) >= minTurnConfidence;
  const orientation = request.rotate && isPrint ? nearestQuarter(turned + sidewaysTurn(hocr)) : 0;
  const map = readingToDisplay(reading);
  const { keptText, frame, doubted } = source;
  const placed = placeWords(hocr, map, keptText.words);
  const { words, lines } = mergeTexts(keptText, placed, placeLines(hocr, map));
  const credible = credibleWords(words);
  const size = frame ? displaySize(frame) : { width: picture.box[2], height: picture.box[3] };
  const width = turned % 180 === 0 ? picture.width : picture.height;
  return {
    page: request.page,
    state: 'recognised',
    treatment: placed.length === 0 && treatment === 'add' && orientation === 0 ? 'keep' : treatment,
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
    ...doubtedOf(doubted),
  };
}

const doubtedOf = (boxes: readonly Box[]): Pick<PageResult, 'doubted'> =>
  boxes.length === 0
    ? {}
    : { doubted: boxes.map(([x0, y0, x1, y1]) => [round(x0), round(y0), round(x1), round(y1)]) };

/**
 * Returns the share of apparent writing in which no word was read with confidence; 0 if there is
 * too little writing.
 */
function unreadShareOf({ picture, ink }: PageAttempt, words: readonly Word[]): number {
  if (isBlankPicture(picture)) return 0;
  const toPixels = invert(pictureToDisplay(picture));
  return unreadShare(
    ink ?? withLetters(picture),
    words.filter(isSure).map(({ box }) => applyToBox(toPixels, box)),
  );
}

/**
 * Minimum number of unreadable letters. Fewer may be the bullets and symbols of a page with few
 * words.
 */
const minUnreadable = 20;

/**
 * Whether a page has readable text. A page whose fonts do not map their codes to characters may
 * still contain a few readable hyphens. Such a page is recognised from its picture.
 */
function hasReadableText(glyphs: readonly Glyph[]): boolean {
  let [readable, unreadable] = [0, 0];
  for (const { text, visible, object } of glyphs) {
    if (text.trim() !== '') readable += 1;
    else if (text === '' && visible && object !== 0) unreadable += 1;
  }
  return readable > 0 && (unreadable < minUnreadable || readable >= unreadable);
}

/**
 * The words that are missing from a page's text: words in pictures, and words in untrusted fonts.
 */
type MissingText = { words: Word[]; lines: Line[] };

/** Returns the text in the pictures of a page that is not among the words of the page. */
async function wordsOfPictures(
  tesseract: Tesseract,
  { document, page, frame }: OpenPage,
  pageWords: PageWords,
  request: RecognitionRequest,
  isolation: string,
): Promise<(MissingText & { reading: PageAttempt }) | null> {
  const pictures = await findPicturesWithText(document, page, frame, pageWords.words);
  if (!pictures) return null;
  const draw = async (dpi: number): Promise<PagePicture> =>
    cropPicture(await pictureOfPdfPage(document, page, frame, dpi), pictures.bounds);
  const reading = await readPageText(tesseract, { picture: draw }, request, isolation);
  const map = readingToDisplay(reading);
  const wordsInside = wordsInPictures(placeWords(reading.hocr, map, pageWords.words), pictures);
  // Handwriting and photos are recognised as noise, which only counts as unread.
  const words = confidenceOf(wordsInside) >= minTurnConfidence ? wordsInside : [];
  return { words, lines: placeLines(reading.hocr, map), reading };
}

/** Returns the page with its existing text and the missing words. */
async function withMissingText(
  tesseract: Tesseract,
  openPage: OpenPage,
  glyphs: readonly Glyph[],
  request: RecognitionRequest,
  isolation: string,
): Promise<PageResult> {
  const { document, frame } = openPage;
  const pageWords = existingWords(document, withoutDoubtedText(glyphs), frame, false);
  const existing = {
    ...existingPage(request.page, frame, pageWords),
    ...doubtedOf(doubtedBoxes(glyphs)),
  };
  const pictureText = await wordsOfPictures(tesseract, openPage, pageWords, request, isolation);
  const lines = linesWith(glyphs, ({ doubted }) => doubted === true);
  const recognised = await recogniseLines(tesseract, openPage, lines, request.languages, isolation);
  if (!pictureText && recognised.words.length === 0) return existing;
  const { words, lines: addedLines } = mergeTexts(
    { words: pictureText?.words ?? [], lines: pictureText?.lines ?? [] },
    withoutRepeatedWords(recognised.words, pageWords.words),
    recognised.lines,
  );
  const merged = mergeTexts(existing, words, addedLines);
  const credible = credibleWords(merged.words);
  return {
    ...existing,
    ...merged,
    treatment: words.length === 0 ? 'keep' : 'add',
    text: joinWords(credible, merged.lines),
    meanConfidence: Math.round(confidenceOf(words) * 1e4) / 1e4,
    characters: countCharacters(credible),
    ...(pictureText ? { unreadShare: unreadShareOf(pictureText.reading, merged.words) } : {}),
  };
}

async function recognisePdfPage(
  tesseract: Tesseract,
  request: RecognitionRequest,
  isolation: string,
): Promise<PageResult> {
  const document = await openCachedPdf(request.path);
  return withPage(document, request.page, async (page) => {
    const frame = frameOf(document, page);
    const { existingText, languages } = request;
    const openPage = { document, page, frame };
    // The text of a page that is replaced by its picture need not be checked.
    const declared = existingText === 'force' ? [] : readText(document, page, frame);
    const marked = await markDoubted(openPage, declared, isolation, async (lines) => {
      const { words } = await recogniseLines(tesseract, openPage, lines, languages, isolation);
      return words;
    });
    const namedGlyphs = await withNamedGlyphs(document, request.page, marked);
    const glyphs = withoutDoubtedText(namedGlyphs);
    const isText = ({ text }: Glyph): boolean => text.trim() !== '';
    if (existingText === 'skip' && hasReadableText(glyphs)) {
      return withMissingText(tesseract, openPage, namedGlyphs, request, isolation);
    }
    const noText: PageWords = { words: [], lines: [] };
    const keptText =
      existingText === 'redo' && glyphs.some((glyph) => glyph.visible && isText(glyph))
        ? existingWords(document, glyphs, frame, true)
        : noText;
    const treatment =
      existingText === 'force'
        ? 'rasterise'
        : existingText === 'redo'
          ? 'replace_invisible'
          : 'add';
    const source: PageSource = {
      picture: (dpi) => pictureOfPdfPage(document, page, frame, dpi),
      frame,
      keptText,
      doubted: doubtedBoxes(marked),
    };
    return recognise(tesseract, source, request, isolation, treatment);
  });
}

/**
 * Recognises a page, or reads its existing text. Boxes and sizes are in points on the page as the
 * source displays it, regardless of detected rotation and skew.
 * @throws EngineError if the page cannot be read.
 */
export async function recognisePage(
  tesseract: Tesseract,
  request: RecognitionRequest,
  isolation: string,
): Promise<PageResult> {
  const mime = await checkMime(request.path, request.mime);
  if (mime === 'application/pdf') return recognisePdfPage(tesseract, request, isolation);
  const source: PageSource = {
    picture: (dpi) => pictureOfImage(request.path, request.page, dpi),
    frame: undefined,
    keptText: { words: [], lines: [] },
    doubted: [],
  };
  return recognise(tesseract, source, request, isolation, 'add');
}
