import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkout } from '../support/run.ts';
import { mochaHooks } from '../support/services.ts';
import { controls, tryControl } from './controls.ts';
import { fetchFakeClock } from './fake-clock.ts';
import { faultNames } from './faults.ts';
import { makePlan, type Plan } from './plan.ts';
import { type Outcome, runPlan } from './run.ts';
import { shrink } from './shrink.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    requests: { type: 'string', default: '300' },
    /** In all; runs of up to 60 each follow one another. */
    faults: { type: 'string', default: '60' },
    clients: { type: 'string', default: '6' },
    /** Names of faults, separated by commas. Default: all. */
    kinds: { type: 'string' },
    hours: { type: 'string' },
    replay: { type: 'string' },
    /** How many shorter plans are tried after a failure. */
    tries: { type: 'string', default: '12' },
    'quiet-seconds': { type: 'string', default: '150' },
    /** All controls, or those named. */
    controls: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});

const faultsOfRun = 60;
const folder = join(checkout, '.data', 'torture');
const quietMs = Number(values['quiet-seconds']) * 1_000;
const totals = { runs: 0, requests: 0, attempts: 0, events: 0, deliveries: 0, violations: 0 };
const struck: Record<string, number> = {};

async function once(plan: Plan): Promise<Outcome> {
  const outcome = await runPlan(plan, quietMs);
  totals.runs += 1;
  totals.requests += outcome.requests;
  totals.attempts += outcome.attempts;
  totals.events += outcome.events;
  totals.deliveries += outcome.deliveries;
  for (const [name, count] of Object.entries(outcome.faults))
    struck[name] = (struck[name] ?? 0) + count;
  const { requests, attempts, seconds } = outcome;
  const faults = Object.values(outcome.faults).reduce((sum, count) => sum + count, 0);
  console.log(
    `seed ${plan.seed}: ${requests} requests in ${attempts} attempts, ${faults} faults, ${seconds.toFixed(0)} s, ${outcome.violations.length === 0 ? 'all well' : 'broken'}`,
  );
  for (const { check, what } of outcome.violations.slice(0, 50)) console.log(`  ${check}: ${what}`);
  return outcome;
}

/** Runs a plan; if it fails, finds a shorter one that fails in the same way, and keeps it. */
async function examine(plan: Plan): Promise<void> {
  const { violations, logs } = await once(plan);
  const [first] = violations;
  if (!first) return;
  totals.violations += violations.length;
  process.exitCode = 1;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${plan.seed}.json`);
  writeFileSync(join(folder, `${plan.seed}.log`), logs);
  const isSame = async (candidate: Plan) =>
    (await once(candidate)).violations.some(({ check }) => check === first.check);
  const short = await shrink(plan, Number(values.tries), isSame);
  writeFileSync(file, `${JSON.stringify(short, null, 1)}\n`);
  console.log(
    `  ${short.steps.length} of ${plan.steps.length} steps are left: script/torture --replay ${file}`,
  );
  for (const step of short.steps) console.log(`    ${JSON.stringify(step)}`);
}

async function torment(): Promise<void> {
  const kinds = faultNames.filter((name) => values.kinds?.split(',').includes(name) ?? true);
  const all = Number(values.faults);
  const end = values.hours ? Date.now() + Number(values.hours) * 3_600_000 : null;
  let seed = Number(values.seed);
  for (
    let left = all;
    end ? Date.now() < end : left > 0 || seed === Number(values.seed);
    seed += 1
  ) {
    const faults = end ? faultsOfRun : Math.min(left, faultsOfRun);
    const size = {
      requests: Number(values.requests),
      clients: Number(values.clients),
      faults,
      kinds,
    };
    await examine(makePlan(seed, size));
    left -= faults;
  }
  console.log(`${JSON.stringify(totals)} faults ${JSON.stringify(struck)}`);
}

async function control(): Promise<void> {
  const names = values.only?.split(',') ?? Object.keys(controls);
  for (const name of names) {
    const { by, what, seed, seconds } = await tryControl(name, [1, 2, 3, 4]);
    const found = by === null ? 'NOT CAUGHT' : `caught by ${by}`;
    console.log(
      `${name} | ${found} | seed ${seed} | ${seconds.toFixed(0)} s | ${what.slice(0, 160)}`,
    );
    if (by === null) process.exitCode = 1;
  }
}

await fetchFakeClock();
if (values.controls) await control();
else if (values.replay) await examine(JSON.parse(readFileSync(values.replay, 'utf8')) as Plan);
else await torment();
await mochaHooks.afterAll();
