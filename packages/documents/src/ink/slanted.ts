import { median } from '../geometry.ts';
import type { Box } from '../results.ts';
import type { InkPiece } from './components.ts';
import { isLetter, type LettersAtScale } from './letters.ts';

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
/** Maximum number of unread pieces. A picture with more shows a texture. */
const maxPieces = 1500;
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

/** Returns the longest rows first; each letter is in one row. */
function rowsOf(letters: readonly Letter[]): Letter[][] {
  const sorted = letters.toSorted((a, b) => a.x - b.x);
  const rows: Letter[][] = [];
  sorted.forEach((first, at) => {
    for (let next = at + 1; next < sorted.length; next += 1) {
      const second = sorted[next]!;
      if (second.x - first.x > farthest * maxLarger * first.size) break;
      if (!areAdjacent(first, second)) continue;
      const row = rowFrom(sorted, at, second);
      if (row.length >= minLetters && isEven(row)) rows.push(row);
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

/** Returns the letters on the line from a letter through another, up to the first wide gap. */
function rowFrom(sorted: readonly Letter[], at: number, second: Letter): Letter[] {
  const first = sorted[at]!;
  let [dx, dy] = [second.x - first.x, second.y - first.y];
  const row = [first];
  for (let next = at + 1; next < sorted.length; next += 1) {
    const other = sorted[next]!;
    const last = row.at(-1)!;
    if (other.x - last.x > farthest * maxLarger * last.size) break;
    const long = Math.hypot(dx, dy);
    const off = Math.abs(dx * (other.y - first.y) - dy * (other.x - first.x)) / long;
    if (off > straight * first.size || !areAdjacent(last, other)) continue;
    row.push(other);
    // The direction becomes more exact with the distance.
    [dx, dy] = [other.x - first.x, other.y - first.y];
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
