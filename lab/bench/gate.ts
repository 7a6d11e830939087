import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { interleaveArms } from './support/arms.ts';
import { type Bench, openBench } from './support/bench.ts';
import { median } from './support/figures.ts';
import { baselineOf, readBaseline, recordRun, writeBaseline } from './support/gate/baseline.ts';
import {
  type Bounds,
  findRegressions,
  isFailure,
  type Ratios,
  ratiosOf,
  verdictOf,
} from './support/gate/judge.ts';
import {
  describeMachine,
  disturbances,
  loadAverage,
  watchMachine,
} from './support/gate/machine.ts';
import { measureCommit } from './support/gate/measure-commit.ts';
import { type Path, type PathSet, pathSets } from './support/gate/paths.ts';
import { formatTable, type JudgedPath } from './support/gate/table.ts';
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
const tooBusyExitCode = 75;
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
const machine = describeMachine();
const baseline = existsSync(file) ? readBaseline(file) : null;
if (!baseline && !values.record) {
  console.error(`${file} does not exist. Record it with script/bench --gate --record.`);
  process.exit(2);
}
if (baseline && !values.record && baseline.machine.cores !== machine.cores) {
  console.error(
    `The baseline was recorded on ${baseline.machine.cores} cores. Record it on ${machine.cores} before it is compared.`,
  );
  process.exit(tooBusyExitCode);
}

async function waitSeconds(seconds: number): Promise<void> {
  await new Promise((resolved) => setTimeout(resolved, seconds * 1_000));
}

/** The other load on the machine, before any of the benchmark's programs runs. */
const idleWatch = watchMachine();
await idleWatch.calibrate();
await waitSeconds(2);
if (!values.anyway) exitIfBusy(disturbances(idleWatch.readNoise()));

function exitIfBusy(reasons: readonly string[]): void {
  if (reasons.length === 0) return;
  console.log(`The machine is too busy to judge: ${reasons.join('; ')}.`);
  process.exit(tooBusyExitCode);
}

/** The ratios of a path in each of its runs. */
type PathRatios = Map<string, Ratios[]>;

async function runSet(set: PathSet, bench: Bench, ratiosByPath: PathRatios): Promise<void> {
  const start = performance.now();
  const { arms, close } = await set.open(bench);
  const opened = performance.now();
  try {
    await runPaths(set, set.paths, arms, ratiosByPath);
    const regressed = set.paths.filter((path) => hasRegressed(path, ratiosByPath));
    if (regressed.length > 0) {
      process.stderr.write(`  again: ${regressed.map(({ name }) => name).join('; ')}\n`);
      await runPaths(set, regressed, arms, ratiosByPath);
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
  ratiosByPath: PathRatios,
): Promise<void> {
  const needed = new Set(paths.flatMap(({ ours, peer }) => [peer, ours]));
  const selectedArms = Object.fromEntries(
    Object.entries(arms).filter(([name]) => needed.has(name)),
  );
  const samples = await interleaveArms(rounds, selectedArms);
  for (const { name, ours, peer, figure } of paths) {
    const run = ratiosOf(samples[ours]!, samples[peer]!, figure);
    ratiosByPath.set(name, [...(ratiosByPath.get(name) ?? []), run]);
  }
}

function hasRegressed({ name }: Path, ratiosByPath: PathRatios): boolean {
  if (values.record) return false;
  const baselineRatios = baseline && baselineOf(baseline, name);
  return (
    baselineRatios !== null &&
    ratiosByPath.get(name)!.some((run) => findRegressions(run, baselineRatios, bounds).length > 0)
  );
}

function currentCommit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--', resolve(import.meta.dirname, '../../src'));
  return git('rev-parse', '--short=8', 'HEAD') + (changed === '' ? '' : ' with changes');
}

/** Failures that remain after measuring the baseline's commit on this machine. */
function confirmFailures(failures: readonly JudgedPath[]): JudgedPath[] {
  if (!baseline || failures.length === 0) return [...failures];
  const names = sets
    .filter(({ paths }) => paths.some(({ name }) => failures.some(({ path }) => path === name)))
    .map(({ name }) => name);
  // If a commit was recorded with uncommitted changes, it is measured without them.
  const [commit = ''] = baseline.commit.split(' ');
  console.log(`Measuring ${names.join(', ')} at ${commit}, the baseline's commit.`);
  const baselineRatios = measureCommit(commit, names);
  const remeasured = failures.map(({ path, runs }) => {
    const remeasuredBaseline = baselineOf(baselineRatios, path);
    return {
      path,
      runs,
      baseline: remeasuredBaseline,
      verdict: verdictOf(runs, remeasuredBaseline, bounds),
    };
  });
  console.log(formatTable(remeasured));
  return remeasured.filter(({ verdict }) => isFailure(verdict));
}

const startedAt = performance.now();
buildPrograms();
const bench = await openBench();
const machineWatch = watchMachine([bench.postgresPid, bench.redisPid]);
const ratiosByPath: PathRatios = new Map();
try {
  for (const set of sets) {
    await machineWatch.calibrate();
    await runSet(set, bench, ratiosByPath);
  }
  await machineWatch.calibrate();
} finally {
  await bench.close();
}

const noise = machineWatch.readNoise();
const calibration = Number(median(noise.calibrations).toFixed(1));
const judged: JudgedPath[] = [...ratiosByPath].map(([path, runs]) => {
  const baselineRatios = baseline && baselineOf(baseline, path);
  return { path, runs, baseline: baselineRatios, verdict: verdictOf(runs, baselineRatios, bounds) };
});
console.log(formatTable(judged));
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
console.log(
  `${((performance.now() - startedAt) / 1_000).toFixed(0)} s; calibration ${calibration}` +
    `${baseline ? ` (baseline ${baseline.calibration})` : ''}, load ${loadAverage().toFixed(1)}, ` +
    `other processes ${percent(noise.others)}, stolen ${percent(noise.stolen)}; ${machine.cpu}`,
);
exitIfBusy(disturbances(noise));
if (values.record) {
  const facts = {
    recorded: new Date().toISOString(),
    commit: currentCommit(),
    machine,
    calibration,
  };
  const runs = new Map([...ratiosByPath].map(([path, [run]]) => [path, run!]));
  // A run of all paths drops those that no longer exist.
  const previousBaseline = values.more || positionals.length > 0 ? baseline : null;
  writeBaseline(file, recordRun(runs, facts, previousBaseline, values.more));
  console.log(`Recorded in ${file}.`);
} else {
  const failed = confirmFailures(judged.filter(({ verdict }) => isFailure(verdict)));
  for (const { path, verdict } of failed) console.log(`FAILED: ${path}: ${verdict}`);
  if (failed.length > 0) process.exitCode = 1;
}
