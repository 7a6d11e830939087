import { limits } from '@scriptorium/contracts/limits';
import { notFound } from '@scriptorium/contracts/problems';
import { grants } from '@scriptorium/contracts/scopes';
import {
  ConsumerCommit,
  ConsumerCommitted,
  ConsumerCreate,
  ConsumerEvents,
  ConsumerRecord,
  ConsumerSeek,
  consumerEventsQuery,
} from '@scriptorium/contracts/wire/consumers';
import { listQuery, listSchema, strictObject } from '@scriptorium/contracts/wire/shapes';
import { Type } from 'typebox';
import type { Tx } from '../../db/transaction.ts';
import type { Consumer } from '../../entities/outbox/consumer.ts';
import { readBounds } from '../../outbox/feed/bounds.ts';
import { lagOf } from '../../outbox/feed/consumers/lag-queries.ts';
import {
  type AcknowledgedAhead,
  acknowledgeAhead,
  commit,
  seek,
} from '../../outbox/feed/consumers/move.ts';
import { readForConsumer } from '../../outbox/feed/consumers/read.ts';
import {
  countConsumers,
  createConsumer,
  deleteConsumer,
  findConsumer,
  listConsumers,
  lockConsumer,
  presentConsumer,
} from '../../outbox/feed/consumers/store.ts';
import { presentEvent } from '../../outbox/feed/feed.ts';
import type { EventCategory } from '../../outbox/feed/filters.ts';
import { viewFor } from '../events/feed-query.ts';
import { readOrWait } from '../events/long-poll.ts';
import { created, etagOf, noContent, ok } from '../frame/reply.ts';
import { type LoadCall, route, streamRoute } from '../frame/route.ts';
import { idPageStart, page } from '../requests/cursor.ts';

const tag = 'Event consumers';
const path = '/v1/events/consumers';

type ConsumerLoadCall = Pick<LoadCall<string, never>, 'key' | 'tx'> & { params: { id: string } };

/** Loads the consumer in the path. Audit consumers require the `audit:read` scope. */
function createLoader(find: typeof findConsumer) {
  return async ({ tx, key, params }: ConsumerLoadCall): Promise<Consumer | null> => {
    const consumer = await find(tx, key.projectId, params.id);
    if (consumer) viewFor(consumer, key.scopes);
    return consumer;
  };
}

async function present(tx: Tx, consumer: Consumer): Promise<ConsumerRecord> {
  const bounds = await readBounds(tx, consumer.projectId, consumer.category);
  return presentConsumer(consumer, bounds, await lagOf(tx, consumer, bounds));
}

const list = route({
  method: 'GET',
  path,
  operationId: 'listConsumers',
  tag,
  summary: 'List the consumers of the project, newest first.',
  description: 'Consumers of audit events are listed only with the `audit:read` scope.',
  scopes: ['events:read'],
  query: strictObject({
    ...listQuery(),
    name: Type.Optional(
      Type.String({ maxLength: 100, description: 'Only the consumer with this name.' }),
    ),
  }),
  responses: { 200: listSchema(ConsumerRecord) },
  handler: async (call) => {
    const { tx, query } = call;
    const { projectId, scopes } = call.key;
    const categories: EventCategory[] = grants(scopes, 'audit:read')
      ? ['domain', 'audit']
      : ['domain'];
    const filters = { categories, name: query.name };
    const rows = await listConsumers(tx, projectId, { ...filters, ...idPageStart(call) });
    const bounds = {
      domain: await readBounds(tx, projectId, 'domain'),
      audit: await readBounds(tx, projectId, 'audit'),
    };
    const lags = new Map<string, number>();
    for (const consumer of rows) {
      lags.set(consumer.id, await lagOf(tx, consumer, bounds[consumer.category]));
    }
    return page(call, rows, {
      present: (consumer) =>
        presentConsumer(consumer, bounds[consumer.category], lags.get(consumer.id)!),
      position: ({ id }) => [id],
      count: () => countConsumers(tx, projectId, filters),
    });
  },
});

const create = route({
  method: 'POST',
  path,
  operationId: 'createConsumer',
  tag,
  summary: 'Create a consumer, a named reader with a stored position.',
  description: `The filters of a consumer cannot be changed. The maximum is ${limits.consumers_per_project} consumers per project.`,
  scopes: ['events:ack'],
  body: ConsumerCreate,
  responses: { 201: ConsumerRecord },
  problems: ['already_exists', 'state_conflict'],
  handler: async ({ tx, origin, key, body }) => {
    viewFor({ category: body.category ?? 'domain' }, key.scopes);
    const consumer = await createConsumer(tx, origin, body);
    const { id, version } = consumer;
    return created(await present(tx, consumer), `${path}/${id}`, { version });
  },
});

const get = route({
  method: 'GET',
  path: `${path}/{id}`,
  operationId: 'getConsumer',
  tag,
  summary: 'Get a consumer with its position and lag.',
  scopes: ['events:read'],
  params: { id: 'consumer' },
  responses: { 200: ConsumerRecord },
  volatile: true,
  load: createLoader(findConsumer),
  handler: async ({ tx, resource }) =>
    ok(await present(tx, resource), { version: resource.version }),
});

const remove = route({
  method: 'DELETE',
  path: `${path}/{id}`,
  operationId: 'deleteConsumer',
  tag,
  summary: 'Delete a consumer. Events are not affected.',
  scopes: ['events:ack'],
  params: { id: 'consumer' },
  responses: { 204: null },
  load: createLoader(lockConsumer),
  handler: async ({ tx, origin, resource }) => {
    await deleteConsumer(tx, origin, resource);
    return noContent();
  },
});

const events = streamRoute({
  method: 'GET',
  path: `${path}/{id}/events`,
  operationId: 'readConsumerEvents',
  tag,
  summary: 'Read the events after the position of a consumer.',
  description:
    'Reading does not move the position. Process the events, commit `commit_sequence`, and read again. Uncommitted events are read again, so none is lost if a reader crashes; two concurrent readers get the same events. The response has the ETag of the consumer: a commit with it in `If-Match` returns 412 if the position has moved in the meantime. `wait_seconds` waits for the first event. If the events after the position are no longer retained, the response is 410 with `earliest_sequence`. Events that the filters exclude need no commit.',
  scopes: ['events:read'],
  work: 'search',
  params: { id: 'consumer' },
  query: consumerEventsQuery,
  responses: { 200: ConsumerEvents },
  problems: ['cursor_expired'],
  volatile: true,
  writes: true,
  concurrency: 64,
  load: createLoader(findConsumer),
  handler: async (call) => {
    const { projectId } = call.key;
    const { limit, wait_seconds: waitSeconds } = call.query;
    // The sequence up to which this request has found no match. Valid until the consumer moves.
    let progress = { version: 0, done: 0 };
    const result = await readOrWait(call, waitSeconds, () =>
      call.inProject(async (tx, key) => {
        const consumer = await findConsumer(tx, projectId, call.params.id);
        if (!consumer) throw notFound('consumer', call.params.id);
        const view = viewFor(consumer, key.scopes);
        const from = consumer.version === progress.version ? progress.done : 0;
        const read = await readForConsumer(tx, consumer, { from, limit });
        progress = { version: consumer.version, done: read.processedUpTo };
        const lag = await lagOf(tx, consumer, read, read.processedUpTo);
        return { ...read, view, lag, version: consumer.version };
      }),
    );
    return ok(
      {
        data: result.events.map((event) => presentEvent(event, result.view)),
        has_more: result.hasMore,
        position: result.processedUpTo,
        commit_sequence: result.position,
        latest_sequence: result.latest,
        lag: result.lag,
      },
      { etag: etagOf(result.version) },
    );
  },
});

const commitRoute = route({
  method: 'POST',
  path: `${path}/{id}/commit`,
  operationId: 'commitConsumer',
  tag,
  summary: 'Commit the position of a consumer after processing events.',
  description:
    'Committing the same sequence again has no effect. A sequence before the position returns 409: use seek to go back. A sequence after the newest event returns 422. `ack` also acknowledges the committed events that match the filters: many of them in batches, before the position moves. If such a request fails, some of them may be published, and it can be repeated.',
  scopes: ['events:ack'],
  params: { id: 'consumer' },
  body: ConsumerCommit,
  responses: { 200: ConsumerCommitted },
  problems: ['state_conflict'],
  load: createLoader(lockConsumer),
  prepareWith: 'ack',
  prepare: async ({ inProject, resource, body }): Promise<AcknowledgedAhead | undefined> =>
    body.ack ? acknowledgeAhead(inProject, resource, body.sequence) : undefined,
  handler: async ({ tx, resource, body, prepared }) => {
    const { sequence, ack = false } = body;
    const moved = await commit(tx, resource, { sequence, ack, ahead: prepared });
    const { consumer, acknowledged } = moved;
    const { version } = consumer;
    return ok({ ...(await present(tx, consumer)), acknowledged }, { version });
  },
});

const seekRoute = route({
  method: 'POST',
  path: `${path}/{id}/seek`,
  operationId: 'seekConsumer',
  tag,
  summary: 'Move a consumer to any retained position, backwards or forwards.',
  description:
    '`sequence` or `event_id` sets the position to that event, and reading continues after it. `to` continues with the earliest retained event, or with new events only. Seeking does not change whether events are published.',
  scopes: ['events:ack'],
  params: { id: 'consumer' },
  body: ConsumerSeek,
  responses: { 200: ConsumerRecord },
  problems: ['reference_not_found', 'cursor_expired'],
  load: createLoader(lockConsumer),
  handler: async ({ tx, origin, resource, body }) => {
    const consumer = await seek(tx, origin, resource, body);
    return ok(await present(tx, consumer), { version: consumer.version });
  },
});

export const consumerRoutes = [list, create, get, remove, events, commitRoute, seekRoute];
