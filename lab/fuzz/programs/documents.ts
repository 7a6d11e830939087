/**
 * Treats damaged files: script/fuzz-documents --files N --seed S [--from N] [--ops LIST] [PATHS…].
 * Damages the built-in samples, and the files in the given paths. Exits with 1 if an engine
 * crashed, ran out of time or memory, or threw an error, or if a verified redaction left a value.
 */
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sayReads } from '../documents/reread.ts';
import { fuzzDocuments, type Run } from '../documents/run.ts';
import { ownSeeds, seedsIn } from '../documents/seeds.ts';
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
const faultsOf = (run: Run) => run.treated.filter(({ fault }) => fault !== null);
const line = (run: Run): string => {
  const minutes = (performance.now() - started) / 60_000;
  const cpu = run.treated.reduce((sum, one) => sum + one.cpuSeconds, 0);
  return [
    `${run.files} files, ${(run.files / minutes).toFixed(0)} a minute`,
    `${(cpu / run.files).toFixed(2)} s of CPU each`,
    `${run.treated.length} treatments, ${run.reread} verified redactions reread`,
    `peak of an engine ${Math.round(run.peakBytes / 2 ** 20)} MiB`,
    `${faultsOf(run).length} faults`,
  ].join(' · ');
};
let told = 0;
const run = await fuzzDocuments({
  seeds: [...(await ownSeeds()), ...seedsIn(positionals)],
  files: Number(values.files),
  seed: Number(values.seed),
  from: Number(values.from),
  treatments,
  keep: values.out,
  progress: (soFar) => {
    console.log(line(soFar));
    const faults = faultsOf(soFar);
    for (const { file, treatment, outcome, fault } of faults.slice(told)) {
      console.log(`FOUND ${file}, ${treatment} (${outcome}): ${fault}`);
    }
    told = faults.length;
  },
});

console.log(line(run));
for (const read of sayReads(run.reads)) console.log(read);
for (const treatment of treatmentNames) {
  const own = run.treated.filter((one) => one.treatment === treatment);
  const counts = new Map<string, number>();
  for (const { outcome } of own) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const listed = [...counts].sort(([, a], [, b]) => b - a).map(([name, n]) => `${name} ${n}`);
  const slowest = own.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds)[0];
  if (!slowest) continue;
  const mean = own.reduce((sum, one) => sum + one.cpuSeconds, 0) / own.length;
  console.log(`${treatment}: ${listed.join(', ')}`);
  console.log(
    `  ${mean.toFixed(2)} s of CPU each, at most ${slowest.cpuSeconds.toFixed(1)} s in ${slowest.seconds.toFixed(1)} s: ${slowest.file}`,
  );
}
for (const { file, treatment, outcome, fault } of faultsOf(run)) {
  console.log(`FOUND ${file}, ${treatment} (${outcome}): ${fault}`);
}
if (faultsOf(run).length > 0) process.exitCode = 1;
