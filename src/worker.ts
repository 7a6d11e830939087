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
import { logInvalidFiles } from './addresses/tls.ts';
import { watchClock } from './clock-watch.ts';
import { logUrlNotes, readConfig } from './config.ts';
import { type Database, openDatabase } from './db/database.ts';
import {
  hasRelaySettings,
  rejectEarlierSchema,
  requireRowSecurity,
} from './db/preparing/start-up.ts';
import { createRecogniser } from './jobs/recogniser/recogniser.ts';
import { createEmbedder } from './library/embeddings/embedder.ts';
import { announceModel } from './library/embeddings/state.ts';
import { createLogger } from './logger.ts';
import { serveMetrics } from './metrics-server.ts';
import { connectFailFast, connectForWorkers } from './queues/connection.ts';
import { rejectUnfitRedis } from './queues/fitness.ts';
import { closeQueues, openQueues } from './queues/hints.ts';
import { createWakeChannel } from './queues/wake.ts';
import { reportStart, startedStep } from './start-report.ts';
import { stopOnSignals } from './stop.ts';
import { checkStoragePermissions, openStorage } from './storage/open-storage.ts';
import { openTracing } from './tracing-open.ts';
import { createDialer } from './webhooks/dialing/dial.ts';
import { DEFAULT_SCHEDULE, parseSchedule } from './webhooks/retry-schedule.ts';
import type { WorkerDeps } from './workers/deps.ts';
import { workerKinds } from './workers/index.ts';
import { createWorkerMetrics } from './workers/metrics.ts';

/** How long idle connections are kept. A new connection has to plan every statement again. */
const idleSeconds = 300;
/** How long work in progress may take after a stop, before it is released. */
const graceMs = 20_000;

/**
 * Queues whose work encrypts or decrypts values: webhook secrets, page results, the values of
 * erasures, the key that signs their reports.
 */
const queuesUsingSeal: ReadonlySet<WorkerName> = new Set([
  'webhooks',
  'ocr',
  'redact',
  'normalize',
  'classify',
  'maintenance',
]);

/** Queues whose work opens customers' files. */
const queuesUsingEngines: ReadonlySet<WorkerName> = new Set([
  'ocr',
  'redact',
  'normalize',
  'classify',
  'imaging',
]);

const settings = takeSettings(process.env);
const config = readConfig(settings, ['DATABASE_WORKER_URL', 'REDIS_URL', 'STORAGE_URL']);
const logger = createLogger(config.LOG_LEVEL, 'worker');
logInvalidFiles(logger);
logUrlNotes(config.urlNotes, logger);
reportStart('checking how engine processes can be isolated');
// Isolation is needed only by workers that open documents.
const usesEngines = config.workers.some((queue) => queuesUsingEngines.has(queue));
const isolation = findIsolation(usesEngines ? config.ENGINE_ISOLATION : 'off');
const scratchPath = config.ENGINE_SCRATCH_PATH ?? tmpdir();
const tracing = await openTracing(config.tracing, 'worker', logger);
reportStart('connecting to Postgres');
const database = await openDatabase(config.DATABASE_WORKER_URL, {
  poolSize: config.POOL_SIZE,
  applicationName: 'scriptorium worker',
  idleSeconds,
});
const relayDatabase = config.workers.includes('relay') ? await openRelayDatabase() : null;
await rejectEarlierSchema(database);
await requireRowSecurity(database);
reportStart('checking the storage');
// Relay and webhook workers do not use the storage.
if (config.workers.some((queue) => queue !== 'relay' && queue !== 'webhooks')) {
  await checkStoragePermissions(config.STORAGE_URL, config.workers.includes('maintenance'));
}
const metrics = new Registry();
collectDefaultMetrics({ register: metrics });
const clock = watchClock({ database, logger, metrics });
reportStart('connecting to Redis');
const redis = connectFailFast(config.REDIS_URL, logger);
await rejectUnfitRedis(redis);
const queues = openQueues(redis);
const bell = createWakeChannel(redis);
reportStart('starting the queues');
const seal = config.workers.some((queue) => queuesUsingSeal.has(queue))
  ? createWorkerSeal()
  : createMissingSeal();
const embedder = config.embeddings && createEmbedder(config.embeddings, metrics);
if (config.workers.includes('maintenance')) {
  await announceModel(database, embedder?.model ?? null);
}
const deps: WorkerDeps = {
  database,
  relayDatabase,
  storage: await openStorage(config.STORAGE_URL, config.SPOOL_PATH),
  engines: createEngines({
    processes: config.OCR_PROCESSES ?? availableParallelism(),
    ...(config.TESSDATA_PATH ? { tessdata: [config.TESSDATA_PATH] } : {}),
    recogniser: config.OCR_ENGINE,
    memoryBytes: config.OCR_MEMORY_MB * 1024 * 1024,
    keepsSpares: config.workers.some(
      (queue) => queue !== 'imaging' && queuesUsingEngines.has(queue),
    ),
    tmpDir: scratchPath,
    isolation,
  }),
  imaging: createImaging({
    processes: config.IMAGING_PROCESSES ?? availableParallelism(),
    memoryBytes: config.IMAGING_MEMORY_MB * 1024 * 1024,
    keepsSpares: config.workers.includes('imaging'),
    tmpDir: scratchPath,
    isolation,
  }),
  recogniser: config.recogniser ? createRecogniser(config.recogniser) : null,
  embedder,
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
  connect: () => connectForWorkers(config.REDIS_URL, logger),
  wake: bell.wake,
  wakeChannel: bell,
  local: { sender: null },
  workerId: `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
  retentionDays: limits.event_retention_days,
};

const runningWorkers = config.workers.map((queue) =>
  workerKinds[queue].start(deps, config.WORKER_SLOTS ?? workerKinds[queue].slots),
);
const metricsServer = serveMetrics(metrics, config.HOST, config.METRICS_PORT);
if (usesEngines) logIsolation();
logger.info({ queues: config.workers, worker: deps.workerId }, 'workers running');
reportStart(startedStep);

/** Logs how engine children are isolated from this machine. */
function logIsolation(): void {
  const fields = { isolation: isolation.kind, in_force: isolation.inForce };
  if (isolation.byKernel) logger.info(fields, 'engine children are isolated by the kernel');
  else {
    logger.warn(fields, 'engine children are not isolated by the kernel; see ENGINE_ISOLATION');
  }
}

/** For workers without a key: only those that decrypt values get one. */
function createMissingSeal(): Seal {
  const throwMissingKey = (): never => {
    throw new Error('SECRET_KEY is required for this worker.');
  };
  return { seal: throwMissingKey, open: throwMissingKey };
}

function createWorkerSeal(): Seal {
  return createSeal(readConfig(settings, ['SECRET_KEY']).SECRET_KEY);
}

/**
 * Opens the database with the role of the relay, so that other processes need not know its
 * password.
 */
async function openRelayDatabase(): Promise<Database> {
  const { DATABASE_RELAY_URL, urlNotes } = readConfig(settings, ['DATABASE_RELAY_URL']);
  logUrlNotes(
    urlNotes.filter(({ setting }) => setting === 'DATABASE_RELAY_URL'),
    logger,
  );
  const relay = await openDatabase(DATABASE_RELAY_URL, {
    poolSize: 12,
    applicationName: 'scriptorium relay',
    idleSeconds,
  });
  await requireRowSecurity(relay);
  if (!(await hasRelaySettings(relay))) {
    logger.warn("the role of the relay lacks settings of this release; run 'admin database setup'");
  }
  return relay;
}

stopOnSignals(
  { logger, limitMs: graceMs + 15_000, logMessage: 'stopping: finishing work in progress' },
  async () => {
    await Promise.all(runningWorkers.map((worker) => worker.stop(graceMs)));
    await Promise.all([deps.engines.close(), deps.imaging.close()]);
    await deps.dialer.close();
    await deps.recogniser?.close();
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
