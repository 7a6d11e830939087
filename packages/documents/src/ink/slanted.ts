import { median } from '../geometry.ts';
import type { Box } from '../results.ts';
import type { InkPiece } from './components.ts';
import { isLetter, type LettersAtScale } from './letters.ts';
import { PointGrid } from './point-grid.ts';

/** A row of ink that is neither level nor upright, such as a watermark. In pixels. */
export interface SlantedLine {
  /** The angle of the row, in degrees from -90 to 90; positive is downwards to the right. */
  angle: number;
  /** The centres of its first and last letters. */
  from: readonly [x: number, y: number];
  to: readonly [x: number, y: number];
  /** The usual size of its letters. */
  size: number;
  pieces: Box[];
}

/** Minimum size of a letter, in pixels. Smaller pieces are specks. */
const minSize = 8;
/** Minimum number of letters of a row. */
const minLetters = 5;
/**
 * Maximum number of unread pieces, more than a page of print has letters. A picture with more shows a
 * texture.
 */
const maxPieces = 6000;
/** Range of angles between level and upright, in degrees. */
const angles = [8, 82] as const;
/** Maximum ratio of the sizes of adjacent letters, and their maximum distance in letter sizes. */
const maxLarger = 1.9;
const farthest = 2.4;
/** Maximum distance of a letter from the line, in letter sizes. */
const straight = 0.3;
/** Maximum variation of the tones of ink along a row, as a share of their contrast. */
const maxUneven = 0.2;

/** A piece with its centre and its size. */
type Letter = { x: number; y: number; size: number; piece: InkPiece };

/**
 * Finds rows of unread letters on straight lines that are neither level nor upright.
 * @param isRead whether a box of the picture was read
 */
export function slantedLines(
  scales: readonly LettersAtScale[],
  isRead: (box: Box) => boolean,
): SlantedLine[] {
  const found: SlantedLine[] = [];
  for (const { factor, dark, light } of scales) {
    for (const pieces of [dark, light]) {
      const letters = lettersOf(pieces, factor, isRead);
      if (letters.length < minLetters || letters.length > maxPieces) continue;
      found.push(...rowsOf(letters).map((row) => lineOf(row, letters, factor)));
    }
  }
  return found;
}

function lettersOf(
  pieces: readonly InkPiece[],
  by: number,
  isRead: (box: Box) => boolean,
): Letter[] {
  return pieces.flatMap((piece) => {
    const { x0, y0, x1, y1, ink } = piece;
    const [wide, high] = [x1 - x0, y1 - y0];
    const size = Math.max(wide, high);
    if (size < minSize || Math.min(wide, high) * 4 < size || !isLetter(wide, high, ink)) return [];
    if (isRead([x0 * by, y0 * by, x1 * by, y1 * by])) return [];
    return [{ x: (x0 + x1) / 2, y: (y0 + y1) / 2, size, piece }];
  });
}

/** Whether two letters may be adjacent on a slanted line. */
function areAdjacent(one: Letter, other: Letter): boolean {
  const [least, most] = [Math.min(one.size, other.size), Math.max(one.size, other.size)];
  const apart = Math.hypot(other.x - one.x, other.y - one.y);
  if (most > maxLarger * least || apart > farthest * most || apart < 0.3 * least) return false;
  const angle = (Math.atan2(Math.abs(other.y - one.y), Math.abs(other.x - one.x)) * 180) / Math.PI;
  return angle > angles[0] && angle < angles[1];
}

/** Returns, for each letter, the indices of the adjacent letters to its right, from left to right. */
function rightNeighbours(letters: readonly Letter[]): number[][] {
  const largest = letters.reduce((max, { size }) => Math.max(max, size), 0);
  const grid = new PointGrid(
    letters.map(({ x, y }) => [x, y]),
    farthest * Math.max(1, largest),
  );
  return letters.map((letter, at) => {
    const { x, y, size } = letter;
    const reach = farthest * maxLarger * size;
    const neighbours: number[] = [];
    grid.visitNear([x, y - reach, x + reach, y + reach], (next) => {
      if (next > at && areAdjacent(letter, letters[next]!)) neighbours.push(next);
    });
    return neighbours.sort((a, b) => a - b);
  });
}

/** Returns the longest rows first; each letter is in one row. */
function rowsOf(letters: readonly Letter[]): Letter[][] {
  const sorted = letters.toSorted((a, b) => a.x - b.x);
  const neighbours = rightNeighbours(sorted);
  const rows: Letter[][] = [];
  /** The pairs of adjacent letters in rows. A row from such a pair is the end of a known row. */
  const pairs = new Set<number>();
  neighbours.forEach((nexts, at) => {
    for (const next of nexts) {
      if (pairs.has(at * sorted.length + next)) continue;
      const indices = rowFrom(sorted, neighbours, at, next);
      const row = indices.map((index) => sorted[index]!);
      if (row.length < minLetters || !isEven(row)) continue;
      rows.push(row);
      for (let place = 1; place < indices.length; place += 1) {
        pairs.add(indices[place - 1]! * sorted.length + indices[place]!);
      }
    }
  });
  const taken = new Set<Letter>();
  return rows
    .sort((a, b) => b.length - a.length)
    .filter((row) => {
      if (row.filter((letter) => taken.has(letter)).length * 2 > row.length) return false;
      for (const letter of row) taken.add(letter);
      return true;
    });
}

/**
 * Returns the indices of the letters on the line from a letter through another, up to the first wide
 * gap.
 */
function rowFrom(
  sorted: readonly Letter[],
  neighbours: readonly (readonly number[])[],
  at: number,
  second: number,
): number[] {
  const first = sorted[at]!;
  const row = [at];
  // The direction becomes more exact with the distance.
  let direction = sorted[second]!;
  const isOnLine = (index: number): boolean => {
    const [dx, dy] = [direction.x - first.x, direction.y - first.y];
    const { x, y } = sorted[index]!;
    const off = Math.abs(dx * (y - first.y) - dy * (x - first.x)) / Math.hypot(dx, dy);
    return off <= straight * first.size;
  };
  for (let next = neighbours[at]?.find(isOnLine); next !== undefined; ) {
    direction = sorted[next]!;
    row.push(next);
    next = neighbours[next]?.find(isOnLine);
  }
  return row;
}

function isEven(row: readonly Letter[]): boolean {
  const inks = row.map(({ piece: { tones, ink } }) => tones / ink);
  const contrast = Math.abs(
    median(inks) -
      median(
        row.map(
          ({ piece: { backgroundTones, backgroundCount } }) => backgroundTones / backgroundCount,
        ),
      ),
  );
  const middle = median(inks);
  return median(inks.map((ink) => Math.abs(ink - middle))) <= maxUneven * contrast;
}

/** Maximum distance of any ink of a line from it, and from its next letter, in letter sizes. */
const ofLine = 0.7;
const nextInk = 3;

/** Returns a row with all ink on its line: the ends of the row, and letters of other sizes. */
function lineOf(row: readonly Letter[], all: readonly Letter[], by: number): SlantedLine {
  const [first, last] = [row[0]!, row.at(-1)!];
  const size = median(row.map((letter) => letter.size));
  const long = Math.hypot(last.x - first.x, last.y - first.y);
  const [dx, dy] = [(last.x - first.x) / long, (last.y - first.y) / long];
  const along = ({ x, y }: Letter): number => (x - first.x) * dx + (y - first.y) * dy;
  const near = all
    .filter(({ x, y }) => Math.abs(dx * (y - first.y) - dy * (x - first.x)) <= ofLine * size)
    .sort((a, b) => along(a) - along(b));
  let [from, to] = [near.indexOf(first), near.indexOf(last)];
  const isNext = (one: Letter | undefined, other: Letter): boolean =>
    one !== undefined && Math.abs(along(one) - along(other)) <= nextInk * size;
  while (isNext(near[from - 1], near[from]!)) from -= 1;
  while (isNext(near[to + 1], near[to]!)) to += 1;
  const whole = near.slice(from, to + 1);
  const [start, end] = [whole[0]!, whole.at(-1)!];
  return {
    angle: (Math.atan2(dy, dx) * 180) / Math.PI,
    from: [start.x * by, start.y * by],
    to: [end.x * by, end.y * by],
    size: size * by,
    pieces: whole.map(({ piece: { x0, y0, x1, y1 } }): Box => [x0 * by, y0 * by, x1 * by, y1 * by]),
  };
}
