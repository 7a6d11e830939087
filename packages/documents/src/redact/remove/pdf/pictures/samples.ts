/** Samples of pictures as PDF stores them (PDF 32000-1 §8.9.3), and predictors (§7.4.4.4). */
import { EngineError } from '@scriptorium/sandbox/errors';

/** Part of a picture, in whole pixels. The right and bottom edges are exclusive. */
export interface Rect {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  /**
   * The axis along which the rectangle ends at adjacent content. Pixels beyond this end that are
   * encoded together with the rectangle reveal nothing about the removed content, so they are kept.
   */
  beside?: 'x' | 'y';
}

export interface SampleLayout {
  width: number;
  height: number;
  components: number;
  /** Bits per component: 1, 2, 4, 8 or 16. */
  bits: number;
}

/** Flate level for samples. Higher levels take ten times as long and save a tenth. */
export const flateLevel = 7;

export const strideOf = ({ width, components, bits }: SampleLayout): number =>
  Math.ceil((width * components * bits) / 8);

/** Sets all samples in the rectangles to `values`, one value per component, in place. */
export function paintSamples(
  data: Uint8Array,
  layout: SampleLayout,
  rects: readonly Rect[],
  values: readonly number[],
): void {
  const { components, bits } = layout;
  const stride = strideOf(layout);
  for (const { x0, y0, x1, y1 } of rects) {
    for (let y = y0; y < y1; y += 1) {
      const row = y * stride;
      for (let at = x0 * components; at < x1 * components; at += 1) {
        const value = values[at % components] ?? 0;
        if (bits === 8) data[row + at] = value;
        else if (bits === 16) {
          data[row + at * 2] = value >> 8;
          data[row + at * 2 + 1] = value & 0xff;
        } else {
          const bit = at * bits;
          const shift = 8 - bits - (bit & 7);
          const mask = ((1 << bits) - 1) << shift;
          const index = row + (bit >> 3);
          data[index] = ((data[index] ?? 0) & ~mask) | ((value << shift) & mask);
        }
      }
    }
  }
}

/**
 * Packs the samples returned by `valueAt`, one per pixel, into rows of 1, 2 or 4 bits per pixel.
 */
export function packSamples(layout: SampleLayout, valueAt: (pixel: number) => number): Uint8Array {
  const { width, height, bits } = layout;
  const stride = strideOf(layout);
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const bit = x * bits;
      const at = y * stride + (bit >> 3);
      out[at] = (out[at] ?? 0) | (valueAt(y * width + x) << (8 - bits - (bit & 7)));
    }
  }
  return out;
}

function paeth(a: number, b: number, c: number): number {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/**
 * Reverses predictor 2 (eight bits only) or 10 to 15.
 * @throws EngineError `unsupported` if predictor 2 is used with other than eight bits
 */
export function undoPredictor(data: Buffer, predictor: number, layout: SampleLayout): Uint8Array {
  const { height, components, bits } = layout;
  const stride = strideOf(layout);
  const step = Math.max(1, (components * bits) >> 3);
  const out = new Uint8Array(stride * height);
  if (predictor < 2) {
    out.set(data.subarray(0, out.length));
    return out;
  }
  if (predictor === 2) {
    if (bits !== 8) throw new EngineError('unsupported', 'A picture has an unsupported format.');
    out.set(data.subarray(0, out.length));
    for (let y = 0; y < height; y += 1) {
      for (let x = step; x < stride; x += 1) {
        const at = y * stride + x;
        out[at] = (out[at] ?? 0) + (out[at - step] ?? 0);
      }
    }
    return out;
  }
  for (let y = 0; y < height; y += 1) {
    const from = y * (stride + 1);
    const kind = data[from] ?? 0;
    const row = y * stride;
    for (let x = 0; x < stride; x += 1) {
      const a = x >= step ? (out[row + x - step] ?? 0) : 0;
      const b = y > 0 ? (out[row - stride + x] ?? 0) : 0;
      const c = x >= step && y > 0 ? (out[row - stride + x - step] ?? 0) : 0;
      const prediction =
        kind === 1
          ? a
          : kind === 2
            ? b
            : kind === 3
              ? (a + b) >> 1
              : kind === 4
                ? paeth(a, b, c)
                : 0;
      out[row + x] = (data[from + 1 + x] ?? 0) + prediction;
    }
  }
  return out;
}

/** Applies predictor 15. As in PNG encoders, each row uses the filter with the smallest residue. */
export function predict(data: Uint8Array, layout: SampleLayout): Uint8Array {
  const { height, components, bits } = layout;
  const stride = strideOf(layout);
  const step = Math.max(1, (components * bits) >> 3);
  const out = new Uint8Array((stride + 1) * height);
  const trial = new Uint8Array(stride);
  for (let y = 0; y < height; y += 1) {
    const row = y * stride;
    const to = y * (stride + 1);
    let minSum = Number.POSITIVE_INFINITY;
    for (const kind of [0, 1, 2, 4]) {
      let sum = 0;
      for (let x = 0; x < stride; x += 1) {
        const a = x >= step ? (data[row + x - step] ?? 0) : 0;
        const b = y > 0 ? (data[row - stride + x] ?? 0) : 0;
        const c = x >= step && y > 0 ? (data[row - stride + x - step] ?? 0) : 0;
        const prediction = kind === 1 ? a : kind === 2 ? b : kind === 4 ? paeth(a, b, c) : 0;
        const value = ((data[row + x] ?? 0) - prediction) & 0xff;
        trial[x] = value;
        sum += value < 128 ? value : 256 - value;
      }
      if (sum < minSum) {
        minSum = sum;
        out[to] = kind;
        out.set(trial, to + 1);
      }
    }
  }
  return out;
}
