import {
  area,
  grow,
  heightOf,
  hull,
  intersection,
  isInside,
  mergeIntersecting,
  union,
  widthOf,
} from '../geometry.ts';
import { boxMask } from '../ink/box-mask.ts';
import type { GreyRaster } from '../ink/components.ts';
import type { Box } from '../results.ts';
import { squareness } from './squareness.ts';

/** Resolution at which areas with the texture of barcodes are searched for, in dpi. */
export const searchDpi = 150;

/** Minimum difference between neighbouring tones that form an edge. */
const minToneStep = 20;
/** Side of the cells of the grid in which edges are counted, in pixels. */
const cellSide = 8;
/**
 * Factors by which the picture is reduced, because large barcodes have few edges in a cell: modules
 * of 1 to 4 pixels fill cells with edges.
 */
const reductions = [1, 2, 4, 10];
/** Number of rows of which one is searched for edges. */
const rowStep = 2;
/**
 * Minimum share of the searched pixels of two by two cells that are edges, and minimum of this share
 * multiplied by the squareness of the edges: in the most distinct part of a barcode, and in the
 * rest of it. Print, drawings and most parts of photographs have less of one of the two.
 */
const distinct: Texture = { density: 0.4, squareDensity: 0.17 };
const weak: Texture = { density: 0.15, squareDensity: 0.05 };
/** Share of the page above which a cluster consists only of its distinct parts. */
const maxWeakShare = 0.1;
/** Margin for the blank zone around a barcode and its outermost modules, in cells and as a share. */
const marginCells = 2;
const marginShare = 0.1;
/** Maximum number of areas at a scale. Above it, or above this share of the page, it is one area. */
const maxAreas = 60;
const maxShare = 0.7;

/** Share of the page above which an area is not searched for modules of the smallest size. */
const maxFineShare = 0.25;

/** A part of a picture that may contain barcodes, in pixels. */
export interface BarcodeArea {
  box: Box;
  /** The factor by which the picture can be reduced without losing the modules. */
  reduction: number;
}

/**
 * Returns the areas of a picture of about 150 dpi that may contain barcodes: clusters of edges
 * outside the known text that are as dense as modules, and as square. Searching only these areas
 * for barcodes costs a fraction of searching the page. Areas of different reductions may overlap.
 * @param known boxes of text that was read, in pixels
 */
export function barcodeAreas(picture: GreyRaster, known: readonly Box[]): BarcodeArea[] {
  const isKnown = boxMask(picture, known);
  const maxFine = maxFineShare * picture.width * picture.height;
  const found = reductions.map((reduction) => ({
    reduction,
    boxes: areasAt(picture, isKnown, reduction),
  }));
  const [finest, second] = found;
  if (finest && second) {
    const large = finest.boxes.filter((box) => area(box) > maxFine);
    finest.boxes = finest.boxes.filter((box) => !large.includes(box));
    second.boxes = mergeIntersecting([...large, ...second.boxes]);
  }
  return found.flatMap(({ reduction, boxes }) => boxes.map((box) => ({ box, reduction })));
}

function areasAt(
  picture: GreyRaster,
  isKnown: (x: number, y: number) => boolean,
  reduction: number,
): Box[] {
  const page: Box = [0, 0, picture.width, picture.height];
  const side = cellSide * reduction;
  const grid = edgeCounts(picture, isKnown, reduction);
  const maxCells = (maxWeakShare * area(page)) / side ** 2;
  const clusters = clustersOf(grid, picture, weak).flatMap((cells) =>
    area(cells) <= maxCells
      ? [cells]
      : clustersOf(grid, picture, distinct).filter((part) => isInside(part, cells)),
  );
  const areas = mergeIntersecting(clusters).flatMap((cells) => {
    const margin = marginCells + marginShare * longSideOf(cells);
    const [x0, y0, x1, y1] = grow(cells, margin);
    const onPage = intersection([x0 * side, y0 * side, x1 * side, y1 * side], page);
    return onPage ? [onPage] : [];
  });
  const share = areas.reduce((sum, box) => sum + area(box), 0) / Math.max(1, area(page));
  return areas.length > maxAreas || share > maxShare ? [hull(areas) ?? page] : areas;
}

const longSideOf = (box: Box): number => Math.max(widthOf(box), heightOf(box));

interface Texture {
  density: number;
  squareDensity: number;
}

/** The number of edges in each cell of a grid. */
interface EdgeGrid {
  counts: Uint16Array;
  columns: number;
  rows: number;
  reduction: number;
}

/** Counts the edges outside the known text of a picture of which one in `reduction` pixels is used. */
function edgeCounts(
  { data, width, height }: GreyRaster,
  isKnown: (x: number, y: number) => boolean,
  reduction: number,
): EdgeGrid {
  const columns = Math.ceil(width / reduction / cellSide);
  const rows = Math.ceil(height / reduction / cellSide);
  const counts = new Uint16Array(columns * rows);
  const side = cellSide * reduction;
  const down = reduction * width;
  for (let y = 0; y + reduction < height; y += reduction * rowStep) {
    const row = Math.floor(y / side) * columns;
    for (let x = 0, at = y * width; x + reduction < width; x += reduction, at += reduction) {
      const tone = data[at]!;
      const [right, below] = [tone - data[at + reduction]!, tone - data[at + down]!];
      const isEdge =
        right > minToneStep || right < -minToneStep || below > minToneStep || below < -minToneStep;
      if (isEdge && !isKnown(x, y)) counts[row + Math.floor(x / side)]! += 1;
    }
  }
  return { counts, columns, rows, reduction };
}

/**
 * Returns the boxes of adjacent cells with the texture of a barcode, in cells. Gaps of one cell are
 * closed.
 */
function clustersOf(grid: EdgeGrid, picture: GreyRaster, min: Texture): Box[] {
  const { counts, columns, rows } = grid;
  const visited = new Uint8Array(counts.length);
  const clusters: Box[] = [];
  for (let start = 0; start < counts.length; start += 1) {
    if (visited[start] === 1 || !hasTexture(grid, start, distinct, picture)) continue;
    visited[start] = 1;
    const open = [start];
    let box: Box = [columns, rows, 0, 0];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const [x, y] = [at % columns, Math.floor(at / columns)];
      box = union(box, [x, y, x + 2, y + 2]);
      for (let ny = Math.max(0, y - 2); ny <= Math.min(rows - 1, y + 2); ny += 1) {
        for (let nx = Math.max(0, x - 2); nx <= Math.min(columns - 1, x + 2); nx += 1) {
          const next = ny * columns + nx;
          if (visited[next] === 1) continue;
          visited[next] = 1;
          if (hasTexture(grid, next, min, picture)) open.push(next);
        }
      }
    }
    clusters.push(box);
  }
  return clusters;
}

/** Whether a cell and the cells to its right and below have a texture. */
function hasTexture(
  { counts, columns, rows, reduction }: EdgeGrid,
  at: number,
  min: Texture,
  picture: GreyRaster,
): boolean {
  const [x, y] = [at % columns, Math.floor(at / columns)];
  if (x + 1 >= columns || y + 1 >= rows) return false;
  const edges = counts[at]! + counts[at + 1]! + counts[at + columns]! + counts[at + columns + 1]!;
  const density = (edges * rowStep) / (2 * cellSide) ** 2;
  if (density < min.density) return false;
  const side = cellSide * reduction;
  const window: Box = [x * side, y * side, (x + 2) * side, (y + 2) * side];
  return density * squareness(picture, window, reduction) >= min.squareDensity;
}
