import { Type } from 'typebox';
import { audit, changes, domain, none, strict } from './event-type.ts';

const endpointFacts = Type.Object(
  { event_types: Type.Array(Type.String()), state: Type.String() },
  strict,
);
const endpointExample = { event_types: ['documents.job.*'], state: 'enabled' };
const replayFacts = Type.Object(
  { webhook_id: Type.String(), matched: Type.Integer({ minimum: 0 }) },
  strict,
);
const replayExample = { webhook_id: 'whk_01m7gtek0sx6hv4x5fqk2v9d3e' };

/** Endpoints of webhooks, replays and deliveries. */
export const webhookEvents = {
  'webhooks.endpoint.created': audit(
    'webhook',
    'An endpoint was added.',
    endpointFacts,
    endpointExample,
  ),
  'webhooks.endpoint.updated': audit('webhook', 'Fields of an endpoint changed.', changes, {
    changed: ['event_types'],
  }),
  'webhooks.endpoint.deleted': audit('webhook', 'An endpoint was removed.', none, {}),
  'webhooks.endpoint.paused': audit(
    'webhook',
    'An endpoint keeps what it is owed for later.',
    none,
    {},
  ),
  'webhooks.endpoint.enabled': audit('webhook', 'An endpoint gets its events again.', none, {}),
  'webhooks.endpoint.disabled': audit(
    'webhook',
    'An endpoint gets nothing more until it is enabled.',
    Type.Object({ reason: Type.String() }, strict),
    { reason: 'gone' },
  ),
  'webhooks.endpoint.secret_rotated': audit(
    'webhook',
    'An endpoint signs with a new secret; the old ones sign beside it for a while.',
    Type.Object({ overlap_seconds: Type.Integer({ minimum: 0 }) }, strict),
    { overlap_seconds: 86_400 },
  ),
  'webhooks.endpoint.tested': audit(
    'webhook',
    'Somebody had an example sent to an endpoint; it is no delivery.',
    Type.Object(
      {
        outcome: Type.Enum(['succeeded', 'failed']),
        status: Type.Union([Type.Integer(), Type.Null()]),
      },
      strict,
    ),
    { outcome: 'succeeded', status: 204 },
  ),
  'webhooks.replay.started': domain('replay', 'Somebody had events sent again.', replayFacts, {
    ...replayExample,
    matched: 120,
  }),
  'webhooks.replay.completed': domain(
    'replay',
    'Everything that a replay sent again has ended, or it was cancelled.',
    Type.Object(
      {
        ...replayFacts.properties,
        state: Type.Enum(['completed', 'cancelled']),
        succeeded: Type.Integer({ minimum: 0 }),
      },
      strict,
    ),
    { ...replayExample, matched: 120, state: 'completed', succeeded: 119 },
  ),
  'webhooks.delivery.exhausted': domain(
    'delivery',
    'The last scheduled attempt at a delivery failed.',
    Type.Object(
      { event_id: Type.String(), webhook_id: Type.String(), attempts: Type.Integer() },
      strict,
    ),
    {
      event_id: 'evt_01m7gtek0sx6hv4x5fqk2v9d3e',
      webhook_id: 'whk_01m7gtek0sx6hv4x5fqk2v9d3e',
      attempts: 10,
    },
  ),
} as const;
