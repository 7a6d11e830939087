import { expect } from 'chai';
import {
  difference,
  type IsolationBench,
  noResponse,
  openIsolationBench,
} from '../../lab/fuzz/isolation/bench.ts';
import {
  disableRowSecurity,
  mutationsOf,
  type Outcome,
  removeConditions,
  tablesWithRowSecurity,
  withoutRowSecurity,
} from '../../lab/fuzz/isolation/mutate.ts';

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
  const leaks = (outcomes: readonly Outcome[]) =>
    outcomes.flatMap(({ description: what, differences: seen }) =>
      seen.map((one) => `${what}: ${one}`),
    );
  /** How many of its probes had an answer: on a busy machine some have none in time. */
  const answered = ({ probes, timedOut: silent }: Outcome): number => probes - silent.length;

  it('is tried with twins and with answers that can be compared', () => {
    expect(bench.twins).to.include.members(['collection', 'job', 'object', 'policy', 'share']);
    const unstable = bench.probes.filter(({ isStable }) => !isStable);
    const names = unstable.map(({ probe }) => probe.name);
    expect(names.length, names.join(', ')).to.be.below(bench.probes.length / 20);
  });

  it('is neither held nor broken by a probe without an answer', () => {
    const seen = (status: number, wroteToOther = false) => ({
      status,
      text: '',
      recorded: { texts: new Set<string>(), wroteToOther },
    });
    expect(difference(seen(0), seen(200), true)).to.equal(noResponse);
    expect(difference(seen(0), seen(200, true), true)).to.equal(noResponse);
    expect(difference(seen(0, true), seen(200), true)).to.equal('it changed the other project');
    expect(difference(seen(200), seen(200), true)).to.equal(null);
  });

  it('holds by row security if a condition is missing', async () => {
    const outcomes = await removeConditions(bench, mutations);
    expect(leaks(outcomes)).to.be.empty;
    expect(outcomes.filter((one) => answered(one) > 0).length).to.be.greaterThan(40);
  });

  it('holds by the conditions if row security is missing', async () => {
    const outcomes = await disableRowSecurity(bench, someTables, 12);
    expect(leaks(outcomes)).to.be.empty;
    for (const one of outcomes) expect(answered(one), one.description).to.be.greaterThan(5);
  });

  it('is seen to fail if both are missing', async () => {
    const tables = await tablesWithRowSecurity(bench);
    const outcomes = await withoutRowSecurity(bench, tables, () =>
      removeConditions(bench, mutations),
    );
    expect(outcomes.filter(({ differences: seen }) => seen.length > 0).length).to.be.greaterThan(
      14,
    );
  });
});
