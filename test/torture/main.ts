import { parseArgs } from 'node:util';
import { mochaHooks } from '../support/services.ts';
import { fetchFakeClock } from './fake-clock.ts';
import { makePlan } from './plan.ts';
import { runPlan } from './run.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    requests: { type: 'string', default: '200' },
    faults: { type: 'string', default: '40' },
    clients: { type: 'string', default: '6' },
  },
});
await fetchFakeClock();
const size = {
  requests: Number(values.requests),
  faults: Number(values.faults),
  clients: Number(values.clients),
};
const { logs, violations, ...figures } = await runPlan(makePlan(Number(values.seed), size));
console.log(`seed ${values.seed}: ${JSON.stringify(figures)}`);
for (const { check, what } of violations) console.log(`${check}: ${what}`);
if (logs) console.error(logs);
if (violations.length > 0) process.exitCode = 1;
await mochaHooks.afterAll();
