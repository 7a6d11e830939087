import { expect } from 'chai';
import { ticksUpTo } from '../../../packages/portal/kit/chart/ticks.ts';

describe('the numbers on the axis of a chart', () => {
  it('are round, start at zero and include the largest value', () => {
    expect(ticksUpTo(1)).to.deep.equal([0, 1]);
    expect(ticksUpTo(4)).to.deep.equal([0, 1, 2, 3, 4]);
    expect(ticksUpTo(5_005)).to.deep.equal([0, 2_000, 4_000, 6_000]);
    expect(ticksUpTo(233)).to.deep.equal([0, 100, 200, 300]);
    for (let max = 1; max < 1e12; max = Math.ceil(max * 1.7)) {
      const ticks = ticksUpTo(max);
      expect(ticks.at(-1), `${max}`).to.be.at.least(max);
      expect(ticks.length, `${max}`).to.be.within(2, 6);
    }
  });
});
