import { Queue } from 'bullmq';
import { newSecret } from '../../../../src/webhooks/sign.ts';
import type { Bench } from '../bench.ts';
import { startChild } from '../children.ts';
import { createNaiveTables, NaiveEndpoint, NaiveEvent, openNaiveDatabase } from './entities.ts';

/** The BullMQ sender of sender-process.ts, and the handler that adds its jobs. */
export interface NaiveSender {
  pid: number;
  addEndpoint(url: string): Promise<string>;
  /** Commits events in a transaction, then adds the jobs that deliver them; returns the first. */
  commit(
    endpointId: string,
    ...data: Record<string, unknown>[]
  ): Promise<{ id: string; committed: number }>;
  /** Pauses or resumes the queue. */
  pause(paused: boolean): Promise<void>;
  /** Resolves when nothing is waiting or in progress. */
  untilIdle(): Promise<void>;
  close(): Promise<void>;
}

export async function startNaiveSender(bench: Bench): Promise<NaiveSender> {
  await createNaiveTables(bench.benchSuperuserUrl);
  const child = await startChild('naive/sender-process.ts', {
    DATABASE_URL: bench.benchSuperuserUrl,
    REDIS_URL: bench.redisUrl,
  });
  const database = await openNaiveDatabase(bench.benchSuperuserUrl);
  const queue = new Queue('deliver', {
    connection: { url: bench.redisUrl },
    prefix: 'naive',
    defaultJobOptions: {
      attempts: 8,
      backoff: { type: 'exponential', delay: 5_000 },
      removeOnComplete: true,
    },
  });
  await queue.waitUntilReady();
  return {
    pid: child.pid,
    async addEndpoint(url) {
      const endpoints = database.getRepository(NaiveEndpoint);
      return (await endpoints.save(endpoints.create({ url, secret: newSecret() }))).id;
    },
    async commit(endpointId, ...data) {
      const saved = await database.transaction((manager) =>
        manager.save(
          data.map((one) => manager.create(NaiveEvent, { type: 'object.trashed', data: one })),
        ),
      );
      const committed = performance.now();
      const jobs = saved.map(({ id }) => ({ event_id: id, endpoint_id: endpointId }));
      if (jobs.length === 1) await queue.add('deliver', jobs[0]);
      else await queue.addBulk(jobs.map((job) => ({ name: 'deliver', data: job })));
      return { id: saved[0]!.id, committed };
    },
    pause: (paused) => (paused ? queue.pause() : queue.resume()),
    async untilIdle() {
      for (;;) {
        const counts = await queue.getJobCounts('wait', 'active', 'delayed', 'prioritized');
        if (Object.values(counts).every((count) => count === 0)) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async close() {
      await queue.close();
      await database.destroy();
      await child.kill();
    },
  };
}
