import { area, grow, heightOf, hull, median, sharedArea, widthOf } from '../geometry.ts';
import type { InkLine } from '../ink/text-lines.ts';
import {
  maxReadShareIfIllegible,
  type PictureWithLetters,
  unreadInk,
  unreadLines,
} from '../ink/unread-ink.ts';
import type { Box } from '../results.ts';
import { toneOfPaper } from './pictures/picture.ts';
import type { Hocr, HocrLine } from './tesseract/hocr.ts';
import type { GreyPicture } from './tesseract/recogniser.ts';
import { isSure } from './trusted-recognition.ts';

/** Minimum number of letters in unread lines for the page to be read again. */
const minLetters = 30;
/** Margin around unread lines, in pixels, because letters at the edge of a picture are misread. */
const margin = 24;
/** Maximum slope of skewed lines. Steeper lines run in another direction. */
const maxSlope = 0.12;

const overlap = (a: Box, b: Box): boolean => sharedArea(a, b) > 0.3 * Math.min(area(a), area(b));

/** Maximum share of unread letters in a complete reading. */
const maxUnreadShare = 0.05;

/** Whether a reading misses apparent writing, including parts of lines. */
export function missesWriting(ink: PictureWithLetters, { words }: Hocr): boolean {
  const readBoxes = words.filter(isSure).map(({ box }) => box);
  const { letters, unread } = unreadInk(ink, readBoxes, maxReadShareIfIllegible);
  return unread > maxUnreadShare * letters;
}

/** A part of a picture, and the slope of its lines: the downward offset per pixel to the right. */
type Part = { box: Box; slope: number };

/** Returns the slope of a line, measured from its left pieces to its right pieces. */
function slopeOf({ pieces }: InkLine): number {
  const sorted = [...pieces].sort((a, b) => a[0] - b[0]);
  const half = sorted.length >> 1;
  return median(
    sorted.slice(0, half).map((from, at) => {
      const to = sorted[at + sorted.length - half] ?? from;
      return (to[3] - from[3]) / Math.max(1, to[0] - from[0]);
    }),
  );
}

/**
 * Returns the part of a picture with lines that look like writing but were not read. Null if they
 * have too few letters.
 */
function missedPart(ink: PictureWithLetters, { words }: Hocr): Part | null {
  const { picture } = ink;
  const readBoxes = words.filter(isSure).map(({ box }) => box);
  const lines = unreadLines(ink, readBoxes).filter(({ box }) => widthOf(box) > heightOf(box));
  const letters = lines.reduce((sum, line) => sum + line.letters, 0);
  const bounds = letters < minLetters ? undefined : hull(lines.map(({ box }) => box));
  if (!bounds) return null;
  const [x0, y0, x1, y1] = grow(bounds, margin);
  const box: Box = [
    Math.max(0, Math.floor(x0)),
    Math.max(0, Math.floor(y0)),
    Math.min(picture.width, Math.ceil(x1)),
    Math.min(picture.height, Math.ceil(y1)),
  ];
  const slope = median(lines.map(slopeOf));
  return { box, slope: Math.abs(slope) > maxSlope ? 0 : slope };
}

/** Returns the upward shift of a column that makes the lines of the part level, in pixels. */
const liftOf = ({ slope }: Part, x: number): number => Math.round(slope * x);

/** Returns a part of a picture with level lines. Its columns are shifted up or down. */
function levelPart(picture: GreyPicture, part: Part): GreyPicture {
  const [x0, y0, x1, y1] = part.box;
  const [width, height] = [x1 - x0, y1 - y0];
  const data = new Uint8Array(width * height).fill(toneOfPaper(picture));
  for (let x = 0; x < width; x += 1) {
    // The middle column of the part is not shifted.
    const lift = liftOf(part, x - width / 2);
    const from = Math.max(0, -y0 - lift);
    const to = Math.min(height, picture.height - y0 - lift);
    for (let y = from; y < to; y += 1) {
      data[y * width + x] = picture.data[(y0 + y + lift) * picture.width + x0 + x]!;
    }
  }
  return { data, width, height, dpi: picture.dpi };
}

/** Maps the reading of a part to pixels of the whole picture. */
function partToPicture({ words, lines }: Hocr, part: Part): Hocr {
  const [left, top, right] = part.box;
  const moveBox = ([x0, y0, x1, y1]: Box): Box => {
    const dy = top + liftOf(part, (x0 + x1 - (right - left)) / 2);
    return [x0 + left, y0 + dy, x1 + left, y1 + dy];
  };
  return {
    words: words.map((word) => ({ ...word, box: moveBox(word.box) })),
    lines: lines.map((line) => ({
      ...line,
      box: moveBox(line.box),
      slope: line.slope + part.slope,
      baseline: line.baseline + top + liftOf(part, line.box[0] - (right - left) / 2),
    })),
  };
}

/**
 * Returns the index at which to insert a line: after the last line above it, or else before the
 * lines below it.
 */
function insertionIndex(lines: readonly HocrLine[], { box: [x0, y0, x1, y1] }: HocrLine): number {
  const sharesColumn = lines.map(({ box }) => Math.min(x1, box[2]) > Math.max(x0, box[0]));
  const isAbove = ({ box }: HocrLine): boolean => box[1] + box[3] < y0 + y1;
  const above = lines.findLastIndex((line, at) => sharesColumn[at] && isAbove(line));
  if (above >= 0) return above + 1;
  const below = lines.findIndex((_, at) => sharesColumn[at]);
  return below >= 0 ? below : lines.length;
}

/**
 * Adds the confident words of a second reading where the first reading has none. Lines stay in
 * order.
 */
export function mergeReadings(first: Hocr, second: Hocr): Hocr {
  const sureWords = first.words.filter(isSure);
  const added = second.words
    .filter(isSure)
    .filter(({ box }) => !sureWords.some((word) => overlap(word.box, box)));
  if (added.length === 0) return first;
  const remaining = first.words.filter(
    (word) => isSure(word) || !added.some(({ box }) => overlap(word.box, box)),
  );
  const lines = [...first.lines];
  for (const at of new Set(added.map(({ line }) => line))) {
    const line = second.lines[at];
    if (line) lines.splice(insertionIndex(lines, line), 0, line);
  }
  const lineIndexes = new Map(lines.map((line, at) => [line, at]));
  const moveWords = (words: Hocr['words'], from: readonly HocrLine[]): Hocr['words'] =>
    words.flatMap((word) => {
      const line = from[word.line];
      const lineIndex = line && lineIndexes.get(line);
      return lineIndex === undefined ? [] : [{ ...word, line: lineIndex }];
    });
  const words = [...moveWords(remaining, first.lines), ...moveWords(added, second.lines)];
  return { words: words.sort((a, b) => a.line - b.line), lines };
}

/**
 * Reads missed writing again, separately. The recogniser drops paragraphs that slope, or that it
 * mistakes for a part of a picture or of the edge of the paper.
 */
export async function readMissed(
  ink: PictureWithLetters<GreyPicture>,
  hocr: Hocr,
  recognise: (part: GreyPicture) => Promise<Hocr>,
): Promise<Hocr> {
  const part = missedPart(ink, hocr);
  if (!part) return hocr;
  return mergeReadings(hocr, partToPicture(await recognise(levelPart(ink.picture, part)), part));
}
