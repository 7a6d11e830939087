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
import { deliverLeft } from '../../src/webhooks/relay/owed.ts';
import { calibrate, interleave, median, ratio } from './support/figures.ts';
import { openBenchGround } from './support/ground.ts';

/**
 * Tasks handed over per second, while the event of each task is also numbered and fanned out, compared
 * with BullMQ's addBulk with four calls in flight, which loses its input in a crash.
 */
const rounds = Number(process.env.ROUNDS ?? 5);
const tasks = 10_000;

const ground = await openBenchGround();
const api = await ground.open(ground.urls.apiUrl);
const worker = await ground.open(ground.urls.workerUrl);
const relay = await ground.open(ground.urls.relayUrl, 12);
const redis = connectFailFast(ground.redisUrl, createLogger('silent', 'bench'));
await new Promise((resolve) => redis.once('ready', resolve));
const queues = openQueues(redis);
const raw = new Queue('raw', { connection: redis, prefix: prefixOf(redis) });
const project = await ground.project();

/** A worker with unlimited capacity and a current heartbeat. */
const pretendWorker = () =>
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
      while (next < tasks) {
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
  return tasks / seconds(start);
}

async function relayed(): Promise<number> {
  await redis.flushall();
  await inTransaction(relay, (tx) => prepared(tx, 'DELETE FROM task', []));
  for (let at = 0; at < tasks; at += 100) {
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
  await pretendWorker();
  const start = process.hrtime.bigint();
  let handing = true;
  let numbered = 0;
  const numbering = (async () => {
    while (handing || numbered < tasks) {
      const { events: n } = await inTransaction(relay, (tx) =>
        numberEvents(tx, deliverNumbered('none')),
      );
      numbered += n;
      if (n === 0) break;
    }
  })();
  const fanning = (async () => {
    while (handing) {
      const { events } = await inTransaction(relay, (tx) => fanOutEvents(tx, deliverLeft));
      if (events === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  let handed = 0;
  while (handed < tasks) {
    const { hints: more } = await handOverTasks(relay, queues, 'maintenance');
    if (more === 0) throw new Error(`Only ${handed} of ${tasks} tasks were handed over.`);
    handed += more;
  }
  const taken = seconds(start);
  handing = false;
  await Promise.all([numbering, fanning]);
  process.stderr.write(
    `    numbered meanwhile and after: ${numbered} in ${seconds(start).toFixed(2)} s\n`,
  );
  return tasks / taken;
}

function seconds(start: bigint): number {
  return Number(process.hrtime.bigint() - start) / 1e9;
}

try {
  await rawAddBulk();
  await relayed();
  await ground.analyze();
  const found = await interleave(rounds, { raw: rawAddBulk, relayed });
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  console.log(
    `raw addBulk, four in flight: ${median(found.raw).toFixed(0)} a second (median of ${rounds})`,
  );
  console.log(`handed over, numbering on:   ${median(found.relayed).toFixed(0)} a second`);
  console.log(`ratio: ${ratio(found.relayed, found.raw)}`);
} finally {
  await raw.close();
  await closeQueues(queues);
  redis.disconnect();
  await ground.close();
}
