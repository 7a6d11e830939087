import { Worker } from 'bullmq';
import { loadGraphileWorker, openPgBoss } from './installed.ts';

/**
 * A worker of another queue, with as many slots as this service's, whose tasks do nothing; see
 * peers.ts.
 */
const slots = Number(process.env.SLOTS);
const databaseUrl = process.env.DATABASE_URL!;
let finished = 0;
let expected = 0;

function count(tasks: number): void {
  finished += tasks;
  if (finished === expected) process.send!({ at: Number(process.hrtime.bigint()) / 1e6 });
}

const starters: Record<string, () => Promise<void>> = {
  async bullmq() {
    const worker = new Worker('tasks', async () => undefined, {
      connection: { url: process.env.REDIS_URL!, maxRetriesPerRequest: null },
      prefix: 'naive',
      concurrency: slots,
    });
    worker.on('completed', () => count(1));
    await worker.waitUntilReady();
  },
  async 'pg-boss'() {
    const boss = await openPgBoss(databaseUrl, 16);
    await boss.createQueue('tasks');
    const options = { batchSize: slots, pollingIntervalSeconds: 0.5 };
    const id = await boss.work('tasks', options, async (jobs) => {
      // It marks a batch as completed a moment later.
      count(jobs.length);
      // Otherwise it would wait half a second before it polls again.
      boss.notifyWorker(id);
    });
  },
  async 'graphile-worker'() {
    const { run } = await loadGraphileWorker();
    const runner = await run({
      connectionString: databaseUrl,
      concurrency: slots,
      // As its documentation recommends: a connection for each slot.
      maxPoolSize: slots,
      noHandleSignals: true,
      taskList: { tasks: async () => undefined },
    });
    runner.events.on('job:complete', () => count(1));
  },
};

await starters[process.env.PEER!]!();
process.on('message', (message: { expect: number }) => {
  finished = 0;
  expected = message.expect;
  process.send!({ ready: true });
});
process.on('disconnect', () => process.exit());
process.send!({ started: true });
