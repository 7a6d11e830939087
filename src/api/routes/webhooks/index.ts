import { Type } from 'typebox';
import { commaList, listQuery, listSchema, strictObject } from '../../../contracts/wire/shapes.ts';
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
} from '../../../contracts/wire/webhooks.ts';
import type { Tx } from '../../../db/transaction.ts';
import {
  countDeliveries,
  findDelivery,
  listDeliveries,
  presentDelivery,
  readAttempts,
  redeliver,
} from '../../../webhooks/deliveries.ts';
import { createEndpoint } from '../../../webhooks/endpoints/create.ts';
import { urlFaults } from '../../../webhooks/endpoints/faults.ts';
import {
  describeEndpoint,
  describeEndpoints,
  showEndpoint,
} from '../../../webhooks/endpoints/health.ts';
import {
  countEndpoints,
  findEndpoint,
  listEndpoints,
  lockToChange,
} from '../../../webhooks/endpoints/read.ts';
import { deleteEndpoint } from '../../../webhooks/endpoints/remove.ts';
import { rotateSecret } from '../../../webhooks/endpoints/rotate.ts';
import {
  enableEndpoint,
  pauseEndpoint,
  turnOffEndpoint,
} from '../../../webhooks/endpoints/state.ts';
import { recordTest, sendTest } from '../../../webhooks/endpoints/test.ts';
import { updateEndpoint } from '../../../webhooks/endpoints/update.ts';
import { typesOf } from '../../events/feed-query.ts';
import { accepted, created, noContent, ok } from '../../frame/reply.ts';
import { type LoadCall, route } from '../../frame/route.ts';
import { page, readCursor, wantsTotal } from '../../requests/cursor.ts';
import { mayReadExcerpts, requireFeed, requireFeedToChange } from './feed-scopes.ts';

const tag = 'Webhooks';

type Loading = Pick<LoadCall<string, never>, 'origin'> & { tx: Tx; params: { id: string } };
const load = (call: Loading) => findEndpoint(call.tx, call.origin.projectId, call.params.id);
/**
 * Changes are serialised: each sees, and checks its If-Match against, the result of the previous
 * one.
 */
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
  summary: 'Create a webhook.',
  description:
    'Events are sent with POST, signed according to Standard Webhooks 1.0. The secret is returned only in this response and by rotate-secret. Audit types also require the `audit:read` scope. The webhook belongs to the project and keeps working if the key that created it is revoked or loses a scope.',
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
  summary: 'Update a webhook.',
  description:
    'Changing `url`, `event_types`, `filter` or `payload` requires the `events:read` scope, and `audit:read` if the webhook has or had audit types. If the origin of `url` (scheme, host, port) changes, custom headers are dropped unless the same request sets them again. The signing secret does not change, since it is never sent. Pending deliveries go to the new URL.',
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
  summary: 'Delete a webhook and cancel its pending deliveries.',
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
  summary: 'Rotate the secret and signing keys of a webhook.',
  description:
    'For `overlap_seconds` every message also carries signatures of the old secrets, so that receivers can migrate. At most ten secrets of a kind are kept; the oldest are dropped. Concurrent rotations run one after the other, each with a new secret; use `If-Match` to allow only one.',
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
  summary: 'Send a signed test message to a webhook.',
  description:
    'Sends a `webhooks.endpoint.tested` event with `sequence` 0, then records the event with the same `id` and the outcome. It is not a delivery, and ignores the state and filter of the webhook. The response is 200 even if the receiver failed.',
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

const unchanged = 'Has no effect and records no event if the webhook is already in that state.';
const moves = [
  {
    verb: 'pause',
    summary: 'Pause a webhook. Its deliveries wait.',
    change: pauseEndpoint,
    sends: false,
  },
  {
    verb: 'enable',
    summary: 'Enable a webhook and send its waiting deliveries.',
    change: enableEndpoint,
    sends: true,
  },
  {
    verb: 'disable',
    summary: 'Disable a webhook. Its deliveries are skipped.',
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
      ? `${unchanged} Audit types also require the \`audit:read\` scope.`
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
  summary: 'List the deliveries of a webhook, newest first.',
  scopes: ['webhooks:read'],
  work: 'search',
  params: { id: 'webhook' },
  query: strictObject({
    ...listQuery(),
    state: Type.Optional(commaList(Type.Enum([...deliveryStates]))),
    event_type: Type.Optional(
      commaList(
        Type.String({ maxLength: 200 }),
        'Event types. `documents.*` matches all types with this prefix.',
        {
          maxItems: 100,
        },
      ),
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
  summary: 'Get a delivery with its attempts.',
  description:
    '`response_excerpt` may contain the event. It is null without the `events:read` scope, and for audit types without `audit:read`.',
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
  summary: 'Retry a delivery immediately.',
  description:
    'If the attempt fails, the automatic schedule continues unchanged. Audit events also require the `audit:read` scope.',
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
