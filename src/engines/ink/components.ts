/** A grey picture. */
export interface Grey {
  data: Uint8Array;
  width: number;
  height: number;
}

/** A connected piece of ink, in pixels; the right and bottom sides are outside of it. */
export interface Piece {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  /** How many of its pixels are ink. */
  ink: number;
  /** The sum of their tones. */
  tones: number;
  /** The sum of the tones right and left of it, and how many these are. */
  ground: number;
  edges: number;
}

/** The ground around a pixel is what lies this far from it: a line of usual print and its leading. */
const reach = 12;
/** Fainter than this, ink cannot be told from the grain of paper. */
const leastContrast = 10;
/** The share of the local spread of tones that ink differs by. */
const ofSpread = 0.35;
/** So many pixels from its edge ink has given way to its ground. */
const beside = 2;
/** More pieces than this are grain. */
const mostPieces = 60_000;

/** Each tone the mean of its neighbours: grain goes, strokes stay. */
function smoothed({ data, width, height }: Grey): Uint8Array {
  const out = new Uint8Array(data);
  for (let y = 1; y < height - 1; y += 1) {
    for (let at = y * width + 1; at < (y + 1) * width - 1; at += 1) {
      const up = at - width;
      const down = at + width;
      out[at] =
        (data[up - 1]! +
          2 * data[up]! +
          data[up + 1]! +
          2 * data[at - 1]! +
          4 * data[at]! +
          2 * data[at + 1]! +
          data[down - 1]! +
          2 * data[down]! +
          data[down + 1]!) /
        16;
    }
  }
  return out;
}

/** Where a picture is darker (1) or lighter (2) than what is around. */
function inkMap(picture: Grey): Uint8Array {
  const { width, height } = picture;
  const data = smoothed(picture);
  const map = new Uint8Array(width * height);
  // Sums over the rows around, of each column; then over the columns around, of each pixel.
  const tones = new Int32Array(width);
  const squares = new Int32Array(width);
  const turnRow = (row: number, sign: 1 | -1): void => {
    for (let x = 0, at = row * width; x < width; x += 1, at += 1) {
      const tone = data[at]!;
      tones[x]! += sign * tone;
      squares[x]! += sign * tone * tone;
    }
  };
  for (let row = 0; row < Math.min(height, reach); row += 1) turnRow(row, 1);
  for (let y = 0; y < height; y += 1) {
    if (y + reach < height) turnRow(y + reach, 1);
    if (y - reach > 0) turnRow(y - reach - 1, -1);
    const rows = Math.min(height, y + reach + 1) - Math.max(0, y - reach);
    let sum = 0;
    let sumOfSquares = 0;
    for (let x = 0; x < Math.min(width, reach); x += 1) {
      sum += tones[x]!;
      sumOfSquares += squares[x]!;
    }
    for (let x = 0, at = y * width; x < width; x += 1, at += 1) {
      if (x + reach < width) {
        sum += tones[x + reach]!;
        sumOfSquares += squares[x + reach]!;
      }
      if (x - reach > 0) {
        sum -= tones[x - reach - 1]!;
        sumOfSquares -= squares[x - reach - 1]!;
      }
      const count = rows * (Math.min(width, x + reach + 1) - Math.max(0, x - reach));
      const mean = sum / count;
      const off = data[at]! - mean;
      if (off < leastContrast && off > -leastContrast) continue;
      const variance = sumOfSquares / count - mean * mean;
      if (off * off < ofSpread * ofSpread * variance) continue;
      map[at] = off < 0 ? 1 : 2;
    }
  }
  return map;
}

/** The connected pieces of ink of one kind, by runs of pixels. */
function piecesOf(map: Uint8Array, { data, width, height }: Grey, kind: 1 | 2): Piece[] {
  const pieces: Piece[] = [];
  const parents: number[] = [];
  const rootOf = (piece: number): number => {
    let root = piece;
    while (parents[root] !== root) root = parents[root]!;
    parents[piece] = root;
    return root;
  };
  let above: { from: number; to: number; piece: number }[] = [];
  for (let y = 0; y < height && pieces.length < mostPieces; y += 1) {
    const runs: typeof above = [];
    let next = 0;
    for (let x = 0; x < width; x += 1) {
      if (map[y * width + x] !== kind) continue;
      const from = x;
      let tones = 0;
      while (x < width && map[y * width + x] === kind) {
        tones += data[y * width + x]!;
        x += 1;
      }
      const ground =
        data[y * width + Math.max(0, from - beside)]! +
        data[y * width + Math.min(width - 1, x + beside - 1)]!;
      let piece = pieces.length;
      pieces.push({ x0: from, y0: y, x1: x, y1: y + 1, ink: x - from, tones, ground, edges: 2 });
      parents.push(piece);
      while (next < above.length && above[next]!.to < from) next += 1;
      for (let at = next; at < above.length && above[at]!.from <= x; at += 1) {
        const [one, other] = [rootOf(above[at]!.piece), rootOf(piece)];
        if (one === other) continue;
        join(pieces[one]!, pieces[other]!);
        parents[other] = one;
        piece = one;
      }
      runs.push({ from, to: x, piece });
    }
    above = runs;
  }
  return pieces.filter((_, at) => parents[at] === at);
}

function join(piece: Piece, other: Piece): void {
  piece.x0 = Math.min(piece.x0, other.x0);
  piece.y0 = Math.min(piece.y0, other.y0);
  piece.x1 = Math.max(piece.x1, other.x1);
  piece.y1 = Math.max(piece.y1, other.y1);
  piece.ink += other.ink;
  piece.tones += other.tones;
  piece.ground += other.ground;
  piece.edges += other.edges;
}

/** The pieces of ink of a picture: those darker than their ground, and those lighter. */
export function inkPieces(picture: Grey): { dark: Piece[]; light: Piece[] } {
  const map = inkMap(picture);
  return { dark: piecesOf(map, picture, 1), light: piecesOf(map, picture, 2) };
}
