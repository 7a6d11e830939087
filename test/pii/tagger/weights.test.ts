import { readFileSync } from 'node:fs';
import { readTaggerWeights, writeTaggerWeights } from '@scriptorium/pii/tagger/weights';
import { expect } from 'chai';

const file = readFileSync(new URL('../../../packages/pii/src/tagger/weights.bin', import.meta.url));

describe('the file of the tagger’s weights', () => {
  it('is small and survives a round trip', () => {
    expect(file.length).to.be.lessThan(5_300_000);
    expect(writeTaggerWeights(readTaggerWeights(file)).equals(file)).to.equal(true);
  });

  it('is rejected if a byte changes', () => {
    for (const at of [0, 7, 8, 12, 16, 20, 30, 50, 5000, file.length - 1]) {
      const damaged = Buffer.from(file);
      damaged[at] = damaged[at]! ^ 1;
      expect(() => readTaggerWeights(damaged), `byte ${at}`).to.throw(/not a file|damaged/);
    }
  });

  it('is rejected if it is truncated or longer', () => {
    for (const wrong of [
      Buffer.alloc(0),
      file.subarray(0, 20),
      file.subarray(0, file.length - 1),
      Buffer.concat([file, Buffer.alloc(1)]),
    ]) {
      expect(() => readTaggerWeights(wrong)).to.throw(/not a file|damaged/);
    }
  });

  it('is rejected if its version differs', () => {
    const other = Buffer.from(file);
    other[7] = 1;
    expect(() => readTaggerWeights(other)).to.throw('not a file of this version');
  });
});
