import {
  idFilter,
  listQuery,
  listSchema,
  sortQuery,
  strictObject,
} from '@scriptorium/contracts/wire/shapes';
import {
  WebhookCreate,
  WebhookPatch,
  WebhookRecord,
  WebhookWithSecret,
  webhookSorts,
} from '@scriptorium/contracts/wire/webhooks';
import { createEndpoint } from '../../../webhooks/endpoints/create.ts';
import { urlFaults } from '../../../webhooks/endpoints/faults.ts';
import {
  describeEndpoint,
  describeEndpoints,
  readEndpointRecord,
} from '../../../webhooks/endpoints/health.ts';
import { countEndpoints, listEndpoints } from '../../../webhooks/endpoints/read.ts';
import { deleteEndpoint } from '../../../webhooks/endpoints/remove.ts';
import { updateEndpoint } from '../../../webhooks/endpoints/update.ts';
import { created, noContent, ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';
import { page, pageStart } from '../../requests/cursor.ts';
import { requireFeedScopes, requireFeedScopesToChange } from './feed-scopes.ts';
import { lockWebhookToChange, tag } from './load.ts';

const list = route({
  method: 'GET',
  path: '/v1/webhooks',
  operationId: 'listWebhooks',
  tag,
  summary: 'List the webhooks of the project, by default newest first.',
  scopes: ['webhooks:read'],
  query: strictObject({
    ...listQuery(),
    id: idFilter('webhook', 'webhooks'),
    sort: sortQuery(webhookSorts, '-created_at'),
  }),
  responses: { 200: listSchema(WebhookRecord) },
  handler: async (call) => {
    const { projectId } = call.origin;
    const { id: ids, sort } = call.query;
    const from = { ids, sort, ...pageStart(call) };
    const found = await listEndpoints(call.tx, projectId, from);
    const described = await describeEndpoints(
      call.tx,
      found.map(({ endpoint }) => endpoint),
    );
    const rows = found.map(({ position }, at) => ({ webhook: described[at]!, position }));
    return page(call, rows, {
      present: ({ webhook }) => webhook,
      position: ({ position }) => position,
      count: () => countEndpoints(call.tx, projectId, ids),
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
    requireFeedScopes(key, body.event_types);
    return urlFaults(deps.dialer, body.url);
  },
  handler: async (call) => {
    const { tx, deps, origin, body, prepared } = call;
    requireFeedScopes(call.key, body.event_types);
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
  load: (call) => readEndpointRecord(call.tx, call.origin.projectId, call.params.id),
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
  load: lockWebhookToChange,
  prepare: async ({ deps, key, body, resource }) => {
    requireFeedScopesToChange(key, resource, body);
    return body.url === undefined || body.url === resource.url
      ? []
      : urlFaults(deps.dialer, body.url);
  },
  handler: async (call) => {
    const { tx, deps, origin, resource, body, prepared } = call;
    requireFeedScopesToChange(call.key, resource, body);
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
  load: lockWebhookToChange,
  handler: async (call) => {
    await deleteEndpoint(call.tx, call.origin, call.resource);
    return noContent();
  },
});

export const endpointRoutes = [list, create, get, patch, remove];
