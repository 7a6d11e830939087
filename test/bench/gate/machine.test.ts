import { expect } from 'chai';
import {
  disturbances,
  usageShares,
  watchMachine,
} from '../../../lab/bench/support/gate/machine.ts';

const quiet = { others: 0.02, stolen: 0.01, calibrations: [24, 25, 24.5] };

describe('a machine that measures', () => {
  it('is judged on if nothing else happens', () => {
    expect(disturbances(quiet)).to.deep.equal([]);
    expect(disturbances({ ...quiet, calibrations: [] })).to.deep.equal([]);
  });

  it('is too busy if other processes, the hypervisor or a varying clock take their share', () => {
    expect(disturbances({ ...quiet, others: 0.3 })).to.deep.equal([
      'other processes used 30 % of all cores',
    ]);
    expect(disturbances({ ...quiet, stolen: 0.2 })).to.deep.equal([
      'the hypervisor took 20 % of all cores',
    ]);
    expect(disturbances({ ...quiet, calibrations: [24, 25, 12] })).to.deep.equal([
      'its speed varied: calibration 12.0, usually 24.0',
    ]);
  });

  it('counts what others used and what was stolen, but not what is ours', () => {
    const before = { all: 1_000, stolen: 10, others: 400 };
    const after = { all: 2_000, stolen: 60, others: 600 };
    expect(usageShares(before, after)).to.deep.equal({ others: 0.2, stolen: 0.05 });
  });

  it('is not said to be less busy than idle, since others may have ended', () => {
    const before = { all: 1_000, stolen: 0, others: 400 };
    const after = { all: 2_000, stolen: 0, others: 390 };
    expect(usageShares(before, after).others).to.equal(0);
  });

  it('is watched', async () => {
    const watch = watchMachine();
    await watch.calibrate();
    const { others, stolen, calibrations } = watch.readNoise();
    expect(calibrations).to.have.length(3);
    for (const share of [others, stolen]) expect(share).to.be.within(0, 1);
  });
});
