import { median, quarter } from '../geometry.ts';
import type { Quarter } from '../results.ts';
import type { Hocr } from './hocr.ts';
import { readInOrder } from './order.ts';
import { fineDpi, isBlank, type PagePicture, turnPicture } from './picture.ts';
import type { GreyPicture, Tesseract } from './tesseract.ts';

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
/** A page as it was read. */
export type Reading = {
  hocr: Hocr;
  picture: PagePicture;
  /** Clockwise turn of the picture before it was read. */
  turned: Quarter;
};

/** Mean confidence by letter, 0 to 1. */
export function confidenceOf(words: readonly { text: string; confidence: number }[]): number {
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

/** What gives a page as a picture. */
export type Drawn = {
  /** The page as a picture at so many dpi or fewer. */
  picture(dpi: number): Promise<PagePicture>;
};

/** Reads a page: at the usual resolution, then finer or turned where that did not go well. */
export async function read(
  tesseract: Tesseract,
  source: Drawn,
  request: { languages: readonly string[]; rotate: boolean },
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
