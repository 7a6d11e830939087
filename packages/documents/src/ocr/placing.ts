import {
  apply,
  applyToBox,
  compose,
  invert,
  type Matrix,
  median,
  nearestQuarter,
  turn,
} from '../geometry.ts';
import type { Box, Line, Quarter, Word } from '../results.ts';
import type { PageWords } from './page-words.ts';
import { pictureToDisplay } from './pictures/picture.ts';
import type { PageAttempt } from './reading.ts';
import type { Hocr, HocrLine } from './tesseract/hocr.ts';

/** Minimum skew, in degrees. Smaller values are noise from fitting lines. */
const minSkew = 0.3;

/**
 * Returns the turn that most of the text needs in addition to the turn of the picture. Confidence
 * does not indicate this turn, because vertical lines are read as well as horizontal ones.
 */
export function sidewaysTurn({ words, lines }: Hocr): Quarter {
  const letters: Record<Quarter, number> = { 0: 0, 90: 0, 180: 0, 270: 0 };
  for (const { text, line } of words)
    letters[nearestQuarter(lines[line]?.textAngle ?? 0)] += text.length;
  const upright = letters[0] + letters[180];
  if (letters[90] > upright && letters[90] > letters[270]) return 90;
  return letters[270] > upright ? 270 : 0;
}

/**
 * Returns the skew of the lines, in degrees clockwise. Short lines are too inaccurate and are
 * ignored.
 */
export function skewOf({ lines }: Hocr, width: number): number {
  const longLines = lines.filter(
    ({ box, textAngle }) => textAngle === 0 && box[2] - box[0] > width / 4,
  );
  if (longLines.length < 3) return 0;
  const degrees = (Math.atan(median(longLines.map(({ slope }) => slope))) * 180) / Math.PI;
  return Math.abs(degrees) < minSkew ? 0 : Math.round(degrees * 100) / 100;
}

/** Returns the map from pixels of the turned picture to points on the page as displayed. */
export function readingToDisplay({ picture, turned }: PageAttempt): Matrix {
  const turnBack = invert(turn(picture.width, picture.height, turned));
  return compose(pictureToDisplay(picture), turnBack);
}

/**
 * Returns both ends of a line's baseline, in pixels. A sideways line's baseline is along a long
 * side of its box.
 */
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

/**
 * Maximum difference between the heights of lines in the same font size. Measured heights vary, and
 * PDF readers would mistake such lines for different texts.
 */
const maxSizeDifference = 0.25;

export function placeLines(hocr: Hocr, map: Matrix): Line[] {
  const scale = Math.hypot(map[0], map[1]);
  const medianSize = median(hocr.lines.map(({ size }) => size));
  return hocr.lines.map((line) => {
    const [from, to] = baselineOf(line);
    const size =
      Math.abs(line.size - medianSize) < medianSize * maxSizeDifference ? medianSize : line.size;
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

/**
 * Rounds to two decimals, which is finer than the pixels of any picture and keeps results small.
 */
export function round(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}

function overlap(a: readonly number[], b: readonly number[]): number {
  const [ax0 = 0, ay0 = 0, ax1 = 0, ay1 = 0] = a;
  const [bx0 = 0, by0 = 0, bx1 = 0, by1 = 0] = b;
  const width = Math.min(ax1, bx1) - Math.max(ax0, bx0);
  const height = Math.min(ay1, by1) - Math.max(ay0, by0);
  return width > 0 && height > 0 ? (width * height) / ((ax1 - ax0) * (ay1 - ay0) || 1) : 0;
}

/** Enlarges the box of known text slightly, because recognised boxes are not exact. */
function grow([x0, y0, x1, y1]: Box): Box {
  return [x0 - 2, y0 - 2, x1 + 2, y1 + 2];
}

/** Returns the recognised words, without those that repeat text that stays on the page. */
export function placeWords(hocr: Hocr, map: Matrix, existing: readonly Word[]): Word[] {
  const words = hocr.words.map(({ text, box, confidence, line }): Word => {
    const [x0, y0, x1, y1] = applyToBox(map, box);
    const displayBox: Box = [round(x0), round(y0), round(x1), round(y1)];
    return { text, box: displayBox, confidence, line, source: 'ocr' };
  });
  return withoutRepeatedWords(words, existing);
}

/** Returns the words that do not repeat other words: less than half of each is covered by them. */
export function withoutRepeatedWords(words: readonly Word[], existing: readonly Word[]): Word[] {
  return words.filter(({ box }) => {
    let coveredShare = 0;
    for (const word of existing) coveredShare += overlap(box, grow(word.box));
    return coveredShare <= 0.5;
  });
}

/** Places the existing text of a page before the recognised text. */
export function mergeTexts(existing: PageWords, words: Word[], lines: Line[]): PageWords {
  const offset = existing.lines.length;
  return {
    words: [...existing.words, ...words.map((word) => ({ ...word, line: word.line + offset }))],
    lines: [...existing.lines, ...lines],
  };
}
