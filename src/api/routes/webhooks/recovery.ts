import { grants } from '@scriptorium/contracts/scopes';
import {
  BacklogCancel,
  BacklogCancelled,
  BacklogRetried,
  ReplayCreate,
  ReplayPreview,
  ReplayRecord,
} from '@scriptorium/contracts/wire/replays';
import { listQuery, listSchema, strictObject } from '@scriptorium/contracts/wire/shapes';
import { cancelBacklog, retryBacklog } from '../../../webhooks/backlog.ts';
import { cancelReplay } from '../../../webhooks/replays/cancel.ts';
import { countReplays, findReplay, listReplays } from '../../../webhooks/replays/read.ts';
import { planReplay, presentPlan, startReplay } from '../../../webhooks/replays/start.ts';
import { accepted, ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';
import { idPageStart, page } from '../../requests/cursor.ts';
import { requireFeedScopes } from './feed-scopes.ts';
import { loadWebhook, tag, type WebhookLoadCall } from './load.ts';

const loadReplay = ({ tx, origin, params }: WebhookLoadCall<{ id: string; replay_id: string }>) =>
  findReplay(tx, origin.projectId, params.id, params.replay_id);

const start = route({
  method: 'POST',
  path: '/v1/webhooks/{id}/replay',
  operationId: 'replayWebhook',
  tag,
  summary: 'Replay events of a time range: failed, missing, or all.',
  description:
    'The events are fixed when the replay starts; later events are not included. They are sent after new events, with the same retry schedule and the header `webhook-replay-id`. A failed delivery counts as succeeded once its replay succeeds. `dry_run` only counts the events and returns 200. A webhook can have one running replay at a time. Audit types also require the `audit:read` scope; without it, a replay of failed events leaves them out unless `event_types` names them.',
  scopes: ['webhooks:write', 'events:read'],
  work: 'heavy',
  params: { id: 'webhook' },
  body: ReplayCreate,
  responses: { 200: ReplayPreview, 202: ReplayRecord },
  problems: ['state_conflict'],
  load: loadWebhook,
  handler: async ({ tx, key, origin, resource, body, path }) => {
    const readsAudit = grants(key.scopes, 'audit:read');
    const plan = await planReplay(tx, resource, body, { readsAudit });
    requireFeedScopes(key, plan.scope.types ?? []);
    if (body.dry_run) return ok(presentPlan(plan));
    const id = await startReplay(tx, origin, plan);
    const replay = await findReplay(tx, origin.projectId, resource.id, id);
    return accepted(replay!, `${path}s/${id}`);
  },
});

const list = route({
  method: 'GET',
  path: '/v1/webhooks/{id}/replays',
  operationId: 'listReplays',
  tag,
  summary: 'List the replays of a webhook, newest first.',
  scopes: ['webhooks:read'],
  params: { id: 'webhook' },
  query: strictObject(listQuery()),
  responses: { 200: listSchema(ReplayRecord) },
  load: loadWebhook,
  handler: async (call) => {
    return page(call, await listReplays(call.tx, call.resource, idPageStart(call)), {
      present: (replay) => replay,
      position: ({ id }) => [id],
      count: () => countReplays(call.tx, call.resource),
    });
  },
});

const get = route({
  method: 'GET',
  path: '/v1/webhooks/{id}/replays/{replay_id}',
  operationId: 'getReplay',
  tag,
  summary: 'Get a replay with its progress.',
  scopes: ['webhooks:read'],
  params: { id: 'webhook', replay_id: 'replay' },
  responses: { 200: ReplayRecord },
  load: loadReplay,
  handler: async ({ resource }) => ok(resource),
});

const cancel = route({
  method: 'POST',
  path: '/v1/webhooks/{id}/replays/{replay_id}/cancel',
  operationId: 'cancelReplay',
  tag,
  summary: 'Cancel a replay. Events not yet sent are not sent.',
  scopes: ['webhooks:write'],
  params: { id: 'webhook', replay_id: 'replay' },
  responses: { 200: ReplayRecord },
  problems: ['state_conflict'],
  load: loadReplay,
  handler: async (call) => {
    await cancelReplay(call.tx, call.origin, call.resource.id);
    return ok((await loadReplay(call))!);
  },
});

const backlog = route({
  method: 'POST',
  path: '/v1/webhooks/{id}/deliveries/cancel',
  operationId: 'cancelDeliveries',
  tag,
  summary: 'Cancel pending deliveries of a webhook.',
  description:
    'To send cancelled deliveries later, replay missing events or redeliver them one by one.',
  scopes: ['webhooks:write'],
  work: 'heavy',
  params: { id: 'webhook' },
  body: BacklogCancel,
  responses: { 200: BacklogCancelled },
  load: loadWebhook,
  prepare: ({ inProject, origin, resource, body }) =>
    cancelBacklog(inProject, origin, resource.id, body),
  handler: async ({ prepared }) => ok({ cancelled: prepared }),
});

const retry = route({
  method: 'POST',
  path: '/v1/webhooks/{id}/deliveries/retry',
  operationId: 'retryDeliveries',
  tag,
  summary: 'Retry the deferred deliveries of a webhook now.',
  description:
    'After the receiver was repaired, sends the pending deliveries that wait for a later time, within the limits of the webhook. If an attempt fails, the automatic schedule of its delivery continues unchanged. Has no effect and records no event if no delivery is deferred. Audit types also require the `audit:read` scope.',
  scopes: ['webhooks:write', 'events:read'],
  work: 'heavy',
  params: { id: 'webhook' },
  responses: { 200: BacklogRetried },
  problems: ['state_conflict'],
  load: loadWebhook,
  prepare: ({ inProject, key, origin, resource }) => {
    requireFeedScopes(key, resource.eventTypes);
    return retryBacklog(inProject, origin, resource.id);
  },
  handler: async ({ prepared }) => ok({ retried: prepared }),
});

/** Replays, and the backlog: cancelling and retrying it. */
export const recoveryRoutes = [start, list, get, cancel, backlog, retry];
