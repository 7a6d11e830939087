import { readFileSync } from 'node:fs';
import { fromHalf } from './half.ts';
import { createMemory, instantiate, type Memory } from './webassembly.ts';

/** A convolution of the module in WebAssembly. Addresses and sizes are numbers. */
type Kernel = (...numbers: number[]) => void;

/** An array of pixels in the memory of the module. Each row ends with blank pixels, its margin. */
export interface Pixels {
  /** Index of the first pixel, in numbers. Blank rows are before and after the pixels. */
  at: number;
  width: number;
  height: number;
  channels: number;
}

/**
 * What is done with the sums of a layer: nothing, negative ones become 0, or hard swish (Howard et
 * al., Searching for MobileNetV3, 2019), scaled and shifted by the next two weights.
 */
export type Activation = 'none' | 'relu' | 'swish';

const activations: readonly Activation[] = ['none', 'relu', 'swish'];
const pageBytes = 65_536;
/** Pixels that the kernels compute at once. The last ones may be beyond the end of the array. */
const blockPixels = 16;

function isKernel(value: unknown): value is Kernel {
  return typeof value === 'function';
}

function loadKernels(memory: Memory): { dense: Kernel; depthwise: Kernel } {
  const file = readFileSync(new URL('./kernels.wasm', import.meta.url));
  const { dense, depthwise } = instantiate(file, memory);
  if (!isKernel(dense) || !isKernel(depthwise)) throw new Error('kernels.wasm is damaged.');
  return { dense, depthwise };
}

/** Reads 16-bit floats. */
function readHalves(file: URL): Float32Array {
  const halves = new Uint16Array(Uint8Array.from(readFileSync(file)).buffer);
  return Float32Array.from(halves, fromHalf);
}

/**
 * The layers of a convolutional network, and the memory that they work in. Layers take their
 * weights from a file, in the order in which they are called.
 */
export class Layers {
  readonly #memory = createMemory(64);
  readonly #kernels = loadKernels(this.#memory);
  readonly #margin: number;
  readonly #firstFree: number;
  #numbers = new Float32Array(this.#memory.buffer);
  /** Index of the next weight. Weights are at the start of the memory. */
  #weight = 0;
  /** Index of the first free number. */
  #free = 0;

  /**
   * @param weights a file of 16-bit floats
   * @param margin blank pixels around an array: half of the largest filter, rounded down
   */
  constructor(weights: URL, margin: 1 | 2) {
    const values = readHalves(weights);
    this.#margin = margin;
    this.#firstFree = values.length;
    this.#reserve(values.length);
    this.#numbers.set(values);
  }

  /** The memory. Another array replaces it when a layer needs more. */
  get numbers(): Float32Array {
    return this.#numbers;
  }

  /** Starts again with the first layer. */
  start(): void {
    [this.#weight, this.#free] = [0, this.#firstFree];
  }

  /** Runs layers, and frees the memory that they took. */
  scratch<Result>(run: () => Result): Result {
    const free = this.#free;
    const result = run();
    this.#free = free;
    return result;
  }

  /** Pixels from the start of a row to the start of the next one. */
  pitch({ width }: Pixels): number {
    return width + this.#margin;
  }

  /** Multiplies each pixel by a matrix and adds a residual. */
  dense(
    source: Pixels,
    channels: number,
    {
      activation = 'none',
      residual,
      result,
    }: { activation?: Activation; residual?: Pixels; result?: Pixels } = {},
  ): Pixels {
    const target = result ?? this.allocate(source.width, source.height, channels);
    const weights = this.takeWeights(source.channels * channels);
    const biases = this.takeWeights(channels);
    this.#multiply(source, source.at, target, { weights, biases, residual, activation });
    this.#clearMargin(target);
    return target;
  }

  /** Filters all channels by 3 × 3 matrices. */
  convolve(source: Pixels, channels: number, activation: Activation = 'none'): Pixels {
    const target = this.allocate(source.width, source.height, channels);
    const zeros = this.take(1, 1, channels).at;
    const biases = this.takeWeights(channels);
    for (let tap = 0; tap < 9; tap += 1) {
      const [dx, dy] = [(tap % 3) - 1, Math.floor(tap / 3) - 1];
      this.#multiply(source, source.at + (dy * this.pitch(source) + dx) * source.channels, target, {
        weights: this.takeWeights(source.channels * channels),
        biases: tap === 0 ? biases : zeros,
        residual: tap === 0 ? undefined : target,
        activation: tap === 8 ? activation : 'none',
      });
    }
    this.#clearMargin(target);
    return target;
  }

  /**
   * Filters each channel, halving the picture if `step` is 2.
   * @param before pixels of the filter that are before the first pixel of the source
   */
  depthwise(
    source: Pixels,
    step: 1 | 2,
    { size = 3, before = 1, activation = 'none' }: DepthwiseOptions = {},
  ): Pixels {
    const { width, height, channels } = source;
    const target = this.allocate(width / step, height / step, channels);
    const weights = this.takeWeights(size * size * channels);
    const biases = this.takeWeights(channels);
    this.#kernels.depthwise(
      4 * (source.at - before * (this.pitch(source) + 1) * channels),
      this.pitch(source),
      4 * target.at,
      this.pitch(target),
      target.width,
      target.height,
      channels,
      step,
      size,
      4 * weights,
      4 * biases,
      ...this.#activationOf(activation),
    );
    return target;
  }

  /** Returns blank pixels, with blank rows before and after them. */
  take(width: number, height: number, channels: number): Pixels {
    const pixels = this.allocate(width, height, channels);
    this.#numbers.fill(0, pixels.at, pixels.at + height * this.pitch(pixels) * channels);
    return pixels;
  }

  /** Returns pixels of any value, with blank margins, for a layer that writes all of them. */
  allocate(width: number, height: number, channels: number): Pixels {
    const margin = this.#margin;
    const row = (width + margin) * channels;
    // Addresses of four numbers at once are faster if they are multiples of 16.
    const at = (this.#free + margin * (row + channels) + 3) & ~3;
    const end = at + (height + margin) * row + (blockPixels + margin) * channels;
    this.#reserve(end);
    this.#numbers.fill(0, this.#free, at);
    this.#numbers.fill(0, at + height * row, end);
    this.#free = end;
    const pixels = { at, width, height, channels };
    this.#clearMargin(pixels);
    return pixels;
  }

  /** Returns the index of the next weights. */
  takeWeights(count: number): number {
    const at = this.#weight;
    this.#weight += count;
    return at;
  }

  #activationOf(activation: Activation): [kind: number, scale: number, shift: number] {
    const at = activation === 'swish' ? this.takeWeights(2) : 0;
    const [scale = 1, shift = 0] = activation === 'swish' ? this.#numbers.subarray(at, at + 2) : [];
    return [activations.indexOf(activation), scale, shift];
  }

  #multiply(
    source: Pixels,
    from: number,
    target: Pixels,
    { weights, biases, residual, activation }: Multiplication,
  ): void {
    this.#kernels.dense(
      4 * from,
      4 * target.at,
      source.height * this.pitch(source),
      source.channels,
      target.channels,
      4 * weights,
      4 * biases,
      residual ? 4 * residual.at : 0,
      ...this.#activationOf(activation),
    );
  }

  /** Blanks what was written into the margin beside and below the pixels. */
  #clearMargin(pixels: Pixels): void {
    const { at, height, channels } = pixels;
    const row = this.pitch(pixels) * channels;
    const margin = this.#margin * channels;
    for (let y = 1; y < height; y += 1) {
      this.#numbers.fill(0, at + y * row - margin, at + y * row);
    }
    const end = at + height * row;
    this.#numbers.fill(0, end - margin, end + blockPixels * channels);
  }

  /** Makes room for this many numbers. */
  #reserve(count: number): void {
    const missing = 4 * count - this.#memory.buffer.byteLength;
    if (missing <= 0) return;
    this.#memory.grow(Math.ceil(missing / pageBytes));
    this.#numbers = new Float32Array(this.#memory.buffer);
  }
}

interface DepthwiseOptions {
  size?: 3 | 5;
  before?: 0 | 1 | 2;
  activation?: Activation;
}

interface Multiplication {
  weights: number;
  biases: number;
  residual: Pixels | undefined;
  activation: Activation;
}
