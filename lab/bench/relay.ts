import { newId } from '@scriptorium/contracts/ids';
import { Queue } from 'bullmq';
import { inProject, inTransaction, prepared } from '../../src/db/transaction.ts';
import { createLogger } from '../../src/logger.ts';
import { record } from '../../src/outbox/record.ts';
import { handOverTasks } from '../../src/outbox/relay/hand-over.ts';
import { fanOutEvents, numberEvents } from '../../src/outbox/relay/number.ts';
import { schedule } from '../../src/outbox/schedule.ts';
import { connectFailFast, prefixOf } from '../../src/queues/connection.ts';
import { closeQueues, openQueues } from '../../src/queues/hints.ts';
import { deliverNumbered } from '../../src/webhooks/relay/deliver-numbered.ts';
import { deliverFanOut } from '../../src/webhooks/relay/subscribers.ts';
import { integerFromEnv } from '../number-options.ts';
import { openBench } from './support/bench.ts';
import { calibrate, interleave, median, ratio } from './support/figures.ts';

/**
 * Tasks handed over per second, while the event of each task is also numbered and fanned out,
 * compared with BullMQ's `addBulk` with four calls in flight, which loses its input in a crash.
 */
const rounds = integerFromEnv('ROUNDS', 5);
const taskCount = 10_000;

const bench = await openBench();
const api = await bench.openDatabase(bench.urls.apiUrl);
const worker = await bench.openDatabase(bench.urls.workerUrl);
const relay = await bench.openDatabase(bench.urls.relayUrl, 12);
const redis = connectFailFast(bench.redisUrl, createLogger('silent', 'bench'));
await new Promise((resolve) => redis.once('ready', resolve));
const queues = openQueues(redis);
const raw = new Queue('raw', { connection: redis, prefix: prefixOf(redis) });
const project = await bench.createProject();

/** A worker with unlimited capacity and a current heartbeat. */
const insertWorker = () =>
  inTransaction(worker, (tx) =>
    prepared(
      tx,
      `INSERT INTO worker (id, queue, slots) VALUES ('bench', 'maintenance', 1000000)
       ON CONFLICT (id, queue) DO UPDATE SET seen_at = now()`,
      [],
    ),
  );

async function rawAddBulk(): Promise<number> {
  await redis.flushall();
  const batch = 250;
  const start = process.hrtime.bigint();
  let next = 0;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (next < taskCount) {
        const from = next;
        next += batch;
        await raw.addBulk(
          Array.from({ length: batch }, (_, at) => ({
            name: 'maintenance',
            data: { task_id: newId('task') },
            opts: { jobId: `raw-${from + at}`, removeOnComplete: { count: 200 } },
          })),
        );
      }
    }),
  );
  return taskCount / secondsSince(start);
}

async function measureRelay(): Promise<number> {
  await redis.flushall();
  await inTransaction(relay, (tx) => prepared(tx, 'DELETE FROM task', []));
  for (let at = 0; at < taskCount; at += 100) {
    await inProject(api, project, async (tx) => {
      const objects = Array.from({ length: 100 }, () => newId('object'));
      await record(
        tx,
        { projectId: project, actor: { type: 'system', id: null }, address: null, requestId: null },
        ...objects.map((id) => ({ type: 'dam.object.trashed', resourceId: id, data: {} }) as const),
      );
      await schedule(
        tx,
        project,
        null,
        ...objects.map((id) => ({ kind: 'object.purge', payload: { object_id: id } }) as const),
      );
    });
  }
  await redis.wait(0, 0);
  await insertWorker();
  const start = process.hrtime.bigint();
  let isHandingOver = true;
  let numbered = 0;
  const numbering = (async () => {
    while (isHandingOver || numbered < taskCount) {
      const { events: n } = await inTransaction(relay, (tx) =>
        numberEvents(tx, deliverNumbered('none')),
      );
      numbered += n;
      if (n === 0) break;
    }
  })();
  const fanning = (async () => {
    while (isHandingOver) {
      const { events } = await inTransaction(relay, (tx) => fanOutEvents(tx, deliverFanOut));
      if (events === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  let handedOver = 0;
  while (handedOver < taskCount) {
    const { hints: more } = await handOverTasks(relay, queues, 'maintenance');
    if (more === 0) throw new Error(`Only ${handedOver} of ${taskCount} tasks were handed over.`);
    handedOver += more;
  }
  const elapsedSeconds = secondsSince(start);
  isHandingOver = false;
  await Promise.all([numbering, fanning]);
  process.stderr.write(
    `    numbered meanwhile and after: ${numbered} in ${secondsSince(start).toFixed(2)} s\n`,
  );
  return taskCount / elapsedSeconds;
}

function secondsSince(start: bigint): number {
  return Number(process.hrtime.bigint() - start) / 1e9;
}

try {
  await rawAddBulk();
  await measureRelay();
  await bench.analyze();
  const rates = await interleave(rounds, { raw: rawAddBulk, relayed: measureRelay });
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  console.log(
    `raw addBulk, four in flight: ${median(rates.raw).toFixed(0)} a second (median of ${rounds})`,
  );
  console.log(`handed over, numbering on:   ${median(rates.relayed).toFixed(0)} a second`);
  console.log(`ratio: ${ratio(rates.relayed, rates.raw)}`);
} finally {
  await raw.close();
  await closeQueues(queues);
  redis.disconnect();
  await bench.close();
}
