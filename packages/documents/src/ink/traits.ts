import type { Box } from '../results.ts';
import type { GreyRaster } from './components.ts';

/** Share of the contrast above which a deviating tone of the paper counts as ink. */
const stainThreshold = 0.75;

/**
 * Distance at which tones of the paper are compared, in pixels. Shadows change over longer
 * distances.
 */
const toneDistance = 4;

/**
 * Minimum contrast of writing, and the maximum variation in the tone of its paper, as a share of
 * the contrast.
 */
const minContrast = 20;
const maxVariation = 0.2;
/** Maximum share of the paper that is as dark as ink, as parts of thick strokes are. */
const maxStainedShare = 0.15;
/**
 * Minimum number of strokes in a row, in total and per height of a run. Curves of a chart have
 * fewer. The limit for upright runs is higher, because upright curves are more common than upright
 * writing.
 */
const minStrokes = 3;
const strokesPerHeight = { level: 1.6, upright: 2.8 } as const;
/**
 * Range of the number of strokes that a column crosses. Curves and hatching have fewer, textures
 * have more.
 */
const layerRange = [1.25, 4.5] as const;
/** Maximum share of a run's area that is ink. */
const maxInkShare = 0.5;

/**
 * Limits for thick strokes, which leave blots where they cross and fill the letters, so that rows and
 * columns cross fewer of them. Such writing is dark and on clean paper.
 */
const thickStrokes = {
  contrast: 80,
  uneven: 0.1,
  inked: 0.68,
  stained: 0.4,
  perHeight: 1.2,
  strokes: 2.4,
  layers: 1.08,
} as const;

/** Measurements that distinguish writing from other drawings. */
export interface Traits {
  box: Box;
  isUpright: boolean;
  /** Length along the line of writing, and height across it. */
  length: number;
  height: number;
  /** Mean number of strokes that a row crosses, for the busier half of the rows. */
  strokes: number;
  /** Mean number of strokes that a column crosses, for columns with strokes. */
  layers: number;
  /** Share of the box that is ink. */
  inkShare: number;
  /**
   * Contrast between ink and paper, and the variation of the paper's tones as a share of the
   * contrast.
   */
  contrast: number;
  variation: number;
  /**
   * Share of the paper that is about as dark as the ink, as at the edge of a sheet or in a
   * photograph.
   */
  stainedShare: number;
}

/** A histogram of tones. */
class Tones {
  readonly #counts = new Uint32Array(256);
  count = 0;

  add(tone: number): void {
    this.#counts[tone]! += 1;
    this.count += 1;
  }

  /** Returns the number of pixels with a tone below this one. */
  countBelow(tone: number): number {
    return this.#counts
      .subarray(0, Math.max(0, Math.ceil(tone)))
      .reduce((sum, count) => sum + count, 0);
  }

  median(): number {
    let total = 0;
    return Math.max(
      0,
      this.#counts.findIndex((count) => {
        total += count;
        return total * 2 > this.count;
      }),
    );
  }
}

/** Counts the strokes that the rows and the columns of a box cross. */
function crossingsIn(
  strokes: Uint8Array,
  width: number,
  [x0, y0, x1, y1]: Box,
): { strokes: number; layers: number } {
  const columns: number[] = Array.from({ length: x1 - x0 }, () => 0);
  const rows: number[] = [];
  for (let y = y0; y < y1; y += 1) {
    let crossed = 0;
    for (let x = x0, at = y * width + x0; x < x1; x += 1, at += 1) {
      if (strokes[at] !== 1) continue;
      if (x === x0 || strokes[at - 1] !== 1) crossed += 1;
      if (y === y0 || strokes[at - width] !== 1) columns[x - x0]! += 1;
    }
    rows.push(crossed);
  }
  const busiest = rows.sort((a, b) => b - a).slice(0, Math.ceil(rows.length / 2));
  return { strokes: mean(busiest), layers: mean(columns.filter((count) => count > 0)) };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Measures the strokes in a box of a picture. */
export function traitsOf(strokes: Uint8Array, { data, width }: GreyRaster, box: Box): Traits {
  const [x0, y0, x1, y1] = box;
  const [inks, grounds, steps] = [new Tones(), new Tones(), new Tones()];
  for (let y = y0; y < y1; y += 1) {
    for (let x = x0, at = y * width + x0; x < x1; x += 1, at += 1) {
      const tone = data[at]!;
      if (strokes[at] === 1) {
        inks.add(tone);
        continue;
      }
      grounds.add(tone);
      if (x + toneDistance < x1 && strokes[at + toneDistance] !== 1)
        steps.add(Math.abs(tone - data[at + toneDistance]!));
    }
  }
  const ground = grounds.median();
  const contrast = ground - inks.median();
  return {
    box,
    isUpright: false,
    length: x1 - x0,
    height: y1 - y0,
    ...crossingsIn(strokes, width, box),
    inkShare: inks.count / Math.max(1, (x1 - x0) * (y1 - y0)),
    contrast,
    variation: contrast > 0 ? steps.median() / contrast : 1,
    stainedShare:
      grounds.countBelow(ground - stainThreshold * contrast) / Math.max(1, grounds.count),
  };
}

/** Whether ink looks like writing, as opposed to a drawing. */
export function isWriting(traits: Traits): boolean {
  const { isUpright, contrast, variation, inkShare, stainedShare } = traits;
  if (contrast < minContrast || variation > maxVariation || inkShare > maxInkShare) return false;
  if (stainedShare > maxStainedShare) return false;
  return isCrossed(traits, strokesPerHeight[isUpright ? 'upright' : 'level']);
}

/** Whether strokes as thick as those of a felt pen look like writing. */
export function isThickWriting(traits: Traits): boolean {
  const { isUpright, contrast, variation, inkShare, stainedShare } = traits;
  if (
    contrast < thickStrokes.contrast ||
    variation > thickStrokes.uneven ||
    inkShare > thickStrokes.inked
  )
    return false;
  if (stainedShare > thickStrokes.stained) return false;
  const perHeight = isUpright ? strokesPerHeight.upright : thickStrokes.perHeight;
  return isCrossed(traits, perHeight, isUpright ? undefined : thickStrokes);
}

/** Whether rows and columns cross as many strokes as in writing. */
function isCrossed(
  { length, height, strokes, layers }: Traits,
  perHeight: number,
  min: { strokes: number; layers: number } = { strokes: minStrokes, layers: layerRange[0] },
): boolean {
  if (strokes < Math.max(min.strokes, (perHeight * length) / height)) return false;
  return layers >= min.layers && layers <= layerRange[1];
}
