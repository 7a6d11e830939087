import { median } from '../geometry.ts';
import type { Box } from '../results.ts';
import { type Grey, inkMap, transposed } from './components.ts';

/** Ranges of the width and the height of a cell for one letter, in points. */
const widths = [7, 32] as const;
const heights = [9, 36] as const;
/** Maximum thickness of the sides of a cell, in points. */
const thickest = 3;
/**
 * Maximum difference between the ends of adjacent sides, as a share of their height, in addition to
 * the skew of the page.
 */
const level = 0.16;
/**
 * Minimum share of the distances that must be close to a multiple of the usual distance, and the
 * tolerance of that comparison.
 */
const minEven = 0.7;
const uneven = 0.2;
/** Maximum number of adjacent cells in a row that may lack the side between them. */
const widestGap = 3;
/** Minimum number of adjacent cells. A shorter row is not evidence of a form. */
const minCells = 4;
/**
 * Minimum share of a cell's width that must be ruled at its top or bottom, and the minimum share of
 * cells that are ruled.
 */
const minRuled = 0.7;
/**
 * Distance from the end of a side within which a rule is searched for, and the inset of the area of
 * a cell that is searched for ink, in points.
 */
const nearEnd = 2;
const inset = 1.2;
/** Minimum share of ink in a cell with writing. */
const minInked = 0.02;

/** A row of cells for one letter each, some of which are filled. In pixels. */
interface Comb {
  cells: { box: Box; isFilled: boolean }[];
}

/** An upright stroke, straight and thin. */
interface Side {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

/**
 * Finds rows of equally wide cells that are ruled at their top or bottom, as forms have them for
 * letters and digits. The page must be level or turned by 90 degrees.
 * @param scale pixels per point
 */
export function combsOf(picture: Grey, scale: number): Comb[] {
  const map: Grey = { ...picture, data: inkMap(picture) };
  const upright = combsAlong(transposed(map), scale);
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

function combsAlong(map: Grey, scale: number): Comb[] {
  return rowsOf(sidesOf(map, scale), scale).flatMap((row) => {
    const comb = combOf(row, map, scale);
    return comb ? [comb] : [];
  });
}

/**
 * Returns the upright strokes that are as high as a cell. A leaning stroke that spans several
 * columns counts as one.
 */
function sidesOf(map: Grey, scale: number): Side[] {
  const { width } = map;
  const [least, most] = [heights[0] * scale, heights[1] * scale];
  const found: Side[] = [];
  let open: Side[] = [];
  for (let x = 0; x <= width; x += 1) {
    const runs = x < width ? runsIn(map, x, least / 2, most) : [];
    const next: Side[] = [];
    for (const [y0, y1] of runs) {
      const before = open.find(
        (side) =>
          Math.min(side.y1, y1) - Math.max(side.y0, y0) >
          0.5 * Math.min(side.y1 - side.y0, y1 - y0),
      );
      if (before) {
        before.x1 = x + 1;
        before.y0 = Math.min(before.y0, y0);
        before.y1 = Math.max(before.y1, y1);
        if (!next.includes(before)) next.push(before);
      } else next.push({ x0: x, x1: x + 1, y0, y1 });
    }
    for (const side of open) if (!next.includes(side)) found.push(side);
    open = next;
  }
  return found.filter(({ x0, x1, y0, y1 }) => {
    const high = y1 - y0;
    return x1 - x0 <= thickest * scale && high >= least && high <= most;
  });
}

/** Returns the runs of ink in a column. Gaps of one pixel are ignored. */
function runsIn(
  { data: map, width, height }: Grey,
  x: number,
  least: number,
  most: number,
): [from: number, to: number][] {
  const runs: [number, number][] = [];
  for (let y = 0; y < height; y += 1) {
    if (map[y * width + x] !== 1) continue;
    const from = y;
    while (y < height && (map[y * width + x] === 1 || map[(y + 1) * width + x] === 1)) y += 1;
    if (y - from >= least && y - from <= most) runs.push([from, y]);
  }
  return runs;
}

const middle = ({ x0, x1 }: Side): number => (x0 + x1) / 2;

/** Groups adjacent sides of the same height into rows, from left to right. */
function rowsOf(sides: readonly Side[], scale: number): Side[][] {
  const rows: Side[][] = [];
  for (const side of [...sides].sort((a, b) => a.x0 - b.x0)) {
    const high = side.y1 - side.y0;
    const row = rows.find((some) => {
      const last = some.at(-1)!;
      const gap = middle(side) - middle(last);
      const off = level * high + 0.03 * gap;
      const isLevel = Math.abs(side.y0 - last.y0) <= off && Math.abs(side.y1 - last.y1) <= off;
      return isLevel && gap <= widestGap * widths[1] * scale;
    });
    if (!row) rows.push([side]);
    // Separate cells have two sides close to each other.
    else if (middle(side) - middle(row.at(-1)!) < widths[0] * scale) row.at(-1)!.x1 = side.x1;
    else row.push(side);
  }
  return rows.filter((row) => row.length > minCells);
}

/**
 * Converts a row of sides to cells. Returns null if the sides are unevenly spaced, too far apart or
 * not ruled.
 */
function combOf(row: readonly Side[], map: Grey, scale: number): Comb | null {
  const steps = row.slice(1).map((side, at) => middle(side) - middle(row[at]!));
  const pitch = median(steps);
  if (pitch > widths[1] * scale) return null;
  const isEven = (step: number): boolean => {
    const cells = Math.round(step / pitch);
    return cells <= widestGap && Math.abs(step - cells * pitch) <= uneven * pitch;
  };
  const even = steps.filter(isEven).length;
  const single = steps.flatMap((step, at) =>
    step <= (1 + uneven) * pitch && isEven(step) ? [at] : [],
  );
  if (even < minEven * steps.length || single.length < minCells) return null;
  const ruled = single.filter((at) => isRuled(row[at]!, row[at + 1]!, map, scale));
  if (ruled.length < minEven * single.length) return null;
  const cells = single.map((at) => {
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
  { data: map, width, height }: Grey,
  scale: number,
): boolean {
  const near = nearEnd * scale;
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
        Math.max(0, Math.floor(y - near)),
        Math.min(height - 1, Math.ceil(y + near)),
      ];
      for (let at = top; at <= bottom; at += 1) {
        if (map[at * width + x] !== 1) continue;
        inked += 1;
        break;
      }
    }
    return inked >= minRuled * (right.x0 - left.x1);
  });
}

/** Whether a cell contains ink, apart from its sides. */
function isInked(left: Side, right: Side, { data: map, width }: Grey, scale: number): boolean {
  const margin = inset * scale;
  const [x0, x1] = [Math.ceil(left.x1 + margin), Math.floor(right.x0 - margin)];
  const [y0, y1] = [
    Math.ceil(Math.max(left.y0, right.y0) + 2 * margin),
    Math.floor(Math.min(left.y1, right.y1) - 2 * margin),
  ];
  let inked = 0;
  for (let y = y0; y < y1; y += 1) {
    for (let x = x0; x < x1; x += 1) if (map[y * width + x] === 1) inked += 1;
  }
  return inked > minInked * Math.max(1, (x1 - x0) * (y1 - y0));
}
