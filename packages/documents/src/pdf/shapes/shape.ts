/** The picture of a letter, independent of its size and position, for comparison with others. */
export interface Shape {
  /**
   * The darkness in a square with `cellsPerSide` cells per side, minus the mean, normalised to
   * length 1. Null for a filled box.
   */
  cells: Float32Array | null;
  /**
   * The same for a square with half as many cells per side, to exclude most dissimilar shapes
   * quickly.
   */
  coarse: Float32Array | null;
  /** The natural logarithm of the ratio of width to height. */
  aspect: number;
}

/** Number of cells along one side of a shape. */
export const cellsPerSide = 16;
/** Number of cells along one side of a coarse shape. */
export const coarseCellsPerSide = cellsPerSide / 2;
/** Number of sampled rows per row of cells. */
const sampledRowsPerCell = 2;
const sampledRows = cellsPerSide * sampledRowsPerCell;
/**
 * Minimum share of ink in a filled box, such as a bar or a dot. The sides of thin bars are blurred.
 */
const minInkShare = 0.94;
const minInkShareIfThin = 0.75;
const thinAspect = Math.log(0.3);
/** Maximum difference between the aspects of similar shapes, as the logarithm of the ratio. */
const aspectTolerance = 0.5;
const penaltyPerAspect = 0.5;

/** The points of a closed contour: alternately x and y. */
export type Contour = readonly number[];

export interface Bounds {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

export function boundsOf(contours: readonly Contour[]): Bounds | null {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const points of contours) {
    for (let at = 0; at + 1 < points.length; at += 2) {
      const [x, y] = [points[at]!, points[at + 1]!];
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < bottom) bottom = y;
      if (y > top) top = y;
    }
  }
  return right > left && top > bottom ? { left, bottom, right, top } : null;
}

/**
 * Returns the shape of filled contours (nonzero winding rule), with y upwards. Null if they enclose
 * no area.
 */
export function shapeOf(contours: readonly Contour[]): Shape | null {
  const bounds = boundsOf(contours);
  if (!bounds) return null;
  const [width, height] = [bounds.right - bounds.left, bounds.top - bounds.bottom];
  const cells = new Float32Array(cellsPerSide * cellsPerSide);
  const crossings: { x: number; up: number }[][] = Array.from({ length: sampledRows }, () => []);
  for (const points of contours) {
    const length = points.length;
    for (let at = 0; at + 1 < length; at += 2) {
      const next = at + 2 < length ? at + 2 : 0;
      // In columns of cells, and in sampled rows from the top.
      const x0 = ((points[at]! - bounds.left) / width) * cellsPerSide;
      const x1 = ((points[next]! - bounds.left) / width) * cellsPerSide;
      const y0 = ((bounds.top - points[at + 1]!) / height) * sampledRows;
      const y1 = ((bounds.top - points[next + 1]!) / height) * sampledRows;
      if (y0 === y1) continue;
      const up = y1 < y0 ? 1 : -1;
      const [low, high] = up === 1 ? [y1, y0] : [y0, y1];
      const first = Math.max(0, Math.ceil(low - 0.5));
      for (let row = first; row < sampledRows && row + 0.5 < high; row += 1) {
        crossings[row]!.push({ x: x0 + ((row + 0.5 - y0) / (y1 - y0)) * (x1 - x0), up });
      }
    }
  }
  crossings.forEach((rowCrossings, row) => {
    rowCrossings.sort((a, b) => a.x - b.x);
    let winding = 0;
    const base = Math.floor(row / sampledRowsPerCell) * cellsPerSide;
    for (let at = 0; at + 1 < rowCrossings.length; at += 1) {
      winding += rowCrossings[at]!.up;
      if (winding !== 0) addInk(cells, base, rowCrossings[at]!.x, rowCrossings[at + 1]!.x);
    }
  });
  return shapeOfCells(cells, Math.log(width / height));
}

/** Adds the ink between `from` and `to` to a row of cells. */
function addInk(cells: Float32Array, base: number, from: number, to: number): void {
  const last = Math.min(cellsPerSide, to);
  for (let x = Math.max(0, from); x < last; ) {
    const cell = Math.floor(x);
    const end = Math.min(last, cell + 1);
    cells[base + cell]! += (end - x) / sampledRowsPerCell;
    x = end;
  }
}

/** Returns the shape of a square of cells whose values are the darkness, from 0 to 1. */
export function shapeOfCells(cells: Float32Array, aspect: number): Shape {
  const sum = cells.reduce((total, cell) => total + cell, 0);
  const min = aspect < thinAspect ? minInkShareIfThin : minInkShare;
  if (sum >= min * cells.length) return { cells: null, coarse: null, aspect };
  const blurredCells = blur(cells);
  const normalised = normalise(blurredCells);
  return normalised
    ? { cells: normalised, coarse: normalise(halve(blurredCells)), aspect }
    : { cells: null, coarse: null, aspect };
}

/** Subtracts the mean of the cells and normalises them to length 1. Null if all cells are equal. */
function normalise(cells: Float32Array): Float32Array | null {
  let mean = 0;
  for (const cell of cells) mean += cell / cells.length;
  let squares = 0;
  for (const cell of cells) squares += (cell - mean) ** 2;
  const length = Math.sqrt(squares);
  return length === 0 ? null : cells.map((cell) => (cell - mean) / length);
}

function halve(cells: Float32Array): Float32Array {
  const out = new Float32Array(coarseCellsPerSide ** 2);
  for (let at = 0; at < out.length; at += 1) {
    const from =
      Math.floor(at / coarseCellsPerSide) * 2 * cellsPerSide + (at % coarseCellsPerSide) * 2;
    out[at] =
      cells[from]! +
      cells[from + 1]! +
      cells[from + cellsPerSide]! +
      cells[from + cellsPerSide + 1]!;
  }
  return out;
}

/** Blurs the cells, so that slightly shifted strokes still overlap. */
function blur(cells: Float32Array): Float32Array {
  const across = new Float32Array(cells.length);
  const out = new Float32Array(cells.length);
  for (let at = 0; at < cells.length; at += 1) {
    const x = at % cellsPerSide;
    const left = x > 0 ? cells[at - 1]! : 0;
    const right = x < cellsPerSide - 1 ? cells[at + 1]! : 0;
    across[at] = 0.25 * left + 0.5 * cells[at]! + 0.25 * right;
  }
  for (let at = 0; at < cells.length; at += 1) {
    const above = at >= cellsPerSide ? across[at - cellsPerSide]! : 0;
    const below = at + cellsPerSide < cells.length ? across[at + cellsPerSide]! : 0;
    out[at] = 0.25 * above + 0.5 * across[at]! + 0.25 * below;
  }
  return out;
}

/** Maximum amount by which a lower resolution increases the similarity of shapes. */
export const coarseSlack = 0.15;

/** Returns the amount by which different aspects reduce the similarity of two shapes. */
export function aspectPenalty(a: Shape, b: Shape): number {
  const difference = Math.abs(a.aspect - b.aspect);
  return difference > aspectTolerance ? penaltyPerAspect * (difference - aspectTolerance) : 0;
}

/** Returns the similarity of two shapes, at most 1. */
export function similarity(a: Shape, b: Shape): number {
  if (!a.cells || !b.cells) return (a.cells === b.cells ? 1 : 0) - aspectPenalty(a, b);
  let product = 0;
  for (let at = 0; at < a.cells.length; at += 1) product += a.cells[at]! * b.cells[at]!;
  return product - aspectPenalty(a, b);
}
