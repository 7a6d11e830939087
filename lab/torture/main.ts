import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkout } from '../../test/support/run.ts';
import { mochaHooks } from '../../test/support/services.ts';
import { controls, isCaught, tryControl } from './controls.ts';
import { fetchFakeClock } from './fake-clock.ts';
import { faultNames } from './faults.ts';
import { makePlan, type Plan, readKinds } from './plan.ts';
import { type Outcome, type RunOptions, runPlan, usualOptions } from './run.ts';
import { shrink } from './shrink.ts';
import type { FaultCounts } from './striking.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    /** In total; runs of up to 400 each follow one another, from seed to seed. */
    faults: { type: 'string', default: '400' },
    /** In each run. Default: the same number as faults. */
    requests: { type: 'string' },
    clients: { type: 'string', default: '8' },
    /** Names of faults, separated by commas. Default: all. */
    kinds: { type: 'string' },
    /** The size of the world: one of each program (few), or two servers and two readers (all). */
    size: { type: 'string', default: usualOptions.size },
    /**
     * A primary and a standby from the machine's own Postgres; the standby is promoted instead of a
     * crash.
     */
    standby: { type: 'boolean', default: false },
    hours: { type: 'string' },
    replay: { type: 'string' },
    /** How many shorter plans are tried after a failure. */
    tries: { type: 'string', default: '12' },
    'quiet-seconds': { type: 'string', default: String(usualOptions.quietMs / 1_000) },
    'still-seconds': { type: 'string', default: String(usualOptions.stillMs / 1_000) },
    /** All controls, or the given ones. */
    controls: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});

const faultsOfRun = 400;
/** Per check, so that none hides another. */
const maxPrinted = 10;
const folder = join(checkout, '.data', 'torture');
/** A stored plan, with the options of its run. */
interface Kept {
  plan: Plan;
  options: RunOptions;
}
const kept = values.replay ? (JSON.parse(readFileSync(values.replay, 'utf8')) as Kept) : null;
const options: RunOptions = kept?.options ?? {
  ...usualOptions,
  size: values.size === 'few' ? 'few' : 'all',
  postgres: values.standby ? 'pair' : 'own',
  quietMs: Number(values['quiet-seconds']) * 1_000,
  stillMs: Number(values['still-seconds']) * 1_000,
};
const totals = {
  runs: 0,
  broken: 0,
  failed: 0,
  requests: 0,
  attempts: 0,
  events: 0,
  deliveries: 0,
};
const struck: FaultCounts = {};
const planned: FaultCounts = {};

const sumOf = (counts: FaultCounts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

function add(counts: FaultCounts, more: FaultCounts): void {
  for (const name of faultNames) {
    const count = more[name];
    if (count !== undefined) counts[name] = (counts[name] ?? 0) + count;
  }
}

async function once(plan: Plan): Promise<Outcome> {
  const outcome = await runPlan(plan, options);
  totals.runs += 1;
  totals.requests += outcome.requests;
  totals.attempts += outcome.attempts;
  totals.events += outcome.events;
  totals.deliveries += outcome.deliveries;
  add(struck, outcome.struck);
  add(planned, outcome.planned);
  const { requests, attempts, seconds, violations } = outcome;
  const phases = Object.entries(outcome.phases).map(([name, took]) => `${name} ${took.toFixed(0)}`);
  console.log(
    `seed ${plan.seed}: ${requests} requests in ${attempts} attempts, ${sumOf(outcome.struck)} of ${sumOf(outcome.planned)} faults, ${seconds.toFixed(0)} s (${phases.join(', ')}), ${violations.length === 0 ? 'all well' : 'broken'}`,
  );
  for (const check of new Set(violations.map((violation) => violation.check))) {
    const own = violations.filter((violation) => violation.check === check);
    for (const { what } of own.slice(0, maxPrinted)) console.log(`  ${check}: ${what}`);
    if (own.length > maxPrinted) console.log(`  (${own.length - maxPrinted} more of ${check})`);
  }
  return outcome;
}

/** Runs a plan; if it fails, finds a shorter one that fails in the same way, and stores it. */
async function examine(plan: Plan): Promise<void> {
  const { violations, logs } = await once(plan);
  const [first] = violations;
  if (!first) return;
  totals.broken += 1;
  process.exitCode = 1;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${plan.seed}.json`);
  writeFileSync(join(folder, `${plan.seed}.log`), logs);
  const isSame = async (candidate: Plan) =>
    (await once(candidate)).violations.some(({ check }) => check === first.check);
  const short = await shrink(plan, Number(values.tries), isSame);
  const keeping: Kept = { plan: short, options };
  writeFileSync(file, `${JSON.stringify(keeping, null, 1)}\n`);
  console.log(
    `  ${short.steps.length} of ${plan.steps.length} steps are left: script/torture --replay ${file}`,
  );
  for (const step of short.steps) console.log(`    ${JSON.stringify(step)}`);
}

async function torment(): Promise<void> {
  const impossible = values.standby ? 'crashPostgres' : 'promotePostgres';
  const kinds = readKinds(values.kinds).filter((name) => name !== impossible);
  const all = Number(values.faults);
  const end = values.hours ? Date.now() + Number(values.hours) * 3_600_000 : null;
  const first = Number(values.seed);
  for (
    let seed = first, left = all;
    end ? Date.now() < end : left > 0 || seed === first;
    seed += 1
  ) {
    const faults = end ? faultsOfRun : Math.min(left, faultsOfRun);
    const requests = values.requests ? Number(values.requests) : faults;
    const plan = makePlan(seed, { requests, faults, clients: Number(values.clients), kinds });
    try {
      await examine(plan);
    } catch (error) {
      // It could not be run, for example because the machine is too busy. The next one may succeed.
      console.log(`seed ${seed} failed: ${String(error).slice(0, 500)}`);
      totals.failed += 1;
      process.exitCode = 1;
    }
    left -= faults;
    tell();
  }
}

/** The totals of all runs so far: how many of the planned faults of each kind began. */
function tell(): void {
  const kinds = faultNames
    .filter((name) => planned[name] !== undefined)
    .map((name) => `${name} ${struck[name] ?? 0}/${planned[name]}`);
  console.log(`${JSON.stringify(totals)} ${sumOf(struck)} faults: ${kinds.join(', ')}`);
}

async function control(): Promise<void> {
  const names = values.only?.split(',') ?? Object.keys(controls);
  const seed = Number(values.seed);
  for (const name of names) {
    const tried = await tryControl(name, [seed, seed + 1, seed + 2], console.log).catch(
      (error: unknown) => `could not be tried: ${String(error).slice(0, 500)}`,
    );
    if (typeof tried === 'string') {
      // For example because the machine is too busy. The next one may.
      console.log(`${name} | ${tried}`);
      process.exitCode = 1;
      continue;
    }
    const { by, what, without, seconds } = tried;
    const columns = [
      name,
      isCaught(name, tried) ? `caught by ${by[0]}` : 'NOT CAUGHT',
      `with: ${by.join() || 'all well'}`,
      `without: ${without.join() || 'all well'}`,
      ...[`seed ${tried.seed}`, `${seconds.toFixed(0)} s`, what.slice(0, 160)],
    ];
    console.log(columns.join(' | '));
    if (!isCaught(name, tried)) process.exitCode = 1;
  }
}

try {
  await fetchFakeClock();
  if (values.controls) await control();
  else if (kept) await examine(kept.plan);
  else await torment();
} finally {
  await mochaHooks.afterAll();
}
