import { isTerminal } from '../../src/contracts/jobs.ts';
import type { JobRecord } from '../../src/contracts/wire/jobs.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Logger } from '../../src/logger.ts';
import { startApi, type Tenant, type TestApi } from './api.ts';
import { eventually } from './eventually.ts';
import { createRedactor, type Redactor } from './redactor.ts';
import { startPrivateRedis, type TestRedis } from './services.ts';
import { postRaw } from './uploads.ts';
import { prepareWorkers, type TestWorkers } from './workers.ts';

/** The API and workers over one database and one storage, with a redactor that can be made to fail. */
export interface Redactions {
  api: TestApi;
  workers: TestWorkers;
  redis: TestRedis;
  redactor: Redactor;
  /** Uploads a file; returns its identifier. */
  upload(bytes: Buffer | string, name: string): Promise<string>;
  /** Starts a job and waits for its end. */
  redact(objectId: string, body?: object): Promise<JobRecord>;
  run(objectId: string, operations: readonly object[], body?: object): Promise<JobRecord>;
  finished(jobId: string): Promise<JobRecord>;
  pages(jobId: string, tenant?: Pick<Tenant, 'key'>): Promise<PageAnswer[]>;
  content(objectId: string): Promise<{ status: number; bytes: Buffer }>;
  close(): Promise<void>;
}

interface PageAnswer {
  page: number;
  op: string;
  state: string;
  text: string | null;
  result: Record<string, unknown> | null;
  error: { code: string; message: string } | null;
  entities: { type: string; score: number; value?: string; boxes: number[][] }[] | null;
}

/** @param engines `real` redacts as the service does; else a redactor that a test can make fail */
export async function openRedactions(
  logger?: Logger,
  engines: 'doubled' | 'real' = 'doubled',
): Promise<Redactions> {
  const api = await startApi(logger ? { deps: () => ({ logger }) } : {});
  const redis = await startPrivateRedis();
  const [worker, relay] = await Promise.all([
    openDatabase(api.database.workerUrl),
    openDatabase(api.database.relayUrl),
  ]);
  const redactor = createRedactor();
  const { seal, storage } = api.deps;
  const workers = await prepareWorkers({ worker, relay }, redis.url, {
    storage,
    seal: seal.seal,
    unseal: seal.open,
    ...(logger ? { logger } : {}),
  });
  if (engines === 'doubled') workers.deps.engines = redactor.over(workers.deps.engines);
  workers.start('relay', 'ocr', 'redact', 'normalize', 'classify');

  const post = async (path: string, body: object): Promise<JobRecord> => {
    const answer = await api.call('POST', path, { body });
    if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`);
    return finished(answer.json.id);
  };
  const finished = (jobId: string): Promise<JobRecord> =>
    eventually(async () => {
      const job: JobRecord = (await api.call('GET', `/v1/documents/jobs/${jobId}`)).json;
      return isTerminal(job.state) ? job : null;
    });
  return {
    api,
    workers,
    redis,
    redactor,
    finished,
    upload: async (bytes, name) => {
      const answer = await postRaw(api, bytes, name);
      if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
      return answer.json.id;
    },
    redact: (objectId, body = {}) =>
      post('/v1/documents/redact', { source_object_id: objectId, ...body }),
    run: (objectId, operations, body = {}) =>
      post('/v1/documents/jobs', { source_object_id: objectId, operations, ...body }),
    pages: async (jobId, tenant) => {
      const path = `/v1/documents/jobs/${jobId}/pages`;
      const answer = await api.call('GET', path, tenant ? { key: tenant.key } : {});
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
      return answer.json.data;
    },
    content: async (objectId) => {
      const answer = await fetch(`${api.url}/v1/objects/${objectId}/content`, {
        headers: { authorization: `Bearer ${api.key}`, 'x-service-project-id': api.projectId },
      });
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
    },
    close: async () => {
      await workers.stop();
      await redis.remove();
      await worker.destroy();
      await relay.destroy();
      await api.close();
    },
  };
}
