import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { authenticateAndClaim } from '../../../src/access/authenticate.ts';
import { inProject, inTransaction } from '../../../src/db/transaction.ts';
import { record } from '../../../src/outbox/record.ts';
import type { ApiResponse, TestApi } from '../api.ts';
import { originOf } from '../database-fixture.ts';
import { eventually } from '../eventually.ts';
import type { Receiver } from '../receiver.ts';
import { postRaw } from '../uploads.ts';

/**
 * The service under test: an API, all loops of a relay and of workers, and a receiver of webhooks.
 */
export interface HotPathSetup {
  api: TestApi;
  receiver: Receiver;
  /** The enabled endpoint of the receiver. */
  endpointId: string;
  /** A session of a person who is a member. */
  memberSession: string;
}

/** As many events are recorded at once as one plan for a few rows serves. */
const eventsAtOnce = 32;

/**
 * Does once what runs for every request and every task: writes with Idempotency-Keys, one by one
 * and together, reads of single rows and of first pages, uploads, downloads and changes of objects,
 * and everything that follows: events, deliveries that succeed and that fail first, and tasks.
 */
export async function runHotPaths(setup: HotPathSetup): Promise<void> {
  const { api, endpointId } = setup;
  const requireSuccess = async (
    method: string,
    path: string,
    body?: unknown,
  ): Promise<ApiResponse> => {
    const response = await api.call(method, path, body === undefined ? {} : { body });
    expect(response.status, `${method} ${path}: ${response.text}`).to.be.below(300);
    return response;
  };

  const uploaded = await postRaw(api, `A note, ${randomUUID()}.`, 'note.txt');
  const objectId: string = uploaded.json.id;
  const job = { source_object_id: objectId, operations: [{ op: 'normalize_for_llm' }] };
  const create = (key: string) =>
    api.call('POST', '/v1/documents/jobs', { body: job, headers: { 'idempotency-key': key } });
  const key = randomUUID();
  // Those that wait for the first share a transaction.
  const created = await Promise.all(
    [key, ...Array.from({ length: 7 }, () => randomUUID())].map(create),
  );
  for (const { status, text } of created) expect(status, text).to.equal(202);
  const repeated = await create(key);
  expect(repeated.json.id).to.equal(created[0]!.json.id);
  const jobId: string = repeated.json.id;
  await requireSuccess('GET', `/v1/documents/jobs/${jobId}`);
  await requireSuccess('GET', '/v1/documents/jobs?limit=20');
  await requireSuccess('POST', `/v1/documents/jobs/${jobId}/cancel`);

  await requireSuccess('PATCH', `/v1/objects/${objectId}`, { tags: ['one', 'two'] });
  await requireSuccess('GET', `/v1/objects/${objectId}`);
  await requireSuccess('GET', `/v1/objects/${objectId}/content`);
  await requireSuccess('GET', '/v1/objects?limit=20');
  await requireSuccess('POST', '/v1/keys', { name: 'One', scopes: ['documents:read'] });
  await api.deps.requestCounts.flush();
  await api.deps.downloadCounts.flush();
  await inTransaction(api.deps.database, (tx) =>
    authenticateAndClaim(
      tx,
      { memberSession: setup.memberSession, projectId: api.projectId },
      'quick',
      {
        route: 'createJob',
        values: [randomUUID(), randomUUID()],
      },
    ),
  );

  await inProject(api.deps.database, api.projectId, (tx) =>
    record(
      tx,
      originOf(api.projectId),
      ...Array.from({ length: eventsAtOnce }, () => ({
        type: 'dam.object.trashed' as const,
        resourceId: objectId,
        data: {},
      })),
    ),
  );
  await untilDelivered(setup);
  const [latest] = (await requireSuccess('GET', '/v1/events?limit=20&order=desc')).json.data;
  await requireSuccess('GET', `/v1/events/${latest.id}`);
  await requireSuccess('GET', `/v1/events?limit=20&after=${latest.sequence - 5}`);
  await requireSuccess('GET', `/v1/events?resource_id=${objectId}`);
  const [delivery] = (await requireSuccess('GET', `/v1/webhooks/${endpointId}/deliveries?limit=20`))
    .json.data;
  await requireSuccess('GET', `/v1/webhooks/${endpointId}/deliveries/${delivery.id}`);
  await requireSuccess('GET', `/v1/webhooks/${endpointId}/stats`);
}

/** Waits until everything is numbered and delivered. */
async function untilDelivered({ api, endpointId }: HotPathSetup): Promise<void> {
  await eventually(async () => {
    const pending = await api.rows(
      `SELECT FROM event WHERE sequence IS NULL
       UNION ALL SELECT FROM due_delivery WHERE endpoint_id = $1`,
      [endpointId],
    );
    return pending.length === 0;
  });
}
