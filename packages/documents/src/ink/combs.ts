import { median } from '../geometry.ts';
import type { Box } from '../results.ts';
import { type GreyRaster, inkMap, transpose } from './components.ts';

/** Ranges of the width and the height of a cell for one letter, in points. */
const cellWidths = [7, 32] as const;
const cellHeights = [9, 36] as const;
/** Maximum thickness of the sides of a cell, in points. */
const maxSideThickness = 3;
/**
 * Maximum difference between the ends of adjacent sides, as a share of their height, in addition to
 * the skew of the page.
 */
const maxEndOffset = 0.16;
/**
 * Minimum share of distances between sides that are close to a multiple of the usual distance,
 * which is also the minimum share of ruled cells, and the tolerance of the comparison.
 */
const minRegularShare = 0.7;
const spacingTolerance = 0.2;
/** Maximum number of adjacent cells in a row that may lack the side between them. */
const maxMergedCells = 3;
/** Minimum number of adjacent cells. A shorter row is not evidence of a form. */
const minCells = 4;
/** Minimum share of a cell's width that must be ruled at its top or bottom. */
const minRuledShare = 0.7;
/**
 * Distance from the end of a side within which a rule is searched for, and the inset of the area of
 * a cell that is searched for ink, in points.
 */
const ruleSearchDistance = 2;
const cellInset = 1.2;
/** Minimum share of ink in a cell with writing. */
const minInkShare = 0.02;

/** A row of one-letter cells, some of them filled, in pixels. */
interface Comb {
  cells: { box: Box; isFilled: boolean }[];
}

/** A side of a cell: a straight, thin, upright stroke. */
interface Side {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

/**
 * Finds rows of equally wide cells that are ruled at their top or bottom, such as the one-letter
 * boxes of forms. The page must be level or rotated by 90 degrees.
 * @param scale pixels per point
 */
export function combsOf(picture: GreyRaster, scale: number): Comb[] {
  const map: GreyRaster = { ...picture, data: inkMap(picture) };
  const upright = combsAlong(transpose(map), scale);
  return [
    ...combsAlong(map, scale),
    ...upright.map(({ cells }) => ({
      cells: cells.map(({ box: [x0, y0, x1, y1], isFilled }) => {
        const box: Box = [y0, x0, y1, x1];
        return { box, isFilled };
      }),
    })),
  ];
}

function combsAlong(map: GreyRaster, scale: number): Comb[] {
  return rowsOf(sidesOf(map, scale), scale).flatMap((row) => {
    const comb = combOf(row, map, scale);
    return comb ? [comb] : [];
  });
}

/**
 * Returns the upright strokes that are as high as a cell. A leaning stroke that spans several
 * columns counts as one.
 */
function sidesOf(map: GreyRaster, scale: number): Side[] {
  const { width } = map;
  const [minHeight, maxHeight] = [cellHeights[0] * scale, cellHeights[1] * scale];
  const sides: Side[] = [];
  let openSides: Side[] = [];
  for (let x = 0; x <= width; x += 1) {
    const runs = x < width ? runsIn(map, x, minHeight / 2, maxHeight) : [];
    const nextOpen: Side[] = [];
    for (const [y0, y1] of runs) {
      const previous = openSides.find(
        (side) =>
          Math.min(side.y1, y1) - Math.max(side.y0, y0) >
          0.5 * Math.min(side.y1 - side.y0, y1 - y0),
      );
      if (previous) {
        previous.x1 = x + 1;
        previous.y0 = Math.min(previous.y0, y0);
        previous.y1 = Math.max(previous.y1, y1);
        if (!nextOpen.includes(previous)) nextOpen.push(previous);
      } else nextOpen.push({ x0: x, x1: x + 1, y0, y1 });
    }
    for (const side of openSides) if (!nextOpen.includes(side)) sides.push(side);
    openSides = nextOpen;
  }
  return sides.filter(({ x0, x1, y0, y1 }) => {
    const height = y1 - y0;
    return x1 - x0 <= maxSideThickness * scale && height >= minHeight && height <= maxHeight;
  });
}

/** Returns the runs of ink in a column. Gaps of one pixel are ignored. */
function runsIn(
  { data: map, width, height }: GreyRaster,
  x: number,
  minLength: number,
  maxLength: number,
): [from: number, to: number][] {
  const runs: [number, number][] = [];
  for (let y = 0; y < height; y += 1) {
    if (map[y * width + x] !== 1) continue;
    const from = y;
    while (y < height && (map[y * width + x] === 1 || map[(y + 1) * width + x] === 1)) y += 1;
    if (y - from >= minLength && y - from <= maxLength) runs.push([from, y]);
  }
  return runs;
}

const centreOf = ({ x0, x1 }: Side): number => (x0 + x1) / 2;

/** Groups adjacent sides of the same height into rows, from left to right. */
function rowsOf(sides: readonly Side[], scale: number): Side[][] {
  const rows: Side[][] = [];
  for (const side of [...sides].sort((a, b) => a.x0 - b.x0)) {
    const height = side.y1 - side.y0;
    const row = rows.find((candidate) => {
      const last = candidate.at(-1)!;
      const gap = centreOf(side) - centreOf(last);
      const tolerance = maxEndOffset * height + 0.03 * gap;
      const isLevel =
        Math.abs(side.y0 - last.y0) <= tolerance && Math.abs(side.y1 - last.y1) <= tolerance;
      return isLevel && gap <= maxMergedCells * cellWidths[1] * scale;
    });
    if (!row) rows.push([side]);
    // Separate cells have two sides close to each other.
    else if (centreOf(side) - centreOf(row.at(-1)!) < cellWidths[0] * scale)
      row.at(-1)!.x1 = side.x1;
    else row.push(side);
  }
  return rows.filter((row) => row.length > minCells);
}

/**
 * Converts a row of sides to cells. Returns null if the sides are unevenly spaced, too far apart or
 * not ruled.
 */
function combOf(row: readonly Side[], map: GreyRaster, scale: number): Comb | null {
  const steps = row.slice(1).map((side, at) => centreOf(side) - centreOf(row[at]!));
  const pitch = median(steps);
  if (pitch > cellWidths[1] * scale) return null;
  const isEven = (step: number): boolean => {
    const cells = Math.round(step / pitch);
    return cells <= maxMergedCells && Math.abs(step - cells * pitch) <= spacingTolerance * pitch;
  };
  const regularCount = steps.filter(isEven).length;
  const cellStarts = steps.flatMap((step, at) =>
    step <= (1 + spacingTolerance) * pitch && isEven(step) ? [at] : [],
  );
  if (regularCount < minRegularShare * steps.length || cellStarts.length < minCells) return null;
  const ruled = cellStarts.filter((at) => isRuled(row[at]!, row[at + 1]!, map, scale));
  if (ruled.length < minRegularShare * cellStarts.length) return null;
  const cells = cellStarts.map((at) => {
    const [left, right] = [row[at]!, row[at + 1]!];
    const box: Box = [left.x0, Math.min(left.y0, right.y0), right.x1, Math.max(left.y1, right.y1)];
    return { box, isFilled: isInked(left, right, map, scale) };
  });
  return { cells };
}

/** Whether the cell between two sides has a rule along its top or its bottom. */
function isRuled(
  left: Side,
  right: Side,
  { data: map, width, height }: GreyRaster,
  scale: number,
): boolean {
  const searchDistance = ruleSearchDistance * scale;
  return (
    [
      [left.y0, right.y0],
      [left.y1 - 1, right.y1 - 1],
    ] as const
  ).some(([from, to]) => {
    let inked = 0;
    for (let x = left.x1; x < right.x0; x += 1) {
      const y = from + ((to - from) * (x - left.x1)) / Math.max(1, right.x0 - left.x1);
      const [top, bottom] = [
        Math.max(0, Math.floor(y - searchDistance)),
        Math.min(height - 1, Math.ceil(y + searchDistance)),
      ];
      for (let at = top; at <= bottom; at += 1) {
        if (map[at * width + x] !== 1) continue;
        inked += 1;
        break;
      }
    }
    return inked >= minRuledShare * (right.x0 - left.x1);
  });
}

/** Whether a cell contains ink, apart from its sides. */
function isInked(
  left: Side,
  right: Side,
  { data: map, width }: GreyRaster,
  scale: number,
): boolean {
  const margin = cellInset * scale;
  const [x0, x1] = [Math.ceil(left.x1 + margin), Math.floor(right.x0 - margin)];
  const [y0, y1] = [
    Math.ceil(Math.max(left.y0, right.y0) + 2 * margin),
    Math.floor(Math.min(left.y1, right.y1) - 2 * margin),
  ];
  let inked = 0;
  for (let y = y0; y < y1; y += 1) {
    for (let x = x0; x < x1; x += 1) if (map[y * width + x] === 1) inked += 1;
  }
  return inked > minInkShare * Math.max(1, (x1 - x0) * (y1 - y0));
}
