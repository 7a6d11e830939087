import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname, tmpdir } from 'node:os';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { createSeal } from './access/seal.ts';
import { readConfig } from './config.ts';
import { limits } from './contracts/limits.ts';
import { type Database, openDatabase } from './db/database.ts';
import { refuseWeakWalls } from './db/start-up.ts';
import { createImaging } from './engines/imaging/index.ts';
import { createEngines } from './engines/index.ts';
import { createLogger } from './logger.ts';
import { serveMetrics } from './metrics-server.ts';
import { connectFailFast, connectPatient } from './queues/connection.ts';
import { closeQueues, openQueues } from './queues/hints.ts';
import { createWake } from './queues/wake.ts';
import { stopOnSignals } from './stop.ts';
import { openStorage } from './storage/open-storage.ts';
import { openTracing } from './tracing.ts';
import { createDialer } from './webhooks/dialing/dial.ts';
import { DEFAULT_SCHEDULE, parseSchedule } from './webhooks/schedule.ts';
import type { WorkerDeps } from './workers/deps.ts';
import { workerKinds } from './workers/index.ts';
import { createWorkerMetrics } from './workers/metrics.ts';

/** How long work in hand may take after the order to stop, before it goes back. */
const graceMs = 20_000;

const config = readConfig(process.env, [
  'DATABASE_WORKER_URL',
  'REDIS_URL',
  'STORAGE_URL',
  'SECRET_KEY',
]);
const logger = createLogger(config.LOG_LEVEL, 'worker');
const tracing = await openTracing(config.tracing, 'worker', logger);
const database = await openDatabase(config.DATABASE_WORKER_URL, {
  poolSize: config.POOL_SIZE,
  applicationName: 'scriptorium worker',
});
const relayDatabase = config.workers.includes('relay') ? await openRelay() : null;
await refuseWeakWalls(database);
const metrics = new Registry();
collectDefaultMetrics({ register: metrics });
const redis = connectFailFast(config.REDIS_URL, logger);
const queues = openQueues(redis);
const seal = createSeal(config.SECRET_KEY);
const deps: WorkerDeps = {
  database,
  relayDatabase,
  storage: await openStorage(config.STORAGE_URL, config.SPOOL_PATH),
  engines: createEngines({
    processes: config.OCR_PROCESSES ?? availableParallelism(),
    ...(config.TESSDATA_PATH ? { tessdata: [config.TESSDATA_PATH] } : {}),
    recogniser: config.OCR_ENGINE,
    memoryBytes: config.OCR_MEMORY_MB * 1024 * 1024,
    tmpDir: tmpdir(),
  }),
  imaging: createImaging({
    processes: config.IMAGING_PROCESSES ?? availableParallelism(),
    memoryBytes: config.IMAGING_MEMORY_MB * 1024 * 1024,
    tmpDir: tmpdir(),
  }),
  dialer: createDialer({
    allowCidrs: config.webhookAllowCidrs,
    denyCidrs: config.webhookDenyCidrs,
    perOriginConnections: 100,
    connectTimeoutMs: 5_000,
  }),
  seal: seal.seal,
  unseal: seal.open,
  retrySchedule: config.WEBHOOK_RETRY_SCHEDULE
    ? parseSchedule(config.WEBHOOK_RETRY_SCHEDULE)
    : DEFAULT_SCHEDULE,
  metrics: createWorkerMetrics(metrics, () => database.query('SELECT 1')),
  logger,
  tracing,
  queues,
  redis,
  connect: () => connectPatient(config.REDIS_URL, logger),
  wake: createWake(queues.relay),
  workerId: `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
  retentionDays: limits.event_retention_days,
};

const running = config.workers.map((queue) =>
  workerKinds[queue].start(deps, config.WORKER_SLOTS ?? workerKinds[queue].slots),
);
const metricsServer = serveMetrics(metrics, config.HOST, config.METRICS_PORT);
logger.info({ queues: config.workers, worker: deps.workerId }, 'workers are running');

/** The relay has a role of its own: a process that does not relay need not know its password. */
async function openRelay(): Promise<Database> {
  const { DATABASE_RELAY_URL } = readConfig(process.env, ['DATABASE_RELAY_URL']);
  const opened = await openDatabase(DATABASE_RELAY_URL, {
    poolSize: 12,
    applicationName: 'scriptorium relay',
  });
  await refuseWeakWalls(opened);
  return opened;
}

stopOnSignals(
  { logger, limitMs: graceMs + 15_000, saying: 'stopping: nothing new is taken' },
  async () => {
    await Promise.all(running.map((worker) => worker.stop(graceMs)));
    await Promise.all([deps.engines.close(), deps.imaging.close()]);
    await deps.dialer.close();
    metricsServer.close();
    await closeQueues(queues);
    redis.disconnect();
    await deps.storage.close();
    await database.destroy();
    await relayDatabase?.destroy();
    await tracing.stop();
  },
);
