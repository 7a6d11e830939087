import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkout } from '../../test/support/run.ts';
import { mochaHooks } from '../../test/support/services.ts';
import { readInteger, readNumber } from '../number-options.ts';
import { controls, isCaught, tryControl } from './controls.ts';
import { fetchFakeClock } from './fake-clock.ts';
import type { FaultCounts } from './fault-injector.ts';
import { faultNames } from './faults.ts';
import { makePlan, type Plan, readKinds } from './plan.ts';
import { defaultOptions, type Outcome, type RunOptions, runPlan } from './run.ts';
import { shrink } from './shrink.ts';

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
    size: { type: 'string', default: defaultOptions.size },
    /**
     * A primary and a standby from the machine's own Postgres; the standby is promoted instead of a
     * crash.
     */
    standby: { type: 'boolean', default: false },
    hours: { type: 'string' },
    replay: { type: 'string' },
    /** How many shorter plans are tried after a failure. */
    tries: { type: 'string', default: '12' },
    'quiet-seconds': { type: 'string', default: String(defaultOptions.quietMs / 1_000) },
    'still-seconds': { type: 'string', default: String(defaultOptions.stillMs / 1_000) },
    /** All controls, or the given ones. */
    controls: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const firstSeed = readInteger('--seed', values.seed, 0);
const faultCount = readInteger('--faults', values.faults, 0);
const requestCount =
  values.requests === undefined ? null : readInteger('--requests', values.requests);
const clients = readInteger('--clients', values.clients);
const hours = values.hours === undefined ? null : readNumber('--hours', values.hours);
const maxShrinkAttempts = readInteger('--tries', values.tries, 0);

const faultsPerRun = 400;
/** Per check, so that none hides another. */
const maxPrinted = 10;
const folder = join(checkout, '.data', 'torture');
/** A stored plan, with the options of its run. */
interface StoredPlan {
  plan: Plan;
  options: RunOptions;
}
const storedPlan = values.replay
  ? (JSON.parse(readFileSync(values.replay, 'utf8')) as StoredPlan)
  : null;
const options: RunOptions = storedPlan?.options ?? {
  ...defaultOptions,
  size: values.size === 'few' ? 'few' : 'all',
  postgres: values.standby ? 'pair' : 'own',
  quietMs: readNumber('--quiet-seconds', values['quiet-seconds']) * 1_000,
  stillMs: readNumber('--still-seconds', values['still-seconds']) * 1_000,
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
const begunFaults: FaultCounts = {};
const plannedFaults: FaultCounts = {};

const sumOf = (counts: FaultCounts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

function add(counts: FaultCounts, added: FaultCounts): void {
  for (const name of faultNames) {
    const count = added[name];
    if (count !== undefined) counts[name] = (counts[name] ?? 0) + count;
  }
}

async function runOnce(plan: Plan): Promise<Outcome> {
  const outcome = await runPlan(plan, options);
  totals.runs += 1;
  totals.requests += outcome.requests;
  totals.attempts += outcome.attempts;
  totals.events += outcome.events;
  totals.deliveries += outcome.deliveries;
  add(begunFaults, outcome.begun);
  add(plannedFaults, outcome.planned);
  const { requests, attempts, seconds, violations } = outcome;
  const phases = Object.entries(outcome.phases).map(([name, took]) => `${name} ${took.toFixed(0)}`);
  console.log(
    `seed ${plan.seed}: ${requests} requests in ${attempts} attempts, ${sumOf(outcome.begun)} of ${sumOf(outcome.planned)} faults, ${seconds.toFixed(0)} s (${phases.join(', ')}), ${violations.length === 0 ? 'all well' : 'broken'}`,
  );
  for (const check of new Set(violations.map((violation) => violation.check))) {
    const checkViolations = violations.filter((violation) => violation.check === check);
    for (const { what } of checkViolations.slice(0, maxPrinted)) console.log(`  ${check}: ${what}`);
    if (checkViolations.length > maxPrinted)
      console.log(`  (${checkViolations.length - maxPrinted} more of ${check})`);
  }
  return outcome;
}

/** Runs a plan; if it fails, finds a shorter one that fails in the same way, and stores it. */
async function runAndShrink(plan: Plan): Promise<void> {
  const { violations, logs } = await runOnce(plan);
  const [first] = violations;
  if (!first) return;
  totals.broken += 1;
  process.exitCode = 1;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${plan.seed}.json`);
  writeFileSync(join(folder, `${plan.seed}.log`), logs);
  const isSame = async (candidate: Plan) =>
    (await runOnce(candidate)).violations.some(({ check }) => check === first.check);
  const shortened = await shrink(plan, maxShrinkAttempts, isSame);
  const stored: StoredPlan = { plan: shortened, options };
  writeFileSync(file, `${JSON.stringify(stored, null, 1)}\n`);
  console.log(
    `  ${shortened.steps.length} of ${plan.steps.length} steps are left: script/torture --replay ${file}`,
  );
  for (const step of shortened.steps) console.log(`    ${JSON.stringify(step)}`);
}

async function runAllSeeds(): Promise<void> {
  const impossible = values.standby ? 'crashPostgres' : 'promotePostgres';
  const kinds = readKinds(values.kinds).filter((name) => name !== impossible);
  const end = hours === null ? null : Date.now() + hours * 3_600_000;
  for (
    let seed = firstSeed, remaining = faultCount;
    end ? Date.now() < end : remaining > 0 || seed === firstSeed;
    seed += 1
  ) {
    const faults = end ? faultsPerRun : Math.min(remaining, faultsPerRun);
    const plan = makePlan(seed, { requests: requestCount ?? faults, faults, clients, kinds });
    try {
      await runAndShrink(plan);
    } catch (error) {
      // It could not be run, for example because the machine is too busy. The next one may succeed.
      console.log(`seed ${seed} failed: ${String(error).slice(0, 500)}`);
      totals.failed += 1;
      process.exitCode = 1;
    }
    remaining -= faults;
    printTotals();
  }
}

/** The totals of all runs so far: how many of the planned faults of each kind began. */
function printTotals(): void {
  const kinds = faultNames
    .filter((name) => plannedFaults[name] !== undefined)
    .map((name) => `${name} ${begunFaults[name] ?? 0}/${plannedFaults[name]}`);
  console.log(`${JSON.stringify(totals)} ${sumOf(begunFaults)} faults: ${kinds.join(', ')}`);
}

async function runControls(): Promise<void> {
  const names = values.only?.split(',') ?? Object.keys(controls);
  for (const name of names) {
    const result = await tryControl(
      name,
      [firstSeed, firstSeed + 1, firstSeed + 2],
      console.log,
    ).catch((error: unknown) => `could not be tried: ${String(error).slice(0, 500)}`);
    if (typeof result === 'string') {
      // For example because the machine is too busy. The next one may.
      console.log(`${name} | ${result}`);
      process.exitCode = 1;
      continue;
    }
    const { failedChecks: by, what, failedWithoutPatch: without, seconds } = result;
    const columns = [
      name,
      isCaught(name, result) ? `caught by ${by[0]}` : 'NOT CAUGHT',
      `with: ${by.join() || 'all well'}`,
      `without: ${without.join() || 'all well'}`,
      `seed ${result.seed}`,
      `${seconds.toFixed(0)} s`,
      what.slice(0, 160),
    ];
    console.log(columns.join(' | '));
    if (!isCaught(name, result)) process.exitCode = 1;
  }
}

try {
  await fetchFakeClock();
  if (values.controls) await runControls();
  else if (storedPlan) await runAndShrink(storedPlan.plan);
  else await runAllSeeds();
} finally {
  await mochaHooks.afterAll();
}
