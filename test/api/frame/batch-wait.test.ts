import { expect } from 'chai';
import { createBatchWait } from '../../../src/api/frame/request-batching/batches.ts';

describe('request rounds', () => {
  /** Rounds by a clock that the test moves. */
  const open = () => {
    const clock = { now: 0 };
    const wait = createBatchWait(() => clock.now);
    const come = (count: number) => {
      for (let at = 0; at < count; at++) wait.join();
    };
    /** A round from start to end, after which its members leave. */
    const round = (taken: number) => {
      wait.begin(taken);
      wait.end();
      for (let at = 0; at < taken; at++) wait.leave();
    };
    return { clock, wait, come, round };
  };

  it('do not wait for single clients that come one after the other', () => {
    const { wait, come, round } = open();
    for (let at = 0; at < 5; at++) {
      come(1);
      expect(wait.lingerMs(1)).to.equal(0);
      round(1);
    }
  });

  it('wait a moment for clients that were just answered', () => {
    const { wait, come, round } = open();
    come(1);
    expect(wait.lingerMs(1)).to.equal(0);
    wait.begin(1);
    // Two more come in the meantime; the first is answered and may return.
    come(2);
    wait.end();
    wait.leave();
    expect(wait.lingerMs(2)).to.be.greaterThan(0);
    expect(wait.expectedMembers()).to.equal(3);
    come(1);
    round(3);
    come(1);
    expect(wait.lingerMs(1)).to.be.greaterThan(0);
    expect(wait.expectedMembers()).to.equal(3);
  });

  it('do not wait for clients that were answered long ago', () => {
    const { clock, wait, come, round } = open();
    come(3);
    round(3);
    clock.now += 1_000;
    come(1);
    expect(wait.lingerMs(1)).to.equal(0);
  });

  it('stop waiting for a while after no client came', () => {
    const { wait, come, round } = open();
    const together = () => {
      come(2);
      round(2);
      come(1);
    };
    together();
    expect(wait.lingerMs(1)).to.be.greaterThan(0);
    round(1);
    let skipped = 0;
    for (together(); wait.lingerMs(1) === 0; together()) {
      round(1);
      skipped += 1;
    }
    expect(skipped).to.be.within(2, 20);
  });
});
