import { Type } from 'typebox';
import { commaList, listQuery, listSchema, strictObject } from '../../contracts/wire/shapes.ts';
import {
  DeliveryRecord,
  DeliveryWithAttempts,
  deliveryStates,
  WebhookCreate,
  WebhookPatch,
  WebhookRecord,
  WebhookSecretRotation,
  WebhookTest,
  WebhookWithSecret,
} from '../../contracts/wire/webhooks.ts';
import type { Tx } from '../../db/transaction.ts';
import {
  countDeliveries,
  findDelivery,
  listDeliveries,
  presentDelivery,
  readAttempts,
  redeliver,
} from '../../webhooks/deliveries.ts';
import { createEndpoint } from '../../webhooks/endpoints/create.ts';
import { urlFaults } from '../../webhooks/endpoints/faults.ts';
import {
  describeEndpoint,
  describeEndpoints,
  showEndpoint,
} from '../../webhooks/endpoints/health.ts';
import {
  countEndpoints,
  findEndpoint,
  listEndpoints,
  lockToChange,
} from '../../webhooks/endpoints/read.ts';
import { deleteEndpoint } from '../../webhooks/endpoints/remove.ts';
import { rotateSecret } from '../../webhooks/endpoints/rotate.ts';
import { enableEndpoint, pauseEndpoint, turnOffEndpoint } from '../../webhooks/endpoints/state.ts';
import { recordTest, sendTest } from '../../webhooks/endpoints/test.ts';
import { updateEndpoint } from '../../webhooks/endpoints/update.ts';
import { typesOf } from '../events/feed-query.ts';
import { accepted, created, noContent, ok } from '../frame/reply.ts';
import { type LoadCall, route } from '../frame/route.ts';
import { page, readCursor, wantsTotal } from '../requests/cursor.ts';
import { mayReadExcerpts, requireFeed, requireFeedToChange } from './webhook-feed.ts';

const tag = 'Webhooks';

type Loading = Pick<LoadCall<string, never>, 'origin'> & { tx: Tx; params: { id: string } };
const load = (call: Loading) => findEndpoint(call.tx, call.origin.projectId, call.params.id);
/** Changes come one after the other: each finds, and holds its If-Match against, what the last one left. */
const loadToChange = (call: Loading) =>
  lockToChange(call.tx, call.origin.projectId, call.params.id);

const list = route({
  method: 'GET',
  path: '/v1/webhooks',
  operationId: 'listWebhooks',
  tag,
  summary: 'List the webhooks of the project, newest first.',
  scopes: ['webhooks:read'],
  query: strictObject(listQuery()),
  responses: { 200: listSchema(WebhookRecord) },
  handler: async (call) => {
    const { projectId } = call.origin;
    const before = readCursor(call)?.[0]?.toString() ?? null;
    const limit = call.query.limit + 1;
    const found = await listEndpoints(call.tx, projectId, { before, limit });
    return page(call, await describeEndpoints(call.tx, found), {
      present: (webhook) => webhook,
      position: ({ id }) => [id],
      total: wantsTotal(call) ? await countEndpoints(call.tx, projectId) : null,
    });
  },
});

const create = route({
  method: 'POST',
  path: '/v1/webhooks',
  operationId: 'createWebhook',
  tag,
  summary: 'Add a webhook.',
  description:
    'What it is owed is posted to it, signed as Standard Webhooks 1.0 has it. The secret is in this answer and in that of rotate-secret, and nowhere else. Audit types need the scope audit:read too. The webhook belongs to the project: it goes on when the key that added it is revoked or loses a scope.',
  scopes: ['webhooks:write', 'events:read'],
  body: WebhookCreate,
  responses: { 201: WebhookWithSecret },
  problems: ['destination_not_allowed', 'state_conflict'],
  secretResponse: true,
  prepare: ({ deps, key, body }) => {
    requireFeed(key, body.event_types);
    return urlFaults(deps.dialer, body.url);
  },
  handler: async (call) => {
    const { tx, deps, origin, body, prepared } = call;
    requireFeed(call.key, body.event_types);
    const { endpoint, secret } = await createEndpoint(tx, deps, origin, body, prepared);
    const { id, version } = endpoint;
    return created(
      { ...(await describeEndpoint(call.tx, endpoint)), secret },
      `/v1/webhooks/${id}`,
      { version },
    );
  },
});

const get = route({
  method: 'GET',
  path: '/v1/webhooks/{id}',
  operationId: 'getWebhook',
  tag,
  summary: 'Get a webhook.',
  scopes: ['webhooks:read'],
  params: { id: 'webhook' },
  responses: { 200: WebhookRecord },
  load: (call) => showEndpoint(call.tx, call.origin.projectId, call.params.id),
  handler: async ({ resource }) => ok(resource, { version: resource.version }),
});

const patch = route({
  method: 'PATCH',
  path: '/v1/webhooks/{id}',
  operationId: 'updateWebhook',
  tag,
  summary: 'Change fields of a webhook.',
  description:
    'A change of `url`, `event_types`, `filter` or `payload` needs the scope events:read, and audit:read where the webhook is or was sent audit types. When the origin of `url` (scheme, host, port) changes, the values of `headers` do not go with it: those that the same request does not give are dropped. The signing secret stays, since it is never sent; `rotate-secret` makes a new one. What is pending goes to the new address.',
  scopes: ['webhooks:write'],
  params: { id: 'webhook' },
  body: WebhookPatch,
  responses: { 200: WebhookRecord },
  problems: ['destination_not_allowed'],
  precondition: 'required',
  load: loadToChange,
  prepare: async ({ deps, key, body, resource }) => {
    requireFeedToChange(key, resource, body);
    return body.url === undefined || body.url === resource.url
      ? []
      : urlFaults(deps.dialer, body.url);
  },
  handler: async (call) => {
    const { tx, deps, origin, resource, body, prepared } = call;
    requireFeedToChange(call.key, resource, body);
    const changed = await updateEndpoint(tx, deps, origin, resource, body, prepared);
    return ok(changed, { version: changed.version });
  },
});

const remove = route({
  method: 'DELETE',
  path: '/v1/webhooks/{id}',
  operationId: 'deleteWebhook',
  tag,
  summary: 'Remove a webhook; what it was still owed is cancelled.',
  scopes: ['webhooks:write'],
  params: { id: 'webhook' },
  responses: { 204: null },
  precondition: 'required',
  load: loadToChange,
  handler: async (call) => {
    await deleteEndpoint(call.tx, call.origin, call.resource);
    return noContent();
  },
});

const rotate = route({
  method: 'POST',
  path: '/v1/webhooks/{id}/rotate-secret',
  operationId: 'rotateWebhookSecret',
  tag,
  summary: 'Give a webhook a new secret, and new keys where it signs with those.',
  description:
    'What it had until now signs beside it for `overlap_seconds`, so that receivers can change over: every message then carries a signature of each. At most ten of a kind are kept: the oldest go. Rotations that are asked for at once are carried out one after the other, each with a secret of its own; `If-Match` allows only one of them.',
  scopes: ['webhooks:write'],
  params: { id: 'webhook' },
  body: WebhookSecretRotation,
  responses: { 200: WebhookWithSecret },
  secretResponse: true,
  load: loadToChange,
  handler: async (call) => {
    const { tx, deps, origin, resource, body } = call;
    const rotated = await rotateSecret(tx, deps, origin, resource, body);
    return ok(rotated, { version: rotated.version });
  },
});

const test = route({
  method: 'POST',
  path: '/v1/webhooks/{id}/test',
  operationId: 'testWebhook',
  tag,
  summary: 'Send one signed example to a webhook, and see what came of it.',
  description:
    'The example is a `webhooks.endpoint.tested` event with `sequence` 0, sent before the event of the same `id` is recorded with what came of it. It is no delivery, and is sent whatever the state of the webhook and its filter are. The answer is 200 also when the receiver failed.',
  scopes: ['webhooks:write'],
  params: { id: 'webhook' },
  responses: { 200: WebhookTest },
  idempotent: false,
  concurrency: 4,
  load,
  prepare: ({ deps, origin, resource }) => sendTest(deps, origin, resource),
  handler: async ({ tx, origin, resource, prepared: sent }) => {
    await recordTest(tx, origin, resource, sent);
    return ok(sent.shown);
  },
});

const unchanged = 'One that is so already stays as it is, and nothing is recorded.';
const moves = [
  {
    verb: 'pause',
    summary: 'Keep what a webhook is owed for later.',
    change: pauseEndpoint,
    sends: false,
  },
  {
    verb: 'enable',
    summary: 'Send to a webhook again, what waited included.',
    change: enableEndpoint,
    sends: true,
  },
  {
    verb: 'disable',
    summary: 'Send nothing more to a webhook: what it is owed is skipped.',
    change: turnOffEndpoint,
    sends: false,
  },
] as const;

const transitions = moves.map(({ verb, summary, change, sends }) =>
  route({
    method: 'POST',
    path: `/v1/webhooks/{id}/${verb}`,
    operationId: `${verb}Webhook`,
    tag,
    summary,
    description: sends
      ? `${unchanged} One that is sent audit types needs the scope audit:read too.`
      : unchanged,
    scopes: sends ? ['webhooks:write', 'events:read'] : ['webhooks:write'],
    params: { id: 'webhook' },
    responses: { 200: WebhookRecord },
    problems: ['state_conflict'],
    load: loadToChange,
    handler: async (call) => {
      if (sends) requireFeed(call.key, call.resource.eventTypes);
      const changed = await change(call.tx, call.origin, call.resource);
      return ok(changed, { version: changed.version });
    },
  }),
);

const deliveries = route({
  method: 'GET',
  path: '/v1/webhooks/{id}/deliveries',
  operationId: 'listDeliveries',
  tag,
  summary: 'List what a webhook was and is owed, newest first.',
  scopes: ['webhooks:read'],
  work: 'search',
  params: { id: 'webhook' },
  query: strictObject({
    ...listQuery(),
    state: Type.Optional(commaList(Type.Enum([...deliveryStates]))),
    event_type: Type.Optional(
      commaList(Type.String({ maxLength: 200 }), '`documents.*` stands for all that begin so.', {
        maxItems: 100,
      }),
    ),
  }),
  responses: { 200: listSchema(DeliveryRecord) },
  load,
  handler: async (call) => {
    const { limit, state, event_type: patterns } = call.query;
    const eventTypes =
      patterns === undefined ? undefined : typesOf(patterns, { parameter: 'event_type' });
    const { projectId } = call.origin;
    const filters = { endpointId: call.resource.id, state, eventTypes };
    const before = readCursor(call)?.[0]?.toString() ?? null;
    const rows = await listDeliveries(call.tx, projectId, filters, { before, limit: limit + 1 });
    return page(call, rows, {
      present: presentDelivery,
      position: ({ id }) => [id],
      total: wantsTotal(call) ? await countDeliveries(call.tx, projectId, filters) : null,
    });
  },
});

const delivery = route({
  method: 'GET',
  path: '/v1/webhooks/{id}/deliveries/{delivery_id}',
  operationId: 'getDelivery',
  tag,
  summary: 'Get a delivery with every attempt at it.',
  description:
    'What the receiver answered may hold the event: without the scope events:read, and audit:read for an audit type, `response_excerpt` is null.',
  scopes: ['webhooks:read'],
  params: { id: 'webhook', delivery_id: 'delivery' },
  responses: { 200: DeliveryWithAttempts },
  load: ({ tx, origin, params }) =>
    findDelivery(tx, origin.projectId, params.id, params.delivery_id),
  handler: async ({ tx, origin, key, resource }) => {
    const delivery = await readAttempts(tx, origin.projectId, resource);
    if (mayReadExcerpts(key, resource.event_type)) return ok(delivery);
    const attempts = delivery.attempts.map((attempt) => ({ ...attempt, response_excerpt: null }));
    return ok({ ...delivery, attempts });
  },
});

const again = route({
  method: 'POST',
  path: '/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver',
  operationId: 'redeliver',
  tag,
  summary: 'Try a delivery once more, at once.',
  description:
    'If the attempt fails, the automatic schedule goes on as if it had not been. An audit event needs the scope audit:read too.',
  scopes: ['webhooks:write', 'events:read'],
  params: { id: 'webhook', delivery_id: 'delivery' },
  responses: { 202: DeliveryRecord },
  problems: ['state_conflict'],
  load: async ({ tx, origin, params }) => {
    const endpoint = await findEndpoint(tx, origin.projectId, params.id);
    const found = await findDelivery(tx, origin.projectId, params.id, params.delivery_id);
    return endpoint && found ? { endpoint, found } : null;
  },
  handler: async ({ tx, key, resource, path }) => {
    requireFeed(key, [resource.found.event_type]);
    const due = await redeliver(tx, resource.endpoint, resource.found);
    return accepted(presentDelivery(due), path.replace(/\/redeliver$/, ''));
  },
});

export const webhookRoutes = [
  list,
  create,
  get,
  patch,
  remove,
  rotate,
  test,
  ...transitions,
  deliveries,
  delivery,
  again,
];
