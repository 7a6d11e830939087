import { isTerminal } from '@scriptorium/contracts/jobs';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import type { Engines } from '@scriptorium/documents';
import { openDatabase } from '../../src/db/database.ts';
import type { Logger } from '../../src/logger.ts';
import { startApi, type Tenant, type TestApi } from './api.ts';
import { eventually } from './eventually.ts';
import { createRedactor, type RedactorDouble } from './redactor.ts';
import { startPrivateRedis, stopAfterRun, type TestRedis } from './services.ts';
import { postRaw } from './uploads.ts';
import { prepareWorkers, type TestWorkers } from './workers.ts';

/** The API and workers over one database and one storage, with a redactor that can be made to fail. */
export interface Redactions {
  api: TestApi;
  workers: TestWorkers;
  redis: TestRedis;
  redactor: RedactorDouble;
  /** Uploads a file; returns its identifier, or that of the file with the same bytes. */
  upload(bytes: Buffer | string, name: string): Promise<string>;
  /** Starts a job and waits for its end. */
  redact(objectId: string, body?: object): Promise<JobRecord>;
  run(objectId: string, operations: readonly object[], body?: object): Promise<JobRecord>;
  untilFinished(jobId: string): Promise<JobRecord>;
  pages(jobId: string, tenant?: Pick<Tenant, 'key'>): Promise<PageResponse[]>;
  content(objectId: string): Promise<{ status: number; bytes: Buffer }>;
  close(): Promise<void>;
}

interface PageResponse {
  page: number;
  op: string;
  state: string;
  text: string | null;
  result: Record<string, unknown> | null;
  error: { code: string; message: string; retryable: boolean } | null;
  entities: { type: string; score: number; value?: string; boxes: number[][] }[] | null;
}

/** Does some work while parts of the engines are replaced. */
export async function withEngines<T>(
  { workers: { deps } }: Pick<Redactions, 'workers'>,
  replace: (engines: Engines) => Partial<Engines>,
  work: () => Promise<T>,
): Promise<T> {
  const { engines } = deps;
  deps.engines = { ...engines, ...replace(engines) };
  try {
    return await work();
  } finally {
    deps.engines = engines;
  }
}

/** The service that receives requests and runs jobs. */
interface Service {
  api: TestApi;
  workers: TestWorkers;
  redis: TestRedis;
  close(): Promise<void>;
}

type EngineChoice = 'doubled' | 'real';

/** @param engines `real` redacts as the service does; else a redactor that a test can make fail */
export async function openRedactions(
  logger?: Logger,
  engines: EngineChoice = 'doubled',
): Promise<Redactions> {
  const service = await startService(logger);
  const redactor = createRedactor();
  if (engines === 'doubled')
    service.workers.deps.engines = redactor.wrap(service.workers.deps.engines);
  service.workers.start('relay', 'ocr', 'redact', 'normalize', 'classify');
  return redactionsOf(service, redactor);
}

let sharedService: Promise<Service & { engines: Engines }> | undefined;

/**
 * The same with all workers over a service and a project that the tests of a run share: a service takes seconds to
 * start, and so does an engine, which serves one project at a time. A test that counts what there is starts its own.
 * `close` leaves the service running.
 */
export async function shareRedactions(engines: EngineChoice = 'doubled'): Promise<Redactions> {
  sharedService ??= startShared();
  const service = await sharedService;
  // As they were before any test.
  await service.api.rows('DELETE FROM policy');
  await service.api.rows('INSERT INTO policy SELECT * FROM first_policy');
  const redactor = createRedactor();
  service.workers.deps.engines =
    engines === 'doubled' ? redactor.wrap(service.engines) : service.engines;
  return redactionsOf({ ...service, close: async () => undefined }, redactor);
}

async function startShared(): Promise<Service & { engines: Engines }> {
  const service = await startService();
  stopAfterRun(service.close);
  const { engines } = service.workers.deps;
  await service.api.rows('CREATE TABLE first_policy AS SELECT * FROM policy');
  service.workers.start('relay', 'ocr', 'redact', 'normalize', 'classify');
  service.workers.start('imaging', 'maintenance');
  return { ...service, engines };
}

async function startService(logger?: Logger): Promise<Service> {
  let wake = (): void => undefined;
  const api = await startApi({
    deps: () => ({ wake: () => wake(), ...(logger ? { logger } : {}) }),
  });
  const redis = await startPrivateRedis();
  const [worker, relay] = await Promise.all([
    openDatabase(api.database.workerUrl),
    openDatabase(api.database.relayUrl),
  ]);
  const { seal, storage } = api.deps;
  const workers = await prepareWorkers({ worker, relay }, redis.url, {
    storage,
    seal: seal.seal,
    unseal: seal.open,
    ...(logger ? { logger } : {}),
  });
  wake = workers.deps.wakeChannel.wake;
  const close = async (): Promise<void> => {
    await workers.stop();
    await redis.remove();
    await worker.destroy();
    await relay.destroy();
    await api.close();
  };
  return { api, workers, redis, close };
}

function redactionsOf(service: Service, redactor: RedactorDouble): Redactions {
  const { api } = service;
  const post = async (path: string, body: object): Promise<JobRecord> => {
    const response = await api.call('POST', path, { body });
    if (response.status !== 202) throw new Error(`${response.status} ${response.text}`);
    return finished(response.json.id);
  };
  const finished = (jobId: string): Promise<JobRecord> =>
    eventually(async () => {
      const job: JobRecord = (await api.call('GET', `/v1/documents/jobs/${jobId}`)).json;
      return isTerminal(job.state) ? job : null;
    });
  return {
    ...service,
    redactor,
    untilFinished: finished,
    upload: async (bytes, name) => {
      const response = await postRaw(api, bytes, name);
      if (![200, 201].includes(response.status))
        throw new Error(`${response.status} ${response.text}`);
      return response.json.id;
    },
    redact: (objectId, body = {}) =>
      post('/v1/documents/redact', { source_object_id: objectId, ...body }),
    run: (objectId, operations, body = {}) =>
      post('/v1/documents/jobs', { source_object_id: objectId, operations, ...body }),
    pages: async (jobId, tenant) => {
      const path = `/v1/documents/jobs/${jobId}/pages`;
      const response = await api.call('GET', path, tenant ? { key: tenant.key } : {});
      if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
      return response.json.data;
    },
    content: async (objectId) => {
      const response = await fetch(`${api.url}/v1/objects/${objectId}/content`, {
        headers: { authorization: `Bearer ${api.key}`, 'x-service-project-id': api.projectId },
      });
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    },
  };
}
