import { expect } from 'chai';
import { type IsolationBench, openIsolationBench } from './isolation/bench.ts';
import { liftWalls, mutationsOf, takeOut, walledTables, withoutWalls } from './isolation/mutate.ts';

/** Tables whose rows every client reads. `script/mutate-isolation` tries all. */
const someTables = ['api_key', 'collection', 'event', 'job', 'object', 'webhook_endpoint'];

describe('isolation without one of its two pieces', () => {
  let bench: IsolationBench;
  let mutations: ReturnType<typeof mutationsOf>;
  before(async () => {
    bench = await openIsolationBench();
    // A fixed sample, spread over all statements.
    mutations = mutationsOf(bench).filter((_mutation, at) => at % 8 === 0);
  });
  after(() => bench.close());

  it('holds by row security if a condition is missing', async () => {
    const outcomes = await takeOut(bench, mutations);
    expect(outcomes.flatMap(({ what, seen }) => seen.map((one) => `${what}: ${one}`))).to.be.empty;
    expect(outcomes.length).to.be.greaterThan(40);
  });

  it('holds by the conditions if row security is missing', async () => {
    const outcomes = await liftWalls(bench, someTables, 12);
    expect(outcomes.flatMap(({ what, seen }) => seen.map((one) => `${what}: ${one}`))).to.be.empty;
    for (const { what, probes } of outcomes) expect(probes, what).to.be.greaterThan(5);
  });

  it('is seen to fail if both are missing', async () => {
    const tables = await walledTables(bench);
    const outcomes = await withoutWalls(bench, tables, () => takeOut(bench, mutations));
    expect(outcomes.filter(({ seen }) => seen.length > 0).length).to.be.greaterThan(14);
  });
});
