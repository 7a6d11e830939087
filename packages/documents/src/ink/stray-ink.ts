import type { Box } from '../results.ts';
import type { GreyRaster } from './components.ts';

/**
 * Minimum difference between neighbouring tones that form an edge. Gradients have smaller
 * differences.
 */
const minToneStep = 12;
/**
 * Minimum length of straight edges that belong to rules and backgrounds rather than letters, in
 * points.
 */
const minRuleLength = 60;
/** Maximum gap where one rule crosses another, in pixels. */
const maxCrossingGap = 4;
/** Margin around boxes, in pixels, because ink is blurred. */
const boxMargin = 2;
/** Maximum number of stray edges. Above it, the page is examined without this shortcut. */
const maxStrayEdges = 300_000;

/** Minimum number of edges outside the read text that can form a word. */
export const minWordEdges = 24;

/** The edges on a page that neither known boxes nor long straight lines explain. */
export interface StrayInk {
  /** Returns the number of edges in an area, which is in points. */
  countIn(area: Box): number;
  /** Whether there are too many edges for a decision. */
  isCrowded: boolean;
  count: number;
}

/**
 * Searches for ink outside known boxes, in points, on a page drawn at `scale` pixels per point. If
 * no ink remains, text readers have read everything.
 *
 * Edges towards the pixel below form runs along rows. Edges towards the pixel on the right form
 * runs along columns. Where a known box or another rule covers an edge, the run continues behind
 * it. Unlike rules, letters have edges in both directions.
 */
export function strayInk(picture: GreyRaster, scale: number, known: readonly Box[]): StrayInk {
  const { width } = picture;
  const strayPixels = findStrayPixels(
    picture,
    coverageMask(picture, scale, known),
    minRuleLength * scale,
  );
  return {
    isCrowded: strayPixels.length > maxStrayEdges,
    count: strayPixels.length,
    countIn([x0, y0, x1, y1]) {
      const [left, top, right, bottom] = [x0 * scale, y0 * scale, x1 * scale, y1 * scale];
      let sum = 0;
      for (const at of strayPixels) {
        const y = Math.floor(at / width);
        if (y < top || y > bottom) continue;
        const x = at - y * width;
        if (x >= left && x <= right) sum += 1;
      }
      return sum;
    },
  };
}

/** Returns the uncovered pixels whose edges belong to runs shorter than `minLength`. */
function findStrayPixels(
  { data, width, height }: GreyRaster,
  covered: Uint8Array,
  minLength: number,
): number[] {
  const strayPixels: number[] = [];
  const rows = paddedRows(data, width, height);
  /** Number of edges in the open run of each column, and the start of this run. */
  const lengths = new Int32Array(rows.stride);
  const starts = new Int32Array(rows.stride);
  const gaps = new Uint8Array(rows.stride);
  /** Whether a run is open, for each column and for four columns at once. */
  const isOpen = new Uint8Array(rows.stride);
  const areOpen = new Uint32Array(isOpen.buffer);
  const endColumn = (x: number, last: number): void => {
    if (lengths[x]! < minLength) collect(x + starts[x]! * width, last - starts[x]!, width, 1);
    lengths[x] = 0;
    gaps[x] = 0;
    isOpen[x] = 0;
  };
  /**
   * Adds the uncovered edges of a short run: the first pixel and `count` more, `stride` pixels
   * apart.
   */
  const collect = (from: number, count: number, stride: number, neighbour: number): void => {
    for (let at = from, remaining = count; remaining >= 0; remaining -= 1, at += stride) {
      if (covered[at] !== 0) continue;
      // The last pixel of each row or column was compared with itself.
      const isLast = neighbour === 1 ? at % width === width - 1 : at + neighbour >= data.length;
      if (isLast) continue;
      const change = data[at]! - data[at + neighbour]!;
      if (change > minToneStep || change < -minToneStep) strayPixels.push(at);
    }
  };
  for (let y = 0; y < height && strayPixels.length <= maxStrayEdges; y += 1) {
    const row = y * width;
    const below = y + 1 < height ? row + width : row;
    const word = y * rows.words;
    const wordBelow = y + 1 < height ? word + rows.words : word;
    let length = 0;
    let start = 0;
    let gap = 0;
    for (let x = 0; x < width; x += 1) {
      if ((x & 3) === 0 && length === 0 && x + 4 < width) {
        // Four pixels of one tone have no edges if the pixels below and to the right have the same
        // tone. They do not affect runs if no run is open.
        const four = rows.data[word + (x >> 2)]!;
        const isFlat = four === ((four << 8) | (four >>> 24)) >>> 0;
        if (
          isFlat &&
          areOpen[x >> 2] === 0 &&
          four === rows.data[wordBelow + (x >> 2)] &&
          (four & 0xff) === data[row + x + 4]
        ) {
          x += 3;
          continue;
        }
      }
      const at = row + x;
      const tone = data[at]!;
      const isCovered = covered[at] === 1;
      const verticalStep = tone - data[below + x]!;
      if (verticalStep > minToneStep || verticalStep < -minToneStep) {
        if (length === 0) start = x;
        length += 1;
        gap = 0;
      } else if (length > 0 && !isCovered) {
        gap += 1;
        if (gap > maxCrossingGap) {
          if (length < minLength) collect(row + start, x - start, 1, width);
          length = 0;
          gap = 0;
        }
      }
      const horizontalStep = x + 1 < width ? tone - data[at + 1]! : 0;
      if (horizontalStep > minToneStep || horizontalStep < -minToneStep) {
        if (isOpen[x] === 0) {
          isOpen[x] = 1;
          starts[x] = y;
        }
        lengths[x]! += 1;
        gaps[x] = 0;
      } else if (isOpen[x] === 1 && !isCovered) {
        gaps[x]! += 1;
        if (gaps[x]! > maxCrossingGap) endColumn(x, y);
      }
    }
    if (length > 0 && length < minLength) collect(row + start, width - 1 - start, 1, width);
  }
  for (let x = 0; x < width; x += 1) if (isOpen[x] === 1) endColumn(x, height - 1);
  return strayPixels;
}

/** Rows that are padded to whole words of four pixels. */
function paddedRows(
  data: Uint8Array,
  width: number,
  height: number,
): { data: Uint32Array; words: number; stride: number } {
  const words = Math.ceil(width / 4);
  const stride = words * 4;
  const bytes = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    bytes.set(data.subarray(y * width, (y + 1) * width), y * stride);
  }
  return { data: new Uint32Array(bytes.buffer), words, stride };
}

function coverageMask(
  { width, height }: GreyRaster,
  scale: number,
  known: readonly Box[],
): Uint8Array {
  const covered = new Uint8Array(width * height);
  for (const [x0, y0, x1, y1] of known) {
    const left = Math.max(0, Math.floor(x0 * scale) - boxMargin);
    const right = Math.min(width, Math.ceil(x1 * scale) + boxMargin);
    const last = Math.min(height, Math.ceil(y1 * scale) + boxMargin);
    if (right <= left) continue;
    for (let y = Math.max(0, Math.floor(y0 * scale) - boxMargin); y < last; y += 1) {
      covered.fill(1, y * width + left, y * width + right);
    }
  }
  return covered;
}
