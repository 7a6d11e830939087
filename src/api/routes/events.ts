import { Type } from 'typebox';
import { limits } from '../../contracts/limits.ts';
import { invalid, invalidParameter } from '../../contracts/problems.ts';
import { grants } from '../../contracts/scopes.ts';
import { Id } from '../../contracts/wire/common.ts';
import { EventList, EventRecord, EventTypeRecord } from '../../contracts/wire/events.ts';
import { listQuery, strictObject } from '../../contracts/wire/shapes.ts';
import { acknowledge } from '../../outbox/acknowledge.ts';
import { describeEventTypes } from '../../outbox/catalogue.ts';
import {
  countEvents,
  type FeedResult,
  findEvent,
  presentEvent,
  readEvents,
} from '../../outbox/feed.ts';
import { startEventStream } from '../events/event-stream.ts';
import { feedParameters, readAfter, readFilters, requireAudit } from '../events/feed-query.ts';
import { ok, stream } from '../frame/reply.ts';
import { route, streamRoute } from '../frame/route.ts';
import { linkTo, readCursor, wantsTotal, writeCursor } from '../requests/cursor.ts';

const tag = 'Events';

const list = streamRoute({
  method: 'GET',
  path: '/v1/events',
  operationId: 'listEvents',
  tag,
  summary: 'Read events from the outbox, in the order of their sequence.',
  description:
    'Go on from `next_cursor` to miss nothing, whatever commits late; it is there on the last page too. With `wait_seconds` the answer waits for the first event after it. `published=false` leaves what nobody has confirmed: not delivered to every webhook that should have it, and not acknowledged.',
  scopes: ['events:read'],
  query: strictObject({
    ...listQuery(limits.events_limit_max),
    ...feedParameters,
    published: Type.Optional(Type.Boolean()),
    order: Type.Enum(['asc', 'desc'], { default: 'asc' }),
    wait_seconds: Type.Integer({ minimum: 0, maximum: limits.wait_seconds_max, default: 0 }),
  }),
  responses: { 200: EventList },
  problems: ['cursor_expired'],
  concurrency: 64,
  handler: async (call) => {
    const { query } = call;
    const { projectId } = call.origin;
    const filters = { ...readFilters(query, call.key.scopes), published: query.published };
    if (query.wait_seconds > 0 && query.order === 'desc') {
      const detail = 'Only a reader that goes forwards (order=asc) can wait for what comes.';
      throw invalidParameter({ parameter: 'wait_seconds', code: 'not_applicable', detail });
    }
    const cursor = readCursor(call)?.[0];
    const end = performance.now() + query.wait_seconds * 1_000;
    // Before the first read, so that nothing falls between reading and waiting.
    const watch = call.deps.events.watch(projectId);
    try {
      let after = typeof cursor === 'number' ? cursor : null;
      let total: number | null = null;
      let result: FeedResult;
      for (let first = true; ; first = false) {
        result = await call.inProject(async (tx) => {
          if (first && after === null && query.after !== undefined) {
            after = await readAfter(tx, projectId, filters.category, query.after);
          }
          if (wantsTotal(call)) total = await countEvents(tx, projectId, filters);
          return readEvents(tx, projectId, filters, {
            after,
            order: query.order,
            limit: query.limit,
          });
        });
        const timeoutMs = end - performance.now();
        if (result.events.length > 0 || timeoutMs <= 0) break;
        after = result.position;
        if (!(await watch.next({ timeoutMs, signal: call.signal }))) break;
      }
      const withAddress = grants(call.key.scopes, 'audit:read');
      const next = result.position === null ? null : writeCursor(call, [result.position]);
      return ok(
        {
          data: result.events.map((event) => presentEvent(event, { withAddress })),
          has_more: result.hasMore,
          next_cursor: next,
          total,
          latest_sequence: result.latest,
        },
        { headers: next && result.hasMore ? { Link: linkTo(call, next) } : {} },
      );
    } finally {
      watch.close();
    }
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
    if (resource.category === 'audit') requireAudit(key.scopes);
    const withAddress = grants(key.scopes, 'audit:read');
    // The one thing that changes about an event, and what a key may see of it.
    const etag = `"${resource.published_at ? 'published' : 'open'}${withAddress ? '-full' : ''}"`;
    return ok(presentEvent(resource, { withAddress }), { etag });
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

export const eventRoutes = [list, get, ack, follow, types];
