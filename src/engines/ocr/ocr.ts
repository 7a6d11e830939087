import {
  apply,
  applyToBox,
  compose,
  displaySize,
  invert,
  type Matrix,
  median,
  quarter,
  turn,
} from '../geometry.ts';
import { unreadInk } from '../ink/unread.ts';
import {
  countCharacters,
  countText,
  joinWords,
  type PageText,
  readPageText,
} from '../pdf/page-text.ts';
import { withPage } from '../pdf/pdfium.ts';
import type { Box, Frame, Line, PageResult, Quarter, Word } from '../results.ts';
import { checkMime, frameOf, openCachedPdf } from '../source.ts';
import type { Hocr, HocrLine } from './hocr.ts';
import { readInOrder } from './order.ts';
import { leastSure } from './own-means.ts';
import {
  fineDpi,
  isBlank,
  type PagePicture,
  pictureOfImage,
  pictureOfPdfPage,
  pictureToDisplay,
  turnPicture,
} from './page-picture.ts';
import type { GreyPicture, Tesseract } from './tesseract.ts';

export type RecognitionRequest = {
  path: string;
  mime: string;
  /** 1-based. */
  page: number;
  languages: readonly string[];
  /** `skip` pages that have text, `redo` an invisible layer, or `force` everything anew. */
  existingText: 'skip' | 'redo' | 'force';
  /** Find out how the page must be turned to read upright. */
  rotate: boolean;
  /** Let the searchable PDF straighten the page. */
  deskew: boolean;
};

/**
 * Resolution that serves most print: between 150 and 200 the error is flat (measured on 13 pages of
 * 7 to 12 points, two models), and every step down saves time.
 */
const usualDpi = 170;
/** Small letters below this many pixels deserve the finer picture. */
const smallXHeight = 9;
/** A first reading below this may be of a page that lies on its side. */
const doubtfulConfidence = 0.75;
/** Words below this are none, often of white text in a dark bar. */
const noConfidence = 0.4;
/** With a larger share of letters in such words a page deserves the finer picture. */
const mostGarbled = 0.01;
/** Orientation found with at least this confidence was always right; see research of 15 pages. */
const sureOrientation = 5;
/** Leanings below this are the noise of line fitting, in degrees. */
const leastSkew = 0.3;

type Reading = {
  hocr: Hocr;
  picture: PagePicture;
  /** Clockwise turn of the picture before it was read. */
  turned: Quarter;
};

/** Mean confidence by letter, 0 to 1. */
function confidenceOf(words: readonly { text: string; confidence: number }[]): number {
  let sum = 0;
  let letters = 0;
  for (const { text, confidence } of words) {
    sum += confidence * text.length;
    letters += text.length;
  }
  return letters === 0 ? 0 : sum / letters;
}

/** The share of letters in words that cannot be believed. */
function garbledOf(words: readonly { text: string; confidence: number }[]): number {
  let garbled = 0;
  let letters = 0;
  for (const { text, confidence } of words) {
    if (confidence < noConfidence) garbled += text.length;
    letters += text.length;
  }
  return letters === 0 ? 0 : garbled / letters;
}

/** How much a reading found that can be believed: tells an upright page from one on its side. */
function worth({ words }: Hocr): number {
  let sum = 0;
  for (const { text, confidence } of words) {
    if (confidence > 0.6) sum += confidence * (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0);
  }
  return sum;
}

/**
 * The turn that most of the text asks for beyond that of the picture: lines that run up or down the
 * page are read as well as others, so that confidence does not tell.
 */
function sidewaysTurn({ words, lines }: Hocr): Quarter {
  const letters: Record<Quarter, number> = { 0: 0, 90: 0, 180: 0, 270: 0 };
  for (const { text, line } of words) letters[quarter(lines[line]?.textAngle ?? 0)] += text.length;
  const upright = letters[0] + letters[180];
  if (letters[90] > upright && letters[90] > letters[270]) return 90;
  return letters[270] > upright ? 270 : 0;
}

/** Degrees clockwise that the lines of a reading lean; long lines only, since short ones wobble. */
function skewOf({ lines }: Hocr, width: number): number {
  const long = lines.filter(({ box, textAngle }) => textAngle === 0 && box[2] - box[0] > width / 4);
  if (long.length < 3) return 0;
  const degrees = (Math.atan(median(long.map(({ slope }) => slope))) * 180) / Math.PI;
  return Math.abs(degrees) < leastSkew ? 0 : Math.round(degrees * 100) / 100;
}

/** Tries the page turned, in the order of likelihood, and keeps the best reading. */
async function readTurned(
  tesseract: Tesseract,
  first: Reading,
  languages: readonly string[],
  isolation: string,
): Promise<Reading> {
  const found = await tesseract.detectOrientation(first.picture);
  const guess = quarter(found?.degrees ?? 0);
  const sure = (found?.confidence ?? 0) >= sureOrientation;
  if (sure && guess === 0) return first;
  const turns: number[] = sure ? [guess] : [guess, 90, 270, 180].filter((degrees) => degrees !== 0);
  let best = first;
  for (const degrees of new Set(turns)) {
    const picture: GreyPicture = await turnPicture(first.picture, degrees);
    const hocr = await tesseract.recognise(picture, languages, isolation);
    if (worth(hocr) > worth(best.hocr) * 1.2) {
      best = { hocr, picture: first.picture, turned: quarter(degrees) };
      if (confidenceOf(hocr.words) >= doubtfulConfidence) break;
    }
  }
  return best;
}

type Source = {
  /** The page as a picture at so many dpi or fewer. */
  picture(dpi: number): Promise<PagePicture>;
  frame: Frame | undefined;
  /** Visible text that stays on the page, for pages that are recognised all the same. */
  kept: PageText;
};

/** Reads a page: at the usual resolution, then finer or turned where that did not go well. */
async function read(
  tesseract: Tesseract,
  source: Pick<Source, 'picture'>,
  request: Pick<RecognitionRequest, 'languages' | 'rotate'>,
  isolation: string,
): Promise<Reading> {
  const { languages } = request;
  const picture = await source.picture(usualDpi);
  const nothing: Hocr = { words: [], lines: [] };
  if (isBlank(picture)) return { hocr: nothing, picture, turned: 0 };
  let best: Reading = {
    hocr: await tesseract.recognise(picture, languages, isolation),
    picture,
    turned: 0,
  };
  const found = best.hocr.words;
  if (request.rotate && found.length > 0 && confidenceOf(found) < doubtfulConfidence) {
    best = await readTurned(tesseract, best, languages, isolation);
  }
  const small =
    best.hocr.lines.length > 0 && median(best.hocr.lines.map((l) => l.xHeight)) < smallXHeight;
  const doubtful = confidenceOf(best.hocr.words) < doubtfulConfidence;
  const garbled = garbledOf(best.hocr.words) > mostGarbled;
  if ((small || doubtful || garbled) && picture.finestDpi > picture.usedDpi * 1.2) {
    const finer = await source.picture(fineDpi);
    const turned = best.turned === 0 ? finer : await turnPicture(finer, best.turned);
    const hocr = await tesseract.recognise(turned, languages, isolation);
    if (worth(hocr) > worth(best.hocr)) best = { ...best, hocr, picture: finer };
  }
  return { ...best, hocr: readInOrder(best.hocr) };
}

/** From pixels of the (turned) picture that was read to points of the page as displayed. */
function readingToDisplay({ picture, turned }: Reading): Matrix {
  const back = invert(turn(picture.width, picture.height, turned));
  return compose(pictureToDisplay(picture), back);
}

/** Both ends of a line's baseline, in pixels; sideways lines rest on a long side of their box. */
function baselineOf(line: HocrLine): [from: [number, number], to: [number, number]] {
  const [x0, y0, x1, y1] = line.box;
  const below = line.descenders;
  switch (line.textAngle) {
    case 90:
      return [
        [x1 - below, y1],
        [x1 - below, y0],
      ];
    case 180:
      return [
        [x1, y0 + below],
        [x0, y0 + below],
      ];
    case 270:
      return [
        [x0 + below, y0],
        [x0 + below, y1],
      ];
    default:
      return [
        [x0, line.baseline],
        [x1, line.baseline + line.slope * (x1 - x0)],
      ];
  }
}

/** Measured heights of lines of one type wobble, and readers take them for different texts. */
const sameType = 0.25;

function placeLines(hocr: Hocr, map: Matrix): Line[] {
  const scale = Math.hypot(map[0], map[1]);
  const usual = median(hocr.lines.map(({ size }) => size));
  return hocr.lines.map((line) => {
    const [from, to] = baselineOf(line);
    const size = Math.abs(line.size - usual) < usual * sameType ? usual : line.size;
    const origin = apply(map, ...from);
    const end = apply(map, ...to);
    const angle = (Math.atan2(end[1] - origin[1], end[0] - origin[0]) * 180) / Math.PI;
    return {
      origin: [round(origin[0]), round(origin[1])],
      angle: round(angle),
      size: round(Math.max(1, size * scale)),
      paragraph: line.paragraph,
    };
  });
}

/** Two decimals: a hundredth of a point is finer than any picture, and keeps results small. */
function round(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}

function overlap(a: readonly number[], b: readonly number[]): number {
  const [ax0 = 0, ay0 = 0, ax1 = 0, ay1 = 0] = a;
  const [bx0 = 0, by0 = 0, bx1 = 0, by1 = 0] = b;
  const width = Math.min(ax1, bx1) - Math.max(ax0, bx0);
  const height = Math.min(ay1, by1) - Math.max(ay0, by0);
  return width > 0 && height > 0 ? (width * height) / ((ax1 - ax0) * (ay1 - ay0) || 1) : 0;
}

/** Recognised boxes are never exact: those of known text are taken a little larger. */
function grow([x0, y0, x1, y1]: Box): Box {
  return [x0 - 2, y0 - 2, x1 + 2, y1 + 2];
}

/** Recognised words, less those that only repeat text which stays on the page. */
function placeWords(hocr: Hocr, map: Matrix, kept: readonly Word[]): Word[] {
  const words: Word[] = [];
  for (const { text, box, confidence, line } of hocr.words) {
    const placed = applyToBox(map, box);
    let covered = 0;
    for (const word of kept) covered += overlap(placed, grow(word.box));
    if (covered > 0.5) continue;
    const [x0, y0, x1, y1] = placed;
    words.push({
      text,
      box: [round(x0), round(y0), round(x1), round(y1)],
      confidence,
      line,
      source: 'ocr',
    });
  }
  return words;
}

/** Puts the page's own text before what was recognised around it. */
function merge(kept: PageText, words: Word[], lines: Line[]): PageText {
  const shift = kept.lines.length;
  return {
    words: [...kept.words, ...words.map((word) => ({ ...word, line: word.line + shift }))],
    lines: [...kept.lines, ...lines],
  };
}

async function recognise(
  tesseract: Tesseract,
  source: Source,
  request: RecognitionRequest,
  isolation: string,
  treatment: PageResult['treatment'],
): Promise<PageResult> {
  const reading = await read(tesseract, source, request, isolation);
  const { hocr, picture, turned } = reading;
  const orientation = request.rotate ? quarter(turned + sidewaysTurn(hocr)) : 0;
  const map = readingToDisplay(reading);
  const { kept, frame } = source;
  const found = placeWords(hocr, map, kept.words);
  const { words, lines } = merge(kept, found, placeLines(hocr, map));
  const size = frame ? displaySize(frame) : { width: picture.box[2], height: picture.box[3] };
  const width = turned % 180 === 0 ? picture.width : picture.height;
  return {
    page: request.page,
    state: 'recognised',
    treatment: found.length === 0 && treatment === 'add' && orientation === 0 ? 'keep' : treatment,
    widthPt: round(size.width),
    heightPt: round(size.height),
    frame: frame ?? null,
    text: joinWords(words, lines),
    words,
    lines,
    meanConfidence: Math.round(confidenceOf(words) * 1e4) / 1e4,
    characters: countCharacters(words),
    orientation,
    skewDegrees: skewOf(hocr, width),
    deskew: request.deskew,
    blank: words.length === 0,
    unreadShare: unreadShareOf(picture, words),
  };
}

/** Fewer letters than this say nothing of a page. */
const leastInk = 24;

/** The share of what looks like writing that no word was surely read of; 0 where there is hardly any. */
function unreadShareOf(picture: PagePicture, words: readonly Word[]): number {
  if (isBlank(picture)) return 0;
  const toPixels = invert(pictureToDisplay(picture));
  const sure = words.filter(
    ({ confidence, text }) => confidence >= leastSure && /[\p{L}\p{N}]/u.test(text),
  );
  const { letters, unread } = unreadInk(
    picture,
    sure.map(({ box }) => applyToBox(toPixels, box)),
  );
  return letters < leastInk ? 0 : Math.round((1e2 * unread) / letters) / 1e2;
}

/**
 * Recognises what a picture shows of a page, drawn at as many dpi as it is asked for. Words and lines
 * are in points of the page as displayed. `rotate`: text may run any way.
 */
export async function recognisePicture(
  tesseract: Tesseract,
  picture: (dpi: number) => Promise<PagePicture>,
  languages: readonly string[],
  isolation: string,
  rotate = true,
): Promise<PageText> {
  const reading = await read(tesseract, { picture }, { languages, rotate }, isolation);
  const map = readingToDisplay(reading);
  return { words: placeWords(reading.hocr, map, []), lines: placeLines(reading.hocr, map) };
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
    const { visible, invisible } = countText(document, page);
    if (existingText === 'skip' && visible + invisible > 0) {
      return existingPage(request, frame, readPageText(document, page, frame, false));
    }
    const nothing: PageText = { words: [], lines: [] };
    const kept =
      existingText === 'redo' && visible > 0 ? readPageText(document, page, frame, true) : nothing;
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

/** A page that has text: it is left alone, and its own words are the result. */
function existingPage(
  request: RecognitionRequest,
  frame: Frame,
  { words, lines }: PageText,
): PageResult {
  const size = displaySize(frame);
  return {
    page: request.page,
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
 * Recognises one page, or reads the text it has. Boxes and sizes are in points of the page as the
 * source displays it, whatever turn or skew was found. Throws EngineError.
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
