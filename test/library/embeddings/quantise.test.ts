import { expect } from 'chai';
import { cosine, signsOf, toBytes } from '../../../src/library/embeddings/quantise.ts';

describe('vectors in bytes', () => {
  it('keep their direction', () => {
    const vector = [0.02, -0.01, 0.005, 0];
    expect(cosine(vector, toBytes(vector))).to.be.closeTo(1, 1e-4);
    expect(cosine([-0.02, 0.01, -0.005, 0], toBytes(vector))).to.be.closeTo(-1, 1e-4);
    expect(cosine([0, 0, 0, 7], toBytes(vector))).to.equal(0);
  });

  it('may have no direction', () => {
    expect(cosine([1, 1], toBytes([0, 0]))).to.equal(0);
  });

  it('have a sign for each component', () => {
    expect(signsOf([0.5, -0.5, 0, 1e-9])).to.equal('1001');
  });
});
