import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import sharp from 'sharp';
import { photoAreas } from '../../../packages/documents/src/faces/areas.ts';
import { facesIn } from '../../../packages/documents/src/faces/index.ts';
import { createMemory, instantiate } from '../../../packages/documents/src/faces/webassembly.ts';

const portrait = new URL('../../support/faces/mona-lisa.jpg', import.meta.url);
const kernels = new URL('../../../packages/documents/src/faces/kernels.wasm', import.meta.url);

async function drawPortrait(degrees = 0) {
  const { data, info } = await sharp(readFileSync(portrait))
    .rotate(degrees)
    .toColourspace('b-w')
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

describe('the detector of faces', () => {
  it('multiplies pixels like a plain loop', () => {
    const memory = createMemory(1);
    const numbers = new Float32Array(memory.buffer);
    const [pixels, inputs, outputs] = [8, 3, 4];
    const [source, weights, biases, residual, target] = [1024, 2048, 3072, 4096, 5120];
    for (let at = 0; at < 64; at += 1) {
      for (const start of [source, weights, biases, residual])
        numbers[start / 4 + at] = ((at * 7 + start) % 11) - 5;
    }
    const { dense } = instantiate(readFileSync(kernels), memory);
    if (typeof dense !== 'function') throw new Error('The kernel is missing.');
    dense(source, target, pixels, inputs, outputs, weights, biases, residual, 1);
    for (let pixel = 0; pixel < pixels; pixel += 1) {
      for (let output = 0; output < outputs; output += 1) {
        let sum = numbers[biases / 4 + output]! + numbers[residual / 4 + pixel * outputs + output]!;
        for (let input = 0; input < inputs; input += 1) {
          sum +=
            numbers[source / 4 + pixel * inputs + input]! *
            numbers[weights / 4 + input * 4 + output]!;
        }
        expect(numbers[target / 4 + pixel * outputs + output]).to.equal(Math.max(0, sum));
      }
    }
  });

  it('finds a face in each orientation of a picture', async () => {
    for (const degrees of [0, 90, 180, 270]) {
      const faces = facesIn(await drawPortrait(degrees));
      expect(faces, `turned by ${degrees}`).to.have.length(1);
      expect(faces[0]!.score).to.be.greaterThan(0.65);
    }
  });

  it('searches only areas of continuous tone', async () => {
    const [width, height] = [600, 800];
    const data = new Uint8Array(width * height).fill(250);
    // Lines of print: dark and light pixels in rows of 10 with gaps of 14.
    for (let y = 400; y < 780; y += 24) {
      for (let row = y; row < y + 10; row += 1) {
        for (let x = 40; x < 560; x += 1) data[row * width + x] = x % 5 < 2 ? 20 : 240;
      }
    }
    expect(photoAreas({ data, width, height }, [])).to.deep.equal([]);
    const photo = await drawPortrait();
    for (let y = 0; y < 380; y += 1) {
      data.set(photo.data.subarray(y * photo.width, (y + 1) * photo.width), y * width + 100);
    }
    const areas = photoAreas({ data, width, height }, []);
    expect(Math.max(...areas.map((box) => box[3]))).to.be.lessThan(420);
    expect(Math.min(...areas.map((box) => box[0]))).to.be.lessThan(130);
  });
});
