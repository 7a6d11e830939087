import { area, grow, hull, intersection, mergeIntersecting } from '../geometry.ts';
import { boxMask } from '../ink/box-mask.ts';
import type { GreyRaster } from '../ink/components.ts';
import type { Box } from '../results.ts';

/** Resolution at which areas with the texture of barcodes are searched for, in dpi. */
export const searchDpi = 150;

/** Minimum difference between neighbouring tones that form an edge. */
const minToneStep = 24;
/** Side of the cells of the grid in which edges are counted, in pixels. */
const cellSide = 8;
/** Minimum number of edges in a cell of a barcode. */
const minCellEdges = 6;
/** Minimum number of edges in a barcode. The smallest have about 10 × 10 modules. */
const minEdges = 60;
/** Minimum sides of a barcode, in pixels: those of its shorter and its longer side. */
const minSides = [8, 16] as const;
/** Factors by which the picture is also reduced, because large barcodes have few edges in a cell. */
const reductions = [1, 3];
/** Margin for the blank zone around a barcode, in pixels. */
const quietZone = 16;
/** Maximum number of areas. Above it, or above this share of the page, the page is one area. */
const maxAreas = 60;
const maxShare = 0.7;

/**
 * Returns the areas of a picture of about 150 dpi that may contain barcodes: clusters of edges
 * outside the known text. Searching only these areas for barcodes costs a fraction of searching the
 * page.
 * @param known boxes of text that was read, in pixels
 */
export function barcodeAreas(picture: GreyRaster, known: readonly Box[]): Box[] {
  const isKnown = boxMask(picture, known);
  const page: Box = [0, 0, picture.width, picture.height];
  const found = reductions.flatMap((factor) =>
    clustersOf(edgeCounts(picture, isKnown, factor)).map(([x0, y0, x1, y1]): Box => {
      const side = cellSide * factor;
      return [x0 * side, y0 * side, x1 * side, y1 * side];
    }),
  );
  const areas = mergeIntersecting(
    found.flatMap((box) => {
      const onPage = intersection(grow(box, quietZone), page);
      return onPage ? [onPage] : [];
    }),
  );
  const share = areas.reduce((sum, box) => sum + area(box), 0) / Math.max(1, area(page));
  return areas.length > maxAreas || share > maxShare ? [hull(areas) ?? page] : areas;
}

/** The number of edges in each cell of a grid. */
interface EdgeGrid {
  counts: Uint16Array;
  columns: number;
  rows: number;
}

/** Counts the edges outside the known text of a picture of which one in `factor` pixels is used. */
function edgeCounts(
  { data, width, height }: GreyRaster,
  isKnown: (x: number, y: number) => boolean,
  factor: number,
): EdgeGrid {
  const columns = Math.ceil(width / factor / cellSide);
  const rows = Math.ceil(height / factor / cellSide);
  const counts = new Uint16Array(columns * rows);
  const side = cellSide * factor;
  for (let y = 0; y + factor < height; y += factor) {
    const row = Math.floor(y / side) * columns;
    for (let x = 0, at = y * width; x + factor < width; x += factor, at += factor) {
      const tone = data[at]!;
      const [right, below] = [tone - data[at + factor]!, tone - data[at + factor * width]!];
      const isEdge =
        right > minToneStep || right < -minToneStep || below > minToneStep || below < -minToneStep;
      if (isEdge && !isKnown(x, y)) counts[row + Math.floor(x / side)]! += 1;
    }
  }
  return { counts, columns, rows };
}

/** Returns the boxes of adjacent cells with many edges, in cells. Gaps of one cell are closed. */
function clustersOf({ counts, columns, rows }: EdgeGrid): Box[] {
  const visited = new Uint8Array(counts.length);
  const clusters: Box[] = [];
  for (let start = 0; start < counts.length; start += 1) {
    if (visited[start] === 1 || counts[start]! < minCellEdges) continue;
    visited[start] = 1;
    const open = [start];
    let box: Box = [columns, rows, 0, 0];
    let edges = 0;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const [x, y] = [at % columns, Math.floor(at / columns)];
      edges += counts[at]!;
      box = [
        Math.min(box[0], x),
        Math.min(box[1], y),
        Math.max(box[2], x + 1),
        Math.max(box[3], y + 1),
      ];
      for (let ny = Math.max(0, y - 2); ny <= Math.min(rows - 1, y + 2); ny += 1) {
        for (let nx = Math.max(0, x - 2); nx <= Math.min(columns - 1, x + 2); nx += 1) {
          const next = ny * columns + nx;
          if (visited[next] === 1 || counts[next]! < minCellEdges) continue;
          visited[next] = 1;
          open.push(next);
        }
      }
    }
    if (edges >= minEdges && isLargeEnough(box)) clusters.push(box);
  }
  return clusters;
}

function isLargeEnough([x0, y0, x1, y1]: Box): boolean {
  const [short = 0, long = 0] = [(x1 - x0) * cellSide, (y1 - y0) * cellSide].sort((a, b) => a - b);
  return short >= minSides[0] && long >= minSides[1];
}
