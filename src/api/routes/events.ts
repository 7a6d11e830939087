import { Type } from 'typebox';
import { limits } from '../../contracts/limits.ts';
import { invalid, invalidParameter } from '../../contracts/problems.ts';
import { Id } from '../../contracts/wire/common.ts';
import { EventList, EventRecord, EventTypeRecord } from '../../contracts/wire/events.ts';
import { listQuery, listSchema, strictObject } from '../../contracts/wire/shapes.ts';
import { DeliveryRecord } from '../../contracts/wire/webhooks.ts';
import { acknowledge } from '../../outbox/feed/acknowledge.ts';
import { describeEventTypes } from '../../outbox/feed/catalogue.ts';
import { countEvents, findEvent, presentEvent, readEvents } from '../../outbox/feed/feed.ts';
import { countDeliveries, listDeliveries, presentDelivery } from '../../webhooks/deliveries.ts';
import { startEventStream } from '../events/event-stream.ts';
import { csv, ndjson, startExport } from '../events/export.ts';
import { feedParameters, readAfter, readFilters, viewFor } from '../events/feed-query.ts';
import { readOrWait } from '../events/long-poll.ts';
import { ok, stream } from '../frame/reply.ts';
import { route, streamRoute } from '../frame/route.ts';
import { linkTo, page, readCursor, wantsTotal, writeCursor } from '../requests/cursor.ts';

const tag = 'Events';

const { cursor, include } = listQuery();

const list = streamRoute({
  method: 'GET',
  path: '/v1/events',
  operationId: 'listEvents',
  tag,
  summary: 'Read events from the outbox, in the order of their sequence.',
  description: `Go on from \`next_cursor\` to miss nothing, whatever commits late; it is there on the last page too. With \`wait_seconds\` the answer waits for the first event after it. \`published=false\` leaves what nobody has confirmed: not delivered to every webhook that should have it, and not acknowledged; it says how an event is now, and a cursor does not come back to one that changes.

With \`Accept: ${ndjson}\` the answer is an export: an event a line, everything that was there when it began, newest first with \`order=desc\`. With \`Accept: ${csv}\` it is the same as a table, its first line the names of the columns; values that a spreadsheet would take for formulas begin with an apostrophe. All filters apply, and \`after\`; \`limit\` is how many lines at most, all without it. \`cursor\`, \`wait_seconds\` and \`include\` are refused. An export that cannot be completed, since its key was revoked or events were dropped before it came to them, is broken off, never ended: take it for complete when the connection ends cleanly.`,
  scopes: ['events:read'],
  work: 'search',
  query: strictObject({
    cursor,
    include,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        // No page is that long, and no export.
        'x-coerced-maximum': Number.MAX_SAFE_INTEGER,
        description: `How many to answer with: on a page ${limits.list_limit_default} unless said, and more than ${limits.events_limit_max} is brought down to ${limits.events_limit_max}; in an export all unless said.`,
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
      const detail = 'Only a reader that goes forwards (order=asc) can wait for what comes.';
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
      { headers: next && read.hasMore ? { Link: linkTo(call, next) } : {} },
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
  responses: { 200: EventRecord },
  load: (call) => findEvent(call.tx, call.origin.projectId, call.params.id),
  handler: async ({ resource, key }) => {
    const { withAddress } = viewFor({ category: resource.category }, key.scopes);
    // The one thing that changes about an event, and what a key may see of it.
    const etag = `"${resource.published_at ? 'published' : 'open'}${withAddress ? '-full' : ''}"`;
    return ok(presentEvent(resource, { withAddress }), { etag });
  },
});

const deliveries = route({
  method: 'GET',
  path: '/v1/webhooks/deliveries',
  operationId: 'listEventDeliveries',
  tag,
  summary: 'List to which webhooks an event was and is owed, newest first.',
  description:
    'A replay makes a delivery of its own. Those to webhooks that have been removed are listed too.',
  scopes: ['events:read', 'webhooks:read'],
  work: 'search',
  query: strictObject({ ...listQuery(), event_id: Id('event') }),
  responses: { 200: listSchema(DeliveryRecord) },
  handler: async (call) => {
    const { projectId } = call.origin;
    const event = await findEvent(call.tx, projectId, call.query.event_id);
    if (event) viewFor({ category: event.category }, call.key.scopes);
    const of = { eventId: call.query.event_id };
    const before = readCursor(call)?.[0]?.toString() ?? null;
    const limit = call.query.limit + 1;
    return page(call, await listDeliveries(call.tx, projectId, of, { before, limit }), {
      present: presentDelivery,
      position: ({ id }) => [id],
      total: wantsTotal(call) ? await countDeliveries(call.tx, projectId, of) : null,
    });
  },
});

const ack = route({
  method: 'POST',
  path: '/v1/events/ack',
  operationId: 'acknowledgeEvents',
  tag,
  summary: 'Confirm events: they are published from now on.',
  description:
    'Either `event_ids`, or `up_to_sequence` for every domain event up to there. Deliveries to webhooks go on.',
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
        description: 'How many were not published before.',
      }),
    }),
  },
  problems: ['reference_not_found'],
  handler: async (call) => {
    const { event_ids: eventIds, up_to_sequence: upToSequence } = call.body;
    const { projectId } = call.origin;
    if (eventIds !== undefined && upToSequence === undefined) {
      return ok({ acknowledged: await acknowledge(call.tx, projectId, { eventIds }) });
    }
    if (upToSequence !== undefined && eventIds === undefined) {
      return ok({ acknowledged: await acknowledge(call.tx, projectId, { upToSequence }) });
    }
    const detail = 'Send exactly one of event_ids and up_to_sequence.';
    throw invalid([{ pointer: '', code: 'exactly_one', detail }]);
  },
});

const follow = streamRoute({
  method: 'GET',
  path: '/v1/events/stream',
  operationId: 'streamEvents',
  tag,
  summary: 'Follow events as server-sent events.',
  description:
    'Each event carries its sequence as `id`; a client that comes back with `Last-Event-ID` goes on after it, without loss. Without it and without `after`, from now on; `after=0` starts at the first. A line every 15 s keeps the connection alive; after 10 minutes the stream ends and the client comes back.',
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
      // Proxies must not gather what is meant to flow.
      'X-Accel-Buffering': 'no',
    });
  },
});

const types = route({
  method: 'GET',
  path: '/v1/event-types',
  operationId: 'listEventTypes',
  tag,
  summary: 'List every type of event there is, with its schema and an example.',
  scopes: ['events:read'],
  responses: { 200: strictObject({ data: Type.Array(EventTypeRecord) }) },
  handler: async () => ok({ data: describeEventTypes() }),
});

export const eventRoutes = [list, get, deliveries, ack, follow, types];
