import { applyToBox, invert } from '../../geometry.ts';
import { type PagePicture, pictureToDisplay } from '../../ocr/pictures/picture.ts';
import type { Box } from '../../results.ts';

/**
 * Maximum growth of a box, in heights of its content. Less than the line spacing, and less than the
 * width of a space.
 */
const maxGrowthUpwards = 0.4;
const maxGrowthSideways = 0.3;
/**
 * Maximum width of letters searched for at the ends of words, in heights. Recognisers omit whole
 * letters there.
 */
const maxOmittedWidth = 1.6;
/** Maximum gap between letters of one word, in heights. */
const letterGap = 0.25;
/** Minimum number of ink pixels in a column that is part of a letter. A single pixel is a speck. */
const minLetterPixels = 2;
/** Minimum difference between two tones of ink and paper. Below it, they are paper and stains. */
const minContrast = 24;

type Pixels = [x0: number, y0: number, x1: number, y1: number];

/**
 * Returns a test for ink, by a threshold on the tone (Otsu's method). Ink may be the darker or the
 * lighter side. Undefined if the contrast is too low.
 */
function inkTest(
  picture: PagePicture,
  [x0, y0, x1, y1]: Pixels,
): ((tone: number) => boolean) | undefined {
  const counts = new Uint32Array(256);
  for (let y = y0; y < y1; y += 1) {
    for (let x = x0; x < x1; x += 1) {
      const tone = picture.data[y * picture.width + x] ?? 255;
      counts[tone] = (counts[tone] ?? 0) + 1;
    }
  }
  let total = 0;
  let sum = 0;
  counts.forEach((count, tone) => {
    total += count;
    sum += count * tone;
  });
  let below = 0;
  let sumBelow = 0;
  let best = { between: 0, tone: 0, dark: 0, contrast: 0 };
  counts.forEach((count, tone) => {
    below += count;
    sumBelow += count * tone;
    const above = total - below;
    if (below === 0 || above === 0) return;
    const contrast = (sum - sumBelow) / above - sumBelow / below;
    const between = below * above * contrast * contrast;
    if (between > best.between) best = { between, tone, dark: below, contrast };
  });
  if (best.contrast < minContrast) return undefined;
  const isInkDark = best.dark <= total * 0.6;
  return (tone) => (isInkDark ? tone <= best.tone : tone > best.tone);
}

/**
 * The edges of the neighbouring words on the same line, in points; undefined without a neighbour.
 */
export interface Neighbours {
  left: number | undefined;
  right: number | undefined;
}

/**
 * Finds the true end of a word that was read up to `from`. Searches in direction `step` up to `to`,
 * where the next word starts. The word ends at the widest gap or, if `minGap` is set, at the first
 * gap of at least this width. Also returns the width of the gap, or 0.
 */
function endOfWord(
  isInk: (x: number) => boolean,
  { from, to, step, wide }: { from: number; to: number; step: 1 | -1; wide: number | undefined },
): { end: number; gap: number } {
  let best = { end: from, gap: 0 };
  let end = from;
  for (let x = from; (to - x) * step >= 0; x += step) {
    if (x !== to && !isInk(step > 0 ? x : x - 1)) continue;
    const gap = (x - end) * step;
    if (gap > best.gap) best = { end, gap };
    if (wide !== undefined && gap >= wide) return best;
    end = x + step;
  }
  return best;
}

/**
 * Grows the box of recognised text until none of its ink crosses the edges, within limits, and then
 * by a small margin.
 * @param height the height of the text, in points
 * @param neighbours the neighbours of a level word. Recognisers may omit whole letters at the ends
 * of words.
 */
export function growToInk(
  picture: PagePicture,
  box: Box,
  height: number,
  neighbours?: Neighbours,
): Box {
  const toDisplay = pictureToDisplay(picture);
  const [left, top, right, bottom] = applyToBox(invert(toDisplay), box);
  const heightPixels = height / Math.max(1e-6, toDisplay[0]);
  const clampX = (x: number): number => Math.min(picture.width, Math.max(0, x));
  const clampY = (y: number): number => Math.min(picture.height, Math.max(0, y));
  let [x0, y0] = [clampX(Math.floor(left)), clampY(Math.floor(top))];
  let [x1, y1] = [clampX(Math.ceil(right)), clampY(Math.ceil(bottom))];
  const backgroundMargin = Math.round(heightPixels * 0.5);
  const margin = Math.max(1, heightPixels * 0.04);
  let [leftMargin, rightMargin] = [margin, margin];
  const isInk = inkTest(picture, [
    clampX(x0 - backgroundMargin),
    clampY(y0 - backgroundMargin),
    clampX(x1 + backgroundMargin),
    clampY(y1 + backgroundMargin),
  ]);
  if (isInk && x1 > x0 && y1 > y0) {
    const hasInkInColumn = (x: number): boolean => {
      for (let y = y0; y < y1; y += 1)
        if (isInk(picture.data[y * picture.width + x] ?? 255)) return true;
      return false;
    };
    const hasInkInRow = (y: number): boolean => {
      for (let x = x0; x < x1; x += 1)
        if (isInk(picture.data[y * picture.width + x] ?? 255)) return true;
      return false;
    };
    const limits: Pixels = [
      clampX(x0 - heightPixels * maxGrowthSideways),
      clampY(y0 - heightPixels * maxGrowthUpwards),
      clampX(x1 + heightPixels * maxGrowthSideways),
      clampY(y1 + heightPixels * maxGrowthUpwards),
    ];
    // Runs twice, because a box that has grown in one direction may cut ink in the other.
    for (let round = 0; round < 2; round += 1) {
      while (x0 - 1 >= limits[0] && hasInkInColumn(x0 - 1)) x0 -= 1;
      while (x1 + 1 <= limits[2] && hasInkInColumn(x1)) x1 += 1;
      while (y0 - 1 >= limits[1] && hasInkInRow(y0 - 1)) y0 -= 1;
      while (y1 + 1 <= limits[3] && hasInkInRow(y1)) y1 += 1;
    }
    if (neighbours) {
      const isLetterColumn = (x: number): boolean => {
        let count = 0;
        for (let y = y0; y < y1; y += 1) {
          if (isInk(picture.data[y * picture.width + x] ?? 255)) count += 1;
        }
        return count >= minLetterPixels;
      };
      const reach = Math.round(heightPixels * maxOmittedWidth);
      const endFor = (from: number, next: number | undefined, step: 1 | -1) => {
        const farthest = clampX(from + reach * step);
        const other =
          next === undefined ? farthest : clampX(Math.round((next - toDisplay[4]) / toDisplay[0]));
        const isNear = next !== undefined && (farthest - other) * step >= 0;
        return endOfWord(isLetterColumn, {
          from,
          to: isNear ? other : farthest,
          step,
          wide: isNear ? undefined : heightPixels * letterGap,
        });
      };
      const start = endFor(x0, neighbours.left, -1);
      const end = endFor(x1, neighbours.right, 1);
      [x0, x1] = [start.end, end.end];
      if (start.gap > 0) leftMargin = Math.min(margin, start.gap / 2);
      if (end.gap > 0) rightMargin = Math.min(margin, end.gap / 2);
    }
  }
  return applyToBox(toDisplay, [
    clampX(x0 - leftMargin),
    clampY(y0 - margin),
    clampX(x1 + rightMargin),
    clampY(y1 + margin),
  ]);
}
