import { expect } from 'chai';
import { statsByType } from '../../src/jobs/reviews/stats.ts';

describe('statistics of reviews', () => {
  const counted = (
    tenth: number,
    decision: 'accepted' | 'rejected',
    findings: number,
    source: 'detector' | 'person' = 'detector',
  ) => ({
    ...({ op: 'redact_pii', type: 'PERSON', score_tenth: tenth } as const),
    decision,
    findings,
    source,
  });

  it('say which error each threshold would have had, and suggest one', () => {
    const [stats] = statsByType([
      counted(4, 'accepted', 2),
      counted(4, 'rejected', 8),
      counted(7, 'accepted', 19),
      counted(7, 'rejected', 1),
      counted(9, 'accepted', 60),
      counted(9, 'accepted', 9, 'person'),
    ]);
    expect(stats).to.deep.include({
      findings: 90,
      accepted: 81,
      rejected: 9,
      added: 9,
      precision: 0.9,
      recall: 0.9,
      suggested_min_score: 0.5,
    });
    expect(stats!.tenths.map(({ min_score, precision }) => [min_score, precision])).to.deep.equal([
      [0.4, 0.2],
      [0.7, 0.95],
      [0.9, 1],
    ]);
    expect(stats!.thresholds[0]).to.deep.equal({
      min_score: 0,
      wrong: 9,
      missed: 9,
      error_rate: 0.1,
    });
    expect(stats!.thresholds[8]).to.deep.equal({
      min_score: 0.8,
      wrong: 0,
      missed: 30,
      error_rate: 0,
    });
  });

  it('suggest nothing after few decisions, or if every threshold is wrong', () => {
    const [few] = statsByType([counted(9, 'accepted', 19)]);
    expect(few!.suggested_min_score).to.equal(null);
    const [wrong] = statsByType([counted(9, 'rejected', 30)]);
    expect(wrong!.suggested_min_score).to.equal(null);
    expect(wrong!.precision).to.equal(0);
  });
});
