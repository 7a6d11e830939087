import { limits } from '@scriptorium/contracts/limits';
import { invalidParameter, validationFailed } from '@scriptorium/contracts/problems';
import { Id } from '@scriptorium/contracts/wire/common';
import { EventList, EventRecord, EventTypeRecord } from '@scriptorium/contracts/wire/events';
import { listQuery, listSchema, strictObject } from '@scriptorium/contracts/wire/shapes';
import { DeliveryRecord } from '@scriptorium/contracts/wire/webhooks';
import { Type } from 'typebox';
import { acknowledgeEvents, acknowledgeUpTo } from '../../outbox/feed/acknowledge.ts';
import { describeEventTypes } from '../../outbox/feed/catalogue.ts';
import { countEvents, findEvent, presentEvent, readEvents } from '../../outbox/feed/feed.ts';
import { countDeliveries, listDeliveries } from '../../webhooks/deliveries/list.ts';
import { presentDelivery } from '../../webhooks/deliveries/row.ts';
import { startEventStream } from '../events/event-stream.ts';
import { csv, ndjson, startExport } from '../events/export.ts';
import { feedParameters, readAfter, readFilters, viewFor } from '../events/feed-query.ts';
import { readOrWait } from '../events/long-poll.ts';
import { ok, stream } from '../frame/reply.ts';
import { route, streamRoute } from '../frame/route.ts';
import {
  idPageStart,
  linkToNextPage,
  page,
  readCursor,
  wantsTotal,
  writeCursor,
} from '../requests/cursor.ts';

const tag = 'Events';

const { cursor, include } = listQuery();

const list = streamRoute({
  method: 'GET',
  path: '/v1/events',
  operationId: 'listEvents',
  tag,
  summary: 'Read events in the order of their sequence.',
  description: `Continue from \`next_cursor\` so that you do not miss events, even if a transaction commits late. It is also set on the last page. \`wait_seconds\` waits for the first event. \`published=false\` returns only events that are neither acknowledged nor delivered to every webhook that should get them. It filters by the current state: a cursor does not return to an event that changes later.

With \`Accept: ${ndjson}\` the response is an export with one event per line, of all events at the start of the request. With \`Accept: ${csv}\` it is a table with a header line; values that a spreadsheet would treat as formulas are prefixed with an apostrophe. All filters, \`after\` and \`order\` apply. \`limit\` is the maximum number of events (default: all). \`cursor\`, \`wait_seconds\` and \`include\` are not allowed. If an export cannot be completed, because the key is revoked or events expire, the connection is aborted: an export is complete only if the connection ends cleanly.`,
  scopes: ['events:read'],
  work: 'search',
  query: strictObject({
    cursor,
    include,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        // Reduced by the handler: a page and an export have different maximums.
        'x-coerced-maximum': Number.MAX_SAFE_INTEGER,
        description: `The page size. Default: ${limits.list_limit_default}. Larger values are reduced to ${limits.events_limit_max}. For an export, the maximum number of events. Default: all.`,
      }),
    ),
    ...feedParameters,
    published: Type.Optional(Type.Boolean()),
    order: Type.Enum(['asc', 'desc'], { default: 'asc' }),
    wait_seconds: Type.Integer({ minimum: 0, maximum: limits.wait_seconds_max, default: 0 }),
  }),
  responses: { 200: EventList },
  produces: ['application/json', ndjson, csv],
  compressStream: true,
  problems: ['cursor_expired'],
  concurrency: 64,
  handler: async (call) => {
    const { query } = call;
    const { projectId } = call.origin;
    const filters = { ...readFilters(query, call.key.scopes), published: query.published };
    const type = call.ctx.accepts('application/json', ndjson, csv);
    if (type === ndjson || type === csv) {
      return stream(200, await startExport(call, filters, query, type), {
        'Content-Type': type === csv ? `${csv}; charset=utf-8; header=present` : ndjson,
        'X-Accel-Buffering': 'no',
      });
    }
    if (query.wait_seconds > 0 && query.order === 'desc') {
      const detail = '`wait_seconds` requires `order=asc`.';
      throw invalidParameter({ parameter: 'wait_seconds', code: 'not_applicable', detail });
    }
    const limit = Math.min(query.limit ?? limits.list_limit_default, limits.events_limit_max);
    const position = readCursor(call)?.[0];
    let after = typeof position === 'number' ? position : null;
    const read = await readOrWait(call, query.wait_seconds, () =>
      call.inProject(async (tx, key) => {
        const view = viewFor(filters, key.scopes);
        if (after === null && query.after !== undefined) {
          after = await readAfter(tx, projectId, filters.category, query.after);
        }
        const total = wantsTotal(call) ? await countEvents(tx, projectId, filters) : null;
        const result = await readEvents(tx, projectId, filters, {
          after,
          order: query.order,
          limit,
        });
        after = result.position;
        return { ...result, view, total };
      }),
    );
    const next = read.position === null ? null : writeCursor(call, [read.position]);
    return ok(
      {
        data: read.events.map((event) => presentEvent(event, read.view)),
        has_more: read.hasMore,
        next_cursor: next,
        total: read.total,
        latest_sequence: read.latest,
      },
      { headers: next && read.hasMore ? { Link: linkToNextPage(call, next) } : {} },
    );
  },
});

const get = route({
  method: 'GET',
  path: '/v1/events/{id}',
  operationId: 'getEvent',
  tag,
  summary: 'Get an event.',
  scopes: ['events:read'],
  params: { id: 'event' },
  hasEtag: true,
  responses: { 200: EventRecord },
  load: (call) => findEvent(call.tx, call.origin.projectId, call.params.id),
  handler: async ({ resource, key }) => {
    const { withAddress } = viewFor({ category: resource.category }, key.scopes);
    // The only part of an event that changes, and the only part that a key's scopes affect.
    const etag = `"${resource.published_at ? 'published' : 'open'}${withAddress ? '-full' : ''}"`;
    return ok(presentEvent(resource, { withAddress }), { etag });
  },
});

const deliveries = route({
  method: 'GET',
  path: '/v1/webhooks/deliveries',
  operationId: 'listEventDeliveries',
  tag,
  summary: 'List the deliveries of an event to all webhooks, newest first.',
  description: 'A replay creates a new delivery. Deliveries to deleted webhooks are included.',
  scopes: ['events:read', 'webhooks:read'],
  work: 'search',
  query: strictObject({ ...listQuery(), event_id: Id('event') }),
  responses: { 200: listSchema(DeliveryRecord) },
  handler: async (call) => {
    const { projectId } = call.origin;
    const event = await findEvent(call.tx, projectId, call.query.event_id);
    // Audit events require `audit:read`.
    if (event) viewFor({ category: event.category }, call.key.scopes);
    const filters = { eventId: call.query.event_id };
    return page(call, await listDeliveries(call.tx, projectId, filters, idPageStart(call)), {
      present: presentDelivery,
      position: ({ id }) => [id],
      count: () => countDeliveries(call.tx, projectId, filters),
    });
  },
});

const ack = route({
  method: 'POST',
  path: '/v1/events/ack',
  operationId: 'acknowledgeEvents',
  tag,
  summary: 'Acknowledge events, which marks them as published.',
  description:
    'Send either `event_ids`, or `up_to_sequence` for all domain events up to a sequence. Deliveries to webhooks continue. Large numbers of events are published in batches. If such a request fails, some events may already be published; repeat it to publish the rest.',
  scopes: ['events:ack'],
  body: strictObject({
    event_ids: Type.Optional(
      Type.Array(Id('event'), { minItems: 1, maxItems: limits.ack_event_ids, uniqueItems: true }),
    ),
    up_to_sequence: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  responses: {
    200: strictObject({
      acknowledged: Type.Integer({
        minimum: 0,
        description: 'The number of events that became published.',
      }),
    }),
  },
  problems: ['reference_not_found'],
  prepareWith: 'up_to_sequence',
  prepare: async ({ inProject, origin, body }): Promise<number | undefined> => {
    if (body.up_to_sequence === undefined || body.event_ids !== undefined) return undefined;
    return acknowledgeUpTo(inProject, origin.projectId, body.up_to_sequence);
  },
  handler: async ({ tx, origin, body, prepared }) => {
    if (prepared !== undefined) return ok({ acknowledged: prepared });
    if (body.event_ids !== undefined && body.up_to_sequence === undefined) {
      return ok({ acknowledged: await acknowledgeEvents(tx, origin.projectId, body.event_ids) });
    }
    const detail = 'Exactly one of `event_ids` and `up_to_sequence` is required.';
    throw validationFailed([{ pointer: '', code: 'exactly_one', detail }]);
  },
});

const follow = streamRoute({
  method: 'GET',
  path: '/v1/events/stream',
  operationId: 'streamEvents',
  tag,
  summary: 'Follow events as server-sent events.',
  description:
    'The `id` of each message is the sequence of the event. A client that reconnects with `Last-Event-ID` does not miss events. Without it and without `after`, the stream starts with new events; `after=0` starts with the first. A comment every 15 seconds keeps the connection alive. The stream ends after 10 minutes, and the client reconnects.',
  scopes: ['events:read'],
  query: strictObject(feedParameters),
  responses: { 200: null },
  produces: ['text/event-stream'],
  problems: ['cursor_expired'],
  handler: async (call) => {
    const filters = readFilters(call.query, call.key.scopes);
    const body = await startEventStream(call, filters, call.query.after);
    return stream(200, body, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Proxies must not buffer the stream.
      'X-Accel-Buffering': 'no',
    });
  },
});

const types = route({
  method: 'GET',
  path: '/v1/event-types',
  operationId: 'listEventTypes',
  tag,
  summary: 'List every event type with its schema and an example.',
  scopes: ['events:read'],
  responses: { 200: strictObject({ data: Type.Array(EventTypeRecord) }) },
  handler: async () => ok({ data: describeEventTypes() }),
});

export const eventRoutes = [list, get, deliveries, ack, follow, types];
