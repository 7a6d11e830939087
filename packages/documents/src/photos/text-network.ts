import type { GreyRaster } from '../ink/components.ts';
import { type Activation, Layers, type Pixels } from '../networks/layers.ts';

/**
 * The network of PP-OCRv4's text detection, mobile (lab/training/photos/README.md): an encoder that
 * halves the picture five times (PP-LCNetV3), a pyramid that adds the levels up, and a head that
 * returns the probability of text at each pixel (Liao et al., Real-time Scene Text Detection with
 * Differentiable Binarization, 2020).
 */

/** The sides of a picture are multiples of this. */
export const sideUnit = 32;

/** A block of the encoder. One with step 2 halves the picture. */
interface Block {
  size: 3 | 5;
  step: 1 | 2;
  outputs: number;
  /** Weighs channels by their means (Hu et al., Squeeze-and-Excitation Networks, 2018). */
  excites?: true;
}

const stemOutputs = 16;
/** The blocks of each level. The levels have a quarter to a thirty-second of the sides. */
const encoder: readonly (readonly Block[])[] = [
  [
    { size: 3, step: 1, outputs: 32 },
    { size: 3, step: 2, outputs: 48 },
    { size: 3, step: 1, outputs: 48 },
  ],
  [
    { size: 3, step: 2, outputs: 96 },
    { size: 3, step: 1, outputs: 96 },
  ],
  [
    { size: 3, step: 2, outputs: 192 },
    ...Array.from({ length: 4 }, (): Block => ({ size: 5, step: 1, outputs: 192 })),
  ],
  [
    { size: 5, step: 2, outputs: 384, excites: true },
    { size: 5, step: 1, outputs: 384, excites: true },
    ...Array.from({ length: 2 }, (): Block => ({ size: 5, step: 1, outputs: 384 })),
  ],
];
/** Channels of the pyramid, of each of its levels in the result, and of the two last layers. */
const channels = { pyramid: 96, level: 24, quarters: 96, last: 16 } as const;
/** Channels are squeezed to this share of them. */
const squeeze = 4;
/**
 * The slope of hard sigmoid, and what is added to it: in the pyramid, weighed channels are added to
 * themselves.
 */
const gates = { encoder: { slope: 1 / 6, base: 0 }, pyramid: { slope: 0.2, base: 1 } } as const;
/** Each pixel of the last layer stands for this many pixels of the picture, across and down. */
const resultStep = 4;
/** The tone that the network reads as 0: the mean of photographs. */
export const blankTone = 114;

/** The probability of text at each pixel, 0–1. */
export interface TextMap {
  data: Float32Array;
  width: number;
  height: number;
}

export class TextNetwork {
  readonly #layers = new Layers(new URL('./text-weights.bin', import.meta.url), 2);

  /**
   * Returns where a picture shows text.
   * @param picture with sides that are multiples of `sideUnit`
   */
  look(picture: GreyRaster): TextMap {
    this.#layers.start();
    let pixels = this.#stem(picture);
    const levels: Pixels[] = [];
    for (const blocks of encoder) {
      for (const block of blocks) pixels = this.#block(pixels, block);
      levels.push(pixels);
    }
    return this.#head(this.#pyramid(levels));
  }

  /** The first convolution. Its windows are written side by side, as pixels of 12 channels. */
  #stem({ data, width, height }: GreyRaster): Pixels {
    const layers = this.#layers;
    const target = layers.allocate(width / 2, height / 2, stemOutputs);
    layers.scratch(() => {
      const inputs = 12;
      const windows = layers.take(width / 2, height / 2, inputs);
      const { numbers } = layers;
      for (let y = 0; y < windows.height; y += 1) {
        let to = windows.at + y * layers.pitch(windows) * inputs;
        for (let x = 0; x < windows.width; x += 1, to += inputs) {
          for (let tap = 0; tap < 9; tap += 1) {
            const [column, row] = [2 * x - 1 + (tap % 3), 2 * y - 1 + Math.floor(tap / 3)];
            const isInside = row >= 0 && column >= 0;
            numbers[to + tap] =
              ((isInside ? data[row * width + column]! : blankTone) - blankTone) / 255;
          }
        }
      }
      layers.dense(windows, stemOutputs, { result: target });
    });
    return target;
  }

  #block(source: Pixels, { size, step, outputs, excites }: Block): Pixels {
    const layers = this.#layers;
    const result = layers.allocate(source.width / step, source.height / step, outputs);
    layers.scratch(() => {
      const before = size === 3 ? 1 : 2;
      const activation: Activation = step === 1 ? 'swish' : 'none';
      const filtered = layers.depthwise(source, step, { size, before, activation });
      if (excites) this.#excite(filtered, gates.encoder);
      layers.dense(filtered, outputs, { activation: 'swish', result });
    });
    return result;
  }

  /** Multiplies each channel by a gate, which depends on the means of all channels. */
  #excite(pixels: Pixels, { slope, base }: { slope: number; base: number }): void {
    const { numbers } = this.#layers;
    const count = pixels.channels;
    const means = new Float64Array(count);
    this.#eachPixel(pixels, (at) => {
      for (let n = 0; n < count; n += 1) means[n]! += numbers[at + n]!;
    });
    for (let n = 0; n < count; n += 1) means[n]! /= pixels.width * pixels.height;
    const squeezed = this.#multiply(means, count / squeeze).map((sum) => Math.max(0, sum));
    const factors = this.#multiply(squeezed, count).map(
      (sum) => base + Math.min(1, Math.max(0, slope * sum + 0.5)),
    );
    this.#eachPixel(pixels, (at) => {
      for (let n = 0; n < count; n += 1) numbers[at + n]! *= factors[n]!;
    });
  }

  /** Multiplies a vector by a matrix, and adds biases. */
  #multiply(values: Float64Array, outputs: number): Float64Array {
    const { numbers } = this.#layers;
    const weights = this.#layers.takeWeights(values.length * outputs);
    const biases = this.#layers.takeWeights(outputs);
    return Float64Array.from({ length: outputs }, (_, output) => {
      const from = weights + output * values.length;
      return values.reduce(
        (sum, value, at) => sum + value * numbers[from + at]!,
        numbers[biases + output]!,
      );
    });
  }

  #eachPixel(pixels: Pixels, visit: (at: number, x: number, y: number) => void): void {
    const pitch = this.#layers.pitch(pixels);
    for (let y = 0; y < pixels.height; y += 1) {
      for (let x = 0; x < pixels.width; x += 1) {
        visit(pixels.at + (y * pitch + x) * pixels.channels, x, y);
      }
    }
  }

  /** Adds the smaller levels to the larger ones, and joins what each of them shows. */
  #pyramid(levels: readonly Pixels[]): Pixels {
    const layers = this.#layers;
    const laterals = levels.toReversed().map((level) => {
      const lateral = layers.dense(level, channels.pyramid);
      this.#excite(lateral, gates.pyramid);
      return lateral;
    });
    laterals.forEach((lateral, at) => {
      const smaller = laterals[at - 1];
      if (smaller) this.#enlarge(smaller, lateral, { times: 2, adds: true, channel: 0 });
    });
    const largest = laterals.at(-1);
    if (!largest) throw new Error('The pyramid has no levels.');
    const joined = layers.allocate(largest.width, largest.height, laterals.length * channels.level);
    laterals.forEach((lateral, at) => {
      layers.scratch(() => {
        const level = layers.convolve(lateral, channels.level);
        this.#excite(level, gates.pyramid);
        const times = 2 ** (laterals.length - 1 - at);
        this.#enlarge(level, joined, { times, adds: false, channel: at * channels.level });
      });
    });
    return joined;
  }

  /**
   * Copies a picture into the channels of a larger one, starting at `channel`. Each pixel fills
   * `times` × `times` pixels.
   */
  #enlarge(
    small: Pixels,
    large: Pixels,
    { times, adds, channel }: { times: number; adds: boolean; channel: number },
  ): void {
    const { numbers } = this.#layers;
    const pitch = this.#layers.pitch(small);
    this.#eachPixel(large, (at, x, y) => {
      const from =
        small.at + (Math.floor(y / times) * pitch + Math.floor(x / times)) * small.channels;
      const to = at + channel;
      for (let n = 0; n < small.channels; n += 1) {
        numbers[to + n] = (adds ? numbers[to + n]! : 0) + numbers[from + n]!;
      }
    });
  }

  /** The last layers. Each pixel becomes 4 × 4 probabilities: 2 × 2 quarters of 2 × 2. */
  #head(joined: Pixels): TextMap {
    const layers = this.#layers;
    const narrow = layers.convolve(joined, channels.level, 'relu');
    const quarters = layers.dense(narrow, channels.quarters, { activation: 'relu' });
    const logits = layers.dense(quarters, channels.last);
    const [width, height] = [logits.width * resultStep, logits.height * resultStep];
    const data = new Float32Array(width * height);
    const { numbers } = layers;
    this.#eachPixel(logits, (at, x, y) => {
      for (let n = 0; n < channels.last; n += 1) {
        const [outer, inner] = [n >> 2, n & 3];
        const column = x * resultStep + 2 * (outer & 1) + (inner & 1);
        const row = y * resultStep + 2 * (outer >> 1) + (inner >> 1);
        data[row * width + column] = 1 / (1 + Math.exp(-numbers[at + n]!));
      }
    });
    return { data, width, height };
  }
}
