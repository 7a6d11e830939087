import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { interleaveArms } from './support/arms.ts';
import { median } from './support/figures.ts';
import { baselineOf, readBaseline, recordRun, writeBaseline } from './support/gate/baseline.ts';
import { measureCommit } from './support/gate/earlier.ts';
import {
  type Bounds,
  fallsOf,
  isFailure,
  type Ratios,
  ratiosOf,
  verdictOf,
} from './support/gate/judge.ts';
import { disturbances, load, thisMachine, watchMachine } from './support/gate/machine.ts';
import { type Path, type PathSet, pathSets } from './support/gate/paths.ts';
import { type Judged, tableOf } from './support/gate/table.ts';
import { type BenchGround, openBenchGround } from './support/ground.ts';
import { buildPrograms } from './support/programs.ts';

/**
 * `script/bench --gate [set…]`: briefly runs the hot paths, interleaved with their peers, and
 * compares the ratios with lab/bench/baseline.json. A path that has lost more than the bounds is
 * run again. It fails if it does so twice and is also slower than the baseline's commit, measured
 * again on this machine.
 *
 * --record writes the baseline instead of comparing with it --more with --record: adds a run to the
 * baseline, which consists of the medians of its runs --anyway runs on a busy machine, too, which
 * ends with 75 all the same
 *
 * Exits with 1 if a path fails, and with 75 if the machine was too busy to judge.
 */
const bounds: Bounds = { speed: 0.15, cpu: 0.15 };
const tooBusy = 75;
const file = join(import.meta.dirname, 'baseline.json');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    record: { type: 'boolean', default: false },
    more: { type: 'boolean', default: false },
    anyway: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !pathSets.some((set) => set.name === name));
if (unknown.length > 0) {
  const names = pathSets.map(({ name }) => name).join(', ');
  console.error(`Unknown set '${unknown.join("', '")}'. Expected one of: ${names}.`);
  process.exit(2);
}
const sets = pathSets.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const machine = thisMachine();
const baseline = existsSync(file) ? readBaseline(file) : null;
if (!baseline && !values.record) {
  console.error(`${file} does not exist. Record it with script/bench --gate --record.`);
  process.exit(2);
}
if (baseline && !values.record && baseline.machine.cores !== machine.cores) {
  console.error(
    `The baseline was recorded on ${baseline.machine.cores} cores. Record it on ${machine.cores} before it is compared.`,
  );
  process.exit(tooBusy);
}

async function waitSeconds(seconds: number): Promise<void> {
  await new Promise((resolved) => setTimeout(resolved, seconds * 1_000));
}

/** The other load on the machine, before any of the benchmark's programs runs. */
const idle = watchMachine();
await idle.calibrate();
await waitSeconds(2);
if (!values.anyway) refuseIfBusy(disturbances(idle.noise()));

function refuseIfBusy(reasons: readonly string[]): void {
  if (reasons.length === 0) return;
  console.log(`The machine is too busy to judge: ${reasons.join('; ')}.`);
  process.exit(tooBusy);
}

/** The ratios of a path in each of its runs. */
type Found = Map<string, Ratios[]>;

async function runSet(set: PathSet, ground: BenchGround, found: Found): Promise<void> {
  const start = performance.now();
  const { arms, close } = await set.open(ground);
  const opened = performance.now();
  try {
    await runPaths(set, set.paths, arms, found);
    const fallen = set.paths.filter((path) => hasFallen(path, found));
    if (fallen.length > 0) {
      process.stderr.write(`  again: ${fallen.map(({ name }) => name).join('; ')}\n`);
      await runPaths(set, fallen, arms, found);
    }
  } finally {
    await close();
  }
  const [opening, running] = [opened - start, performance.now() - opened].map((ms) =>
    (ms / 1_000).toFixed(0),
  );
  process.stderr.write(`${set.name}: ready after ${opening} s, ran for ${running} s\n`);
}

async function runPaths(
  { rounds }: PathSet,
  paths: readonly Path[],
  arms: Awaited<ReturnType<PathSet['open']>>['arms'],
  found: Found,
): Promise<void> {
  const needed = new Set(paths.flatMap(({ ours, peer }) => [peer, ours]));
  const chosen = Object.fromEntries(Object.entries(arms).filter(([name]) => needed.has(name)));
  const samples = await interleaveArms(rounds, chosen);
  for (const { name, ours, peer, figure } of paths) {
    const run = ratiosOf(samples[ours]!, samples[peer]!, figure);
    found.set(name, [...(found.get(name) ?? []), run]);
  }
}

function hasFallen({ name }: Path, found: Found): boolean {
  if (values.record) return false;
  const before = baseline && baselineOf(baseline, name);
  return before !== null && found.get(name)!.some((run) => fallsOf(run, before, bounds).length > 0);
}

function commitNow(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--', resolve(import.meta.dirname, '../../src'));
  return git('rev-parse', '--short=8', 'HEAD') + (changed === '' ? '' : ' with changes');
}

/** Failures that remain after measuring the baseline's commit on this machine. */
function judgeHere(failures: readonly Judged[]): Judged[] {
  if (!baseline || failures.length === 0) return [...failures];
  const names = sets
    .filter(({ paths }) => paths.some(({ name }) => failures.some(({ path }) => path === name)))
    .map(({ name }) => name);
  // If a commit was recorded with uncommitted changes, it is measured without them.
  const [commit = ''] = baseline.commit.split(' ');
  console.log(`Measuring ${names.join(', ')} at ${commit}, the baseline's commit.`);
  const before = measureCommit(commit, names);
  const again = failures.map(({ path, runs }) => {
    const here = baselineOf(before, path);
    return { path, runs, baseline: here, verdict: verdictOf(runs, here, bounds) };
  });
  console.log(tableOf(again));
  return again.filter(({ verdict }) => isFailure(verdict));
}

const began = performance.now();
buildPrograms();
const ground = await openBenchGround();
const watch = watchMachine([ground.postgresPid, ground.redisPid]);
const found: Found = new Map();
try {
  for (const set of sets) {
    await watch.calibrate();
    await runSet(set, ground, found);
  }
  await watch.calibrate();
} finally {
  await ground.close();
}

const noise = watch.noise();
const calibration = Number(median(noise.calibrations).toFixed(1));
const judged: Judged[] = [...found].map(([path, runs]) => {
  const before = baseline && baselineOf(baseline, path);
  return { path, runs, baseline: before, verdict: verdictOf(runs, before, bounds) };
});
console.log(tableOf(judged));
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
console.log(
  `${((performance.now() - began) / 1_000).toFixed(0)} s; calibration ${calibration}` +
    `${baseline ? ` (baseline ${baseline.calibration})` : ''}, load ${load().toFixed(1)}, ` +
    `other processes ${percent(noise.others)}, stolen ${percent(noise.stolen)}; ${machine.cpu}`,
);
refuseIfBusy(disturbances(noise));
if (values.record) {
  const facts = { recorded: new Date().toISOString(), commit: commitNow(), machine, calibration };
  const runs = new Map([...found].map(([path, [run]]) => [path, run!]));
  // A run of all paths drops those that no longer exist.
  const earlier = values.more || positionals.length > 0 ? baseline : null;
  writeBaseline(file, recordRun(runs, facts, earlier, values.more));
  console.log(`Recorded in ${file}.`);
} else {
  const failed = judgeHere(judged.filter(({ verdict }) => isFailure(verdict)));
  for (const { path, verdict } of failed) console.log(`FAILED: ${path}: ${verdict}`);
  if (failed.length > 0) process.exitCode = 1;
}
