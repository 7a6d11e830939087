import { Type } from 'typebox';
import { auditEvent, changedFields, domainEvent, noData, strictOptions } from './event-type.ts';

const endpointFacts = Type.Object(
  { event_types: Type.Array(Type.String()), state: Type.String() },
  strictOptions,
);
const endpointExample = { event_types: ['documents.job.*'], state: 'enabled' };
const replayFacts = Type.Object(
  { webhook_id: Type.String(), matched: Type.Integer({ minimum: 0 }) },
  strictOptions,
);
const replayExample = { webhook_id: 'whk_01m7gtek0sx6hv4x5fqk2v9d3e' };

/** Webhooks, their deliveries and replays. */
export const webhookEvents = {
  'webhooks.endpoint.created': auditEvent(
    'webhook',
    'A webhook was created.',
    endpointFacts,
    endpointExample,
  ),
  'webhooks.endpoint.updated': auditEvent(
    'webhook',
    'Fields of a webhook changed.',
    changedFields,
    {
      changed: ['event_types'],
    },
  ),
  'webhooks.endpoint.deleted': auditEvent('webhook', 'A webhook was deleted.', noData, {}),
  'webhooks.endpoint.paused': auditEvent(
    'webhook',
    'A webhook was paused. Its deliveries wait.',
    noData,
    {},
  ),
  'webhooks.endpoint.enabled': auditEvent('webhook', 'A webhook was enabled.', noData, {}),
  'webhooks.endpoint.disabled': auditEvent(
    'webhook',
    'A webhook was disabled. It receives no deliveries until it is enabled.',
    Type.Object({ reason: Type.String() }, strictOptions),
    { reason: 'gone' },
  ),
  'webhooks.endpoint.secret_rotated': auditEvent(
    'webhook',
    'The secret of a webhook was rotated. The old secret also signs for `overlap_seconds`.',
    Type.Object({ overlap_seconds: Type.Integer({ minimum: 0 }) }, strictOptions),
    { overlap_seconds: 86_400 },
  ),
  'webhooks.endpoint.tested': auditEvent(
    'webhook',
    'A test message was sent to a webhook. It is not a delivery.',
    Type.Object(
      {
        outcome: Type.Enum(['succeeded', 'failed']),
        status: Type.Union([Type.Integer(), Type.Null()]),
      },
      strictOptions,
    ),
    { outcome: 'succeeded', status: 204 },
  ),
  'webhooks.deliveries.cancelled': auditEvent(
    'webhook',
    'Waiting deliveries of a webhook were cancelled on request. Many are cancelled in several steps, each with an event.',
    Type.Object({ count: Type.Integer({ minimum: 0 }) }, strictOptions),
    { count: 42 },
  ),
  'webhooks.deliveries.retried': auditEvent(
    'webhook',
    'The deferred deliveries of a webhook were made due on request.',
    Type.Object({ count: Type.Integer({ minimum: 1 }) }, strictOptions),
    { count: 42 },
  ),
  'webhooks.replay.started': domainEvent('replay', 'A replay of events was started.', replayFacts, {
    ...replayExample,
    matched: 120,
  }),
  'webhooks.replay.completed': domainEvent(
    'replay',
    'All deliveries of a replay have ended, or the replay was cancelled.',
    Type.Object(
      {
        ...replayFacts.properties,
        state: Type.Enum(['completed', 'cancelled']),
        succeeded: Type.Integer({ minimum: 0 }),
      },
      strictOptions,
    ),
    { ...replayExample, matched: 120, state: 'completed', succeeded: 119 },
  ),
  'webhooks.delivery.redelivered': auditEvent(
    'delivery',
    'One more attempt of a delivery was requested.',
    Type.Object({ event_id: Type.String(), webhook_id: Type.String() }, strictOptions),
    {
      event_id: 'evt_01m7gtek0sx6hv4x5fqk2v9d3e',
      webhook_id: 'whk_01m7gtek0sx6hv4x5fqk2v9d3e',
    },
  ),
  'webhooks.delivery.exhausted': domainEvent(
    'delivery',
    'The last scheduled attempt of a delivery failed.',
    Type.Object(
      { event_id: Type.String(), webhook_id: Type.String(), attempts: Type.Integer() },
      strictOptions,
    ),
    {
      event_id: 'evt_01m7gtek0sx6hv4x5fqk2v9d3e',
      webhook_id: 'whk_01m7gtek0sx6hv4x5fqk2v9d3e',
      attempts: 10,
    },
  ),
} as const;
