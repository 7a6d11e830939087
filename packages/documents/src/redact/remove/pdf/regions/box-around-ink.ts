import { apply, nearestQuarter, turn } from '../../../../geometry.ts';
import type { Box } from '../../../../results.ts';

/** A page in greyscale, with its number of pixels per point. */
export interface GreyPage {
  data: Uint8Array;
  width: number;
  height: number;
  scale: number;
}

/** Pixels per point at which the surroundings of a box are examined. */
export const inkScale = 2;
/** Minimum difference between the tones of a drawn pixel and its background. */
const minContrast = 56;
/**
 * Grid on which boxes start, and the grid to which their tops and bottoms are rounded, in points.
 */
const columnGrid = 4;
const rowGrid = 2;

/** Rotates the page clockwise by quarter turns. */
export function turnPage(ink: GreyPage, degrees: number): GreyPage {
  if (nearestQuarter(degrees) === 0) return ink;
  const { data, width, height, scale } = ink;
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

/** Returns the most frequent tone of a band. */
function paperTone({ data, width }: GreyPage, { x0, y0, x1, y1 }: Pixels): number {
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
function countIn(ink: GreyPage, { x0, y0, x1, y1 }: Pixels, paper: number): number {
  let count = 0;
  for (let y = y0; y < y1; y += 1) {
    for (let x = x0; x < x1; x += 1) if (isDrawn(ink, x, y, paper)) count += 1;
  }
  return count;
}

/**
 * Returns a box around content of a picture, in points as displayed. The box starts at the grid
 * line, or at a drawn pixel that is closer. It extends to the next drawn content on the right, or
 * to the edge of the page. Above and below, it extends into free space.
 */
export function boxAroundInk(
  ink: GreyPage,
  box: Box,
  page: { width: number; height: number },
): Box {
  const { scale, width, height } = ink;
  const clamp = (value: number, max: number): number => Math.min(Math.max(value, 0), max);
  const boxPixels: Pixels = {
    x0: clamp(Math.floor(box[0] * scale), width - 1),
    y0: clamp(Math.floor(box[1] * scale), height - 1),
    x1: clamp(Math.ceil(box[2] * scale), width),
    y1: clamp(Math.ceil(box[3] * scale), height),
  };
  const boxHeight = boxPixels.y1 - boxPixels.y0;
  const paper = paperTone(ink, {
    x0: clamp(boxPixels.x0 - boxHeight, width - 1),
    y0: clamp(boxPixels.y0 - 2, height - 1),
    x1: clamp(boxPixels.x1 + boxHeight * 4, width),
    y1: clamp(boxPixels.y1 + 2, height),
  });
  const rows = (from: number, to: number): Pixels => ({
    x0: boxPixels.x0,
    y0: from,
    x1: boxPixels.x1,
    y1: to,
  });
  const countInColumn = (x: number): number =>
    countIn(ink, { ...boxPixels, x0: x, x1: x + 1 }, paper);
  const countInRow = (y: number): number => countIn(ink, rows(y, y + 1), paper);

  // Above and below, the box first includes content that it cuts through, then free space.
  const topGridLine = Math.floor(box[1] / rowGrid) * rowGrid * scale;
  const bottomGridLine = Math.ceil(box[3] / rowGrid) * rowGrid * scale;
  let top = boxPixels.y0;
  while (top > Math.max(0, topGridLine - 2 * scale) && countInRow(top - 1) === 0) top -= 1;
  let bottom = boxPixels.y1;
  while (bottom < Math.min(height, bottomGridLine + 2 * scale) && countInRow(bottom) === 0)
    bottom += 1;
  top = Math.max(top, Math.min(boxPixels.y0, topGridLine));
  bottom = Math.min(bottom, Math.max(boxPixels.y1, bottomGridLine));

  // On the left, the box extends to the grid line, or to closer content.
  const leftGridLine = Math.floor(box[0] / columnGrid) * columnGrid * scale;
  let left = boxPixels.x0;
  while (left > Math.max(0, leftGridLine) && countInColumn(left - 1) === 0) left -= 1;

  // On the right, the box first includes content that extends beyond it, then the space up to the
  // next content.
  let right = boxPixels.x1;
  const overhang = boxPixels.x1 + Math.ceil(boxHeight * 0.3);
  while (right < Math.min(width, overhang) && countInColumn(right) > 0) right += 1;
  while (right < width && countInColumn(right) === 0) right += 1;
  if (right < width) right = Math.max(boxPixels.x1, right - 1);

  return [left / scale, top / scale, right >= width ? page.width : right / scale, bottom / scale];
}
