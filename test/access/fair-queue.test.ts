import { Problem } from '@scriptorium/contracts/problems';
import { type WorkClass, workBounds } from '@scriptorium/contracts/work/work';
import { expect } from 'chai';
import { createFairQueue, type FairQueue, type Party } from '../../src/access/fair-queue.ts';
import { eventually } from '../support/eventually.ts';

/** Work that continues until the test ends it; `started` lists the callers in order. */
function bench(fairQueue: FairQueue) {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const outcomes: Promise<unknown>[] = [];
  /** Ends the work that has run longest. */
  const endOne = async (): Promise<void> => {
    ends.shift()!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    started,
    outcomes,
    ask(party: Party, kind: WorkClass = 'quick', name = party.project): Promise<void> {
      const asked = fairQueue.run(party, kind, async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
      });
      outcomes.push(asked.catch((error: unknown) => error));
      return asked;
    },
    endOne,
    async endAll(): Promise<void> {
      while (ends.length > 0) await endOne();
    },
  };
}

const one: Party = { project: 'one', key: 'k1' };
const two: Party = { project: 'two', key: 'k2' };
const times = (n: number): number[] => Array.from({ length: n }, (_, at) => at);

/** The problem that a promise is rejected with. */
async function refusal(asked: Promise<unknown>): Promise<Problem> {
  const error = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Problem)) throw new Error(`Not a Problem: ${error}`);
  return error;
}

describe('shares of the connections', () => {
  it('leave connections for others, however many requests one project sends', async () => {
    const { ask, started, endAll, outcomes } = bench(createFairQueue(14));
    for (const _ of times(100)) ask(one).catch(() => undefined);
    expect(started).to.have.length(7);
    ask(two);
    ask({ project: 'three', key: 'k3' });
    expect(started.slice(7)).to.deep.equal(['two', 'three']);
    await endAll();
    await Promise.all(outcomes);
    expect(started.filter((name) => name === 'one')).to.have.length(100);
  });

  it('leave connections for others if several projects use their full shares', async () => {
    const { ask, started, endAll } = bench(createFairQueue(14));
    for (const name of ['a', 'b', 'c']) {
      for (const _ of times(50)) ask({ project: name, key: name });
    }
    const before = started.length;
    expect(before).to.be.lessThan(14);
    ask(two);
    expect(started.slice(before)).to.deep.equal(['two']);
    await endAll();
  });

  it('serve waiting requests in turn, by project and by key', async () => {
    const { ask, started, endOne, endAll } = bench(createFairQueue(1));
    ask({ project: 'first', key: 'f' });
    for (const _ of times(3)) ask(one, 'quick', 'one/k1');
    ask({ project: 'one', key: 'other' }, 'quick', 'one/other');
    for (const _ of times(2)) ask(two);
    for (const _ of times(6)) await endOne();
    expect(started).to.deep.equal([
      'first',
      'one/k1',
      'two',
      'one/other',
      'two',
      'one/k1',
      'one/k1',
    ]);
    await endAll();
  });

  it('limit searches and heavy work further, and let quick requests pass them', async () => {
    const { ask, started, endAll } = bench(createFairQueue(14));
    for (const _ of times(8)) ask(one, 'heavy', 'heavy');
    for (const _ of times(8)) ask(one, 'search', 'search');
    ask(one, 'quick', 'quick');
    expect(started).to.deep.equal([
      'heavy',
      'heavy',
      'search',
      'search',
      'search',
      'search',
      'quick',
    ]);
    // Heavy work of many projects still leaves half of the connections for everything else.
    for (const at of times(8)) ask({ project: `p${at}`, key: `p${at}` }, 'heavy', 'heavy');
    for (const at of times(8)) ask({ project: `q${at}`, key: `q${at}` }, 'search', 'search');
    expect(started.filter((name) => name !== 'quick')).to.have.length(7);
    await endAll();
  });

  it('reject requests behind too many of the same key, then of the same project', async () => {
    const { ask, endAll } = bench(createFairQueue(8));
    const { maxWaiting } = workBounds.heavy;
    for (const _ of times(1 + maxWaiting / 2)) ask(one, 'heavy');
    const ofKey = await refusal(ask(one, 'heavy'));
    expect(ofKey.code).to.equal('rate_limited');
    expect(ofKey.headers['Retry-After']).to.equal('1');
    expect(ofKey.message).to.match(/^This key already has 64 heavy requests waiting\./);
    for (const at of times(maxWaiting / 2)) ask({ project: 'one', key: `more${at}` }, 'heavy');
    const ofProject = await refusal(ask({ project: 'one', key: 'last' }, 'heavy'));
    expect(ofProject.message).to.match(/^This project already has 128 heavy requests waiting\./);
    // Other kinds of work and other projects have room of their own.
    ask(one, 'quick');
    ask(two, 'heavy');
    await endAll();
  });

  it('never reject requests that must be recorded', async () => {
    const { ask, started, endAll, outcomes } = bench(createFairQueue(1));
    for (const _ of times(1 + workBounds.quick.maxWaiting / 2)) ask(one);
    await refusal(ask(one));
    ask({ ...one, hasNoWaitLimit: true }, 'quick', 'record');
    await endAll();
    await Promise.all(outcomes);
    expect(started.at(-1)).to.equal('record');
  });

  it('end a wait that takes too long, with the cause', async () => {
    const { ask, started, endAll } = bench(createFairQueue(2, { waitScale: 0 }));
    ask(one, 'heavy');
    const ownFault = await refusal(ask(one, 'heavy'));
    expect(ownFault.code).to.equal('rate_limited');
    ask(two);
    const busy = await refusal(ask({ project: 'three', key: 'k3' }));
    expect(busy.code).to.equal('dependency_unavailable');
    expect(busy.headers['Retry-After']).to.equal('2');
    await endAll();
    // Requests that gave up leave nothing behind.
    ask(two, 'heavy');
    await eventually(async () => started.length === 3);
    await endAll();
  });

  it('return the turn if the work fails', async () => {
    const fairQueue = createFairQueue(1);
    const failed = fairQueue.run(one, 'quick', () => Promise.reject(new Error('No.')));
    expect(String(await failed.catch((error: unknown) => error))).to.equal('Error: No.');
    expect(await fairQueue.run(two, 'quick', async () => 7)).to.equal(7);
  });
});
