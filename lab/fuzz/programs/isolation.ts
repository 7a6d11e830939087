/**
 * Removes isolation piece by piece: script/mutate-isolation. Every condition on `project_id` is
 * removed from its statement, then row security is disabled for every table; each time, the other
 * mechanism must hold. Prints a line for each, and exits with 1 if one does not hold.
 */
import { mochaHooks } from '../../../test/support/services.ts';
import { openIsolationBench } from '../isolation/bench.ts';
import {
  disableRowSecurity,
  isIsolated,
  mutationsOf,
  type Outcome,
  removeConditions,
  removeConditionsTogether,
  runAll,
  tablesWithRowSecurity,
  withoutRowSecurity,
} from '../isolation/mutate.ts';

const print = (title: string, outcomes: readonly Outcome[], expectsIsolation: boolean): void => {
  console.log(`\n== ${title}`);
  for (const outcome of outcomes) {
    const { description: what, probes, differences: seen, timedOut: silent } = outcome;
    const [good, bad] = expectsIsolation ? ['held', 'LEAKED'] : ['unseen', 'seen'];
    const verdict = seen.length > 0 ? bad : isIsolated(outcome) ? good : 'silent';
    const unanswered = silent.length > 0 ? `, ${silent.length} without an answer` : '';
    console.log(`${verdict.padEnd(7)} ${probes} probes${unanswered}  ${what}`);
    if (expectsIsolation) for (const one of seen.slice(0, 3)) console.log(`        ${one}`);
  }
};
const unproven = (outcomes: readonly Outcome[]) =>
  outcomes.filter((one) => one.differences.length === 0 && !isIsolated(one));
const leaking = (outcomes: readonly Outcome[]) =>
  outcomes.filter(({ differences: seen }) => seen.length > 0);

const bench = await openIsolationBench();
try {
  const mutations = mutationsOf(bench);
  const tables = await tablesWithRowSecurity(bench);
  const statements = new Set(mutations.map(({ text }) => text)).size;
  console.log(`${bench.probes.length} probes, ${statements} statements, ${tables.length} tables`);
  console.log(`twins in ${bench.twins.length} tables: ${bench.twins.join(', ')}`);
  const unstable = bench.probes.filter(({ isStable }) => !isStable);
  console.log(
    `${unstable.length} probes whose answer changes by itself: only its status is compared`,
  );
  for (const { probe } of unstable) console.log(`        ${probe.name}`);

  const unchanged = await runAll(bench, 'nothing');
  const withoutCondition = await removeConditions(bench, mutations);
  print('conditions taken out, row security on', withoutCondition, true);
  const withoutSecurity = await disableRowSecurity(bench, tables);
  print('row security lifted, conditions in place', withoutSecurity, true);
  const withoutBoth = await withoutRowSecurity(bench, tables, () =>
    removeConditions(bench, mutations),
  );
  print('both: what the probes see', withoutBoth, false);
  const unseen = mutations.filter((_mutation, at) => withoutBoth[at]?.differences.length === 0);
  const together = await withoutRowSecurity(bench, tables, () =>
    removeConditionsTogether(bench, unseen),
  );
  const hidden = unseen.filter(({ text }) => (together.get(text)?.differences.length ?? 0) > 0);
  console.log(`
nothing changed: ${unchanged.differences.length} of ${unchanged.probes} probes differ
conditions: ${withoutCondition.length} taken out, ${withoutCondition.filter(isIsolated).length} held, ${unproven(withoutCondition).length} without an answer
tables: ${withoutSecurity.length} lifted, ${withoutSecurity.filter(isIsolated).length} held, ${unproven(withoutSecurity).length} without an answer
both: ${withoutBoth.length}, ${leaking(withoutBoth).length} seen alone, ${hidden.length} more with the others of their statement,
  ${unseen.length - hidden.length} unseen, of which ${unproven(withoutBoth).length} had probes without an answer`);
  for (const one of unseen.filter((mutation) => !hidden.includes(mutation))) {
    console.log(`unseen  ${one.description}`);
  }
  for (const one of unchanged.differences) console.log(one);
  // A probe without a response does not prove that it holds.
  if (![unchanged, ...withoutCondition, ...withoutSecurity].every(isIsolated)) process.exitCode = 1;
} finally {
  await bench.close();
  await mochaHooks.afterAll();
}
