import { randomUUID } from 'node:crypto';
import { newId } from '@scriptorium/contracts/ids';
import type { Bench } from '../bench.ts';
import { jsonRequest } from './load.ts';
import type { Tenant } from './tenants.ts';

/** Creates the text of the next request. */
export type NextRequest = () => string;

/** Cycles through a list. */
function cycle<T>(list: readonly T[]): () => T {
  let at = 0;
  return () => list[at++ % list.length]!;
}

function newJob(objectId: string): string {
  return JSON.stringify({
    source_object_id: objectId,
    operations: [{ op: 'ocr', options: {} }],
    metadata: { case: '4711' },
  });
}

/** Requests to the service's API, cycling through the keys of several tenants, projects first. */
export function createRequests(tenants: readonly Tenant[]) {
  const keys = tenants[0]!.secrets.flatMap((_, key) =>
    tenants.map(({ projectId, objectId, secrets }) => ({
      job: newJob(objectId),
      headers: { Authorization: `Bearer ${secrets[key]}`, 'X-Service-Project-ID': projectId },
    })),
  );
  const key = JSON.stringify({ name: 'one of many', scopes: ['documents:read'] });
  const jobs = (from: typeof keys): NextRequest => {
    const next = cycle(from);
    return () => {
      const { job, headers } = next();
      const idempotentHeaders = { ...headers, 'Idempotency-Key': randomUUID() };
      return jsonRequest('POST', '/v1/documents/jobs', idempotentHeaders, job);
    };
  };
  const nextKey = cycle(keys);
  return {
    jobs: jobs(keys),
    /** Jobs of a single key. */
    jobsOfOne: jobs(keys.slice(0, 1)),
    keys: () => {
      const idempotentHeaders = { ...nextKey().headers, 'Idempotency-Key': randomUUID() };
      return jsonRequest('POST', '/v1/keys', idempotentHeaders, key);
    },
    /** Changes of the tags of objects, and reads of them, cycling through a thousand. */
    async objects(bench: Bench): Promise<{ change: NextRequest; read: NextRequest }> {
      const objects = Array.from({ length: 1_000 }, (_, at) => ({
        ...keys[at % keys.length]!,
        id: newId('object'),
      }));
      await bench.query(
        `INSERT INTO object (id, project_id, state, filename, mime, bytes, sha256, source_kind)
         SELECT o.id, o.project_id, 'available', 'a.txt', 'text/plain', 1, repeat('0', 64), 'upload'
         FROM unnest($1::text[], $2::text[]) AS o (id, project_id)`,
        [
          objects.map(({ id }) => id),
          objects.map(({ headers }) => headers['X-Service-Project-ID']),
        ],
      );
      const nextObject = cycle(objects);
      let turn = 0;
      return {
        change() {
          const { id, headers } = nextObject();
          const tags = JSON.stringify({ tags: ['kept', `tag ${turn++ % 97}`] });
          return jsonRequest('PATCH', `/v1/objects/${id}`, headers, tags);
        },
        read() {
          const { id, headers } = nextObject();
          return jsonRequest('GET', `/v1/objects/${id}`, headers);
        },
      };
    },
    /** Reads of existing jobs. */
    async reads(bench: Bench): Promise<NextRequest> {
      const jobRows = await bench.query<{ id: string; project_id: string }>(
        'SELECT id, project_id FROM job ORDER BY random() LIMIT 1000',
      );
      const nextJob = cycle(jobRows);
      const nextSecrets = new Map(
        tenants.map(({ projectId, secrets }) => [projectId, cycle(secrets)]),
      );
      return () => {
        const { id, project_id: projectId } = nextJob();
        const headers = {
          Authorization: `Bearer ${nextSecrets.get(projectId)!()}`,
          'X-Service-Project-ID': projectId,
        };
        return jsonRequest('GET', `/v1/documents/jobs/${id}`, headers);
      };
    },
  };
}

/** The same requests to the naive handlers. */
export function createNaiveRequests(secrets: readonly string[], objectId: string) {
  const job = newJob(objectId);
  const nextKey = cycle(secrets);
  const authorization = () => ({ Authorization: `Bearer ${nextKey()}` });
  return {
    bare: () => jsonRequest('POST', '/bare/jobs', {}, job),
    checked: () => jsonRequest('POST', '/checked/jobs', authorization(), job),
    named: () => jsonRequest('POST', '/named/jobs', authorization(), job),
    async reads(bench: Bench): Promise<NextRequest> {
      const jobRows = await bench.query<{ id: string; owner: string }>(
        `SELECT id, owner FROM naive.job WHERE owner <> 'anyone' ORDER BY random() LIMIT 1000`,
      );
      const nextJob = cycle(jobRows);
      return () => {
        const { id, owner } = nextJob();
        const secret = secrets[Number(owner.replace('owner-', ''))];
        return jsonRequest('GET', `/checked/jobs/${id}`, { Authorization: `Bearer ${secret}` });
      };
    },
  };
}
