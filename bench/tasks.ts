import { join } from 'node:path';
import { newId } from '../src/contracts/ids.ts';
import { inProject } from '../src/db/transaction.ts';
import { schedule } from '../src/outbox/schedule.ts';
import { type Arm, interleaveArms, sayArm, sayCpuRatio, sayRatio } from './support/arms.ts';
import { calibrate } from './support/figures.ts';
import { openBenchGround } from './support/ground.ts';
import { openOutbox } from './support/outbox.ts';
import { buildPrograms, startBuilt, workerEnvironment } from './support/programs.ts';
import { isInstalled } from './support/tasks/installed.ts';
import { expectFrom, startTaskPeer, type TaskPeer } from './support/tasks/peers.ts';
import { machineMs } from './support/webhooks/receiver.ts';

/**
 * Tasks per second from the first one scheduled to the last one finished: tasks of a document queue
 * that do nothing, on a worker process with fifty slots and the relay. Compared with BullMQ alone,
 * pg-boss and graphile-worker with as many slots, each in a separate process. This process adds all
 * tasks in batches, from four loops; ours in a transaction per batch, to several projects in turn.
 */
const rounds = Number(process.env.ROUNDS ?? 5);
const tasks = Number(process.env.TASKS ?? 10_000);
const batch = Number(process.env.BATCH ?? 50);
const slots = Number(process.env.SLOTS ?? 50);
const projectCount = Number(process.env.PROJECTS ?? 8);
const warmUp = Math.min(tasks, 5_000);

buildPrograms();
const ground = await openBenchGround();
const outbox = await openOutbox(ground);
const worker = startBuilt(
  'worker',
  {
    ...workerEnvironment(ground, { secretKey: outbox.secretKey, queues: 'relay,ocr' }),
    WORKER_SLOTS: String(slots),
  },
  ['--import', join(import.meta.dirname, 'support/tasks/no-op.mjs')],
);
const projects = await Promise.all(Array.from({ length: projectCount }, () => ground.project()));
const bullmq = await startTaskPeer('bullmq', ground, slots);
const pgBoss = await startIfInstalled('pg-boss');
const graphile = await startIfInstalled('graphile-worker');
const peers = [bullmq, pgBoss, graphile].filter((peer) => peer !== null);

async function startIfInstalled(name: 'pg-boss' | 'graphile-worker'): Promise<TaskPeer | null> {
  if (isInstalled(name)) return startTaskPeer(name, ground, slots);
  console.log(`skipped: ${name} is not installed (see bench/README.md)`);
  return null;
}

/** Adds tasks in batches from four loops. */
async function addAll(count: number, add: (some: number) => Promise<void>): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (left > 0) {
        const some = Math.min(batch, left);
        left -= some;
        await add(some);
      }
    }),
  );
}

let next = 0;
async function scheduleSome(count: number, storing: Storing): Promise<void> {
  const projectId = projects[next++ % projects.length]!;
  await inProject(outbox.api, projectId, async (tx) => {
    const operation_index = storing === 'nothing' ? 0 : 1;
    const payload = () => ({ job_id: newId('job'), operation_index, op: 'ocr' as const });
    await schedule(
      tx,
      projectId,
      null,
      ...Array.from({ length: count }, () => ({
        kind: 'operation.open' as const,
        payload: payload(),
      })),
    );
  });
  outbox.wake();
}

/** Whether the tasks of an operation store nothing, or each ends in a separate transaction. */
type Storing = 'nothing' | 'something';

async function ours(count: number, storing: Storing): Promise<number> {
  const { all } = await expectFrom(worker.process, count);
  const start = machineMs();
  await addAll(count, (some) => scheduleSome(some, storing));
  const rate = (count * 1_000) / ((await all) - start);
  // A task that has ended has no row.
  const [row] = await ground.ask<{ left: number }>(
    `SELECT count(*)::integer AS left FROM task WHERE queue = 'ocr'`,
  );
  if (row!.left > 0) throw new Error(`${row!.left} tasks are left.`);
  return rate;
}

async function theirs(peer: TaskPeer, count: number): Promise<number> {
  const { all } = await peer.expect(count);
  const start = machineMs();
  await addAll(count, (some) => peer.add(some));
  return (count * 1_000) / ((await all) - start);
}

function arm(pid: number, run: (count: number) => Promise<number>): Arm {
  return {
    watched: {
      bench: [process.pid],
      worker: [pid],
      Postgres: [ground.postgresPid],
      Redis: [ground.redisPid],
    },
    run: async () => ({ operations: tasks, rate: await run(tasks) }),
  };
}

try {
  await ours(warmUp, 'nothing');
  await ours(warmUp, 'something');
  for (const peer of peers) await theirs(peer, warmUp);
  await ground.analyze();
  const found = await interleaveArms(rounds, {
    ours: arm(worker.pid, (count) => ours(count, 'nothing')),
    stored: arm(worker.pid, (count) => ours(count, 'something')),
    bullmq: arm(bullmq.pid, (count) => theirs(bullmq, count)),
    pgBoss: pgBoss && arm(pgBoss.pid, (count) => theirs(pgBoss, count)),
    graphile: graphile && arm(graphile.pid, (count) => theirs(graphile, count)),
  });
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  sayArm('scheduled to finished, ours', found.ours);
  sayArm('scheduled to finished, a transaction each', found.stored);
  sayArm('BullMQ, added to processed', found.bullmq);
  sayArm('pg-boss', found.pgBoss);
  sayArm('graphile-worker', found.graphile);
  sayRatio('to BullMQ', found.ours, found.bullmq);
  sayRatio('with a transaction each, to BullMQ', found.stored, found.bullmq);
  sayRatio('to pg-boss', found.ours, found.pgBoss);
  sayRatio('to graphile-worker', found.ours, found.graphile);
  sayCpuRatio('to BullMQ', found.ours, found.bullmq);
  sayCpuRatio('with a transaction each, to BullMQ', found.stored, found.bullmq);
} finally {
  await worker.stop();
  for (const peer of peers) await peer.close();
  await outbox.close();
  await ground.close();
}
