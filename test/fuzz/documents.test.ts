import { expect } from 'chai';
import { fuzzDocuments } from './documents/run.ts';
import { ownSeeds } from './documents/seeds.ts';

describe('damaged documents', () => {
  it('have a result or a documented error, and no engine is lost', async () => {
    const run = await fuzzDocuments({
      seeds: await ownSeeds(),
      files: 50,
      seed: 3,
      operations: ['normalize_for_llm'],
    });
    expect(run.treated.filter(({ fault }) => fault !== null)).to.deep.equal([]);
    // Whatever is damaged, some of it is still read, and some is not.
    const outcomes = new Set(run.treated.map(({ outcome }) => outcome));
    expect(outcomes).to.include.keys('result', 'damaged');
  });
});
