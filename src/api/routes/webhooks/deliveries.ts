import { commaList, listQuery, listSchema, strictObject } from '@scriptorium/contracts/wire/shapes';
import {
  DeliveryRecord,
  DeliveryWithAttempts,
  deliveryStates,
  statusCodePattern,
} from '@scriptorium/contracts/wire/webhooks';
import { Type } from 'typebox';
import { countDeliveries, listDeliveries } from '../../../webhooks/deliveries/list.ts';
import { findDelivery, readAttempts } from '../../../webhooks/deliveries/read.ts';
import { redeliver } from '../../../webhooks/deliveries/redeliver.ts';
import { presentDelivery } from '../../../webhooks/deliveries/row.ts';
import { findEndpoint } from '../../../webhooks/endpoints/read.ts';
import { findMatchingTypes } from '../../events/feed-query.ts';
import { accepted, ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';
import { idPageStart, page } from '../../requests/cursor.ts';
import { mayReadMessages, requireFeedScopes } from './feed-scopes.ts';
import { loadWebhook, tag } from './load.ts';

const list = route({
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
    outcome: Type.Optional(
      commaList(
        Type.Enum(['succeeded', 'failed', 'unknown']),
        'The outcome of the latest attempt that has ended.',
      ),
    ),
    status_code: Type.Optional(
      commaList(
        Type.String({ pattern: statusCodePattern }),
        'The status of the latest attempt that has ended: a code such as `503`, a class such as `5xx`, or `none` if the receiver did not respond.',
        { maxItems: 20 },
      ),
    ),
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
  load: loadWebhook,
  handler: async (call) => {
    const { state, outcome, status_code: statusCodes, event_type: patterns } = call.query;
    const eventTypes =
      patterns === undefined ? undefined : findMatchingTypes(patterns, { parameter: 'event_type' });
    const { projectId } = call.origin;
    const filters = {
      endpointId: call.resource.id,
      state,
      eventTypes,
      outcomes: outcome,
      statusCodes,
    };
    const rows = await listDeliveries(call.tx, projectId, filters, idPageStart(call));
    return page(call, rows, {
      present: presentDelivery,
      position: ({ id }) => [id],
      count: () => countDeliveries(call.tx, projectId, filters),
    });
  },
});

const get = route({
  method: 'GET',
  path: '/v1/webhooks/{id}/deliveries/{delivery_id}',
  operationId: 'getDelivery',
  tag,
  summary: 'Get a delivery with its attempts.',
  description:
    '`request` and `request_headers` show the message as it is sent, `response_excerpt` the start of the response, which may contain the event. They are null without the `events:read` scope, and for audit types without `audit:read`.',
  scopes: ['webhooks:read'],
  params: { id: 'webhook', delivery_id: 'delivery' },
  responses: { 200: DeliveryWithAttempts },
  load: ({ tx, origin, params }) =>
    findDelivery(tx, origin.projectId, params.id, params.delivery_id),
  handler: async ({ tx, deps, origin, key, resource }) => {
    const unseal = mayReadMessages(key, resource.event_type) ? deps.seal.open : null;
    return ok(await readAttempts(tx, origin.projectId, resource, unseal));
  },
});

const redeliverRoute = route({
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
  handler: async ({ tx, origin, key, resource, path }) => {
    requireFeedScopes(key, [resource.found.event_type]);
    const due = await redeliver(tx, origin, resource.endpoint, resource.found);
    return accepted(presentDelivery(due), path.replace(/\/redeliver$/, ''));
  },
});

export const deliveryRoutes = [list, get, redeliverRoute];
