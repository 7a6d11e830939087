import { median, quarter } from '../geometry.ts';
import { type Ink, inkOf } from '../ink/unread.ts';
import type { Quarter } from '../results.ts';
import { lacksWriting, readMissed, withMore } from './missed.ts';
import { readInOrder } from './order.ts';
import { evenlyLit } from './pictures/lighting.ts';
import { fineDpi, isBlankPicture, type PagePicture, turnPicture } from './pictures/picture.ts';
import type { Hocr } from './tesseract/hocr.ts';
import type { GreyPicture, Tesseract } from './tesseract/recogniser.ts';

/**
 * The resolution that serves most print: between 150 and 200 the error rate is flat (measured on 13
 * pages of 7 to 12 points, two models), and every step down saves time.
 */
const usualDpi = 170;
/** Maximum height of small letters, in pixels, which are read again at a higher resolution. */
const smallXHeight = 9;
/** Below this confidence the page may be sideways. */
const doubtfulConfidence = 0.75;
/** Minimum confidence of a word; anything below is often white text in a dark bar. */
const noConfidence = 0.4;
/**
 * Maximum share of letters in such words; above it, the page is read again at a higher resolution.
 */
const maxGarbled = 0.01;
/** Orientations detected with at least this confidence were always correct, on 15 pages. */
const sureOrientation = 5;
/** A page as it was read. */
export type PageAttempt = {
  hocr: Hocr;
  picture: PagePicture;
  /** Clockwise turn of the picture before it was read. */
  turned: Quarter;
  /** The ink of the picture, if it was examined. */
  ink?: Ink | undefined;
};

/** Mean confidence, weighted by letters, 0 to 1. */
export function confidenceOf(words: readonly { text: string; confidence: number }[]): number {
  let sum = 0;
  let letters = 0;
  for (const { text, confidence } of words) {
    sum += confidence * text.length;
    letters += text.length;
  }
  return letters === 0 ? 0 : sum / letters;
}

/** Returns the share of letters in words that are not credible. */
function garbledOf(words: readonly { text: string; confidence: number }[]): number {
  let garbled = 0;
  let letters = 0;
  for (const { text, confidence } of words) {
    if (confidence < noConfidence) garbled += text.length;
    letters += text.length;
  }
  return letters === 0 ? 0 : garbled / letters;
}

/**
 * Scores the amount of credible text in a reading: distinguishes an upright page from one on its
 * side.
 */
function worth({ words }: Hocr): number {
  let sum = 0;
  for (const { text, confidence } of words) {
    if (confidence > 0.6) sum += confidence * (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0);
  }
  return sum;
}

/** Tries the page turned, in order of likelihood, and keeps the best reading. */
async function readTurned(
  tesseract: Tesseract,
  first: PageAttempt,
  languages: readonly string[],
  isolation: string,
): Promise<PageAttempt> {
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

/** A source of pictures of a page. */
export type DrawPage = {
  /** The page as a picture at the given resolution or less. */
  picture(dpi: number): Promise<PagePicture>;
};

/**
 * Returns a reading, with the print that it missed. On a photo or a page in an unknown script,
 * everything seems to be missing.
 * @param known the ink of a picture that was looked at before
 */
async function withMissed(
  tesseract: Tesseract,
  best: PageAttempt,
  known: Ink<GreyPicture> | null,
  languages: readonly string[],
  isolation: string,
): Promise<PageAttempt> {
  if (confidenceOf(best.hocr.words) < doubtfulConfidence) return best;
  const seen = best.turned === 0 ? best.picture : await turnPicture(best.picture, best.turned);
  const ink = known?.picture === seen ? known : inkOf(seen);
  const recognise = (part: GreyPicture): Promise<Hocr> =>
    tesseract.recognise(part, languages, isolation);
  const hocr = await readMissed(ink, best.hocr, recognise);
  return { ...best, hocr, ink: seen === best.picture ? ink : undefined };
}

/** Returns a page whose pictures are all lit evenly. */
const lit = (source: DrawPage): DrawPage => ({
  async picture(dpi) {
    const picture = await source.picture(dpi);
    return evenlyLit(picture, picture.usedDpi) ?? picture;
  },
});

/**
 * Reads a page at the usual resolution, then at a higher one or turned if the result is poor. A
 * page with shadows is also read as if it were lit evenly.
 */
export async function read(
  tesseract: Tesseract,
  source: DrawPage,
  request: { languages: readonly string[]; rotate: boolean },
  isolation: string,
): Promise<PageAttempt> {
  const { languages } = request;
  const picture = await source.picture(usualDpi);
  const nothing: Hocr = { words: [], lines: [] };
  if (isBlankPicture(picture)) return { hocr: nothing, picture, turned: 0 };
  let best: PageAttempt = {
    hocr: await tesseract.recognise(picture, languages, isolation),
    picture,
    turned: 0,
  };
  let pictures = source;
  let inShadow: PageAttempt | null = null;
  const even = evenlyLit(picture, picture.usedDpi);
  const evenInk = even && inkOf(even);
  // Lines that extend into a shadow are recognised as lines only without it.
  if (even) best = { ...best, picture: even };
  if (evenInk && lacksWriting(evenInk, best.hocr)) {
    const { picture: even } = evenInk;
    const hocr = await tesseract.recognise(even, languages, isolation);
    if (worth(hocr) > worth(best.hocr)) {
      inShadow = best;
      best = { hocr, picture: even, turned: 0 };
      pictures = lit(source);
    }
  }
  const found = best.hocr.words;
  if (request.rotate && found.length > 0 && confidenceOf(found) < doubtfulConfidence) {
    best = await readTurned(tesseract, best, languages, isolation);
  }
  const small =
    best.hocr.lines.length > 0 && median(best.hocr.lines.map((l) => l.xHeight)) < smallXHeight;
  const doubtful = confidenceOf(best.hocr.words) < doubtfulConfidence;
  const garbled = garbledOf(best.hocr.words) > maxGarbled;
  if ((small || doubtful || garbled) && picture.finestDpi > picture.usedDpi * 1.2) {
    const finer = await pictures.picture(fineDpi);
    const turned = best.turned === 0 ? finer : await turnPicture(finer, best.turned);
    const hocr = await tesseract.recognise(turned, languages, isolation);
    if (worth(hocr) > worth(best.hocr)) best = { ...best, hocr, picture: finer };
  }
  best = await withMissed(tesseract, best, evenInk, languages, isolation);
  // Text that only the unmodified page shows is also kept.
  if (inShadow && best.picture === even && best.turned === 0) {
    best = { ...best, hocr: withMore(best.hocr, inShadow.hocr) };
  }
  return { ...best, hocr: readInOrder(best.hocr) };
}
