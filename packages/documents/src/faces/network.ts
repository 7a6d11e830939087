import type { GreyRaster } from '../ink/components.ts';
import { Layers, type Pixels } from '../networks/layers.ts';

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
const middleTone = 127.5;

export class FaceNetwork {
  readonly #layers = new Layers(new URL('./weights.bin', import.meta.url), 1);

  /**
   * Returns what the network sees with at least a score.
   * @param picture with sides that are multiples of `sideUnit`
   */
  look(picture: GreyRaster, minScore: number): Sighting[] {
    const layers = this.#layers;
    layers.start();
    let pixels = this.#stem(picture);
    const seen: Pixels[] = [];
    for (const [level, blocks] of encoder.entries()) {
      for (const [at, [inner, outer]] of blocks.entries()) {
        pixels = this.#block(pixels, inner, outer, level > 0 && at === 0 ? 2 : 1);
      }
      seen.push(pixels);
    }
    for (const [at, [channels, inner, blocks]] of decoder.entries()) {
      const upper = layers.dense(pixels, channels, { activation: 'relu' });
      const encoded = seen[seen.length - 2 - at];
      if (!encoded) throw new Error('The decoder is deeper than the encoder.');
      const lateral = layers.dense(encoded, channels, { activation: 'relu' });
      pixels = this.#addDoubled(lateral, upper);
      for (let n = 0; n < blocks; n += 1) pixels = this.#block(pixels, inner, channels, 1);
    }
    return this.#sightings(layers.dense(pixels, outputs), minScore);
  }

  /** The first convolution. Its windows are written side by side, as pixels of 9 channels. */
  #stem({ data, width, height }: GreyRaster): Pixels {
    const windows = this.#layers.take(width / 2, height / 2, stem.inputs);
    const { numbers } = this.#layers;
    for (let y = 0; y < windows.height; y += 1) {
      let to = windows.at + y * this.#layers.pitch(windows) * stem.inputs;
      for (let x = 0; x < windows.width; x += 1) {
        for (let row = 2 * y; row < 2 * y + 3; row += 1) {
          for (let column = 2 * x; column < 2 * x + 3; column += 1, to += 1) {
            if (row < height && column < width)
              numbers[to] = data[row * width + column]! / middleTone - 1;
          }
        }
      }
    }
    return this.#layers.dense(windows, stem.outputs, { activation: 'relu' });
  }

  /** Two separable convolutions, whose result is added to the source. */
  #block(source: Pixels, inner: number, outer: number, step: 1 | 2): Pixels {
    const { width, height } = source;
    const layers = this.#layers;
    const result = layers.allocate(width / step, height / step, outer);
    layers.scratch(() => {
      const filteredOnce = layers.depthwise(source, step, { before: step === 1 ? 1 : 0 });
      const narrow = layers.dense(filteredOnce, inner, { activation: 'relu' });
      const filtered = layers.depthwise(narrow, 1);
      const residual =
        step === 1 && source.channels === outer ? source : this.#shortcut(source, step, outer);
      layers.dense(filtered, outer, { activation: 'relu', residual, result });
    });
    return result;
  }

  /** Returns the source as a residual: its maxima in 2 × 2 pixels if halved, with more channels. */
  #shortcut(source: Pixels, step: 1 | 2, channels: number): Pixels {
    const target = this.#layers.take(source.width / step, source.height / step, channels);
    const { numbers } = this.#layers;
    const row = this.#layers.pitch(source) * source.channels;
    for (let y = 0; y < target.height; y += 1) {
      for (let x = 0; x < target.width; x += 1) {
        let from = source.at + step * (y * row + x * source.channels);
        let to = target.at + (y * this.#layers.pitch(target) + x) * channels;
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
    const { numbers } = this.#layers;
    const near = (at: number, length: number): [number, number] => {
      const other = at % 2 === 0 ? (at >> 1) - 1 : (at >> 1) + 1;
      return [at >> 1, Math.min(length - 1, Math.max(0, other))];
    };
    for (let y = 0; y < large.height; y += 1) {
      const [row, otherRow] = near(y, small.height);
      for (let x = 0; x < large.width; x += 1) {
        const [column, otherColumn] = near(x, small.width);
        const index = (r: number, c: number) =>
          small.at + (r * this.#layers.pitch(small) + c) * channels;
        const [a, b] = [index(row, column), index(row, otherColumn)];
        const [c, d] = [index(otherRow, column), index(otherRow, otherColumn)];
        const to = large.at + (y * this.#layers.pitch(large) + x) * channels;
        for (let n = 0; n < channels; n += 1) {
          numbers[to + n]! +=
            (9 * numbers[a + n]! + 3 * (numbers[b + n]! + numbers[c + n]!) + numbers[d + n]!) / 16;
        }
      }
    }
    return large;
  }

  #sightings(result: Pixels, minScore: number): Sighting[] {
    const { at, width, height } = result;
    const { numbers } = this.#layers;
    const pitch = this.#layers.pitch(result);
    const minLogit = Math.log(minScore / (1 - minScore));
    const found: Sighting[] = [];
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const from = at + (y * pitch + x) * outputs;
        const [logit = 0, dx = 0, dy = 0, w = 0, h = 0] = numbers.subarray(from, from + 5);
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
}
