import { expect } from 'chai';
import { createCrowd } from '../../../src/api/frame/transactions/crowd.ts';

describe('request rounds', () => {
  /** Rounds by a clock that the test moves. */
  const open = () => {
    const clock = { now: 0 };
    const crowd = createCrowd(() => clock.now);
    const come = (count: number) => {
      for (let at = 0; at < count; at++) crowd.join();
    };
    /** A round from start to end, after which its members leave. */
    const round = (taken: number) => {
      crowd.begin(taken);
      crowd.end();
      for (let at = 0; at < taken; at++) crowd.leave();
    };
    return { clock, crowd, come, round };
  };

  it('do not wait for single clients that come one after the other', () => {
    const { crowd, come, round } = open();
    for (let at = 0; at < 5; at++) {
      come(1);
      expect(crowd.lingerMs(1)).to.equal(0);
      round(1);
    }
  });

  it('wait a moment for clients that were just answered', () => {
    const { crowd, come, round } = open();
    come(1);
    expect(crowd.lingerMs(1)).to.equal(0);
    crowd.begin(1);
    // Two more come in the meantime; the first is answered and may return.
    come(2);
    crowd.end();
    crowd.leave();
    expect(crowd.lingerMs(2)).to.be.greaterThan(0);
    expect(crowd.expected()).to.equal(3);
    come(1);
    round(3);
    come(1);
    expect(crowd.lingerMs(1)).to.be.greaterThan(0);
    expect(crowd.expected()).to.equal(3);
  });

  it('do not wait for clients that were answered long ago', () => {
    const { clock, crowd, come, round } = open();
    come(3);
    round(3);
    clock.now += 1_000;
    come(1);
    expect(crowd.lingerMs(1)).to.equal(0);
  });

  it('stop waiting for a while after no client came', () => {
    const { crowd, come, round } = open();
    const together = () => {
      come(2);
      round(2);
      come(1);
    };
    together();
    expect(crowd.lingerMs(1)).to.be.greaterThan(0);
    round(1);
    let hasty = 0;
    for (together(); crowd.lingerMs(1) === 0; together()) {
      round(1);
      hasty += 1;
    }
    expect(hasty).to.be.within(2, 20);
  });
});
