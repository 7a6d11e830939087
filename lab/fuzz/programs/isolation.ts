/**
 * Removes isolation piece by piece: script/mutate-isolation. Every condition on `project_id` is
 * removed from its statement, then row security is disabled for every table; each time, the other
 * mechanism must hold. Prints a line for each, and exits with 1 if one does not hold.
 */
import { mochaHooks } from '../../../test/support/services.ts';
import { openIsolationBench } from '../isolation/bench.ts';
import {
  held,
  liftWalls,
  mutationsOf,
  type Outcome,
  runAll,
  takeOut,
  takeOutTogether,
  walledTables,
  withoutWalls,
} from '../isolation/mutate.ts';

const print = (title: string, outcomes: readonly Outcome[], isHeld: boolean): void => {
  console.log(`\n== ${title}`);
  for (const outcome of outcomes) {
    const { what, probes, seen, silent } = outcome;
    const [good, bad] = isHeld ? ['held', 'LEAKED'] : ['unseen', 'seen'];
    const verdict = seen.length > 0 ? bad : held(outcome) ? good : 'silent';
    const unanswered = silent.length > 0 ? `, ${silent.length} without an answer` : '';
    console.log(`${verdict.padEnd(7)} ${probes} probes${unanswered}  ${what}`);
    if (isHeld) for (const one of seen.slice(0, 3)) console.log(`        ${one}`);
  }
};
const silent = (outcomes: readonly Outcome[]) =>
  outcomes.filter((one) => one.seen.length === 0 && !held(one));
const broken = (outcomes: readonly Outcome[]) => outcomes.filter(({ seen }) => seen.length > 0);

const bench = await openIsolationBench();
try {
  const mutations = mutationsOf(bench);
  const tables = await walledTables(bench);
  const statements = new Set(mutations.map(({ text }) => text)).size;
  console.log(`${bench.probes.length} probes, ${statements} statements, ${tables.length} tables`);
  console.log(`twins in ${bench.twins.length} tables: ${bench.twins.join(', ')}`);
  const unstable = bench.probes.filter(({ isStable }) => !isStable);
  console.log(
    `${unstable.length} probes whose answer changes by itself: only its status is compared`,
  );
  for (const { probe } of unstable) console.log(`        ${probe.name}`);

  const nothing = await runAll(bench, 'nothing');
  const taken = await takeOut(bench, mutations);
  print('conditions taken out, row security on', taken, true);
  const lifted = await liftWalls(bench, tables);
  print('row security lifted, conditions in place', lifted, true);
  const both = await withoutWalls(bench, tables, () => takeOut(bench, mutations));
  print('both: what the probes see', both, false);
  const unseen = mutations.filter((_mutation, at) => both[at]?.seen.length === 0);
  const together = await withoutWalls(bench, tables, () => takeOutTogether(bench, unseen));
  const hidden = unseen.filter(({ text }) => (together.get(text)?.seen.length ?? 0) > 0);
  console.log(`
nothing changed: ${nothing.seen.length} of ${nothing.probes} probes differ
conditions: ${taken.length} taken out, ${taken.filter(held).length} held, ${silent(taken).length} without an answer
tables: ${lifted.length} lifted, ${lifted.filter(held).length} held, ${silent(lifted).length} without an answer
both: ${both.length}, ${broken(both).length} seen alone, ${hidden.length} more with the others of their statement,
  ${unseen.length - hidden.length} unseen, of which ${silent(both).length} had probes without an answer`);
  for (const one of unseen.filter((mutation) => !hidden.includes(mutation))) {
    console.log(`unseen  ${one.what}`);
  }
  for (const one of nothing.seen) console.log(one);
  // A probe without a response does not prove that it holds.
  if (![nothing, ...taken, ...lifted].every(held)) process.exitCode = 1;
} finally {
  await bench.close();
  await mochaHooks.afterAll();
}
