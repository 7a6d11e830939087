import type { Box } from '../results.ts';
import type { GreyRaster } from './components.ts';

/**
 * Minimum deviation of a paper pixel from the median paper tone for it to count as stained, as a
 * share of the contrast.
 */
const stainThreshold = 0.75;

/**
 * Distance at which tones of the paper are compared, in pixels. Shadows change over longer
 * distances.
 */
const toneDistance = 4;

/** The traits of writing. */
interface Limits {
  minContrast: number;
  maxVariation: number;
  maxInkShare: number;
  /** Maximum share of the paper that is as dark as ink, as parts of thick strokes are. */
  maxStainedShare: number;
  /** Curves of a chart have fewer. */
  minStrokesPerRow: number;
  /** Minimum for the part of a row that is as long as the line is high. */
  minStrokesPerHeight: number;
  minStrokesPerColumn: number;
}

/** Limits for strokes of ordinary thickness. */
const ordinaryLimits: Limits = {
  minContrast: 20,
  maxVariation: 0.2,
  maxInkShare: 0.5,
  maxStainedShare: 0.15,
  minStrokesPerRow: 3,
  minStrokesPerHeight: 1.6,
  minStrokesPerColumn: 1.25,
};

/**
 * Limits for thick strokes, which leave blots where they cross and fill the letters, so that rows
 * and columns cross fewer of them. Such writing is dark and on clean paper.
 */
const thickLimits: Limits = {
  minContrast: 80,
  maxVariation: 0.1,
  maxInkShare: 0.68,
  maxStainedShare: 0.4,
  minStrokesPerRow: 2.4,
  minStrokesPerHeight: 1.2,
  minStrokesPerColumn: 1.08,
};

/**
 * Limits for upright lines, whether thick or not: upright curves are more common than upright
 * writing.
 */
const uprightLimits = {
  minStrokesPerRow: ordinaryLimits.minStrokesPerRow,
  minStrokesPerHeight: 2.8,
  minStrokesPerColumn: ordinaryLimits.minStrokesPerColumn,
};

/** Maximum number of strokes that a column of writing crosses. Textures have more. */
const maxStrokesPerColumn = 4.5;

/** Measurements that distinguish writing from other drawings. */
export interface Traits {
  box: Box;
  isUpright: boolean;
  /** Along the line of writing. */
  length: number;
  /** Across the line of writing. */
  height: number;
  /** Mean number of strokes that a row crosses, over the half of the rows that cross the most. */
  strokesPerRow: number;
  /** Mean number of strokes that a column crosses, over the columns that cross any. */
  strokesPerColumn: number;
  /** Share of the box that is ink. */
  inkShare: number;
  /** Difference between the median tones of paper and ink. */
  contrast: number;
  /** Median difference between nearby tones of the paper, as a share of the contrast. */
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

/** Counts the strokes that the rows and columns of a box cross. `strokes` is 1 where there is ink. */
function crossingsIn(
  strokes: Uint8Array,
  width: number,
  [x0, y0, x1, y1]: Box,
): Pick<Traits, 'strokesPerRow' | 'strokesPerColumn'> {
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
  return {
    strokesPerRow: mean(busiest),
    strokesPerColumn: mean(columns.filter((count) => count > 0)),
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Measures the strokes in a box of a picture. `strokes` is 1 where there is ink. */
export function traitsOf(strokes: Uint8Array, { data, width }: GreyRaster, box: Box): Traits {
  const [x0, y0, x1, y1] = box;
  const [inkTones, paperTones, toneSteps] = [new Tones(), new Tones(), new Tones()];
  for (let y = y0; y < y1; y += 1) {
    for (let x = x0, at = y * width + x0; x < x1; x += 1, at += 1) {
      const tone = data[at]!;
      if (strokes[at] === 1) {
        inkTones.add(tone);
        continue;
      }
      paperTones.add(tone);
      if (x + toneDistance < x1 && strokes[at + toneDistance] !== 1)
        toneSteps.add(Math.abs(tone - data[at + toneDistance]!));
    }
  }
  const paper = paperTones.median();
  const contrast = paper - inkTones.median();
  return {
    box,
    isUpright: false,
    length: x1 - x0,
    height: y1 - y0,
    ...crossingsIn(strokes, width, box),
    inkShare: inkTones.count / Math.max(1, (x1 - x0) * (y1 - y0)),
    contrast,
    variation: contrast > 0 ? toneSteps.median() / contrast : 1,
    stainedShare:
      paperTones.countBelow(paper - stainThreshold * contrast) / Math.max(1, paperTones.count),
  };
}

/** Whether ink looks like writing, as opposed to a drawing. */
export function isWriting(traits: Traits): boolean {
  return meetsLimits(traits, ordinaryLimits);
}

/** Whether strokes as thick as those of a felt pen look like writing. */
export function isThickWriting(traits: Traits): boolean {
  return meetsLimits(traits, thickLimits);
}

function meetsLimits(traits: Traits, limits: Limits): boolean {
  const { contrast, variation, inkShare, stainedShare } = traits;
  if (contrast < limits.minContrast || variation > limits.maxVariation) return false;
  if (inkShare > limits.maxInkShare || stainedShare > limits.maxStainedShare) return false;
  const { length, height, strokesPerRow, strokesPerColumn } = traits;
  const { minStrokesPerRow, minStrokesPerHeight, minStrokesPerColumn } = traits.isUpright
    ? uprightLimits
    : limits;
  if (strokesPerRow < Math.max(minStrokesPerRow, (minStrokesPerHeight * length) / height))
    return false;
  return strokesPerColumn >= minStrokesPerColumn && strokesPerColumn <= maxStrokesPerColumn;
}
