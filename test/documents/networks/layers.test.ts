import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { denseWeights } from '../../../lab/training/networks/dense-weights.ts';
import { toHalf } from '../../../lab/training/networks/half.ts';
import { Layers, type Pixels } from '../../../packages/documents/src/networks/layers.ts';
import { createPick } from '../../support/random.ts';

const [width, height, inputs, outputs] = [6, 4, 8, 4];
const pick = createPick(7);
/** Numbers that 16 bits represent exactly. */
const numbers = (count: number): number[] =>
  Array.from({ length: count }, () => (pick(33) - 16) / 8);

describe('the layers of networks', () => {
  const pixels = numbers(width * height * inputs);
  const valueAt = (x: number, y: number, channel: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : pixels[(y * width + x) * inputs + channel]!;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'layers-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function layersWith(weights: readonly number[], margin: 1 | 2 = 1) {
    const file = join(folder, `${pick(1e9)}.bin`);
    await writeFile(file, new Uint8Array(Uint16Array.from(weights, toHalf).buffer));
    const layers = new Layers(pathToFileURL(file), margin);
    layers.start();
    const source = layers.take(width, height, inputs);
    eachPixel(layers, source, (at, x, y) => {
      for (let n = 0; n < inputs; n += 1) layers.numbers[at + n] = valueAt(x, y, n);
    });
    return { layers, source };
  }

  function eachPixel(
    layers: Layers,
    array: Pixels,
    visit: (at: number, x: number, y: number) => void,
  ): void {
    for (let y = 0; y < array.height; y += 1) {
      for (let x = 0; x < array.width; x += 1) {
        visit(array.at + (y * layers.pitch(array) + x) * array.channels, x, y);
      }
    }
  }

  it('multiply pixels, and add biases and a residual, like a plain loop', async () => {
    const [matrix, biases] = [numbers(inputs * outputs), numbers(outputs)];
    const weights = [...denseWeights(Float32Array.from(matrix), outputs), ...biases];
    const { layers, source } = await layersWith([...weights, ...weights]);
    const once = layers.dense(source, outputs, { activation: 'relu' });
    const twice = layers.dense(source, outputs, { residual: once });
    eachPixel(layers, once, (at, x, y) => {
      for (let o = 0; o < outputs; o += 1) {
        let sum = biases[o]!;
        for (let i = 0; i < inputs; i += 1) sum += matrix[o * inputs + i]! * valueAt(x, y, i);
        expect(layers.numbers[at + o]).to.equal(Math.max(0, sum));
        const sumAt = twice.at - once.at + at;
        expect(layers.numbers[sumAt + o]).to.equal(sum + Math.max(0, sum));
      }
    });
  });

  it('filter by 3 × 3 matrices like a plain loop, with blank pixels around', async () => {
    const taps = Array.from({ length: 9 }, () => numbers(inputs * outputs));
    const biases = numbers(outputs);
    const weights = taps.flatMap((tap) => [...denseWeights(Float32Array.from(tap), outputs)]);
    const { layers, source } = await layersWith([...biases, ...weights]);
    const result = layers.convolve(source, outputs);
    eachPixel(layers, result, (at, x, y) => {
      for (let o = 0; o < outputs; o += 1) {
        let sum = biases[o]!;
        taps.forEach((tap, place) => {
          const [column, row] = [x + (place % 3) - 1, y + Math.floor(place / 3) - 1];
          for (let i = 0; i < inputs; i += 1) {
            sum += tap[o * inputs + i]! * valueAt(column, row, i);
          }
        });
        expect(layers.numbers[at + o]).to.equal(sum);
      }
    });
  });

  for (const [size, step] of [
    [3, 1],
    [3, 2],
    [5, 1],
    [5, 2],
  ] as const) {
    it(`filter each channel by ${size} × ${size} weights in steps of ${step}`, async () => {
      const before = size === 3 ? 1 : 2;
      const [filter, biases] = [numbers(size * size * inputs), numbers(inputs)];
      const [scale, shift] = [0.5, -0.25];
      const { layers, source } = await layersWith([...filter, ...biases, scale, shift], 2);
      const result = layers.depthwise(source, step, { size, before, activation: 'swish' });
      expect([result.width, result.height]).to.deep.equal([width / step, height / step]);
      eachPixel(layers, result, (at, x, y) => {
        for (let n = 0; n < inputs; n += 1) {
          let sum = biases[n]!;
          for (let tap = 0; tap < size * size; tap += 1) {
            const column = x * step + (tap % size) - before;
            const row = y * step + Math.floor(tap / size) - before;
            sum += filter[tap * inputs + n]! * valueAt(column, row, n);
          }
          const swish = (sum * Math.min(6, Math.max(0, sum + 3))) / 6;
          expect(layers.numbers[at + n]).to.be.closeTo(scale * swish + shift, 1e-5);
        }
      });
    });
  }
});
