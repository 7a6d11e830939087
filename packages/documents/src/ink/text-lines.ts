import { area, median, sharedArea } from '../geometry.ts';
import type { Box } from '../results.ts';
import type { GreyRaster, InkPiece } from './components.ts';
import { isLetter, type LettersAtScale, maxLetterHeight } from './letters.ts';
import { PointGrid } from './point-grid.ts';

/** A row of ink that looks like writing, legible or not. */
export interface InkLine {
  /** The bounding box of the row, in pixels of the picture. */
  box: Box;
  /** Approximate number of letters. */
  letters: number;
  /** Boxes of the pieces of the row. */
  pieces: Box[];
}

/** Maximum ratio between the heights of letters on a line. */
const maxHeightRatio = 2.4;
/** Maximum gap between letters, in letter heights: the width of a wide space. */
const maxGap = 1.1;
/** Minimum number of pieces and of letters in a row. */
const minPieces = 4;
const minLetters = 6;
/**
 * Maximum deviation of pieces from their common line, in letter heights, and the minimum share of
 * pieces that must be within it.
 */
const maxLineDeviation = 0.22;
const minStraightShare = 0.65;
/**
 * Maximum variation of the tones of ink and of the background along a row, as shares of their
 * contrast.
 */
const maxVariation = { ink: 0.15, ground: 0.3 } as const;
/** Maximum share of a row's area that is ink. */
const maxInkShare = 0.5;
/**
 * Maximum share of a row that the boxes of its pieces fill. Above it, the pieces are cells of a
 * table.
 */
const maxFilledShare = 0.92;
/**
 * Minimum share of a light row that is as dark as its background. Paper beside a rule has no dark
 * background.
 */
const minDarkShare = 0.4;
/** Maximum height of a row, in letter heights. */
const maxRowHeight = 2.2;

/** Links each letter to the next letter on its line and returns the rows. */
function rowsOf(letters: readonly InkPiece[]): InkPiece[][] {
  const grid = new PointGrid(
    letters.map(({ x0, y0, y1 }) => [x0, (y0 + y1) / 2]),
    2 * maxLetterHeight,
  );
  const parents = letters.map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (parents[root] !== root) root = parents[root]!;
    parents[at] = root;
    return root;
  };
  letters.forEach((letter, at) => {
    const height = letter.y1 - letter.y0;
    const middle = (letter.y0 + letter.y1) / 2;
    // A matching letter starts, and has its centre, within these cells.
    const tallest = Math.min(maxLetterHeight, maxHeightRatio * height);
    const reach = (height + tallest) / 2 + 1;
    const left = letter.x1 - 0.4 * tallest - 1;
    const right = letter.x1 + maxGap * tallest + 1;
    let best = -1;
    let bestGap = Number.POSITIVE_INFINITY;
    grid.visitNear([left, middle - reach, right, middle + reach], (next) => {
      const other = letters[next]!;
      if (next === at || other.x0 <= letter.x0) return;
      const otherHeight = other.y1 - other.y0;
      const gap = other.x0 - letter.x1;
      const taller = Math.max(height, otherHeight);
      if (taller > maxHeightRatio * Math.min(height, otherHeight)) return;
      if (gap > maxGap * taller || gap < -0.4 * taller) return;
      const shared = Math.min(letter.y1, other.y1) - Math.max(letter.y0, other.y0);
      if (shared < 0.4 * Math.min(height, otherHeight) || gap >= bestGap) return;
      best = next;
      bestGap = gap;
    });
    if (best >= 0) parents[rootOf(best)] = rootOf(at);
  });
  const rows = new Map<number, InkPiece[]>();
  letters.forEach((letter, at) => {
    const root = rootOf(at);
    const row = rows.get(root);
    if (row) row.push(letter);
    else rows.set(root, [letter]);
  });
  return [...rows.values()];
}

/** Returns the share of points on a straight line. The line may be skewed. */
function shareOnLine(points: readonly (readonly [number, number])[], tolerance: number): number {
  const n = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / n;
  const slopes = points.flatMap(([x, y], at) => {
    const [otherX, otherY] = points[(at + (n >> 1)) % n]!;
    return Math.abs(otherX - x) < 1 ? [] : [(otherY - y) / (otherX - x)];
  });
  if (slopes.length === 0) return 0;
  const slope = median(slopes);
  const base = median(points.map(([x, y]) => y - slope * (x - meanX)));
  const near = points.filter(([x, y]) => Math.abs(y - slope * (x - meanX) - base) <= tolerance);
  return near.length / n;
}

/** Estimates the number of letters that a piece contains. */
function lettersIn({ x0, x1 }: InkPiece, height: number): number {
  return Math.max(1, Math.round((x1 - x0) / (0.7 * height)));
}

/** A line, with the tone halfway between its ink and its background. */
interface MeasuredLine extends InkLine {
  halfway: number;
}

/** Converts a row to a line of writing. Returns undefined if the row does not look like writing. */
function lineOf(row: readonly InkPiece[]): MeasuredLine | undefined {
  if (row.length < minPieces) return undefined;
  const height = median(row.map(({ y0, y1 }) => y1 - y0));
  const letters = row.reduce((sum, piece) => sum + lettersIn(piece, height), 0);
  if (letters < minLetters) return undefined;
  const box: Box = [
    Math.min(...row.map(({ x0 }) => x0)),
    Math.min(...row.map(({ y0 }) => y0)),
    Math.max(...row.map(({ x1 }) => x1)),
    Math.max(...row.map(({ y1 }) => y1)),
  ];
  const lean = Math.abs(box[2] - box[0]) * 0.3;
  if (box[3] - box[1] > maxRowHeight * height + lean || box[2] - box[0] < 3 * height)
    return undefined;
  const tolerance = Math.max(1, maxLineDeviation * height);
  const bottomShare = shareOnLine(
    row.map(({ x0, x1, y1 }) => [(x0 + x1) / 2, y1] as const),
    tolerance,
  );
  const topShare = shareOnLine(
    row.map(({ x0, x1, y0 }) => [(x0 + x1) / 2, y0] as const),
    tolerance,
  );
  if (Math.max(bottomShare, topShare) < minStraightShare) return undefined;
  const filled = row.reduce((sum, { x0, y0, x1, y1 }) => sum + (x1 - x0) * (y1 - y0), 0);
  if (filled > maxFilledShare * (box[2] - box[0]) * (box[3] - box[1])) return undefined;
  if (!isUniform(row, box)) return undefined;
  const pieces = row.map(({ x0, y0, x1, y1 }): Box => [x0, y0, x1, y1]);
  const halfway = (median(inksOf(row)) + median(backgroundsOf(row))) / 2;
  return { box, letters, pieces, halfway };
}

const inksOf = (row: readonly InkPiece[]): number[] => row.map(({ tones, ink }) => tones / ink);
const backgroundsOf = (row: readonly InkPiece[]): number[] =>
  row.map(({ backgroundTones, backgroundCount }) => backgroundTones / backgroundCount);

/** Whether a light line is on a dark background, as opposed to beside a dark area. */
function isOnDark({ data, width }: GreyRaster, { box, halfway }: MeasuredLine): boolean {
  const [x0, y0, x1, y1] = box;
  let dark = 0;
  for (let y = y0; y < y1; y += 1) {
    for (let at = y * width + x0; at < y * width + x1; at += 1) {
      if (data[at]! < halfway) dark += 1;
    }
  }
  return dark >= minDarkShare * (x1 - x0) * (y1 - y0);
}

/**
 * Whether a row has one ink on one background and leaves most of the background uncovered. This
 * distinguishes writing from photographs.
 */
function isUniform(row: readonly InkPiece[], [x0, y0, x1, y1]: Box): boolean {
  const [inks, grounds] = [inksOf(row), backgroundsOf(row)];
  const contrast = Math.abs(median(inks) - median(grounds));
  if (spreadOf(inks) > maxVariation.ink * contrast) return false;
  if (spreadOf(grounds) > maxVariation.ground * contrast) return false;
  const inked = row.reduce((sum, { ink }) => sum + ink, 0);
  return inked <= maxInkShare * (x1 - x0) * (y1 - y0);
}

function spreadOf(values: readonly number[]): number {
  const middle = median(values);
  return median(values.map((value) => Math.abs(value - middle)));
}

// All pieces have their fields in the same order, because V8 reads objects of one shape fastest.
const transposePiece = ({
  x0,
  y0,
  x1,
  y1,
  ink,
  tones,
  backgroundTones,
  backgroundCount,
}: InkPiece): InkPiece => ({
  x0: y0,
  y0: x0,
  x1: y1,
  y1: x1,
  ink,
  tones,
  backgroundTones,
  backgroundCount,
});
const transposeBox = ([x0, y0, x1, y1]: Box): Box => [y0, x0, y1, x1];

/**
 * Finds rows of ink that look like writing in any script: adjacent pieces of similar height on a
 * straight line, either dark on light or light on dark. The line may be skewed or vertical.
 */
export function inkLines(scales: readonly LettersAtScale[]): InkLine[] {
  const lines: InkLine[] = [];
  for (const scale of scales) {
    const rows = [...linesAt(scale, 'dark'), ...linesAt(scale, 'light')];
    rows.sort((a, b) => b.letters - a.letters);
    // Counters of letters, and letters that happen to be above one another, form rows on existing
    // lines. Such rows are omitted.
    for (const line of rows) {
      if (!lines.some(({ box }) => sharedArea(box, line.box) > 0.5 * area(line.box)))
        lines.push(line);
    }
  }
  return lines;
}

/** Returns the lines at one scale, dark on light or light on dark, in pixels of the original. */
function linesAt(scale: LettersAtScale, tone: 'dark' | 'light'): InkLine[] {
  const lines = linesOf(scale[tone]);
  const kept = tone === 'dark' ? lines : lines.filter((line) => isOnDark(scale.picture, line));
  return kept.map((line) => scaleLine(line, scale.factor));
}

/**
 * Whether any letter may be on a line that was at most half read (`isRead`, by box). Only a result
 * of false is certain. This check is cheaper than finding all lines, because such a line has at
 * least two unread letters.
 */
export function mayContainUnread(
  scales: readonly LettersAtScale[],
  isRead: (box: Box) => boolean,
  isUnread: (line: InkLine) => boolean,
): boolean {
  return scales.some((scale) =>
    (['dark', 'light'] as const).some((tone) => {
      const { factor } = scale;
      const unread = scale[tone].filter(
        ({ x0, y0, x1, y1 }) => !isRead([x0 * factor, y0 * factor, x1 * factor, y1 * factor]),
      );
      return unread.length >= minPieces / 2 && linesAt(scale, tone).some(isUnread);
    }),
  );
}

function linesOf(pieces: readonly InkPiece[]): MeasuredLine[] {
  const upright = pieces.filter(({ x0, y0, x1, y1, ink }) => isLetter(x1 - x0, y1 - y0, ink));
  const sideways = pieces.filter(({ x0, y0, x1, y1, ink }) => isLetter(y1 - y0, x1 - x0, ink));
  return [
    ...rowsOf(upright).flatMap((row) => lineOf(row) ?? []),
    ...rowsOf(sideways.map(transposePiece)).flatMap((row) => {
      const line = lineOf(row);
      return line ? [transposeLine(line)] : [];
    }),
  ];
}

function transposeLine(line: MeasuredLine): MeasuredLine {
  return { ...line, box: transposeBox(line.box), pieces: line.pieces.map(transposeBox) };
}

function scaleLine(line: InkLine, by: number): InkLine {
  const times = (box: Box): Box => [box[0] * by, box[1] * by, box[2] * by, box[3] * by];
  return { letters: line.letters, box: times(line.box), pieces: line.pieces.map(times) };
}
