import { integerFromEnv, numberFromEnv } from '../number-options.ts';
import { interleaveArms, printArm, printRatio } from './support/arms.ts';
import { openBench } from './support/bench.ts';
import { calibrate } from './support/figures.ts';
import { openReceipts } from './support/paths/receipt.ts';
import { openAnotherBench } from './support/postgres/another-bench.ts';
import { buildPrograms } from './support/programs.ts';
import { printStages, type Trip } from './support/webhooks/stages.ts';

/**
 * Time from commit to receipt of the signed webhook, at a hundred events per second, for two
 * deployments: one process that relays and sends, and a fleet of one relay and two senders.
 * Compared with the minimum in one process (commit, signal, claim under a lease, post, mark), and
 * with a typical handwritten service: commit, `queue.add`, and a BullMQ worker that posts and
 * records the attempt. This process makes all commits and receives all webhooks.
 */
const rounds = integerFromEnv('ROUNDS', 5);
const options = {
  seconds: numberFromEnv('SECONDS', 8),
  warmUp: numberFromEnv('WARM_UP', 8),
  projects: integerFromEnv('PROJECTS', 8),
  perSecond: integerFromEnv('RATE', 100),
};

buildPrograms();
const bench = await openBench();
const fleetBench = await openAnotherBench(bench, 1);
const receipts = await openReceipts(bench, options);
const trips: Record<'together' | 'fleet', Trip[]> = { together: [], fleet: [] };
try {
  const together = await receipts.serviceArm(bench, ['relay,webhooks'], trips.together);
  const fleet = await receipts.serviceArm(
    fleetBench,
    ['relay', 'webhooks', 'webhooks'],
    trips.fleet,
  );
  const naive = await receipts.naive();
  const direct = await receipts.direct();
  await bench.analyze();
  await fleetBench.analyze();
  const results = await interleaveArms(rounds, { together, direct, fleet, naive });
  if (process.env.STAGES) {
    await printStages('together', bench, trips.together);
    await printStages('fleet', fleetBench, trips.fleet);
  }
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  printArm('commit to receipt, relay and sender together', results.together);
  printArm('commit to receipt, a fleet of three', results.fleet);
  printArm('commit to receipt, naive BullMQ sender', results.naive);
  printArm('commit to receipt, direct', results.direct);
  for (const [title, ours] of [
    ['together', results.together],
    ['fleet', results.fleet],
  ] as const) {
    for (const figure of ['p50', 'p99'] as const) {
      printRatio(`${title} to direct, ${figure}`, ours, results.direct, figure);
      printRatio(`${title} to naive, ${figure}`, ours, results.naive, figure);
    }
  }
} finally {
  await receipts.close();
  await fleetBench.close();
  await bench.close();
}
