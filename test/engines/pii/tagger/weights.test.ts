import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readWeights, writeWeights } from '../../../../src/engines/pii/tagger/weights.ts';

const file = readFileSync(
  new URL('../../../../src/engines/pii/tagger/weights.bin', import.meta.url),
);

describe('the file of the tagger’s weights', () => {
  it('is at most 5 MB and comes out as it went in', () => {
    expect(file.length).to.be.lessThan(5_000_000);
    expect(writeWeights(readWeights(file)).equals(file)).to.equal(true);
  });

  it('is refused when a byte of it is another one', () => {
    for (const at of [0, 7, 8, 12, 16, 20, 30, 50, 5000, file.length - 1]) {
      const damaged = Buffer.from(file);
      damaged[at] = damaged[at]! ^ 1;
      expect(() => readWeights(damaged), `byte ${at}`).to.throw(/not a file|damaged/);
    }
  });

  it('is refused when it is cut or longer', () => {
    for (const wrong of [
      Buffer.alloc(0),
      file.subarray(0, 20),
      file.subarray(0, file.length - 1),
      Buffer.concat([file, Buffer.alloc(1)]),
    ]) {
      expect(() => readWeights(wrong)).to.throw(/not a file|damaged/);
    }
  });

  it('is refused when it is of another version', () => {
    const other = Buffer.from(file);
    other[7] = 1;
    expect(() => readWeights(other)).to.throw('not a file of this version');
  });
});
