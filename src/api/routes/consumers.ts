import { Type } from 'typebox';
import { limits } from '../../contracts/limits.ts';
import { notFound } from '../../contracts/problems.ts';
import { grants } from '../../contracts/scopes.ts';
import {
  ConsumerCommit,
  ConsumerCommitted,
  ConsumerCreate,
  ConsumerEvents,
  ConsumerRecord,
  ConsumerSeek,
  consumerEventsQuery,
} from '../../contracts/wire/consumers.ts';
import { listQuery, listSchema, strictObject } from '../../contracts/wire/shapes.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Consumer } from '../../entities/consumer.ts';
import { lagOf } from '../../outbox/feed/consumers/lag.ts';
import { commit, seek } from '../../outbox/feed/consumers/move.ts';
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
import { type EventCategory, presentEvent, readBounds } from '../../outbox/feed/feed.ts';
import { viewFor } from '../events/feed-query.ts';
import { readOrWait } from '../events/long-poll.ts';
import { created, etagOf, noContent, ok } from '../frame/reply.ts';
import { type LoadCall, route, streamRoute } from '../frame/route.ts';
import { page, readCursor, wantsTotal } from '../requests/cursor.ts';

const tag = 'Event consumers';
const path = '/v1/events/consumers';

type Loading = Pick<LoadCall<string, never>, 'key' | 'tx'> & { params: { id: string } };

/** Finds the consumer in the path with one of the two; one of the audit feed for its scope only. */
function loadWith(find: typeof findConsumer) {
  return async ({ tx, key, params }: Loading): Promise<Consumer | null> => {
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
  description: 'Those of the audit feed are shown to keys with the scope audit:read.',
  scopes: ['events:read'],
  query: strictObject({
    ...listQuery(),
    name: Type.Optional(Type.String({ maxLength: 100, description: 'The one of this name.' })),
  }),
  responses: { 200: listSchema(ConsumerRecord) },
  handler: async (call) => {
    const { tx, query } = call;
    const { projectId, scopes } = call.key;
    const categories: EventCategory[] = grants(scopes, 'audit:read')
      ? ['domain', 'audit']
      : ['domain'];
    const filters = { categories, name: query.name };
    const before = readCursor(call)?.[0]?.toString() ?? null;
    const rows = await listConsumers(tx, projectId, { ...filters, before, limit: query.limit + 1 });
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
      total: wantsTotal(call) ? await countConsumers(tx, projectId, filters) : null,
    });
  },
});

const create = route({
  method: 'POST',
  path,
  operationId: 'createConsumer',
  tag,
  summary: 'Make a consumer: a named reader whose position is kept here.',
  description: `Its filters are fixed from here on; for others make another one. At most ${limits.consumers_per_project} a project.`,
  scopes: ['events:ack'],
  body: ConsumerCreate,
  responses: { 201: ConsumerRecord },
  problems: ['already_exists', 'state_conflict'],
  handler: async ({ tx, key, body }) => {
    viewFor({ category: body.category ?? 'domain' }, key.scopes);
    const consumer = await createConsumer(tx, key.projectId, body);
    const { id, version } = consumer;
    return created(await present(tx, consumer), `${path}/${id}`, { version });
  },
});

const get = route({
  method: 'GET',
  path: `${path}/{id}`,
  operationId: 'getConsumer',
  tag,
  summary: 'Get a consumer: where it stands, and how far behind.',
  scopes: ['events:read'],
  params: { id: 'consumer' },
  responses: { 200: ConsumerRecord },
  volatile: true,
  load: loadWith(findConsumer),
  handler: async ({ tx, resource }) =>
    ok(await present(tx, resource), { version: resource.version }),
});

const remove = route({
  method: 'DELETE',
  path: `${path}/{id}`,
  operationId: 'deleteConsumer',
  tag,
  summary: 'Remove a consumer. Events stay as they are.',
  scopes: ['events:ack'],
  params: { id: 'consumer' },
  responses: { 204: null },
  load: loadWith(lockConsumer),
  handler: async ({ tx, resource }) => {
    await deleteConsumer(tx, resource);
    return noContent();
  },
});

const events = streamRoute({
  method: 'GET',
  path: `${path}/{id}/events`,
  operationId: 'readConsumerEvents',
  tag,
  summary: 'Read what follows the position of a consumer.',
  description:
    'Reading does not move the position: commit `commit_sequence` when all of it is done, and read again. What is read and not committed is read again, by whoever reads next, so nothing is lost when a reader dies; two readers at once read the same. The answer carries the ETag of the consumer: a commit with it in `If-Match` is refused (412) if somebody has committed or sought since. With `wait_seconds` the answer waits for the first event. A position older than what is kept is 410 with `earliest_sequence`, until it seeks. What the filters leave out needs no commit: a reading that finds nothing passes over it.',
  scopes: ['events:read'],
  work: 'search',
  params: { id: 'consumer' },
  query: consumerEventsQuery,
  responses: { 200: ConsumerEvents },
  problems: ['cursor_expired'],
  volatile: true,
  writes: true,
  concurrency: 64,
  load: loadWith(findConsumer),
  handler: async (call) => {
    const { projectId } = call.key;
    const { limit, wait_seconds: waitSeconds } = call.query;
    // What this request has seen to hold nothing, as long as nobody moves the consumer.
    let seen = { version: 0, done: 0 };
    const result = await readOrWait(call, waitSeconds, () =>
      call.inProject(async (tx, key) => {
        const consumer = await findConsumer(tx, projectId, call.params.id);
        if (!consumer) throw notFound('consumer', call.params.id);
        const view = viewFor(consumer, key.scopes);
        const from = consumer.version === seen.version ? seen.done : 0;
        const read = await readForConsumer(tx, consumer, { from, limit });
        seen = { version: consumer.version, done: read.done };
        const lag = await lagOf(tx, consumer, read, read.done);
        return { ...read, view, lag, version: consumer.version };
      }),
    );
    return ok(
      {
        data: result.events.map((event) => presentEvent(event, result.view)),
        has_more: result.hasMore,
        position: result.done,
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
  summary: 'Move a consumer forwards: everything up to a sequence is done.',
  description:
    'The same sequence again changes nothing; one before the position is 409, since only seeking goes back; one beyond the newest is 422. With `ack` the events passed by this that match the filters are acknowledged in the same transaction.',
  scopes: ['events:ack'],
  params: { id: 'consumer' },
  body: ConsumerCommit,
  responses: { 200: ConsumerCommitted },
  problems: ['state_conflict'],
  load: loadWith(lockConsumer),
  handler: async ({ tx, resource, body }) => {
    const { sequence, ack = false } = body;
    const { consumer, acknowledged } = await commit(tx, resource, { sequence, ack });
    const { version } = consumer;
    return ok({ ...(await present(tx, consumer)), acknowledged }, { version });
  },
});

const seekRoute = route({
  method: 'POST',
  path: `${path}/{id}/seek`,
  operationId: 'seekConsumer',
  tag,
  summary: 'Move a consumer to any position that is kept, backwards or forwards.',
  description:
    'With `sequence` the position is that sequence, with `event_id` that of the event: reading goes on after it, as after a commit. With `to` it goes on with the earliest event that is kept, or with what comes from now on. What is read again is not unpublished.',
  scopes: ['events:ack'],
  params: { id: 'consumer' },
  body: ConsumerSeek,
  responses: { 200: ConsumerRecord },
  problems: ['reference_not_found', 'cursor_expired'],
  load: loadWith(lockConsumer),
  handler: async ({ tx, resource, body }) => {
    const consumer = await seek(tx, resource, body);
    return ok(await present(tx, consumer), { version: consumer.version });
  },
});

export const consumerRoutes = [list, create, get, remove, events, commitRoute, seekRoute];
