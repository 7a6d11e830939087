import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { askAdmission } from '../../../src/access/authenticate.ts';
import { inProject, inTransaction } from '../../../src/db/transaction.ts';
import { record } from '../../../src/outbox/record.ts';
import type { Answer, TestApi } from '../api.ts';
import { eventually } from '../eventually.ts';
import { originOf } from '../outbox.ts';
import type { Receiver } from '../receiver.ts';
import { postRaw } from '../uploads.ts';

/**
 * The service under test: an API, all loops of a relay and of workers, and a receiver of webhooks.
 */
export interface HotStage {
  api: TestApi;
  receiver: Receiver;
  /** The enabled endpoint of the receiver. */
  endpointId: string;
  /** A session of a person who is a member. */
  personSession: string;
}

/** As many events are recorded at once as one plan for a few rows serves. */
const batch = 32;

/**
 * Does once what runs for every request and every task: writes with Idempotency-Keys, one by one and
 * together, reads of single rows and of first pages, uploads, downloads and changes of objects, and
 * everything that follows: events, deliveries that succeed and that fail first, and tasks.
 */
export async function takeHotPaths(stage: HotStage): Promise<void> {
  const { api, endpointId } = stage;
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await api.call(method, path, body === undefined ? {} : { body });
    expect(answer.status, `${method} ${path}: ${answer.text}`).to.be.below(300);
    return answer;
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
  const again = await create(key);
  expect(again.json.id).to.equal(created[0]!.json.id);
  const jobId: string = again.json.id;
  await ask('GET', `/v1/documents/jobs/${jobId}`);
  await ask('GET', '/v1/documents/jobs?limit=20');
  await ask('POST', `/v1/documents/jobs/${jobId}/cancel`);

  await ask('PATCH', `/v1/objects/${objectId}`, { tags: ['one', 'two'] });
  await ask('GET', `/v1/objects/${objectId}`);
  await ask('GET', `/v1/objects/${objectId}/content`);
  await ask('GET', '/v1/objects?limit=20');
  await ask('POST', '/v1/keys', { name: 'One', scopes: ['documents:read'] });
  await api.deps.requestCounts.flush();
  await api.deps.downloadCounts.flush();
  await inTransaction(api.deps.database, (tx) =>
    askAdmission(tx, { personSession: stage.personSession, projectId: api.projectId }, 'quick', {
      route: 'createJob',
      values: [randomUUID(), randomUUID()],
    }),
  );

  await inProject(api.deps.database, api.projectId, (tx) =>
    record(
      tx,
      originOf(api.projectId),
      ...Array.from({ length: batch }, () => ({
        type: 'dam.object.trashed' as const,
        resourceId: objectId,
        data: {},
      })),
    ),
  );
  await settled(stage);
  const [latest] = (await ask('GET', '/v1/events?limit=20&order=desc')).json.data;
  await ask('GET', `/v1/events/${latest.id}`);
  await ask('GET', `/v1/events?limit=20&after=${latest.sequence - 5}`);
  await ask('GET', `/v1/events?resource_id=${objectId}`);
  const [delivery] = (await ask('GET', `/v1/webhooks/${endpointId}/deliveries?limit=20`)).json.data;
  await ask('GET', `/v1/webhooks/${endpointId}/deliveries/${delivery.id}`);
  await ask('GET', `/v1/webhooks/${endpointId}/stats`);
}

/** Waits until everything is numbered and delivered. */
async function settled({ api, endpointId }: HotStage): Promise<void> {
  await eventually(async () => {
    const left = await api.rows(
      `SELECT FROM event WHERE sequence IS NULL
       UNION ALL SELECT FROM due_delivery WHERE endpoint_id = $1`,
      [endpointId],
    );
    return left.length === 0;
  });
}
