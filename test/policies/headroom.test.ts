import { expect } from 'chai';
import { createHeadroom } from '../../src/policies/quotas.ts';

describe('quota headroom', () => {
  const most = 100_000;
  /** How many single units can be taken in a row. */
  const taken = (headroom: ReturnType<typeof createHeadroom>, now: number): number => {
    let times = 0;
    while (headroom.take('prj_a', 'jobs_in_flight', 1, now) !== null) times += 1;
    return times;
  };

  it('skips counting for a small share of a tenth of the quota, for a tenth of a second', () => {
    const headroom = createHeadroom();
    expect(taken(headroom, 0)).to.equal(0);
    headroom.remember('prj_a', 'jobs_in_flight', { most, used: 0 }, 1_000);
    expect(headroom.take('prj_a', 'jobs_in_flight', 1, 1_099)).to.equal(most);
    expect(taken(headroom, 1_100)).to.equal(0);
    headroom.remember('prj_a', 'jobs_in_flight', { most, used: 0 }, 2_000);
    expect(taken(headroom, 2_000) * 256).to.be.at.most(most / 10);
    headroom.remember('prj_a', 'jobs_in_flight', { most, used: 0 }, 3_000);
    expect(taken(headroom, 3_000)).to.equal(39);
  });

  it('does not skip counting for a claim larger than the rest of the share', () => {
    const headroom = createHeadroom();
    headroom.remember('prj_a', 'jobs_in_flight', { most, used: 0 }, 0);
    expect(headroom.take('prj_a', 'jobs_in_flight', 500, 0)).to.equal(null);
    expect(headroom.take('prj_a', 'jobs_in_flight', 30, 0)).to.equal(most);
    expect(headroom.take('prj_a', 'jobs_in_flight', 10, 0)).to.equal(null);
  });

  it('does not skip counting if less than a tenth is free', () => {
    const headroom = createHeadroom();
    headroom.remember('prj_a', 'jobs_in_flight', { most, used: 90_000 }, 0);
    expect(taken(headroom, 0)).to.equal(39);
    headroom.remember('prj_a', 'jobs_in_flight', { most, used: 90_001 }, 0);
    expect(taken(headroom, 0)).to.equal(0);
  });

  it('does not skip counting for small quotas or for bytes', () => {
    const headroom = createHeadroom();
    headroom.remember('prj_a', 'jobs_in_flight', { most: 49_999, used: 0 }, 0);
    expect(taken(headroom, 0)).to.equal(0);
    headroom.remember('prj_a', 'storage_bytes', { most: 1024 ** 4, used: 0 }, 0);
    expect(headroom.take('prj_a', 'storage_bytes', 1, 0)).to.equal(null);
  });

  it('is separate for each project and quota', () => {
    const headroom = createHeadroom();
    headroom.remember('prj_a', 'jobs_in_flight', { most, used: 0 }, 0);
    expect(headroom.take('prj_b', 'jobs_in_flight', 1, 0)).to.equal(null);
    expect(headroom.take('prj_a', 'objects', 1, 0)).to.equal(null);
  });
});
