import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Arm, interleaveArms, sayArm, sayRatio } from './support/arms.ts';
import { calibrate } from './support/figures.ts';
import { type BenchGround, openBenchGround } from './support/ground.ts';
import { startNaiveSender } from './support/naive/sender.ts';
import { openOutbox, smallEvent } from './support/outbox.ts';
import { openAnotherGround } from './support/postgres/another-ground.ts';
import { buildPrograms, startBuilt, workerEnvironment } from './support/programs.ts';
import { startDirect } from './support/webhooks/direct.ts';
import { atRate, createReceipts } from './support/webhooks/rate.ts';
import { sayStages, type Trip } from './support/webhooks/stages.ts';

/**
 * Time from commit to receipt of the signed webhook, at a hundred events per second, for two
 * deployments: one process that relays and sends, and a fleet of one relay and two senders. Compared
 * with the minimum in one process (commit, signal, claim under a lease, post, mark), and with a typical
 * handwritten service: commit, `queue.add`, and a BullMQ worker that posts and records the attempt. This
 * process makes all commits and receives all webhooks.
 */
const rounds = Number(process.env.ROUNDS ?? 5);
const seconds = Number(process.env.SECONDS ?? 8);
const warmUp = Number(process.env.WARM_UP ?? 8);
const projects = Number(process.env.PROJECTS ?? 8);
const perSecond = Number(process.env.RATE ?? 100);

buildPrograms();
const ground = await openBenchGround();
const fleetGround = await openAnotherGround(ground, 1);
const receipts = createReceipts();
const receiver = createServer((request, response) => {
  const id = String(request.headers['webhook-id']);
  receipts.arrived(id);
  request.resume();
  request.on('end', () => response.writeHead(204).end());
}).listen(0, '127.0.0.1');
receiver.keepAliveTimeout = 60_000;
await new Promise((resolve) => receiver.once('listening', resolve));
const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

type Commit = () => Promise<{ id: string; committed: number }>;

/** Commits at the given rate and waits for every receipt; returns the times in milliseconds. */
async function measure(commit: Commit, length: number, trips: Trip[] = []) {
  const latencies = await atRate(perSecond, length, async () => {
    const { id, committed } = await commit();
    const received = await receipts.of(id);
    const { timeOrigin } = performance;
    trips.push({ id, committed: timeOrigin + committed, received: timeOrigin + received });
    return received - committed;
  });
  return { operations: latencies.length, rate: perSecond, latencies };
}

/** Our processes with a separate database, committing to several projects in turn. */
async function startOurs(at: BenchGround, processes: readonly string[]) {
  const outbox = await openOutbox(at);
  const workers = processes.map((queues) =>
    startBuilt('worker', workerEnvironment(at, { secretKey: outbox.secretKey, queues })),
  );
  const ids = await Promise.all(Array.from({ length: projects }, () => at.project()));
  for (const id of ids) await outbox.addEndpoint(id, { url: `${origin}/${id}` });
  let next = 0;
  return {
    pids: workers.map(({ pid }) => pid),
    async commit() {
      const [id] = await outbox.record(ids[next++ % ids.length]!, smallEvent());
      return { id: id!, committed: performance.now() };
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await outbox.close();
    },
  };
}

async function startNaive() {
  const sender = await startNaiveSender(ground);
  const ids: string[] = [];
  for (let at = 0; at < projects; at++) ids.push(await sender.addEndpoint(`${origin}/${at}`));
  let next = 0;
  return {
    pids: [sender.pid],
    commit: () => sender.commit(ids[next++ % ids.length]!, { pad: 'x'.repeat(300) }),
    stop: () => sender.close(),
  };
}

const together = await startOurs(ground, ['relay,webhooks']);
const fleet = await startOurs(fleetGround, ['relay', 'webhooks', 'webhooks']);
const naive = await startNaive();
const direct = await startDirect(ground.benchSuperuserUrl, origin);

function arm(pids: readonly number[], commit: Commit, trips?: Trip[]): Arm {
  return {
    watched: {
      bench: [process.pid],
      Node: pids,
      Postgres: [ground.postgresPid],
      Redis: [ground.redisPid],
    },
    run: () => measure(commit, seconds, trips),
  };
}

try {
  // Long enough for query plans and compiled code to stabilise.
  await measure(together.commit, warmUp);
  await measure(fleet.commit, warmUp);
  await measure(naive.commit, warmUp);
  await measure(direct.commit, warmUp / 4);
  await ground.analyze();
  await fleetGround.analyze();
  const trips: Record<'together' | 'fleet', Trip[]> = { together: [], fleet: [] };
  const found = await interleaveArms(rounds, {
    together: arm(together.pids, together.commit, trips.together),
    direct: arm([], direct.commit),
    fleet: arm(fleet.pids, fleet.commit, trips.fleet),
    naive: arm(naive.pids, naive.commit),
  });
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
  await together.stop();
  await fleet.stop();
  await naive.stop();
  await direct.stop();
  receiver.closeAllConnections();
  receiver.close();
  await fleetGround.close();
  await ground.close();
}
