/**
 * Runs all operations on damaged files: script/fuzz-documents --files N --seed S [--ops LIST] [PATHS…].
 * Damages our own samples, and the files of the paths. Exits with 1 if an engine crashed, ran out of
 * time or memory, or threw, or if a verified redaction left something.
 */
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { operationNames } from '../../../src/contracts/operations.ts';
import { fuzzDocuments, type Run } from '../documents/run.ts';
import { ownSeeds, seedsIn } from '../documents/seeds.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    ops: { type: 'string' },
    out: { type: 'string', default: '.data/fuzz/documents' },
  },
});
mkdirSync(values.out, { recursive: true });
const asked = values.ops?.split(',');
const faultsOf = (run: Run) => run.treated.filter(({ fault }) => fault !== null);
const run = await fuzzDocuments({
  seeds: [...(await ownSeeds()), ...seedsIn(positionals)],
  files: Number(values.files),
  seed: Number(values.seed),
  operations: operationNames.filter((name) => asked?.includes(name) ?? true),
  keep: values.out,
  progress: (soFar) => console.log(`${soFar.files} files, ${faultsOf(soFar).length} faults`),
});

console.log(`files ${run.files}, peak of an engine ${Math.round(run.peakBytes / 2 ** 20)} MiB`);
for (const operation of operationNames) {
  const own = run.treated.filter((one) => one.operation === operation);
  const counts = new Map<string, number>();
  for (const { outcome } of own) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const listed = [...counts].sort(([, a], [, b]) => b - a).map(([name, n]) => `${name} ${n}`);
  const slowest = own.toSorted((a, b) => b.seconds - a.seconds)[0];
  if (!slowest) continue;
  console.log(`${operation}: ${listed.join(', ')}`);
  console.log(`  slowest: ${slowest.seconds.toFixed(1)} s, ${slowest.file}`);
}
for (const { file, operation, outcome, fault } of faultsOf(run)) {
  console.log(`FOUND ${file}, ${operation} (${outcome}): ${fault}`);
}
if (faultsOf(run).length > 0) process.exitCode = 1;
