/**
 * Fuzzes the API on a separate Postgres: script/fuzz --requests N --seed S [--lanes L]
 * [--together] [--out FOLDER]. Prints the findings, and exits with 1 if there are any.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { mochaHooks } from '../../../test/support/services.ts';
import { readInteger } from '../../number-options.ts';
import { slopeOf } from '../api/memory.ts';
import { type FuzzRun, fuzzApi } from '../api/run.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '4' },
    together: { type: 'boolean', default: false },
    out: { type: 'string', default: '.data/fuzz' },
  },
});
const seed = readInteger('--seed', values.seed, 0);
const requests = readInteger('--requests', values.requests);
const lanes = readInteger('--lanes', values.lanes);
const started = performance.now();
const seconds = (): number => Math.round((performance.now() - started) / 1_000);
const formatCounts = (counts: Iterable<[string | number, number]>): string =>
  [...counts].map(([name, count]) => `${name}: ${count}`).join(', ');
const slope = (windows: FuzzRun['memory'], measure: 'resident' | 'heap'): string =>
  `${measure} ${slopeOf(windows, measure)?.toFixed(2) ?? '–'}`;

const file = `${values.out}/findings-${seed}.json`;
const writeFindings = (all: FuzzRun['findings']['all']): void => {
  mkdirSync(values.out, { recursive: true });
  writeFileSync(file, JSON.stringify(all, null, 2));
};
let reportedCount = 0;

try {
  const { findings, operations, memory } = await fuzzApi({
    seed,
    requests,
    lanes,
    together: values.together,
    progress: (line, { all }) => {
      console.log(`${seconds()} s · ${line}`);
      for (const { operation, what } of all.slice(reportedCount)) {
        console.log(`FOUND ${operation}: ${what.slice(0, 300)}`);
      }
      reportedCount = all.length;
      if (all.length > 0) writeFindings(all);
    },
  });
  const rate = Math.round(findings.requests / Math.max(1, seconds()));
  console.log(`requests ${findings.requests}, seed ${seed}, ${seconds()} s, ${rate} a second`);
  console.log(`statuses ${formatCounts([...findings.byStatus].sort(([a], [b]) => a - b))}`);
  console.log(`share of 2xx: ${(100 * findings.successShare).toFixed(1)} %`);
  console.log(`compared: ${formatCounts(findings.comparisons)}`);
  console.log(
    `slope over the last two thirds, MiB per 100,000 requests: ${slope(memory, 'resident')}, ${slope(memory, 'heap')}`,
  );
  const succeeded = new Set(findings.succeeded);
  const neverSucceeded = operations.filter((id) => !succeeded.has(id));
  console.log(`operations that succeeded: ${succeeded.size} of ${operations.length}`);
  for (const id of operations) {
    const label = neverSucceeded.includes(id) ? 'NEVER 2xx ' : '';
    if (label) console.log(`  ${findings.lastError.get(id) ?? ''}`);
    console.log(`  ${label}${id}: ${formatCounts(findings.byOperation.get(id) ?? [])}`);
  }
  for (const { ms, request, meanwhile, againMs } of findings.slow.slice(0, 10)) {
    const again = againMs === null ? '' : `, again ${againMs} ms`;
    console.log(
      `slow: ${ms} ms${again}, ${meanwhile} others answered meanwhile: ${request.slice(0, 200)}`,
    );
  }
  for (const found of findings.all) {
    const { what, operation, count, request, answer } = found;
    console.log(
      `\nFOUND ${count} × ${operation}: ${what}\n${request.slice(0, 600)}\n=> ${answer.slice(0, 600)}`,
    );
  }
  if (findings.all.length > 0) {
    writeFindings(findings.all);
    console.log(`\n${findings.all.length} findings in ${file}`);
    process.exitCode = 1;
  }
} finally {
  await mochaHooks.afterAll();
}
