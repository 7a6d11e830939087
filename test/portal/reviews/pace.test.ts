import { expect } from 'chai';
import {
  describeTimeLeft,
  estimateTimeLeft,
} from '../../../packages/portal/reviews/workbench/side/pace.ts';

/** The times of decisions with these gaps, in seconds. */
const decisions = (...gaps: number[]): number[] => {
  const times = [0];
  for (const gap of gaps) times.push(times.at(-1)! + gap * 1_000);
  return times;
};

describe('the time left of a review', () => {
  it('is that of the pending values at the median pace of the latest decisions', () => {
    expect(estimateTimeLeft(decisions(2, 2, 1, 9, 2), 30)).to.equal(60_000);
    const slowThenFast = [...Array<number>(30).fill(20), ...Array<number>(30).fill(1)];
    expect(estimateTimeLeft(decisions(...slowThenFast), 60)).to.equal(60_000);
  });

  it('is unknown after few decisions, and ignores breaks', () => {
    expect(estimateTimeLeft([], 30)).to.equal(undefined);
    expect(estimateTimeLeft(decisions(2, 2, 2, 2), 30)).to.equal(undefined);
    expect(estimateTimeLeft(decisions(2, 900, 2, 900, 2, 2, 2, 900), 30)).to.equal(60_000);
  });

  it('is shown in minutes and hours', () => {
    expect([20_000, 29_999, 30_000, 240_000, 5_400_001].map(describeTimeLeft)).to.deep.equal([
      'less than a minute left',
      'less than a minute left',
      'about 1 min left',
      'about 4 min left',
      'about 2 h left',
    ]);
  });
});
