import { expect } from 'chai';
import type { Sample } from '../../../lab/bench/support/arms.ts';
import {
  findRegressions,
  isFailure,
  type Ratios,
  ratiosOf,
  verdictOf,
} from '../../../lab/bench/support/gate/judge.ts';

const bounds = { speed: 0.15, cpu: 0.1 };
const baseline: Ratios = { speed: 2, cpu: 0.5 };

/** A round with this rate and time, and CPU of two processes. */
const round = (rate: number, p50: number, node: number, postgres: number): Sample => ({
  rate,
  p50,
  p99: p50 * 2,
  cpu: { Node: node, Postgres: postgres },
});

/** The figures of the baseline, changed by these factors. */
const run = (speed: number, cpu: number): Ratios => ({
  speed: baseline.speed * speed,
  cpu: baseline.cpu * cpu,
});

describe('the ratios of a path', () => {
  it('are the medians of the ratios of the rounds, not the ratios of the medians', () => {
    const ours = [round(100, 1, 1, 1), round(300, 1, 2, 2), round(200, 1, 3, 3)];
    const peer = [round(100, 1, 1, 0), round(100, 1, 2, 0), round(400, 1, 3, 0)];
    expect(ratiosOf(ours, peer, 'rate')).to.deep.equal({ speed: 1, cpu: 2 });
  });

  it('count the CPU of all processes', () => {
    const [ours, peer] = [[round(1, 1, 3, 1)], [round(1, 1, 1, 1)]];
    expect(ratiosOf(ours, peer, 'rate').cpu).to.equal(2);
  });

  it('are higher for the shorter of two times', () => {
    const [ours, peer] = [[round(1, 4, 1, 1)], [round(1, 2, 1, 1)]];
    expect(ratiosOf(ours, peer, 'p50').speed).to.equal(0.5);
  });
});

describe('falls of a path', () => {
  it('are judged beyond the bound, not at it', () => {
    const exact = { speed: 0.5, cpu: 0.5 };
    expect(findRegressions({ speed: 1, cpu: 3 }, { speed: 2, cpu: 2 }, exact)).to.deep.equal([]);
    expect(findRegressions({ speed: 0.99, cpu: 3 }, { speed: 2, cpu: 2 }, exact)).to.deep.equal([
      'speed',
    ]);
    expect(findRegressions({ speed: 1, cpu: 3.01 }, { speed: 2, cpu: 2 }, exact)).to.deep.equal([
      'cpu',
    ]);
  });

  it('are of speed and of CPU, each by its own bound', () => {
    expect(findRegressions(run(0.84, 1.11), baseline, bounds)).to.deep.equal(['speed', 'cpu']);
    expect(findRegressions(run(0.86, 1.11), baseline, bounds)).to.deep.equal(['cpu']);
    expect(findRegressions(run(0.84, 1.09), baseline, bounds)).to.deep.equal(['speed']);
  });

  it('are no gains', () => {
    expect(findRegressions(run(3, 0.2), baseline, bounds)).to.deep.equal([]);
  });
});

describe('the verdict on a path', () => {
  it('is ok within the bounds', () => {
    expect(verdictOf([run(0.9, 1.05)], baseline, bounds)).to.equal('ok');
  });

  it('is a failure if both runs fell in the same figure', () => {
    expect(verdictOf([run(0.7, 1), run(0.8, 1)], baseline, bounds)).to.equal('slower');
    expect(verdictOf([run(1, 1.3), run(1, 1.2)], baseline, bounds)).to.equal('more CPU');
    expect(isFailure('slower')).to.equal(true);
    expect(isFailure('more CPU')).to.equal(true);
  });

  it('names the speed if both figures fell', () => {
    expect(verdictOf([run(0.7, 1.3), run(0.7, 1.3)], baseline, bounds)).to.equal('slower');
  });

  it('is ok if the second run did not fall', () => {
    const verdict = verdictOf([run(0.7, 1), run(0.95, 1)], baseline, bounds);
    expect(verdict).to.equal('ok');
    expect(isFailure(verdict)).to.equal(false);
  });

  it('is ok if the two runs fell in different figures', () => {
    expect(verdictOf([run(0.7, 1), run(1, 1.3)], baseline, bounds)).to.equal('ok');
  });

  it('says what has become faster, and does not fail it', () => {
    expect(verdictOf([run(1.2, 1)], baseline, bounds)).to.equal('faster');
    expect(verdictOf([run(1, 0.8)], baseline, bounds)).to.equal('faster');
    expect(isFailure('faster')).to.equal(false);
  });

  it('fails what the baseline does not know', () => {
    expect(verdictOf([run(1, 1)], null, bounds)).to.equal('unknown');
    expect(isFailure('unknown')).to.equal(true);
  });
});
