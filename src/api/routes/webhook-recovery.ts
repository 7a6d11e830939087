import { grants } from '../../contracts/scopes.ts';
import {
  BacklogCancel,
  BacklogCancelled,
  ReplayCreate,
  ReplayPreview,
  ReplayRecord,
} from '../../contracts/wire/replays.ts';
import { listQuery, listSchema, strictObject } from '../../contracts/wire/shapes.ts';
import type { Tx } from '../../db/transaction.ts';
import { cancelBacklog } from '../../webhooks/backlog.ts';
import { findEndpoint } from '../../webhooks/endpoints/read.ts';
import { cancelReplay } from '../../webhooks/replays/cancel.ts';
import { countReplays, findReplay, listReplays } from '../../webhooks/replays/read.ts';
import { planReplay, presentPlan, startReplay } from '../../webhooks/replays/start.ts';
import { accepted, ok } from '../frame/reply.ts';
import { type LoadCall, route } from '../frame/route.ts';
import { page, readCursor, wantsTotal } from '../requests/cursor.ts';
import { requireFeed } from './webhook-feed.ts';

const tag = 'Webhooks';

type Loading<Params> = Pick<LoadCall<string, never>, 'origin'> & { tx: Tx; params: Params };
const load = ({ tx, origin, params }: Loading<{ id: string }>) =>
  findEndpoint(tx, origin.projectId, params.id);
const loadReplay = ({ tx, origin, params }: Loading<{ id: string; replay_id: string }>) =>
  findReplay(tx, origin.projectId, params.id, params.replay_id);

const start = route({
  method: 'POST',
  path: '/v1/webhooks/{id}/replay',
  operationId: 'replayWebhook',
  tag,
  summary: 'Send events of a range again: those that failed, those that are missing, or all.',
  description:
    'What is sent is fixed by the request: events that are recorded or committed later are not part of it. It is sent behind new events, by the same retry schedule, with the header `webhook-replay-id`; what had failed has succeeded when its replay does. With `dry_run` it is only counted (200). One replay to a webhook runs at a time. Audit types need the scope audit:read too; a replay of what failed leaves them out without it, unless `event_types` names them.',
  scopes: ['webhooks:write', 'events:read'],
  work: 'heavy',
  params: { id: 'webhook' },
  body: ReplayCreate,
  responses: { 200: ReplayPreview, 202: ReplayRecord },
  problems: ['state_conflict'],
  load,
  handler: async ({ tx, key, origin, resource, body, path }) => {
    const readsAudit = grants(key.scopes, 'audit:read');
    const plan = await planReplay(tx, resource, body, { readsAudit });
    requireFeed(key, plan.wanted.types ?? []);
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
  summary: 'List the replays to a webhook, newest first.',
  scopes: ['webhooks:read'],
  params: { id: 'webhook' },
  query: strictObject(listQuery()),
  responses: { 200: listSchema(ReplayRecord) },
  load,
  handler: async (call) => {
    const before = readCursor(call)?.[0]?.toString() ?? null;
    const limit = call.query.limit + 1;
    return page(call, await listReplays(call.tx, call.resource, { before, limit }), {
      present: (replay) => replay,
      position: ({ id }) => [id],
      total: wantsTotal(call) ? await countReplays(call.tx, call.resource) : null,
    });
  },
});

const get = route({
  method: 'GET',
  path: '/v1/webhooks/{id}/replays/{replay_id}',
  operationId: 'getReplay',
  tag,
  summary: 'Get a replay and how far it is.',
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
  summary: 'Stop a replay: what it has not sent yet is not sent.',
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
  summary: 'Give up what waits for a webhook, or some of it.',
  description:
    'What is cancelled no longer counts as owed. A replay of what is missing, or redelivering one, brings it back.',
  scopes: ['webhooks:write'],
  work: 'heavy',
  params: { id: 'webhook' },
  body: BacklogCancel,
  responses: { 200: BacklogCancelled },
  load,
  prepare: ({ inProject, origin, resource, body }) =>
    cancelBacklog(inProject, origin, resource.id, body),
  handler: async ({ prepared }) => ok({ cancelled: prepared }),
});

/** Getting to a webhook what it lacks, or giving it up. */
export const webhookRecoveryRoutes = [start, list, get, cancel, backlog];
