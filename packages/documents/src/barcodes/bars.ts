import { grow, hull, union } from '../geometry.ts';
import type { GreyRaster } from '../ink/components.ts';
import type { Box } from '../results.ts';
import type { Corner } from './decode.ts';
import { directionOfEdges } from './level.ts';

/**
 * Number of cells along a barcode. A cell is about six modules wide, so that the widest bar or space
 * does not fill it.
 */
const cellsAlong = 16;
/** Range of the side of a cell, in pixels. */
const cellSides = [8, 64] as const;
/** Minimum share of the edges of a cell that have one direction, if it contains bars. */
const minCoherence = 0.5;
/** Maximum angle between the edges of a cell and those of the scanned bars, in degrees. */
const maxDeviation = 15;
/** Minimum strength of the edges of a cell, as a share of the strength of the scanned bars. */
const minStrength = 0.1;
/** Margin around the bars, in cells, because their ends fill only parts of cells. */
const cellMargin = 0.5;

/**
 * Returns a box around the whole bars of a linear barcode, of which the decoder reports only the
 * part that it scanned: all adjacent cells whose edges have the direction of the scanned bars.
 */
export function boxAroundBars(picture: GreyRaster, corners: readonly Corner[]): Box {
  const scanned = hull(corners.map(([x, y]): Box => [x, y, x, y])) ?? [0, 0, 0, 0];
  const length = Math.max(scanned[2] - scanned[0], scanned[3] - scanned[1]);
  const side = Math.min(cellSides[1], Math.max(cellSides[0], Math.round(length / cellsAlong)));
  const bars = directionOfEdges(picture, grow(scanned, 2));
  const [columns, rows] = [Math.ceil(picture.width / side), Math.ceil(picture.height / side)];
  const boxOf = (at: number): Box => {
    const [x, y] = [(at % columns) * side, Math.floor(at / columns) * side];
    return [x, y, x + side, y + side];
  };
  const showsBars = (at: number): boolean => {
    const edges = directionOfEdges(picture, boxOf(at));
    const deviation = Math.abs(((edges.degrees - bars.degrees + 270) % 180) - 90);
    return (
      edges.coherence >= minCoherence &&
      deviation <= maxDeviation &&
      edges.strength >= minStrength * bars.strength
    );
  };
  const visited = new Set<number>(cellsIn(scanned, side, columns, rows));
  let box = scanned;
  const open = [...visited];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of neighbours(at, columns, rows)) {
      if (visited.has(next)) continue;
      visited.add(next);
      if (!showsBars(next)) continue;
      box = union(box, boxOf(next));
      open.push(next);
    }
  }
  return grow(box, side * cellMargin);
}

/** Returns the cells that a box touches. */
function cellsIn([x0, y0, x1, y1]: Box, side: number, columns: number, rows: number): number[] {
  const cells: number[] = [];
  const last = (end: number, count: number): number => Math.min(count - 1, Math.floor(end / side));
  for (let y = Math.max(0, Math.floor(y0 / side)); y <= last(y1, rows); y += 1) {
    for (let x = Math.max(0, Math.floor(x0 / side)); x <= last(x1, columns); x += 1) {
      cells.push(y * columns + x);
    }
  }
  return cells;
}

function neighbours(at: number, columns: number, rows: number): number[] {
  const [x, y] = [at % columns, Math.floor(at / columns)];
  return [-1, 0, 1].flatMap((dy) =>
    [-1, 0, 1].flatMap((dx) => {
      const [nx, ny] = [x + dx, y + dy];
      return nx < 0 || ny < 0 || nx >= columns || ny >= rows ? [] : [ny * columns + nx];
    }),
  );
}
