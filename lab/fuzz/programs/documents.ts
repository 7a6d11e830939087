/**
 * Treats damaged files: script/fuzz-documents --files N --seed S [--from N] [--ops LIST] [PATHS…].
 * Damages the built-in samples, and the files in the given paths. Exits with 1 if an engine
 * crashed, ran out of time or memory, or threw an error, or if a verified redaction left a value.
 */
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatReads } from '../documents/reread.ts';
import { fuzzDocuments, type Run } from '../documents/run.ts';
import { builtInSeeds, readSeeds } from '../documents/seeds.ts';
import { readTreatments, treatmentNames } from '../documents/treatments.ts';

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
const treatments = readTreatments(values.ops);
mkdirSync(values.out, { recursive: true });
const started = performance.now();
const failuresOf = (run: Run) => run.results.filter(({ fault }) => fault !== null);
const summaryLine = (run: Run): string => {
  const minutes = (performance.now() - started) / 60_000;
  const cpu = run.results.reduce((sum, one) => sum + one.cpuSeconds, 0);
  return [
    `${run.files} files, ${(run.files / minutes).toFixed(0)} a minute`,
    `${(cpu / run.files).toFixed(2)} s of CPU each`,
    `${run.results.length} treatments, ${run.reread} verified redactions reread`,
    `peak of an engine ${Math.round(run.peakBytes / 2 ** 20)} MiB`,
    `${failuresOf(run).length} faults`,
  ].join(' · ');
};
let reportedCount = 0;
const run = await fuzzDocuments({
  seeds: [...(await builtInSeeds()), ...readSeeds(positionals)],
  files: Number(values.files),
  seed: Number(values.seed),
  from: Number(values.from),
  treatments,
  keep: values.out,
  progress: (soFar) => {
    console.log(summaryLine(soFar));
    const faults = failuresOf(soFar);
    for (const { file, treatment, outcome, fault } of faults.slice(reportedCount)) {
      console.log(`FOUND ${file}, ${treatment} (${outcome}): ${fault}`);
    }
    reportedCount = faults.length;
  },
});

console.log(summaryLine(run));
for (const read of formatReads(run.readCounts)) console.log(read);
for (const treatment of treatmentNames) {
  const treatmentResults = run.results.filter((one) => one.treatment === treatment);
  const counts = new Map<string, number>();
  for (const { outcome } of treatmentResults) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const countTexts = [...counts].sort(([, a], [, b]) => b - a).map(([name, n]) => `${name} ${n}`);
  const slowest = treatmentResults.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds)[0];
  if (!slowest) continue;
  const mean =
    treatmentResults.reduce((sum, one) => sum + one.cpuSeconds, 0) / treatmentResults.length;
  console.log(`${treatment}: ${countTexts.join(', ')}`);
  console.log(
    `  ${mean.toFixed(2)} s of CPU each, at most ${slowest.cpuSeconds.toFixed(1)} s in ${slowest.seconds.toFixed(1)} s: ${slowest.file}`,
  );
}
for (const { file, treatment, outcome, fault } of failuresOf(run)) {
  console.log(`FOUND ${file}, ${treatment} (${outcome}): ${fault}`);
}
if (failuresOf(run).length > 0) process.exitCode = 1;
