import { readFileSync } from 'node:fs';
import type { GreyRaster } from '../ink/components.ts';
import { createMemory, instantiate, type Memory } from './webassembly.ts';

/**
 * The network of MediaPipe's face detection, full range (lab/training/faces/README.md): an encoder
 * that halves the picture five times, and a decoder that doubles the result three times and adds
 * what the encoder saw. All layers are convolutions, so it accepts pictures of any size.
 */

/** The sides of a picture are multiples of this. */
export const sideUnit = 32;
/** A row and a column of the result are this many pixels of the picture. */
const resultStep = 4;

/** What the network sees around one pixel of its result. */
export interface Sighting {
  /** 0–1. */
  score: number;
  /** The centre and the sides of the face, in pixels of the picture. */
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A convolution of the module in WebAssembly. Addresses and sizes are numbers. */
type Kernel = (...numbers: number[]) => void;

/** An array of pixels in the memory of the module. Each row ends with a blank pixel. */
interface Pixels {
  /** Index of the first pixel, in numbers. A blank row is before and after the pixels. */
  at: number;
  width: number;
  height: number;
  channels: number;
}

/** The blocks of the encoder between two halvings: channels within and after each block. */
const encoder: readonly (readonly [inner: number, outer: number])[][] = [
  [
    [8, 32],
    [8, 32],
  ],
  [
    [12, 48],
    [12, 48],
    [16, 64],
  ],
  [
    [24, 96],
    [32, 128],
    [32, 128],
  ],
  [
    [36, 144],
    [48, 192],
    [64, 256],
  ],
  [
    [96, 384],
    [96, 384],
    [96, 384],
    [96, 384],
  ],
];
/** The blocks of the decoder after each doubling: channels, channels within a block, blocks. */
const decoder = [
  [96, 48, 2],
  [64, 32, 2],
  [48, 24, 1],
] as const;
const stem = { inputs: 9, outputs: 32 } as const;
const outputs = 8;
const blockPixels = 8;
const pageBytes = 65_536;
const middleTone = 127.5;

/** The weights, in the order in which the layers use them. */
const readWeights = (): Float32Array => {
  const file = readFileSync(new URL('./weights.bin', import.meta.url));
  const halves = new Uint16Array(Uint8Array.from(file).buffer);
  return Float32Array.from(halves, (half) => {
    const exponent = (half >>> 10) & 31;
    const fraction = half & 1023;
    const size = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
    return half & 0x8000 ? -size : size;
  });
};

function isKernel(value: unknown): value is Kernel {
  return typeof value === 'function';
}

function loadKernels(memory: Memory): { dense: Kernel; depthwise: Kernel } {
  const file = readFileSync(new URL('./kernels.wasm', import.meta.url));
  const { dense, depthwise } = instantiate(file, memory);
  if (!isKernel(dense) || !isKernel(depthwise)) throw new Error('kernels.wasm is damaged.');
  return { dense, depthwise };
}

export class FaceNetwork {
  readonly #memory = createMemory(64);
  readonly #kernels = loadKernels(this.#memory);
  readonly #firstFree: number;
  /** The memory as numbers. */
  #numbers = new Float32Array(this.#memory.buffer);
  /** Index of the next weight. Weights are at the start of the memory. */
  #weight = 0;
  /** Index of the first free number. */
  #free = 0;

  constructor() {
    const weights = readWeights();
    this.#firstFree = weights.length;
    this.#reserve(weights.length);
    this.#numbers.set(weights);
  }

  /**
   * Returns what the network sees with at least a score.
   * @param picture with sides that are multiples of `sideUnit`
   */
  look(picture: GreyRaster, minScore: number): Sighting[] {
    [this.#weight, this.#free] = [0, this.#firstFree];
    let pixels = this.#stem(picture);
    const seen: Pixels[] = [];
    for (const [level, blocks] of encoder.entries()) {
      for (const [at, [inner, outer]] of blocks.entries()) {
        pixels = this.#block(pixels, inner, outer, level > 0 && at === 0 ? 2 : 1);
      }
      seen.push(pixels);
    }
    for (const [at, [channels, inner, blocks]] of decoder.entries()) {
      const upper = this.#dense(pixels, channels, { relu: true });
      const encoded = seen[seen.length - 2 - at];
      if (!encoded) throw new Error('The decoder is deeper than the encoder.');
      const lateral = this.#dense(encoded, channels, { relu: true });
      pixels = this.#addDoubled(lateral, upper);
      for (let n = 0; n < blocks; n += 1) pixels = this.#block(pixels, inner, channels, 1);
    }
    return this.#sightings(this.#dense(pixels, outputs, {}), minScore);
  }

  /** The first convolution. Its windows are written side by side, as pixels of 9 channels. */
  #stem({ data, width, height }: GreyRaster): Pixels {
    const windows = this.#take(width / 2, height / 2, stem.inputs);
    const numbers = this.#numbers;
    for (let y = 0; y < windows.height; y += 1) {
      let to = windows.at + y * (windows.width + 1) * stem.inputs;
      for (let x = 0; x < windows.width; x += 1) {
        for (let row = 2 * y; row < 2 * y + 3; row += 1) {
          for (let column = 2 * x; column < 2 * x + 3; column += 1, to += 1) {
            if (row < height && column < width)
              numbers[to] = data[row * width + column]! / middleTone - 1;
          }
        }
      }
    }
    return this.#dense(windows, stem.outputs, { relu: true });
  }

  /** Two separable convolutions, whose result is added to the source. */
  #block(source: Pixels, inner: number, outer: number, step: 1 | 2): Pixels {
    const { width, height } = source;
    const result = this.#take(width / step, height / step, outer);
    const free = this.#free;
    const narrow = this.#dense(this.#depthwise(source, step), inner, { relu: true });
    const filtered = this.#depthwise(narrow, 1);
    const residual =
      step === 1 && source.channels === outer ? source : this.#shortcut(source, step, outer);
    this.#dense(filtered, outer, { relu: true, residual, result });
    this.#free = free;
    return result;
  }

  /** Multiplies each pixel by a matrix. */
  #dense(
    source: Pixels,
    channels: number,
    { relu = false, residual, result }: { relu?: boolean; residual?: Pixels; result?: Pixels },
  ): Pixels {
    const target = result ?? this.#take(source.width, source.height, channels);
    const weights = this.#takeWeights(source.channels * channels);
    this.#kernels.dense(
      4 * source.at,
      4 * target.at,
      source.height * (source.width + 1),
      source.channels,
      channels,
      4 * weights,
      4 * this.#takeWeights(channels),
      residual ? 4 * residual.at : 0,
      relu ? 1 : 0,
    );
    this.#clearMargin(target);
    return target;
  }

  /** Filters each channel, halving the picture if `step` is 2. */
  #depthwise(source: Pixels, step: 1 | 2): Pixels {
    const { width, height, channels } = source;
    const target = this.#take(width / step, height / step, channels);
    const pitch = width + 1;
    const weights = this.#takeWeights(9 * channels);
    this.#kernels.depthwise(
      4 * (source.at - (step === 1 ? (pitch + 1) * channels : 0)),
      pitch,
      4 * target.at,
      target.width + 1,
      target.width,
      target.height,
      channels,
      step,
      4 * weights,
      4 * this.#takeWeights(channels),
    );
    return target;
  }

  /** Returns the source as a residual: its maxima in 2 × 2 pixels if halved, with more channels. */
  #shortcut(source: Pixels, step: 1 | 2, channels: number): Pixels {
    const target = this.#take(source.width / step, source.height / step, channels);
    const numbers = this.#numbers;
    const row = (source.width + 1) * source.channels;
    for (let y = 0; y < target.height; y += 1) {
      for (let x = 0; x < target.width; x += 1) {
        let from = source.at + step * (y * row + x * source.channels);
        let to = target.at + (y * (target.width + 1) + x) * channels;
        for (let channel = 0; channel < source.channels; channel += 1, from += 1, to += 1) {
          let value = numbers[from]!;
          if (step === 2) {
            value = Math.max(
              value,
              numbers[from + source.channels]!,
              numbers[from + row]!,
              numbers[from + row + source.channels]!,
            );
          }
          numbers[to] = value;
        }
      }
    }
    return target;
  }

  /** Doubles `small` by interpolation between its pixels, and adds it to `large`. */
  #addDoubled(large: Pixels, small: Pixels): Pixels {
    const { channels } = large;
    const numbers = this.#numbers;
    const near = (at: number, length: number): [number, number] => {
      const other = at % 2 === 0 ? (at >> 1) - 1 : (at >> 1) + 1;
      return [at >> 1, Math.min(length - 1, Math.max(0, other))];
    };
    for (let y = 0; y < large.height; y += 1) {
      const [row, otherRow] = near(y, small.height);
      for (let x = 0; x < large.width; x += 1) {
        const [column, otherColumn] = near(x, small.width);
        const index = (r: number, c: number) => small.at + (r * (small.width + 1) + c) * channels;
        const [a, b] = [index(row, column), index(row, otherColumn)];
        const [c, d] = [index(otherRow, column), index(otherRow, otherColumn)];
        const to = large.at + (y * (large.width + 1) + x) * channels;
        for (let n = 0; n < channels; n += 1) {
          numbers[to + n]! +=
            (9 * numbers[a + n]! + 3 * (numbers[b + n]! + numbers[c + n]!) + numbers[d + n]!) / 16;
        }
      }
    }
    return large;
  }

  #sightings({ at, width, height }: Pixels, minScore: number): Sighting[] {
    const minLogit = Math.log(minScore / (1 - minScore));
    const found: Sighting[] = [];
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const from = at + (y * (width + 1) + x) * outputs;
        const [logit = 0, dx = 0, dy = 0, w = 0, h = 0] = this.#numbers.subarray(from, from + 5);
        if (logit < minLogit) continue;
        found.push({
          score: 1 / (1 + Math.exp(-logit)),
          x: (x + 0.5) * resultStep + dx,
          y: (y + 0.5) * resultStep + dy,
          width: w,
          height: h,
        });
      }
    }
    return found;
  }

  /** Returns blank pixels, with a blank row before and after them. */
  #take(width: number, height: number, channels: number): Pixels {
    const row = (width + 1) * channels;
    // Addresses of four numbers at once are faster if they are multiples of 16.
    const at = (this.#free + row + channels + 3) & ~3;
    const end = at + (height + 1) * row + blockPixels * channels;
    this.#reserve(end);
    this.#numbers.fill(0, this.#free, end);
    this.#free = end;
    return { at, width, height, channels };
  }

  #takeWeights(count: number): number {
    const at = this.#weight;
    this.#weight += count;
    return at;
  }

  /** Blanks what was written into the margin beside and below the pixels. */
  #clearMargin({ at, width, height, channels }: Pixels): void {
    const row = (width + 1) * channels;
    for (let y = 1; y < height; y += 1) {
      this.#numbers.fill(0, at + y * row - channels, at + y * row);
    }
    const end = at + height * row;
    this.#numbers.fill(0, end - channels, end + blockPixels * channels);
  }

  /** Makes room for this many numbers. */
  #reserve(count: number): void {
    const missing = 4 * count - this.#memory.buffer.byteLength;
    if (missing <= 0) return;
    this.#memory.grow(Math.ceil(missing / pageBytes));
    this.#numbers = new Float32Array(this.#memory.buffer);
  }
}
