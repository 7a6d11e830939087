import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WorkerName } from '@scriptorium/contracts/work/queues';
import { createEngines } from '@scriptorium/documents';
import { createImaging } from '@scriptorium/documents/imaging';
import { Registry } from 'prom-client';
import { createLogger } from '../../src/logger.ts';
import { connectFailFast, connectForWorkers } from '../../src/queues/connection.ts';
import { closeQueues, openQueues } from '../../src/queues/hints.ts';
import { createWakeChannel } from '../../src/queues/wake.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { noTracing } from '../../src/tracing.ts';
import { createDialer } from '../../src/webhooks/dialing/dial.ts';
import type { RunningWorker, WorkerDeps } from '../../src/workers/deps.ts';
import { workerKinds } from '../../src/workers/index.ts';
import { createWorkerMetrics } from '../../src/workers/metrics.ts';
import type { DatabaseFixture } from './database-fixture.ts';

/** Workers that run inside the test's own process. */
export interface TestWorkers {
  deps: WorkerDeps;
  start(...queues: WorkerName[]): void;
  /** Stops; after the grace period (default: 5 s) tasks in progress are released. */
  stop(graceMs?: number): Promise<void>;
}

/**
 * Prepares workers over a ground of databases, a Redis and a storage folder of their own, unless they
 * are given something else.
 */
export async function prepareWorkers(
  databaseFixture: Pick<DatabaseFixture, 'worker' | 'relay'>,
  redisUrl: string,
  overrides: Partial<WorkerDeps> = {},
): Promise<TestWorkers> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-workers-'));
  const logger = createLogger(process.env.TEST_LOG ?? 'silent', 'test');
  const redis = connectFailFast(redisUrl, logger);
  const queues = openQueues(redis);
  const bell = createWakeChannel(redis);
  const deps: WorkerDeps = {
    database: databaseFixture.worker,
    relayDatabase: databaseFixture.relay,
    storage: await openStorage(pathToFileURL(folder).href),
    engines: createEngines({
      processes: 2,
      memoryBytes: 1024 * 1024 * 1024,
      tmpDir: tmpdir(),
    }),
    imaging: createImaging({
      processes: 2,
      memoryBytes: 1024 * 1024 * 1024,
      tmpDir: tmpdir(),
    }),
    recogniser: null,
    dialer: createDialer({
      allowCidrs: ['127.0.0.0/8'],
      perOriginConnections: 20,
      connectTimeoutMs: 60_000,
    }),
    embedder: null,
    metrics: createWorkerMetrics(new Registry(), async () => undefined),
    seal: (text) => text,
    unseal: (sealed) => sealed,
    retrySchedule: [0, 1, 1],
    logger,
    tracing: noTracing,
    queues,
    redis,
    connect: () => connectForWorkers(redisUrl, logger),
    wake: bell.wake,
    wakeChannel: bell,
    local: { sender: null },
    workerId: randomUUID(),
    retentionDays: 90,
    ...overrides,
  };
  const running: RunningWorker[] = [];
  return {
    deps,
    start(...names) {
      for (const name of names)
        running.push(workerKinds[name].start(deps, workerKinds[name].slots));
    },
    async stop(graceMs = 5_000) {
      await Promise.all(running.map((worker) => worker.stop(graceMs)));
      await Promise.all([deps.engines.close(), deps.imaging.close()]);
      await deps.dialer.close();
      await closeQueues(queues);
      redis.disconnect();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
