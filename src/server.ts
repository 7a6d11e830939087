import { setTimeout as delay } from 'node:timers/promises';
import { installedLanguages } from '@scriptorium/documents/ocr/tessdata';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { createRateLimits, createRequestCounts } from './access/rate-limits.ts';
import { createSeal } from './access/seal.ts';
import { takeSettings } from './access/secret-settings.ts';
import { createSigner } from './access/signer.ts';
import { logInvalidFiles } from './addresses/tls.ts';
import { createApp } from './api/app.ts';
import { clientLimits } from './api/connections/limits.ts';
import { listen } from './api/listen.ts';
import { warmUp } from './api/warm-up.ts';
import { watchClock } from './clock-watch.ts';
import { logUrlNotes, readConfig } from './config.ts';
import { openDatabase } from './db/database.ts';
import {
  rejectEarlierSchema,
  requireRowSecurity,
  requireStableSession,
} from './db/preparing/start-up.ts';
import { createDownloadCounts } from './library/downloads/counts.ts';
import { createEmbeddingCounts } from './library/embeddings/counts.ts';
import { createEmbedder } from './library/embeddings/embedder.ts';
import { openUploadLocks } from './library/uploads/locks.ts';
import { createLogger } from './logger.ts';
import { serveMetrics } from './metrics-server.ts';
import { listenForEvents } from './outbox/feed/listen.ts';
import { connectFailFast } from './queues/connection.ts';
import { closeQueues, openQueues } from './queues/hints.ts';
import { createWakeChannel } from './queues/wake.ts';
import { reportStart, startedStep } from './start-report.ts';
import { stopOnSignals } from './stop.ts';
import { checkStoragePermissions, openStorage } from './storage/open-storage.ts';
import { openTracing } from './tracing-open.ts';
import { createDialer } from './webhooks/dialing/dial.ts';

const config = readConfig(takeSettings(process.env), [
  'DATABASE_URL',
  'STORAGE_URL',
  'SECRET_KEY',
  'SIGNING_KEY',
]);
const logger = createLogger(config.LOG_LEVEL, 'server');
logInvalidFiles(logger);
logUrlNotes(config.urlNotes, logger);
const tracing = await openTracing(config.tracing, 'server', logger);
reportStart('connecting to Postgres');
const database = await openDatabase(config.DATABASE_URL, {
  poolSize: config.POOL_SIZE,
  applicationName: 'scriptorium server',
  // Requests set a shorter limit.
  statementSeconds: 60,
  // Keeps the connections of a burst open for the next burst.
  idleSeconds: 300,
});
await rejectEarlierSchema(database);
await requireRowSecurity(database);
reportStart('checking the storage');
await checkStoragePermissions(config.STORAGE_URL, false);
reportStart('connecting to Redis');
// Without Redis, the API only lacks wake-ups and shared counters.
const redis = config.REDIS_URL ? connectFailFast(config.REDIS_URL, logger) : null;
const queues = redis ? openQueues(redis) : null;
reportStart('opening the port');
const sessionUrl = config.DATABASE_SESSION_URL ?? config.DATABASE_URL;
await requireStableSession(database, config.DATABASE_URL, config.DATABASE_SESSION_URL);
const events = listenForEvents(sessionUrl, logger);
const uploadLocks = openUploadLocks(sessionUrl, logger);
const dialer = createDialer({
  allowCidrs: config.webhookAllowCidrs,
  denyCidrs: config.webhookDenyCidrs,
  // The number of tests of one webhook that a key may send at once.
  perOriginConnections: 4,
  connectTimeoutMs: 5_000,
});
const storage = await openStorage(config.STORAGE_URL, config.SPOOL_PATH);
const metrics = new Registry();
collectDefaultMetrics({ register: metrics });

const shutdown = { hasBegun: false };
const clock = watchClock({ database, logger, metrics });
const requestCounts = createRequestCounts(database, logger);
const downloadCounts = createDownloadCounts(database, logger);
const embeddingCounts = createEmbeddingCounts(database, logger);

const app = createApp({
  database,
  redis,
  queues,
  storage,
  uploadLocks,
  logger,
  tracing,
  wake: createWakeChannel(redis).wake,
  seal: createSeal(config.SECRET_KEY),
  events,
  dialer,
  signer: createSigner(config.SIGNING_KEY),
  rateLimits: createRateLimits(redis),
  requestCounts,
  downloadCounts,
  embedder: config.embeddings && createEmbedder(config.embeddings, metrics),
  embeddingCounts,
  metrics,
  shutdown,
  settings: {
    trustProxy: config.TRUST_PROXY,
    publicUrl: config.PUBLIC_URL ?? null,
    corsOrigins: config.corsOrigins,
    operatorPassword: config.OPERATOR_PASSWORD ?? null,
    isBoardWritable: config.BOARD_WRITABLE,
    signIn: config.signIn,
    localSignInToken: config.LOCAL_SIGN_IN_TOKEN ?? null,
    webhookAllowCidrs: config.webhookAllowCidrs,
    // Workers run on the same machine, or have the same languages installed.
    ocrLanguages: installedLanguages(config.TESSDATA_PATH),
    checkResponses: false,
  },
});
const httpServer = await listen(app, config.HOST, config.PORT, {
  ...clientLimits,
  connectionsPerAddress: config.TRUST_PROXY
    ? Number.POSITIVE_INFINITY
    : config.CONNECTIONS_PER_ADDRESS,
});
logger.info({ host: config.HOST, port: httpServer.port }, 'listening');
reportStart(startedStep);
warmUp(database).catch((error: unknown) => {
  logger.warn({ err: error }, 'could not open connections in advance');
});

const metricsServer = serveMetrics(metrics, config.HOST, config.METRICS_PORT);

/** The time limit for stopping, after the delay. */
const stopTimeoutMs = 20_000;
const delayMs = config.SHUTDOWN_DELAY_SECONDS * 1_000;

stopOnSignals(
  {
    logger,
    limitMs: delayMs + stopTimeoutMs,
    logMessage: 'stopping: finishing requests in progress',
  },
  async () => {
    shutdown.hasBegun = true;
    httpServer.drain();
    await delay(delayMs);
    await events.close();
    await httpServer.stop();
    clock.stop();
    await downloadCounts.flush();
    await requestCounts.flush();
    await embeddingCounts.flush();
    await uploadLocks.close();
    await dialer.close();
    metricsServer.close();
    if (queues) await closeQueues(queues);
    redis?.disconnect();
    await storage.close();
    await database.destroy();
    await tracing.stop();
  },
);
