/**
 * Fuzzes the API over a Postgres of its own: script/fuzz --requests N --seed S [--lanes L]
 * [--together]. Prints what it found, and exits with 1 if that is anything.
 */
import { parseArgs } from 'node:util';
import { mochaHooks } from '../../support/services.ts';
import { fuzzApi } from '../api/run.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '4' },
    together: { type: 'boolean', default: false },
    out: { type: 'string', default: '.data/fuzz' },
  },
});
const seed = Number(values.seed);
const started = performance.now();
const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);

try {
  const findings = await fuzzApi({
    seed,
    requests: Number(values.requests),
    lanes: Number(values.lanes),
    together: values.together,
    progress: ({ requests, all }) => {
      global.gc?.();
      const { rss, heapUsed } = process.memoryUsage();
      const seconds = Math.round((performance.now() - started) / 1_000);
      console.log(
        `${requests} requests, ${seconds} s, heap ${megabytes(heapUsed)} MB, resident ${megabytes(rss)} MB, ${all.length} findings`,
      );
    },
  });
  const statuses = [...findings.byStatus].sort(([a], [b]) => a - b);
  console.log(`requests ${findings.requests}, seed ${seed}`);
  console.log(`statuses ${statuses.map(([status, count]) => `${status}: ${count}`).join(', ')}`);
  console.log(`operations that succeeded: ${findings.succeeded.size}`);
  for (const { ms, request } of findings.slow.slice(0, 10)) {
    console.log(`slow: ${ms} ms ${request.slice(0, 200)}`);
  }
  for (const found of findings.all) {
    const { what, operation, count, request, answer } = found;
    console.log(
      `\nFOUND ${count} × ${operation}: ${what}\n${request.slice(0, 600)}\n=> ${answer.slice(0, 600)}`,
    );
  }
  const file = `${values.out}/findings-${seed}.json`;
  if (findings.all.length > 0) {
    findings.write(file);
    console.log(`\n${findings.all.length} findings in ${file}`);
    process.exitCode = 1;
  }
} finally {
  await mochaHooks.afterAll();
}
