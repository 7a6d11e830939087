import { interleaveArms, sayArm, sayRatio } from './support/arms.ts';
import { calibrate } from './support/figures.ts';
import { openBenchGround } from './support/ground.ts';
import { openReceipts } from './support/paths/receipt.ts';
import { openAnotherGround } from './support/postgres/another-ground.ts';
import { buildPrograms } from './support/programs.ts';
import { sayStages, type Trip } from './support/webhooks/stages.ts';

/**
 * Time from commit to receipt of the signed webhook, at a hundred events per second, for two
 * deployments: one process that relays and sends, and a fleet of one relay and two senders. Compared
 * with the minimum in one process (commit, signal, claim under a lease, post, mark), and with a typical
 * handwritten service: commit, `queue.add`, and a BullMQ worker that posts and records the attempt. This
 * process makes all commits and receives all webhooks.
 */
const rounds = Number(process.env.ROUNDS ?? 5);
const lengths = {
  seconds: Number(process.env.SECONDS ?? 8),
  warmUp: Number(process.env.WARM_UP ?? 8),
  projects: Number(process.env.PROJECTS ?? 8),
  perSecond: Number(process.env.RATE ?? 100),
};

buildPrograms();
const ground = await openBenchGround();
const fleetGround = await openAnotherGround(ground, 1);
const receipts = await openReceipts(ground, lengths);
const trips: Record<'together' | 'fleet', Trip[]> = { together: [], fleet: [] };
try {
  const together = await receipts.ours(ground, ['relay,webhooks'], trips.together);
  const fleet = await receipts.ours(fleetGround, ['relay', 'webhooks', 'webhooks'], trips.fleet);
  const naive = await receipts.naive();
  const direct = await receipts.direct();
  await ground.analyze();
  await fleetGround.analyze();
  const found = await interleaveArms(rounds, { together, direct, fleet, naive });
  if (process.env.STAGES) {
    await sayStages('together', ground, trips.together);
    await sayStages('fleet', fleetGround, trips.fleet);
  }
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  sayArm('commit to receipt, relay and sender together', found.together);
  sayArm('commit to receipt, a fleet of three', found.fleet);
  sayArm('commit to receipt, naive BullMQ sender', found.naive);
  sayArm('commit to receipt, direct', found.direct);
  for (const [title, ours] of [
    ['together', found.together],
    ['fleet', found.fleet],
  ] as const) {
    for (const figure of ['p50', 'p99'] as const) {
      sayRatio(`${title} to direct, ${figure}`, ours, found.direct, figure);
      sayRatio(`${title} to naive, ${figure}`, ours, found.naive, figure);
    }
  }
} finally {
  await receipts.close();
  await fleetGround.close();
  await ground.close();
}
