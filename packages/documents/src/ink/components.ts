/** A greyscale picture. */
export interface Grey {
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
  /** Sum and number of the tones to the left and right of the piece. */
  ground: number;
  edges: number;
}

/**
 * Distance around a pixel that counts as its background, in pixels: a line of ordinary print with
 * its leading.
 */
const reach = 12;
/**
 * Minimum contrast of ink with its background. Below it, ink cannot be distinguished from the grain
 * of paper.
 */
const minContrast = 10;
/** Minimum contrast of ink, as a share of the local spread of tones. */
const ofSpread = 0.35;
/** Distance from the edge of ink at which the background begins, in pixels. */
const beside = 2;
/** Maximum number of pieces. A picture with more consists of grain. */
const maxPieces = 60_000;

/** Returns a picture with its rows and columns exchanged. */
export function transposed({ data, width, height }: Grey): Grey {
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) out[x * height + y] = data[y * width + x]!;
  }
  return { data: out, width: height, height: width };
}

/** Averages each tone with its neighbours. This removes grain and keeps strokes. */
export function smoothed({ data, width, height }: Grey): Uint8Array {
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
export function inkMap(picture: Grey): Uint8Array {
  const { width, height } = picture;
  const data = smoothed(picture);
  const map = new Uint8Array(width * height);
  // Sums over the surrounding rows for each column, then over the surrounding columns for each
  // pixel. Columns outside the picture count as zero.
  const side = reach + 1;
  const tones = new Int32Array(width + 2 * side);
  const squares = new Int32Array(width + 2 * side);
  const across = Int32Array.from(
    { length: width },
    (_, x) => Math.min(width, x + reach + 1) - Math.max(0, x - reach),
  );
  for (let row = 0; row < Math.min(height, reach); row += 1) {
    for (let x = 0, at = row * width; x < width; x += 1, at += 1) {
      const tone = data[at]!;
      tones[side + x]! += tone;
      squares[side + x]! += tone * tone;
    }
  }
  const noRow = new Uint8Array(width);
  for (let y = 0; y < height; y += 1) {
    const next = y + reach;
    const last = y - reach - 1;
    const entering = next < height ? data.subarray(next * width, (next + 1) * width) : noRow;
    const leaving = last >= 0 ? data.subarray(last * width, (last + 1) * width) : noRow;
    for (let x = 0; x < width; x += 1) {
      const come = entering[x]!;
      const gone = leaving[x]!;
      tones[side + x] = tones[side + x]! + come - gone;
      squares[side + x] = squares[side + x]! + (come - gone) * (come + gone);
    }
    const rows = Math.min(height, y + reach + 1) - Math.max(0, y - reach);
    let sum = 0;
    let sumOfSquares = 0;
    for (let at = side; at < side + Math.min(width, reach); at += 1) {
      sum += tones[at]!;
      sumOfSquares += squares[at]!;
    }
    for (let x = 0, at = y * width; x < width; x += 1, at += 1) {
      sum += tones[side + x + reach]! - tones[side + x - reach - 1]!;
      sumOfSquares += squares[side + x + reach]! - squares[side + x - reach - 1]!;
      const count = rows * across[x]!;
      // Deviation from the mean, and variance. Both are scaled, by the count and by its square, to
      // avoid slow divisions.
      const apart = data[at]! * count - sum;
      const least = minContrast * count;
      if (apart < least && apart > -least) continue;
      if (apart * apart < ofSpread * ofSpread * (sumOfSquares * count - sum * sum)) continue;
      map[at] = apart < 0 ? 1 : 2;
    }
  }
  return map;
}

/**
 * Runs of ink and their pieces, as an array per field. A page has tens of thousands of runs, and
 * few of them end up as pieces.
 */
interface Runs {
  count: number;
  parents: Int32Array;
  x0: Int32Array;
  y0: Int32Array;
  x1: Int32Array;
  y1: Int32Array;
  ink: Int32Array;
  tones: Float64Array;
  ground: Int32Array;
  edges: Int32Array;
}

/** Allocates the arrays for `most` runs. */
function roomFor(most: number): Runs {
  const column = () => new Int32Array(most);
  return {
    count: 0,
    parents: column(),
    ...{ x0: column(), y0: column(), x1: column(), y1: column() },
    ...{ ink: column(), tones: new Float64Array(most), ground: column(), edges: column() },
  };
}

function rootOf(parents: Int32Array, piece: number): number {
  let root = piece;
  while (parents[root] !== root) root = parents[root]!;
  parents[piece] = root;
  return root;
}

/** Merges two pieces under the number of the first. */
function join(runs: Runs, one: number, other: number): void {
  runs.parents[other] = one;
  runs.x0[one] = Math.min(runs.x0[one]!, runs.x0[other]!);
  runs.y0[one] = Math.min(runs.y0[one]!, runs.y0[other]!);
  runs.x1[one] = Math.max(runs.x1[one]!, runs.x1[other]!);
  runs.y1[one] = Math.max(runs.y1[one]!, runs.y1[other]!);
  runs.ink[one]! += runs.ink[other]!;
  runs.tones[one]! += runs.tones[other]!;
  runs.ground[one]! += runs.ground[other]!;
  runs.edges[one]! += runs.edges[other]!;
}

/** Whether to keep a piece of this size and number of ink pixels. */
type IsWanted = (width: number, height: number, ink: number) => boolean;

/** Returns the connected pieces of one kind of ink. Works on runs of pixels. */
export function piecesOf(
  map: Uint8Array,
  { data, width, height }: Grey,
  kind: 1 | 2,
  wanted: IsWanted,
): InkPiece[] {
  // A row that exceeds the limit is still read to its end.
  const runs = roomFor(Math.min(maxPieces + width, width * height));
  const { parents } = runs;
  // The start and end of each run in its row. Boxes grow as pieces are joined.
  const from = new Int32Array(parents.length);
  const to = new Int32Array(parents.length);
  let above = 0;
  for (let y = 0; y < height && runs.count < maxPieces; y += 1) {
    const row = y * width;
    const first = runs.count;
    let next = above;
    for (let x = 0; x < width; x += 1) {
      if (map[row + x] !== kind) continue;
      const begin = x;
      let tones = 0;
      while (x < width && map[row + x] === kind) {
        tones += data[row + x]!;
        x += 1;
      }
      const run = runs.count;
      runs.count += 1;
      parents[run] = run;
      from[run] = begin;
      to[run] = x;
      runs.x0[run] = begin;
      runs.y0[run] = y;
      runs.x1[run] = x;
      runs.y1[run] = y + 1;
      runs.ink[run] = x - begin;
      runs.tones[run] = tones;
      runs.ground[run] =
        data[row + Math.max(0, begin - beside)]! + data[row + Math.min(width - 1, x + beside - 1)]!;
      runs.edges[run] = 2;
      let piece = run;
      while (next < first && to[next]! < begin) next += 1;
      for (let at = next; at < first && from[at]! <= x; at += 1) {
        const one = rootOf(parents, at);
        const other = rootOf(parents, piece);
        if (one === other) continue;
        join(runs, one, other);
        piece = one;
      }
    }
    above = first;
  }
  return rootsOf(runs, wanted);
}

function rootsOf(runs: Runs, wanted: IsWanted): InkPiece[] {
  const pieces: InkPiece[] = [];
  for (let at = 0; at < runs.count; at += 1) {
    if (runs.parents[at] !== at) continue;
    const [x0, y0, x1, y1] = [runs.x0[at]!, runs.y0[at]!, runs.x1[at]!, runs.y1[at]!];
    const ink = runs.ink[at]!;
    if (!wanted(x1 - x0, y1 - y0, ink)) continue;
    const [tones, ground, edges] = [runs.tones[at]!, runs.ground[at]!, runs.edges[at]!];
    pieces.push({ x0, y0, x1, y1, ink, tones, ground, edges });
  }
  return pieces;
}

/**
 * Returns the pieces of ink in a picture, both darker and lighter than their background. `isWanted`
 * discards pieces early, because most pieces of a scan are grain.
 */
export function inkPieces(
  picture: Grey,
  wanted: IsWanted = () => true,
): { dark: InkPiece[]; light: InkPiece[] } {
  const map = inkMap(picture);
  return {
    dark: piecesOf(map, picture, 1, wanted),
    light: piecesOf(map, picture, 2, wanted),
  };
}
