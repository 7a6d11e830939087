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
 * The resolution for most print. Between 150 and 200 dpi the error rate is constant (measured on 13
 * pages of 7 to 12 points with two models), and a lower resolution is faster.
 */
const usualDpi = 170;
/** Maximum x-height of small print, in pixels. Small print is read again at a higher resolution. */
const smallXHeight = 9;
/** Confidence below which the page may be sideways. */
const doubtfulConfidence = 0.75;
/** Minimum confidence of a word. Words below it are often white text in a dark bar. */
const noConfidence = 0.4;
/**
 * Maximum share of letters in such words. Above it, the page is read again at a higher resolution.
 */
const maxGarbled = 0.01;
/**
 * Minimum confidence of an orientation to be accepted. On 15 test pages, such orientations were
 * always correct.
 */
const sureOrientation = 5;
/** A reading of a page. */
export type PageAttempt = {
  hocr: Hocr;
  picture: PagePicture;
  /** The clockwise turn of the picture before it was read. */
  turned: Quarter;
  /** The ink of the picture, if it was examined. */
  ink?: Ink | undefined;
};

/** Returns the mean confidence of words, weighted by letters, from 0 to 1. */
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
 * Returns the amount of credible text in a reading, which distinguishes an upright page from a page
 * on its side.
 */
function worth({ words }: Hocr): number {
  let sum = 0;
  for (const { text, confidence } of words) {
    if (confidence > 0.6) sum += confidence * (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0);
  }
  return sum;
}

/** Reads the page in other orientations, the most likely first, and returns the best reading. */
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
  /** Draws the page at the given resolution or less. */
  picture(dpi: number): Promise<PagePicture>;
};

/**
 * Adds the print that a reading missed. Not for photos and pages in an unknown script, where
 * everything seems to be missing.
 * @param known the ink of a picture that was examined before
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

/** Returns a source whose pictures are all lit evenly. */
const lit = (source: DrawPage): DrawPage => ({
  async picture(dpi) {
    const picture = await source.picture(dpi);
    return evenlyLit(picture, picture.usedDpi) ?? picture;
  },
});

/**
 * Reads a page at the usual resolution. If the result is poor, the page is read again at a higher
 * resolution or in another orientation. A page with shadows is also read with even lighting.
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
  // Lines that extend into a shadow are detected as lines only if the lighting is even.
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
  // Keeps text that is only readable on the original page.
  if (inShadow && best.picture === even && best.turned === 0) {
    best = { ...best, hocr: withMore(best.hocr, inShadow.hocr) };
  }
  return { ...best, hocr: readInOrder(best.hocr) };
}
