/**
 * Fuzzes the document engines with damaged files: script/fuzz-documents --files N --seed S [--from
 * N] [--ops LIST] [--out FOLDER] [FILES AND FOLDERS…]. Damages the built-in samples, and the given
 * files. Exits with 1 if an engine crashed, ran out of time or memory, or threw an error, or if a
 * verified redaction left a value.
 */
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readInteger } from '../../number-options.ts';
import { formatReads } from '../documents/reread.ts';
import { fuzzDocuments, type Run } from '../documents/run.ts';
import { builtInSeeds, readSeeds } from '../documents/seeds.ts';
import { readTreatments, treatmentNames } from '../documents/treatments.ts';

type Results = Run['results'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    ops: { type: 'string' },
    out: { type: 'string', default: '.data/fuzz/documents' },
  },
});
const files = readInteger('--files', values.files);
const seed = readInteger('--seed', values.seed, 0);
const from = readInteger('--from', values.from, 0);
const treatments = readTreatments(values.ops);
mkdirSync(values.out, { recursive: true });
const started = performance.now();
const faultsOf = (run: Run): Results => run.results.filter(({ fault }) => fault !== null);
const printFaults = (faults: Results): void => {
  for (const { file, treatment, outcome, fault } of faults)
    console.log(`FAULT ${file}, ${treatment} (${outcome}): ${fault}`);
};
const sumCpu = (results: Results): number =>
  results.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
const summaryLine = (run: Run): string => {
  const minutes = (performance.now() - started) / 60_000;
  return [
    `${run.files} files, ${(run.files / minutes).toFixed(0)} a minute`,
    `${(sumCpu(run.results) / run.files).toFixed(2)} s of CPU each`,
    `${run.results.length} treatments, ${run.reread} verified redactions reread`,
    `peak memory of one engine ${Math.round(run.peakBytes / 2 ** 20)} MiB`,
    `${faultsOf(run).length} faults`,
  ].join(' · ');
};
let reportedCount = 0;
const run = await fuzzDocuments({
  seeds: [...(await builtInSeeds()), ...readSeeds(positionals)],
  files,
  seed,
  from,
  treatments,
  keep: values.out,
  progress: (soFar) => {
    console.log(summaryLine(soFar));
    const faults = faultsOf(soFar);
    printFaults(faults.slice(reportedCount));
    reportedCount = faults.length;
  },
});

console.log(summaryLine(run));
for (const read of formatReads(run.readCounts)) console.log(read);
for (const treatment of treatmentNames) {
  const results = run.results.filter((result) => result.treatment === treatment);
  const outcomes = new Map<string, number>();
  for (const { outcome } of results) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const countsByOutcome = [...outcomes]
    .sort(([, a], [, b]) => b - a)
    .map(([outcome, count]) => `${outcome} ${count}`);
  const slowest = results.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds)[0];
  if (!slowest) continue;
  const mean = sumCpu(results) / results.length;
  console.log(`${treatment}: ${countsByOutcome.join(', ')}`);
  console.log(
    `  ${mean.toFixed(2)} s of CPU each, at most ${slowest.cpuSeconds.toFixed(1)} s in ${slowest.seconds.toFixed(1)} s: ${slowest.file}`,
  );
}
const faults = faultsOf(run);
printFaults(faults);
if (faults.length > 0) process.exitCode = 1;
