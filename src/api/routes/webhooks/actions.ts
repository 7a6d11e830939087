import { eventTypeNames } from '@scriptorium/contracts/events';
import { strictObject } from '@scriptorium/contracts/wire/shapes';
import {
  WebhookRecord,
  WebhookSecretRotation,
  WebhookTest,
  WebhookWithSecret,
} from '@scriptorium/contracts/wire/webhooks';
import { Type } from 'typebox';
import { rotateSecret } from '../../../webhooks/endpoints/rotate.ts';
import { recordTest, sendTest, testedType } from '../../../webhooks/endpoints/send-test.ts';
import {
  disableOnRequest,
  enableEndpoint,
  pauseEndpoint,
} from '../../../webhooks/endpoints/state.ts';
import { ok } from '../../frame/reply.ts';
import { route } from '../../frame/route.ts';
import { requireFeedScopes } from './feed-scopes.ts';
import { loadWebhook, lockWebhookToChange, tag } from './load.ts';

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
  load: lockWebhookToChange,
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
    'Sends an example event with `sequence` 0, then records a `webhooks.endpoint.tested` event with the same `id` and the outcome. An example has the data and identifiers that `GET /v1/event-types` shows, so that it matches none of your resources. It is not a delivery, and ignores the state and filter of the webhook. The response is 200 even if the receiver failed.',
  scopes: ['webhooks:write'],
  params: { id: 'webhook' },
  query: strictObject({
    event_type: Type.Optional(
      Type.Enum([...eventTypeNames], {
        default: testedType,
        description: 'The type of the example.',
      }),
    ),
  }),
  responses: { 200: WebhookTest },
  idempotent: false,
  concurrency: 4,
  load: loadWebhook,
  prepare: ({ deps, origin, resource, query }) =>
    sendTest(deps, origin, resource, query.event_type ?? testedType),
  handler: async ({ tx, origin, resource, prepared: sent }) => {
    await recordTest(tx, origin, resource, sent);
    return ok(sent.result);
  },
});

const noEffectDescription =
  'Has no effect and records no event if the webhook is already in that state.';
const stateChanges = [
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
    change: disableOnRequest,
    sends: false,
  },
] as const;

const transitions = stateChanges.map(({ verb, summary, change, sends }) =>
  route({
    method: 'POST',
    path: `/v1/webhooks/{id}/${verb}`,
    operationId: `${verb}Webhook`,
    tag,
    summary,
    description: sends
      ? `${noEffectDescription} Audit types also require the \`audit:read\` scope.`
      : noEffectDescription,
    scopes: sends ? ['webhooks:write', 'events:read'] : ['webhooks:write'],
    params: { id: 'webhook' },
    responses: { 200: WebhookRecord },
    problems: ['state_conflict'],
    load: lockWebhookToChange,
    handler: async (call) => {
      if (sends) requireFeedScopes(call.key, call.resource.eventTypes);
      const changed = await change(call.tx, call.origin, call.resource);
      return ok(changed, { version: changed.version });
    },
  }),
);

export const actionRoutes = [rotate, test, ...transitions];
