import { intersection } from '../../geometry.ts';
import type { Box, Line, PageFrame, PageResult, Word } from '../../results.ts';
import type { PageLayer } from './plan.ts';

const toHundredths = (value: number): number => Math.round(value * 100);

/** Packs the recognised words of a page into the compact form of a plan. */
export function packLayer(
  words: readonly Word[],
  { lines, orientation, skewDegrees }: Pick<PageResult, 'lines' | 'orientation' | 'skewDegrees'>,
): PageLayer {
  const singleWords = words.filter(({ text }) => /^\S+$/.test(text));
  return {
    text: singleWords.map(({ text }) => text).join(' '),
    words: singleWords.flatMap(({ box, line }) => [...box.map(toHundredths), line]),
    lines: lines.flatMap(({ origin, size, angle }) => [...origin, size, angle].map(toHundredths)),
    orientation,
    skewDegrees,
  };
}

/** Maximum overlap of a word with a removed area, as a share of a letter's width and height. */
const maxOverlap = 0.25;

/** Whether one of a word's letters may be in a removed area. */
function mayHaveLetterIn({ text, box }: Word, vertical: boolean, area: Box): boolean {
  const shared = intersection(box, area);
  if (!shared) return false;
  const letters = Math.max(1, text.length);
  const [width, height] = [box[2] - box[0], box[3] - box[1]];
  const [letterWidth, letterHeight] = vertical
    ? [width, height / letters]
    : [width / letters, height];
  return (
    shared[2] - shared[0] > maxOverlap * letterWidth &&
    shared[3] - shared[1] > maxOverlap * letterHeight
  );
}

const isVertical = (angle: number): boolean => Math.abs(Math.sin((angle * Math.PI) / 180)) > 0.7;

/**
 * Returns the words of a layer that are outside the removed areas, as a page to write as invisible
 * text. A line that lost words gets the height of its remaining words, because its recorded height
 * may be due to a removed word.
 * @param frame null if the page is written as displayed
 */
export function remainingLayer(
  { text, words, lines: packedLines, orientation, skewDegrees }: PageLayer,
  { page, frame, width, height }: { page: number; frame: PageFrame | null } & Size,
  removed: readonly Box[],
): PageResult {
  const lines: Line[] = [];
  for (let at = 0; at + 3 < packedLines.length; at += 4) {
    const [x = 0, y = 0, size = 0, angle = 0] = packedLines.slice(at, at + 4).map((n) => n / 100);
    lines.push({ origin: [x, y], size, angle, paragraph: false });
  }
  const allWords = (text === '' ? [] : text.split(' ')).map((word, at): Word => {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0, line = 0] = words.slice(at * 5, at * 5 + 5);
    const box: Box = [x0 / 100, y0 / 100, x1 / 100, y1 / 100];
    return { text: word, box, confidence: 1, line, source: 'ocr' };
  });
  const heights = new Map<number, number>();
  const linesWithRemovals = new Set<number>();
  const remaining = allWords.filter((word) => {
    const vertical = isVertical(lines[word.line]?.angle ?? 0);
    if (removed.some((area) => mayHaveLetterIn(word, vertical, area))) {
      linesWithRemovals.add(word.line);
      return false;
    }
    const [from, to] = vertical ? [word.box[0], word.box[2]] : [word.box[1], word.box[3]];
    heights.set(word.line, Math.max(heights.get(word.line) ?? 0, to - from));
    return true;
  });
  for (const index of linesWithRemovals) {
    const line = lines[index];
    if (line) lines[index] = { ...line, size: heights.get(index) ?? line.size };
  }
  return {
    page,
    state: 'recognised',
    treatment: 'add',
    frame,
    widthPt: width,
    heightPt: height,
    text: '',
    words: remaining,
    lines,
    meanConfidence: 1,
    characters: 0,
    orientation,
    skewDegrees,
    deskew: false,
    blank: false,
  };
}

interface Size {
  width: number;
  height: number;
}
