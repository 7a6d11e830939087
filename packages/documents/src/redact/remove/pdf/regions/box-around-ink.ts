import { apply, nearestQuarter, turn } from '../../../../geometry.ts';
import type { GreyRaster } from '../../../../ink/components.ts';
import type { Box } from '../../../../results.ts';

/** A page in greyscale, with its number of pixels per point. */
export type GreyPage = GreyRaster & { scale: number };

/** Pixels per point at which the surroundings of a box are examined. */
export const inkScale = 2;
/** Minimum difference between the tones of a drawn pixel and its background. */
const minContrast = 56;
/** Grid on which boxes start, in points. */
const columnGrid = 4;
/** Grid on which boxes begin and end vertically, in points. */
const rowGrid = 2;

/** Rotates a page clockwise by quarter turns. */
export function rotateGreyPage(page: GreyPage, degrees: number): GreyPage {
  if (nearestQuarter(degrees) === 0) return page;
  const { data, width, height, scale } = page;
  const isSwapped = nearestQuarter(degrees) % 180 !== 0;
  const to = { width: isSwapped ? height : width, height: isSwapped ? width : height };
  const map = turn(width, height, degrees);
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [u, v] = apply(map, x + 0.5, y + 0.5);
      out[Math.floor(v) * to.width + Math.floor(u)] = data[y * width + x] ?? 255;
    }
  }
  return { data: out, ...to, scale };
}

interface Pixels {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Returns the most frequent tone of an area. */
function toneOfPaperIn({ data, width }: GreyPage, { x0, y0, x1, y1 }: Pixels): number {
  const counts = new Uint32Array(256);
  for (let y = y0; y < y1; y += 1) {
    for (let x = x0; x < x1; x += 1) {
      const tone = data[y * width + x] ?? 255;
      counts[tone] = (counts[tone] ?? 0) + 1;
    }
  }
  return counts.indexOf(Math.max(...counts));
}

function isDrawn({ data, width }: GreyPage, x: number, y: number, paper: number): boolean {
  return Math.abs((data[y * width + x] ?? 255) - paper) > minContrast;
}

/** Counts drawn pixels in part of a column or row. */
function countIn(page: GreyPage, { x0, y0, x1, y1 }: Pixels, paper: number): number {
  let count = 0;
  for (let y = y0; y < y1; y += 1) {
    for (let x = x0; x < x1; x += 1) if (isDrawn(page, x, y, paper)) count += 1;
  }
  return count;
}

/**
 * Returns a box around content of a picture, in points as displayed. The box starts at the grid
 * line, or at drawn content that is closer. It extends to the next drawn content on the right, or
 * to the edge of the page. Above and below, it extends through free space up to the grid line.
 */
export function boxAroundInk(
  page: GreyPage,
  box: Box,
  pageSize: { width: number; height: number },
): Box {
  const { scale, width, height } = page;
  const clamp = (value: number, max: number): number => Math.min(Math.max(value, 0), max);
  const boxPixels: Pixels = {
    x0: clamp(Math.floor(box[0] * scale), width - 1),
    y0: clamp(Math.floor(box[1] * scale), height - 1),
    x1: clamp(Math.ceil(box[2] * scale), width),
    y1: clamp(Math.ceil(box[3] * scale), height),
  };
  const boxHeight = boxPixels.y1 - boxPixels.y0;
  const paper = toneOfPaperIn(page, {
    x0: clamp(boxPixels.x0 - boxHeight, width - 1),
    y0: clamp(boxPixels.y0 - 2, height - 1),
    x1: clamp(boxPixels.x1 + boxHeight * 4, width),
    y1: clamp(boxPixels.y1 + 2, height),
  });
  const isFree = (part: Partial<Pixels>): boolean =>
    countIn(page, { ...boxPixels, ...part }, paper) === 0;
  const [top, bottom] = extendVertically(page, boxPixels, box, isFree);

  // On the left, the box extends to the grid line, or to closer content.
  const leftGridLine = Math.floor(box[0] / columnGrid) * columnGrid * scale;
  let left = boxPixels.x0;
  while (left > Math.max(0, leftGridLine) && isFree({ x0: left - 1, x1: left })) left -= 1;

  const right = extendRight(page, boxPixels, isFree);
  return [
    left / scale,
    top / scale,
    right >= width ? pageSize.width : right / scale,
    bottom / scale,
  ];
}

/** Whether a part of the box, or of the rows or columns beside it, has no drawn pixels. */
type FreeTest = (part: Partial<Pixels>) => boolean;

/** Returns the top and bottom of a box, which extends to the grid lines, or to closer content. */
function extendVertically(
  { scale, height }: GreyPage,
  { y0, y1 }: Pixels,
  box: Box,
  isFree: FreeTest,
): [top: number, bottom: number] {
  const minTop = Math.max(0, Math.floor(box[1] / rowGrid) * rowGrid * scale);
  const maxBottom = Math.min(height, Math.ceil(box[3] / rowGrid) * rowGrid * scale);
  let top = y0;
  while (top > minTop && isFree({ y0: top - 1, y1: top })) top -= 1;
  let bottom = y1;
  while (bottom < maxBottom && isFree({ y0: bottom, y1: bottom + 1 })) bottom += 1;
  // On a large page, a grid line may be within a pixel.
  return [Math.max(top, Math.min(y0, minTop)), Math.min(bottom, Math.max(y1, maxBottom))];
}

/**
 * Returns the right edge of a box, which first includes content that extends beyond it, then the
 * space up to the next content.
 */
function extendRight({ width }: GreyPage, { x1, y0, y1 }: Pixels, isFree: FreeTest): number {
  const overhang = Math.min(width, x1 + Math.ceil((y1 - y0) * 0.3));
  let right = x1;
  while (right < overhang && !isFree({ x0: right, x1: right + 1 })) right += 1;
  while (right < width && isFree({ x0: right, x1: right + 1 })) right += 1;
  return right < width ? Math.max(x1, right - 1) : right;
}
