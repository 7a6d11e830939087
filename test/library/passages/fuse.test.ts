import { expect } from 'chai';
import { fuseRankings } from '../../../src/library/passages/fuse.ts';
import type { RankedPassage } from '../../../src/library/passages/queries.ts';

const ranking = (...scores: [string, number][]): RankedPassage[] =>
  scores.map(([objectId, score]) => ({ objectId, redacted: false, page: 1, position: 0, score }));
const fuse = (byWords: RankedPassage[], byMeaning: RankedPassage[]): [string, number][] =>
  fuseRankings(byWords, byMeaning, 3).map(({ objectId, score }) => [objectId, score]);

describe('merged rankings of passages', () => {
  it('give 1 to the first of both, and less to others', () => {
    const words = ranking(['a', 8], ['b', 4]);
    const meaning = ranking(['a', 0.9], ['c', 0.8], ['b', 0.7]);
    expect(fuse(words, meaning)).to.deep.equal([
      ['a', 1],
      ['b', 0.3571],
      ['c', 0.1429],
    ]);
  });

  it('rank by one of them if the other is empty', () => {
    expect(fuse([], ranking(['a', 0.9], ['b', 0.5]))).to.deep.equal([
      ['a', 0.2857],
      ['b', 0],
    ]);
    expect(fuse(ranking(['a', 8]), [])).to.deep.equal([['a', 0.7143]]);
    expect(fuse([], [])).to.deep.equal([]);
  });
});
