import { expect } from 'chai';
import { makePlan } from './plan.ts';
import { runPlan } from './run.ts';

describe('the whole system under torture', () => {
  it('does what it accepted, once, whatever fails meanwhile', async () => {
    const { violations, requests } = await runPlan(
      makePlan(21, { requests: 60, faults: 0, clients: 6 }),
    );
    expect(violations).to.deep.equal([]);
    expect(requests).to.be.at.least(60);
  });
});
