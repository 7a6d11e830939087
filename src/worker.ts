import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname, tmpdir } from 'node:os';
import { limits } from '@scriptorium/contracts/limits';
import type { WorkerName } from '@scriptorium/contracts/work/queues';
import { createEngines } from '@scriptorium/documents';
import { createImaging } from '@scriptorium/documents/imaging';
import { findIsolation } from '@scriptorium/sandbox/isolation';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { createSeal, type Seal } from './access/seal.ts';
import { takeSettings } from './access/secret-settings.ts';
import { logBadFiles } from './addresses/tls.ts';
import { watchClock } from './clock-watch.ts';
import { logUrlNotes, readConfig } from './config.ts';
import { type Database, openDatabase } from './db/database.ts';
import { plansByIndex, rejectEarlierSchema, rejectWeakWalls } from './db/preparing/start-up.ts';
import { createLogger } from './logger.ts';
import { serveMetrics } from './metrics-server.ts';
import { connectFailFast, connectPatient } from './queues/connection.ts';
import { rejectUnfitRedis } from './queues/fitness.ts';
import { closeQueues, openQueues } from './queues/hints.ts';
import { createBell } from './queues/wake.ts';
import { reportStart, started } from './start-report.ts';
import { stopOnSignals } from './stop.ts';
import { openStorage, rejectUnfitStorage } from './storage/open-storage.ts';
import { openTracing } from './tracing-open.ts';
import { createDialer } from './webhooks/dialing/dial.ts';
import { DEFAULT_SCHEDULE, parseSchedule } from './webhooks/schedule.ts';
import type { WorkerDeps } from './workers/deps.ts';
import { workerKinds } from './workers/index.ts';
import { createWorkerMetrics } from './workers/metrics.ts';

/** How long an idle connection is kept: a new one plans every statement again. */
const idleSeconds = 300;
/** How long work in progress may take after a stop, before it is given back. */
const graceMs = 20_000;

/** Queues whose work creates or opens sealed values: secrets of webhooks, results of pages. */
const unsealing: ReadonlySet<WorkerName> = new Set([
  'webhooks',
  'ocr',
  'redact',
  'normalize',
  'classify',
]);

/** Queues whose work opens customers' files. */
const reading: ReadonlySet<WorkerName> = new Set([
  'ocr',
  'redact',
  'normalize',
  'classify',
  'imaging',
]);

const settings = takeSettings(process.env);
const config = readConfig(settings, ['DATABASE_WORKER_URL', 'REDIS_URL', 'STORAGE_URL']);
const logger = createLogger(config.LOG_LEVEL, 'worker');
logBadFiles(logger);
logUrlNotes(config.urlNotes, logger);
reportStart('looking for a way to isolate documents');
// Without documents to open, isolation is neither tested nor required.
const usesEngines = config.workers.some((queue) => reading.has(queue));
const isolation = findIsolation(usesEngines ? config.ENGINE_ISOLATION : 'off');
const scratch = config.ENGINE_SCRATCH_PATH ?? tmpdir();
const tracing = await openTracing(config.tracing, 'worker', logger);
reportStart('connecting to Postgres');
const database = await openDatabase(config.DATABASE_WORKER_URL, {
  poolSize: config.POOL_SIZE,
  applicationName: 'scriptorium worker',
  idleSeconds,
});
const relayDatabase = config.workers.includes('relay') ? await openRelay() : null;
await rejectEarlierSchema(database);
await rejectWeakWalls(database);
reportStart('checking the storage');
// Relays and senders of webhooks touch no files.
if (config.workers.some((queue) => queue !== 'relay' && queue !== 'webhooks')) {
  await rejectUnfitStorage(config.STORAGE_URL, config.workers.includes('maintenance'));
}
const metrics = new Registry();
collectDefaultMetrics({ register: metrics });
const clock = watchClock({ database, logger, metrics });
reportStart('connecting to Redis');
const redis = connectFailFast(config.REDIS_URL, logger);
await rejectUnfitRedis(redis);
const queues = openQueues(redis);
const bell = createBell(redis);
reportStart('starting its queues');
const seal = config.workers.some((queue) => unsealing.has(queue)) ? openSeal() : noSeal();
const deps: WorkerDeps = {
  database,
  relayDatabase,
  storage: await openStorage(config.STORAGE_URL, config.SPOOL_PATH),
  engines: createEngines({
    processes: config.OCR_PROCESSES ?? availableParallelism(),
    ...(config.TESSDATA_PATH ? { tessdata: [config.TESSDATA_PATH] } : {}),
    recogniser: config.OCR_ENGINE,
    memoryBytes: config.OCR_MEMORY_MB * 1024 * 1024,
    keepsSpares: config.workers.some((queue) => queue !== 'imaging' && reading.has(queue)),
    tmpDir: scratch,
    isolation,
  }),
  imaging: createImaging({
    processes: config.IMAGING_PROCESSES ?? availableParallelism(),
    memoryBytes: config.IMAGING_MEMORY_MB * 1024 * 1024,
    keepsSpares: config.workers.includes('imaging'),
    tmpDir: scratch,
    isolation,
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
  wake: bell.ring,
  bell,
  local: { sender: null },
  workerId: `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
  retentionDays: limits.event_retention_days,
};

const running = config.workers.map((queue) =>
  workerKinds[queue].start(deps, config.WORKER_SLOTS ?? workerKinds[queue].slots),
);
const metricsServer = serveMetrics(metrics, config.HOST, config.METRICS_PORT);
if (usesEngines) tellIsolation();
logger.info({ queues: config.workers, worker: deps.workerId }, 'workers running');
reportStart(started);

/** Logs how engine children are isolated from this machine. */
function tellIsolation(): void {
  const fields = { isolation: isolation.kind, in_force: isolation.inForce };
  if (isolation.byKernel) logger.info(fields, 'engine children are isolated by the kernel');
  else {
    logger.warn(fields, 'engine children are not isolated by the kernel; see ENGINE_ISOLATION');
  }
}

/** Only workers that open sealed values get a key. */
function noSeal(): Seal {
  const notSealed = (): never => {
    throw new Error('SECRET_KEY is required for this worker.');
  };
  return { seal: notSealed, open: notSealed };
}

function openSeal(): Seal {
  return createSeal(readConfig(settings, ['SECRET_KEY']).SECRET_KEY);
}

/** The relay has its own role: other processes need not know its password. */
async function openRelay(): Promise<Database> {
  const { DATABASE_RELAY_URL, urlNotes } = readConfig(settings, ['DATABASE_RELAY_URL']);
  logUrlNotes(
    urlNotes.filter(({ setting }) => setting === 'DATABASE_RELAY_URL'),
    logger,
  );
  const opened = await openDatabase(DATABASE_RELAY_URL, {
    poolSize: 12,
    applicationName: 'scriptorium relay',
    idleSeconds,
  });
  await rejectWeakWalls(opened);
  if (!(await plansByIndex(opened))) {
    logger.warn("the role of the relay lacks settings of this release; run 'admin database setup'");
  }
  return opened;
}

stopOnSignals(
  { logger, limitMs: graceMs + 15_000, saying: 'stopping: finishing work in progress' },
  async () => {
    await Promise.all(running.map((worker) => worker.stop(graceMs)));
    await Promise.all([deps.engines.close(), deps.imaging.close()]);
    await deps.dialer.close();
    clock.stop();
    metricsServer.close();
    await closeQueues(queues);
    redis.disconnect();
    await deps.storage.close();
    await database.destroy();
    await relayDatabase?.destroy();
    await tracing.stop();
  },
);
