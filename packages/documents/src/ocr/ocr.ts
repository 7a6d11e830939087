import { credibleWords } from '../credible.ts';
import { applyToBox, displaySize, invert, quarter } from '../geometry.ts';
import { inkOf, unreadShare } from '../ink/unread.ts';
import { openCachedPdf } from '../pdf/cached.ts';
import { withNamedGlyphs } from '../pdf/glyph-names.ts';
import { frameOf } from '../pdf/page-frame.ts';
import { type Glyph, readText } from '../pdf/page-glyphs.ts';
import { type PdfDocument, withPage } from '../pdf/pdfium.ts';
import type { Box, Line, PageFrame, PageResult, Word } from '../results.ts';
import { checkMime } from '../source/mime.ts';
import { believed, doubtedBoxes, withDoubts } from './doubts/index.ts';
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
  wordsApart,
} from './placing.ts';
import { confidenceOf, type DrawPage, type PageAttempt, read } from './reading.ts';
import { recogniseLines } from './recognise-picture.ts';
import type { Tesseract } from './tesseract/recogniser.ts';
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

/** Minimum confidence at which a page may be turned. A photo is noise in every direction. */
const minTurned = 0.5;

type Source = DrawPage & {
  frame: PageFrame | undefined;
  /** Visible text that is kept when the page is recognised. */
  kept: PageWords;
  /** Boxes of words in the PDF that are not trusted. */
  doubted: readonly Box[];
};

type OpenPage = { document: PdfDocument; page: number; frame: PageFrame };

async function recognise(
  tesseract: Tesseract,
  source: Source,
  request: RecognitionRequest,
  isolation: string,
  treatment: PageResult['treatment'],
): Promise<PageResult> {
  const reading = await read(tesseract, source, request, isolation);
  const { hocr, picture, turned } = reading;
  // The noise of a photo does not indicate an orientation.
  const isPrint = confidenceOf(hocr.words) >= minTurned;
  const orientation = request.rotate && isPrint ? quarter(turned + sidewaysTurn(hocr)) : 0;
  const map = readingToDisplay(reading);
  const { kept, frame, doubted } = source;
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
    ink ?? inkOf(picture),
    words.filter(isSure).map(({ box }) => applyToBox(toPixels, box)),
  );
}

/**
 * Minimum number of unreadable letters. Fewer may be the bullets and signs of a page with few
 * words.
 */
const minSilent = 20;

/**
 * Whether a page has readable text. A page whose fonts do not map their codes to characters may
 * still contain a few readable hyphens. Such a page is recognised from its picture.
 */
function hasReadableText(glyphs: readonly Glyph[]): boolean {
  let [readable, silent] = [0, 0];
  for (const { text, visible, object } of glyphs) {
    if (text.trim() !== '') readable += 1;
    else if (text === '' && visible && object !== 0) silent += 1;
  }
  return readable > 0 && (silent < minSilent || readable >= silent);
}

/**
 * The words that are missing from a page's text: words in pictures, and words in untrusted fonts.
 */
type Lacking = { words: Word[]; lines: Line[] };

/** Returns the text in the pictures of a page that is not among the words of the page. */
async function wordsOfPictures(
  tesseract: Tesseract,
  { document, page, frame }: OpenPage,
  own: PageWords,
  request: RecognitionRequest,
  isolation: string,
): Promise<(Lacking & { reading: PageAttempt }) | null> {
  const pictured = await picturedText(document, page, frame, own.words);
  if (!pictured) return null;
  const draw = async (dpi: number): Promise<PagePicture> =>
    cropPicture(await pictureOfPdfPage(document, page, frame, dpi), pictured.around);
  const reading = await read(tesseract, { picture: draw }, request, isolation);
  const map = readingToDisplay(reading);
  const inside = inPictures(placeWords(reading.hocr, map, own.words), pictured);
  // Handwriting and photos are recognised as noise, which only counts as unread.
  const words = confidenceOf(inside) >= minTurned ? inside : [];
  return { words, lines: placeLines(reading.hocr, map), reading };
}

/** Returns the page with its existing text and the missing words. */
async function withLacking(
  tesseract: Tesseract,
  open: OpenPage,
  glyphs: readonly Glyph[],
  request: RecognitionRequest,
  isolation: string,
): Promise<PageResult> {
  const { document, frame } = open;
  const own = ownWords(document, believed(glyphs), frame, false);
  const existing = {
    ...existingPage(request.page, frame, own),
    ...doubtedOf(doubtedBoxes(glyphs)),
  };
  const pictured = await wordsOfPictures(tesseract, open, own, request, isolation);
  const lines = linesWith(glyphs, ({ doubted }) => doubted === true);
  const drawn = await recogniseLines(tesseract, open, lines, request.languages, isolation);
  if (!pictured && drawn.words.length === 0) return existing;
  const { words: read, lines: readLines } = mergeTexts(
    { words: pictured?.words ?? [], lines: pictured?.lines ?? [] },
    wordsApart(drawn.words, own.words),
    drawn.lines,
  );
  const merged = mergeTexts(existing, read, readLines);
  const credible = credibleWords(merged.words);
  return {
    ...existing,
    ...merged,
    treatment: read.length === 0 ? 'keep' : 'add',
    text: joinWords(credible, merged.lines),
    meanConfidence: Math.round(confidenceOf(read) * 1e4) / 1e4,
    characters: countCharacters(credible),
    ...(pictured ? { unreadShare: unreadShareOf(pictured.reading, merged.words) } : {}),
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
    const open = { document, page, frame };
    // A page that is replaced by its picture has no doubts to report.
    const said = existingText === 'force' ? [] : readText(document, page, frame);
    const all = await withDoubts(open, said, isolation, async (lines) => {
      const { words } = await recogniseLines(tesseract, open, lines, languages, isolation);
      return words;
    });
    const named = await withNamedGlyphs(document, request.page, all);
    const glyphs = believed(named);
    const isText = ({ text }: Glyph): boolean => text.trim() !== '';
    if (existingText === 'skip' && hasReadableText(glyphs)) {
      return withLacking(tesseract, open, named, request, isolation);
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
      doubted: doubtedBoxes(all),
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
  const source: Source = {
    picture: (dpi) => pictureOfImage(request.path, request.page, dpi),
    frame: undefined,
    kept: { words: [], lines: [] },
    doubted: [],
  };
  return recognise(tesseract, source, request, isolation, 'add');
}
