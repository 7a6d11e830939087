import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '@scriptorium/contracts/ids';
import { systemOrigin } from '@scriptorium/contracts/origin';
import { inProject } from '../../src/db/transaction.ts';
import { createLogger } from '../../src/logger.ts';
import { record } from '../../src/outbox/record.ts';
import { schedule } from '../../src/outbox/schedule.ts';
import { connectFailFast } from '../../src/queues/connection.ts';
import { integerFromEnv, numberFromEnv } from '../number-options.ts';
import { openBench } from './support/bench.ts';
import { calibrate, interleave, median, ratio } from './support/figures.ts';
import { openOutbox } from './support/outbox.ts';
import { buildPrograms, startBuilt, workerEnvironment } from './support/programs.ts';

/**
 * Throughput with Redis wiped every ten seconds, compared with undisturbed load: eight writers
 * commit transactions of five events and one task, at the rate at which they are processed. At the
 * end, every event must have been received and every task finished.
 */
const rounds = integerFromEnv('ROUNDS', 2);
/** The total time with FLUSHALL over all rounds, in seconds. */
const seconds = numberFromEnv('SECONDS', 300);
const flushIntervalMs = 10_000;
const eventsPerTransaction = 5;
/** The maximum work in flight: enough to keep everything busy. */
const maxOpenEvents = 2_000;
const maxOpenTasks = 400;

buildPrograms();
const bench = await openBench();
const outbox = await openOutbox(bench);
const redis = connectFailFast(bench.redisUrl, createLogger('silent', 'bench'));
await new Promise((resolve) => redis.once('ready', resolve));
const worker = startBuilt(
  'worker',
  workerEnvironment(bench, {
    secretKey: outbox.secretKey,
    queues: 'relay,webhooks,maintenance',
  }),
);
/** Events that were committed but not received yet. */
const unreceived = new Set<string>();
/**
 * Events received before their commit returned here. The events left at the end were received
 * twice.
 */
const receivedEarly = new Set<string>();
let receivedCount = 0;
const receiver = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(204).end();
    const id = String(request.headers['webhook-id']);
    if (unreceived.delete(id)) receivedCount += 1;
    else receivedEarly.add(id);
  });
}).listen(0, '127.0.0.1');
await new Promise((resolve) => receiver.once('listening', resolve));
const project = await bench.createProject();
await outbox.addEndpoint(project, {
  url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
  max_in_flight: 50,
});
let scheduled = 0;
let committed = 0;
let flushes = 0;

async function write(): Promise<void> {
  const job = newId('job');
  const ids = await inProject(outbox.api, project, async (tx) => {
    await schedule(tx, project, null, {
      kind: 'object.purge',
      payload: { object_id: newId('object') },
    });
    return record(
      tx,
      systemOrigin(project),
      ...Array.from({ length: eventsPerTransaction }, (_, at) => ({
        type: 'documents.job.progressed' as const,
        resourceId: job,
        data: { percent: at, pages_total: 100, pages_completed: at, pages_failed: 0 },
      })),
    );
  });
  outbox.wake();
  scheduled += 1;
  committed += ids.length;
  for (const id of ids) {
    if (receivedEarly.delete(id)) receivedCount += 1;
    else unreceived.add(id);
  }
}

async function countTasks(): Promise<number> {
  const [row] = await bench.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM task WHERE kind = 'object.purge'`,
  );
  return row!.n;
}

/** Units per second: a unit is one event received or one task finished. */
async function load(length: number, flushesRedis: boolean): Promise<number> {
  const start = performance.now();
  const end = start + length * 1_000;
  const [receivedBefore, scheduledBefore, tasksBefore] = [
    receivedCount,
    scheduled,
    await countTasks(),
  ];
  let openTasks = tasksBefore;
  const flushTimer = flushesRedis
    ? setInterval(() => {
        flushes += 1;
        redis.flushall().catch(() => undefined);
      }, flushIntervalMs)
    : undefined;
  const countTimer = setInterval(async () => {
    openTasks = await countTasks();
  }, 250);
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (performance.now() < end) {
        if (unreceived.size < maxOpenEvents && openTasks < maxOpenTasks) await write();
        else await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }),
  );
  clearInterval(flushTimer);
  clearInterval(countTimer);
  const tasks = scheduled - scheduledBefore + tasksBefore - (await countTasks());
  const events = receivedCount - receivedBefore;
  const elapsedSeconds = (performance.now() - start) / 1_000;
  process.stderr.write(
    `    ${(events / elapsedSeconds).toFixed(0)} events and ${(tasks / elapsedSeconds).toFixed(0)} tasks a second\n`,
  );
  return (events + tasks) / elapsedSeconds;
}

/** Waits until all work in flight has arrived, despite wiped queues. */
async function drain(): Promise<void> {
  const end = performance.now() + 120_000;
  while (unreceived.size > 0 || (await countTasks()) > 0) {
    if (performance.now() > end) {
      throw new Error(
        `${unreceived.size} events were not received, ${await countTasks()} tasks are left.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

try {
  await load(numberFromEnv('WARM_UP', 8), false);
  await bench.analyze();
  const secondsPerRound = seconds / rounds;
  const rates = await interleave(rounds, {
    undisturbed: () => load(Math.min(secondsPerRound, 60), false),
    flushed: () => load(secondsPerRound, true),
  });
  await drain();
  const [row] = await bench.query<{ events: number; unpublished: number }>(
    `SELECT count(*)::integer AS events,
       count(*) FILTER (WHERE published_at IS NULL)::integer AS unpublished
     FROM event WHERE project_id = $1 AND category = 'domain'`,
    [project],
  );
  console.log(`calibration ${(await calibrate()).toFixed(1)}`);
  console.log(
    `${committed} events and ${scheduled} tasks, Redis wiped ${flushes} times: all received and processed, ${receivedEarly.size} received twice, ${row!.unpublished} of ${row!.events} not published yet`,
  );
  console.log(`undisturbed: ${median(rates.undisturbed).toFixed(0)} events and tasks a second`);
  console.log(`flushed:     ${median(rates.flushed).toFixed(0)} a second`);
  console.log(`ratio: ${ratio(rates.flushed, rates.undisturbed)}`);
  if (row!.events !== committed) throw new Error(`${row!.events} events are in the table.`);
} finally {
  await worker.stop();
  receiver.closeAllConnections();
  receiver.close();
  redis.disconnect();
  await outbox.close();
  await bench.close();
}
