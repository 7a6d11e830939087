import { oncePerPicture } from './per-picture.ts';

/** A greyscale picture. */
export interface GreyRaster {
  data: Uint8Array;
  width: number;
  height: number;
}

/** A connected piece of ink, in pixels. The right and bottom edges are exclusive. */
export interface InkPiece {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  /** Number of ink pixels. */
  ink: number;
  /** Sum of the tones of the ink pixels. */
  tones: number;
  /** Sum and number of the background tones to the left and right of the piece. */
  backgroundTones: number;
  backgroundCount: number;
}

/**
 * Distance around a pixel that counts as its background, in pixels: a line of ordinary print with
 * its leading.
 */
const backgroundRadius = 12;
/**
 * Minimum contrast of ink with its background. Below it, ink cannot be distinguished from the grain
 * of paper.
 */
const minContrast = 10;
/** Minimum contrast of ink, as a share of the local spread of tones. */
const minSpreadShare = 0.35;
/** Distance from the edge of ink at which the background begins, in pixels. */
const backgroundOffset = 2;
/** The number of runs after which completed pieces are collected, to limit the memory. */
const maxRuns = 60_000;

/** Side of the squares that are transposed one by one, so that their rows stay in the cache. */
const transposedSide = 32;

/** Returns a picture with its rows and columns exchanged. */
export function transpose({ data, width, height }: GreyRaster): GreyRaster {
  const out = new Uint8Array(data.length);
  for (let top = 0; top < height; top += transposedSide) {
    const bottom = Math.min(height, top + transposedSide);
    for (let left = 0; left < width; left += transposedSide) {
      const right = Math.min(width, left + transposedSide);
      for (let y = top; y < bottom; y += 1) {
        for (let x = left; x < right; x += 1) out[x * height + y] = data[y * width + x]!;
      }
    }
  }
  return { data: out, width: height, height: width };
}

/**
 * Returns a map as words of four pixels, without the last incomplete word. Most pixels of a map are
 * zero, and whole words of them are skipped.
 */
export function wordsOfMap(map: Uint8Array): Uint32Array {
  const { buffer, byteOffset } = map.byteOffset % 4 === 0 ? map : map.slice();
  return new Uint32Array(buffer, byteOffset, map.length >> 2);
}

/** Averages each tone with its neighbours. This removes grain and keeps strokes. */
export function smooth({ data, width, height }: GreyRaster): Uint8Array {
  const out = new Uint8Array(data);
  for (let y = 1; y < height - 1; y += 1) {
    const row = y * width;
    const columnAt = (at: number): number => data[at - width]! + 2 * data[at]! + data[at + width]!;
    let left = columnAt(row);
    let middle = width > 1 ? columnAt(row + 1) : 0;
    for (let at = row + 1; at < row + width - 1; at += 1) {
      const right = columnAt(at + 1);
      out[at] = (left + 2 * middle + right) >> 4;
      left = middle;
      middle = right;
    }
  }
  return out;
}

/** Marks pixels darker (1) or lighter (2) than their surroundings. */
export const inkMap = oncePerPicture(findInk);

function findInk(picture: GreyRaster): Uint8Array {
  const { width, height } = picture;
  const data = smooth(picture);
  const map = new Uint8Array(width * height);
  // Sums over the surrounding rows for each column, then over the surrounding columns for each
  // pixel. Columns outside the picture count as zero.
  const side = backgroundRadius + 1;
  const tones = new Int32Array(width + 2 * side);
  const squares = new Int32Array(width + 2 * side);
  const columnCounts = Int32Array.from(
    { length: width },
    (_, x) => Math.min(width, x + backgroundRadius + 1) - Math.max(0, x - backgroundRadius),
  );
  for (let row = 0; row < Math.min(height, backgroundRadius); row += 1) {
    for (let x = 0, at = row * width; x < width; x += 1, at += 1) {
      const tone = data[at]!;
      tones[side + x]! += tone;
      squares[side + x]! += tone * tone;
    }
  }
  const noRow = new Uint8Array(width);
  for (let y = 0; y < height; y += 1) {
    const next = y + backgroundRadius;
    const last = y - backgroundRadius - 1;
    const entering = next < height ? data.subarray(next * width, (next + 1) * width) : noRow;
    const leaving = last >= 0 ? data.subarray(last * width, (last + 1) * width) : noRow;
    for (let x = 0; x < width; x += 1) {
      const added = entering[x]!;
      const removed = leaving[x]!;
      tones[side + x] = tones[side + x]! + added - removed;
      squares[side + x] = squares[side + x]! + (added - removed) * (added + removed);
    }
    const rows = Math.min(height, y + backgroundRadius + 1) - Math.max(0, y - backgroundRadius);
    let sum = 0;
    let sumOfSquares = 0;
    for (let at = side; at < side + Math.min(width, backgroundRadius); at += 1) {
      sum += tones[at]!;
      sumOfSquares += squares[at]!;
    }
    for (let x = 0, at = y * width; x < width; x += 1, at += 1) {
      sum += tones[side + x + backgroundRadius]! - tones[side + x - backgroundRadius - 1]!;
      sumOfSquares +=
        squares[side + x + backgroundRadius]! - squares[side + x - backgroundRadius - 1]!;
      const count = rows * columnCounts[x]!;
      // Deviation from the mean, and variance. Both are scaled, by the count and by its square, to
      // avoid slow divisions.
      const deviation = data[at]! * count - sum;
      const minDeviation = minContrast * count;
      if (deviation < minDeviation && deviation > -minDeviation) continue;
      if (
        deviation * deviation <
        minSpreadShare * minSpreadShare * (sumOfSquares * count - sum * sum)
      )
        continue;
      map[at] = deviation < 0 ? 1 : 2;
    }
  }
  return map;
}

/**
 * Runs of ink and their pieces, as an array per field. A page has tens of thousands of runs, but
 * few become pieces.
 */
interface Runs {
  count: number;
  parents: Int32Array;
  /** The start and end of each run in its row. Boxes grow as pieces are joined. */
  starts: Int32Array;
  ends: Int32Array;
  x0: Int32Array;
  y0: Int32Array;
  x1: Int32Array;
  y1: Int32Array;
  ink: Int32Array;
  tones: Float64Array;
  backgroundTones: Int32Array;
  backgroundCount: Int32Array;
}

/** The arrays of the last call, which the next one reuses. */
let runsInMemory: Runs | undefined;

/** Returns empty arrays for at least `capacity` runs. They are valid until the next call. */
function emptyRuns(capacity: number): Runs {
  if (runsInMemory && runsInMemory.parents.length >= capacity) {
    runsInMemory.count = 0;
    return runsInMemory;
  }
  const column = () => new Int32Array(capacity);
  runsInMemory = {
    count: 0,
    parents: column(),
    starts: column(),
    ends: column(),
    x0: column(),
    y0: column(),
    x1: column(),
    y1: column(),
    ink: column(),
    tones: new Float64Array(capacity),
    backgroundTones: column(),
    backgroundCount: column(),
  };
  return runsInMemory;
}

function rootOf(parents: Int32Array, piece: number): number {
  let root = piece;
  while (parents[root] !== root) root = parents[root]!;
  parents[piece] = root;
  return root;
}

/** Merges two pieces under the number of the first. */
function mergePieces(runs: Runs, first: number, second: number): void {
  runs.parents[second] = first;
  runs.x0[first] = Math.min(runs.x0[first]!, runs.x0[second]!);
  runs.y0[first] = Math.min(runs.y0[first]!, runs.y0[second]!);
  runs.x1[first] = Math.max(runs.x1[first]!, runs.x1[second]!);
  runs.y1[first] = Math.max(runs.y1[first]!, runs.y1[second]!);
  runs.ink[first]! += runs.ink[second]!;
  runs.tones[first]! += runs.tones[second]!;
  runs.backgroundTones[first]! += runs.backgroundTones[second]!;
  runs.backgroundCount[first]! += runs.backgroundCount[second]!;
}

/** Whether to keep a piece of this size and number of ink pixels. */
type PieceFilter = (width: number, height: number, ink: number) => boolean;

/**
 * Returns the connected pieces of one kind of ink. Works on runs of pixels. Completed pieces are
 * collected from time to time, so the memory does not depend on the number of runs.
 */
export function piecesOf(
  map: Uint8Array,
  { data, width, height }: GreyRaster,
  kind: 1 | 2,
  isWanted: PieceFilter,
): InkPiece[] {
  // A row that exceeds the limit is still read to its end.
  const runs = emptyRuns(Math.min(maxRuns + width, width * height));
  const { parents, starts, ends } = runs;
  const words = wordsOfMap(map);
  const pieces: InkPiece[] = [];
  let firstAbove = 0;
  for (let y = 0; y < height; y += 1) {
    if (runs.count >= maxRuns) {
      const open = openPieces(runs, firstAbove);
      collectPieces(runs, new Set(open), isWanted, pieces);
      keepLastRow(runs, firstAbove, open);
      firstAbove = 0;
    }
    const row = y * width;
    const firstRun = runs.count;
    let nextAbove = firstAbove;
    for (let x = 0; x < width; x += 1) {
      const word = row + x;
      if ((word & 3) === 0 && x + 4 <= width && words[word >> 2] === 0) {
        x += 3;
        continue;
      }
      if (map[word] !== kind) continue;
      const begin = x;
      let tones = 0;
      while (x < width && map[row + x] === kind) {
        tones += data[row + x]!;
        x += 1;
      }
      const run = runs.count;
      runs.count += 1;
      parents[run] = run;
      starts[run] = begin;
      ends[run] = x;
      runs.x0[run] = begin;
      runs.y0[run] = y;
      runs.x1[run] = x;
      runs.y1[run] = y + 1;
      runs.ink[run] = x - begin;
      runs.tones[run] = tones;
      runs.backgroundTones[run] =
        data[row + Math.max(0, begin - backgroundOffset)]! +
        data[row + Math.min(width - 1, x + backgroundOffset - 1)]!;
      runs.backgroundCount[run] = 2;
      let piece = run;
      while (nextAbove < firstRun && ends[nextAbove]! < begin) nextAbove += 1;
      for (let at = nextAbove; at < firstRun && starts[at]! <= x; at += 1) {
        const one = rootOf(parents, at);
        const other = rootOf(parents, piece);
        if (one === other) continue;
        mergePieces(runs, one, other);
        piece = one;
      }
    }
    firstAbove = firstRun;
  }
  collectPieces(runs, new Set(), isWanted, pieces);
  return pieces;
}

/** Returns the pieces that have runs in the last row, which begins at `firstOfRow`. */
function openPieces({ count, parents }: Runs, firstOfRow: number): Int32Array {
  return Int32Array.from({ length: count - firstOfRow }, (_, at) =>
    rootOf(parents, firstOfRow + at),
  );
}

/**
 * Removes all runs except those of the last row, which begins at `firstOfRow`. `roots` are their
 * pieces.
 */
function keepLastRow(runs: Runs, firstOfRow: number, roots: Int32Array): void {
  const { count, parents, starts, ends, tones, x0, y0, x1, y1, ink } = runs;
  for (const field of [x0, y0, x1, y1, ink, tones, runs.backgroundTones, runs.backgroundCount]) {
    field.set(Float64Array.from(roots, (root) => field[root]!));
  }
  starts.copyWithin(0, firstOfRow, count);
  ends.copyWithin(0, firstOfRow, count);
  // The first run of each piece represents it.
  const firsts = new Map<number, number>();
  for (const [at, root] of roots.entries()) {
    const first = firsts.get(root) ?? at;
    firsts.set(root, first);
    parents[at] = first;
  }
  runs.count = roots.length;
}

/** Adds the pieces that are wanted and not `open` to a list. */
function collectPieces(
  runs: Runs,
  open: ReadonlySet<number>,
  isWanted: PieceFilter,
  pieces: InkPiece[],
): void {
  for (let at = 0; at < runs.count; at += 1) {
    if (runs.parents[at] !== at || open.has(at)) continue;
    const [x0, y0, x1, y1] = [runs.x0[at]!, runs.y0[at]!, runs.x1[at]!, runs.y1[at]!];
    const ink = runs.ink[at]!;
    if (!isWanted(x1 - x0, y1 - y0, ink)) continue;
    const [tones, ground, edges] = [
      runs.tones[at]!,
      runs.backgroundTones[at]!,
      runs.backgroundCount[at]!,
    ];
    pieces.push({ x0, y0, x1, y1, ink, tones, backgroundTones: ground, backgroundCount: edges });
  }
}

/**
 * Returns the pieces of ink in a picture, both darker and lighter than their background. `isWanted`
 * discards pieces early, because most pieces of a scan are grain.
 */
export function inkPieces(
  picture: GreyRaster,
  isWanted: PieceFilter = () => true,
  map: Uint8Array = inkMap(picture),
): { dark: InkPiece[]; light: InkPiece[] } {
  return {
    dark: piecesOf(map, picture, 1, isWanted),
    light: piecesOf(map, picture, 2, isWanted),
  };
}
