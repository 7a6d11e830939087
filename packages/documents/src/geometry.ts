import type { Box, PageFrame, Quarter } from './results.ts';

/** An affine map: x' = a·x + c·y + e, y' = b·x + d·y + f (the order PDF uses). */
export type Matrix = readonly [number, number, number, number, number, number];

/** Returns the map that applies `inner` first and `outer` second. */
export function compose(outer: Matrix, inner: Matrix): Matrix {
  // Accessed by index, as in `applyToBox` and `coverage`: these functions run several times for
  // each letter, and destructuring costs more than the arithmetic.
  const a = outer[0];
  const b = outer[1];
  const c = outer[2];
  const d = outer[3];
  return [
    a * inner[0] + c * inner[1],
    b * inner[0] + d * inner[1],
    a * inner[2] + c * inner[3],
    b * inner[2] + d * inner[3],
    a * inner[4] + c * inner[5] + outer[4],
    b * inner[4] + d * inner[5] + outer[5],
  ];
}

/** Returns the inverse of `matrix`. */
export function invert(matrix: Matrix): Matrix {
  const [a, b, c, d, e, f] = matrix;
  const n = a * d - b * c;
  return [d / n, -b / n, -c / n, a / n, (c * f - d * e) / n, (b * e - a * f) / n];
}

/** Applies a map to a point. */
export function apply(matrix: Matrix, x: number, y: number): [number, number] {
  const [a, b, c, d, e, f] = matrix;
  return [a * x + c * y + e, b * x + d * y + f];
}

/** Returns the bounding box of a mapped box, parallel to the axes. */
export function applyToBox(matrix: Matrix, box: Box): Box {
  const ax0 = matrix[0] * box[0];
  const ax1 = matrix[0] * box[2];
  const cy0 = matrix[2] * box[1];
  const cy1 = matrix[2] * box[3];
  const bx0 = matrix[1] * box[0];
  const bx1 = matrix[1] * box[2];
  const dy0 = matrix[3] * box[1];
  const dy1 = matrix[3] * box[3];
  const e = matrix[4];
  const f = matrix[5];
  return [
    Math.min(ax0 + cy0 + e, ax1 + cy0 + e, ax0 + cy1 + e, ax1 + cy1 + e),
    Math.min(bx0 + dy0 + f, bx1 + dy0 + f, bx0 + dy1 + f, bx1 + dy1 + f),
    Math.max(ax0 + cy0 + e, ax1 + cy0 + e, ax0 + cy1 + e, ax1 + cy1 + e),
    Math.max(bx0 + dy0 + f, bx1 + dy0 + f, bx0 + dy1 + f, bx1 + dy1 + f),
  ];
}

/** Returns the angle between two directions, from 0 to 180 degrees. */
export function angleBetween(a: number, b: number): number {
  return Math.abs(((a - b + 540) % 360) - 180);
}

/** Rounds an angle to the nearest quarter turn: 0, 90, 180 or 270 degrees. */
export function nearestQuarter(degrees: number): Quarter {
  const turns = ((Math.round(degrees / 90) % 4) + 4) % 4;
  return turns === 0 ? 0 : turns === 1 ? 90 : turns === 2 ? 180 : 270;
}

/**
 * Returns the map that turns a page of `width` × `height` clockwise by quarter turns. The origin is
 * at the top left; y points down.
 */
export function turn(width: number, height: number, degrees: number): Matrix {
  switch (nearestQuarter(degrees)) {
    case 90:
      return [0, 1, -1, 0, height, 0];
    case 180:
      return [-1, 0, 0, -1, width, height];
    case 270:
      return [0, -1, 1, 0, 0, width];
    default:
      return [1, 0, 0, 1, 0, 0];
  }
}

/** Returns the map from the user space of a page (PDF 32000-1 §8.3.2.3) to points as displayed. */
export function userToDisplay(frame: PageFrame): Matrix {
  const { left, bottom, width, height, rotation } = frame;
  return compose(turn(width, height, rotation), [1, 0, 0, -1, -left, bottom + height]);
}

/** Returns the size of the page as displayed. */
export function displaySize(frame: PageFrame): { width: number; height: number } {
  return frame.rotation % 180 === 0
    ? { width: frame.width, height: frame.height }
    : { width: frame.height, height: frame.width };
}

/**
 * Returns the rotation about a point by `degrees` clockwise, in coordinates whose y points down.
 */
export function rotateAbout(x: number, y: number, degrees: number): Matrix {
  const radians = (degrees * Math.PI) / 180;
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
}

/**
 * Returns the median of the values: the upper median if their number is even, 0 if there are no
 * values.
 */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

export const widthOf = (box: Box): number => box[2] - box[0];
export const heightOf = (box: Box): number => box[3] - box[1];

/** Returns the area of a box; 0 if its sides are swapped. */
export function area(box: Box): number {
  return Math.max(0, widthOf(box)) * Math.max(0, heightOf(box));
}

/** Returns the bounding box of two boxes. */
export function union(a: Box, b: Box): Box {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

/** Returns the bounding box of several boxes; undefined without boxes. */
export function hull(boxes: Iterable<Box>): Box | undefined {
  let all: Box | undefined;
  for (const box of boxes) all = union(all ?? box, box);
  return all;
}

/** Returns the intersection of two boxes; undefined if it has no area. */
export function intersection(a: Box, b: Box): Box | undefined {
  const both: Box = [
    Math.max(a[0], b[0]),
    Math.max(a[1], b[1]),
    Math.min(a[2], b[2]),
    Math.min(a[3], b[3]),
  ];
  return both[2] > both[0] && both[3] > both[1] ? both : undefined;
}

/** Returns the area of the intersection of two boxes. */
export function sharedArea(a: Box, b: Box): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return width > 0 && height > 0 ? width * height : 0;
}

/**
 * Returns the share of `box` that is inside `other`, from 0 to 1. For a box without an area,
 * returns 1 if its centre is inside `other`, else 0.
 */
export function coverage(box: Box, other: Box): number {
  const size = (box[2] - box[0]) * (box[3] - box[1]);
  if (size > 0) return sharedArea(box, other) / size;
  const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  return x >= other[0] && x <= other[2] && y >= other[1] && y <= other[3] ? 1 : 0;
}

/** Whether two boxes overlap. Boxes that only share an edge do not overlap. */
export const intersects = (a: Box, b: Box): boolean =>
  a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** Returns the box extended by `by` on every side. */
export function grow([x0, y0, x1, y1]: Box, by: number): Box {
  return [x0 - by, y0 - by, x1 + by, y1 + by];
}

export function isInside([x0, y0, x1, y1]: Box, outer: Box): boolean {
  return x0 >= outer[0] && y0 >= outer[1] && x1 <= outer[2] && y1 <= outer[3];
}

/** Replaces boxes that overlap by a box around them, until none overlap. */
export function mergeIntersecting(boxes: readonly Box[]): Box[] {
  const merged: Box[] = [];
  for (const box of boxes) {
    let grown = box;
    for (let at = merged.findIndex((one) => intersects(one, grown)); at >= 0; ) {
      grown = hull([grown, ...merged.splice(at, 1)]) ?? grown;
      at = merged.findIndex((one) => intersects(one, grown));
    }
    merged.push(grown);
  }
  return merged;
}

/** Number of points along each side at which the covered share of a page is sampled. */
const samplesPerSide = 100;

/** Returns the share of a page that boxes cover, from 0 to 1. */
export function coveredShare(
  { widthPt, heightPt }: { widthPt: number; heightPt: number },
  boxes: readonly Box[],
): number {
  let covered = 0;
  for (let row = 0; row < samplesPerSide; row += 1) {
    const y = ((row + 0.5) / samplesPerSide) * heightPt;
    const level = boxes.filter(([, y0, , y1]) => y >= y0 && y < y1);
    for (let column = 0; column < samplesPerSide; column += 1) {
      const x = ((column + 0.5) / samplesPerSide) * widthPt;
      if (level.some(([x0, , x1]) => x >= x0 && x < x1)) covered += 1;
    }
  }
  return covered / samplesPerSide ** 2;
}
