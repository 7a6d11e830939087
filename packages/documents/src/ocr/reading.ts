import { median, nearestQuarter } from '../geometry.ts';
import { type PictureWithLetters, withLetters } from '../ink/unread-ink.ts';
import type { Quarter } from '../results.ts';
import { mergeReadings, missesWriting, readMissed } from './missed-writing.ts';
import { readInOrder } from './order.ts';
import { evenLighting } from './pictures/lighting.ts';
import { fineDpi, isBlankPicture, type PagePicture, turnPicture } from './pictures/picture.ts';
import type { Hocr } from './tesseract/hocr.ts';
import type { GreyPicture, Tesseract } from './tesseract/recogniser.ts';

/**
 * The resolution for most print. Between 150 and 200 dpi the error rate is constant (measured on 13
 * pages of 7 to 12 points with two models), and a lower resolution is faster.
 */
const usualDpi = 170;
/** Maximum x-height of small print, in pixels. Small print is read again at a higher resolution. */
const maxSmallXHeight = 9;
/** Confidence below which the page may be sideways. */
const doubtfulConfidence = 0.75;
/** Minimum confidence of a word. Words below it are often white text in a dark bar. */
const minCredibleConfidence = 0.4;
/**
 * Maximum share of letters in such words. Above it, the page is read again at a higher resolution.
 */
const maxGarbledShare = 0.01;
/**
 * Minimum confidence of an orientation to be accepted. On 15 test pages, such orientations were
 * always correct.
 */
const minOrientationConfidence = 5;
/** A reading of a page. */
export type PageAttempt = {
  hocr: Hocr;
  picture: PagePicture;
  /** The clockwise turn of the picture before it was read. */
  turned: Quarter;
  /** The ink of the picture, if it was examined. */
  ink?: PictureWithLetters | undefined;
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
function garbledShare(words: readonly { text: string; confidence: number }[]): number {
  let garbled = 0;
  let letters = 0;
  for (const { text, confidence } of words) {
    if (confidence < minCredibleConfidence) garbled += text.length;
    letters += text.length;
  }
  return letters === 0 ? 0 : garbled / letters;
}

/**
 * Returns the amount of credible text in a reading, which distinguishes an upright page from a page
 * on its side.
 */
function credibleText({ words }: Hocr): number {
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
  const detected = await tesseract.detectOrientation(first.picture);
  const guess = nearestQuarter(detected?.degrees ?? 0);
  const isCertain = (detected?.confidence ?? 0) >= minOrientationConfidence;
  if (isCertain && guess === 0) return first;
  const turns: number[] = isCertain
    ? [guess]
    : [guess, 90, 270, 180].filter((degrees) => degrees !== 0);
  let best = first;
  for (const degrees of new Set(turns)) {
    const picture: GreyPicture = await turnPicture(first.picture, degrees);
    const hocr = await tesseract.recognise(picture, languages, isolation);
    if (credibleText(hocr) > credibleText(best.hocr) * 1.2) {
      best = { hocr, picture: first.picture, turned: nearestQuarter(degrees) };
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
 * Adds the print that a reading missed. Skips photos and pages in an unknown script, where
 * everything seems to be missing.
 * @param examinedInk the ink of a picture that was examined before
 */
async function withMissedWriting(
  tesseract: Tesseract,
  best: PageAttempt,
  examinedInk: PictureWithLetters<GreyPicture> | null,
  languages: readonly string[],
  isolation: string,
): Promise<PageAttempt> {
  if (confidenceOf(best.hocr.words) < doubtfulConfidence) return best;
  const upright = best.turned === 0 ? best.picture : await turnPicture(best.picture, best.turned);
  const ink = examinedInk?.picture === upright ? examinedInk : withLetters(upright);
  const recognise = (part: GreyPicture): Promise<Hocr> =>
    tesseract.recognise(part, languages, isolation);
  const hocr = await readMissed(ink, best.hocr, recognise);
  return { ...best, hocr, ink: upright === best.picture ? ink : undefined };
}

/** Returns a source whose pictures are all lit evenly. */
const evenlyLitSource = (source: DrawPage): DrawPage => ({
  async picture(dpi) {
    const picture = await source.picture(dpi);
    return evenLighting(picture, picture.usedDpi) ?? picture;
  },
});

/**
 * Reads a page at the usual resolution. If the result is poor, the page is read again at a higher
 * resolution or in another orientation. A page with shadows is also read with even lighting.
 */
export async function readPageText(
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
  let shadowedReading: PageAttempt | null = null;
  const evenPicture = evenLighting(picture, picture.usedDpi);
  const evenInk = evenPicture && withLetters(evenPicture);
  // Lines that extend into a shadow are detected as lines only if the lighting is even.
  if (evenPicture) best = { ...best, picture: evenPicture };
  if (evenInk && missesWriting(evenInk, best.hocr)) {
    const { picture: inkPicture } = evenInk;
    const hocr = await tesseract.recognise(inkPicture, languages, isolation);
    if (credibleText(hocr) > credibleText(best.hocr)) {
      shadowedReading = best;
      best = { hocr, picture: inkPicture, turned: 0 };
      pictures = evenlyLitSource(source);
    }
  }
  const words = best.hocr.words;
  if (request.rotate && words.length > 0 && confidenceOf(words) < doubtfulConfidence) {
    best = await readTurned(tesseract, best, languages, isolation);
  }
  const isSmallPrint =
    best.hocr.lines.length > 0 && median(best.hocr.lines.map((l) => l.xHeight)) < maxSmallXHeight;
  const isDoubtful = confidenceOf(best.hocr.words) < doubtfulConfidence;
  const isGarbled = garbledShare(best.hocr.words) > maxGarbledShare;
  if ((isSmallPrint || isDoubtful || isGarbled) && picture.finestDpi > picture.usedDpi * 1.2) {
    const finerPicture = await pictures.picture(fineDpi);
    const turned = best.turned === 0 ? finerPicture : await turnPicture(finerPicture, best.turned);
    const hocr = await tesseract.recognise(turned, languages, isolation);
    if (credibleText(hocr) > credibleText(best.hocr))
      best = { ...best, hocr, picture: finerPicture };
  }
  best = await withMissedWriting(tesseract, best, evenInk, languages, isolation);
  // Keep text that is readable on the original page only.
  if (shadowedReading && best.picture === evenPicture && best.turned === 0) {
    best = { ...best, hocr: mergeReadings(best.hocr, shadowedReading.hocr) };
  }
  return { ...best, hocr: readInOrder(best.hocr) };
}
