import { type Static, Type } from 'typebox';
import { Id, Nullable, Time } from './common.ts';

const closed = { additionalProperties: false };

export const WebhookRecord = Type.Object(
  {
    id: Id('webhook'),
    project_id: Id('project'),
    url: Type.String(),
    event_types: Type.Array(Type.String()),
    description: Nullable(Type.String()),
    state: Type.Enum(['enabled', 'paused', 'disabled']),
    disabled_reason: Nullable(Type.String()),
    headers: Type.Record(Type.String(), Type.String()),
    payload: Type.Enum(['full', 'thin']),
    max_in_flight: Type.Integer({ minimum: 1 }),
    health: Type.Object(
      { state: Type.Enum(['healthy', 'failing']), since: Nullable(Time) },
      closed,
    ),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { ...closed, title: 'Webhook' },
);
export type WebhookRecord = Static<typeof WebhookRecord>;

export const deliveryStates = [
  'pending',
  'delivering',
  'succeeded',
  'exhausted',
  'skipped',
  'cancelled',
] as const;

export const AttemptRecord = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    trigger: Type.String(),
    outcome: Type.Enum(['unknown', 'succeeded', 'failed']),
    at: Time,
    status: Nullable(Type.Integer()),
    duration_ms: Nullable(Type.Number()),
    timings: Nullable(Type.Record(Type.String(), Nullable(Type.Number()))),
    error: Nullable(Type.Object({ code: Type.String(), message: Type.String() }, closed)),
    response_excerpt: Nullable(Type.String()),
    next_attempt_at: Nullable(Time),
  },
  { ...closed, title: 'Attempt' },
);

const delivery = {
  id: Id('delivery'),
  webhook_id: Id('webhook'),
  event_id: Id('event'),
  event_type: Type.String(),
  state: Type.Enum([...deliveryStates]),
  reason: Nullable(Type.String()),
  attempts_made: Type.Integer({ minimum: 0 }),
  next_attempt_at: Nullable(Time),
  created_at: Time,
  finished_at: Nullable(Time),
};

export const DeliveryRecord = Type.Object(delivery, { ...closed, title: 'Delivery' });
export type DeliveryRecord = Static<typeof DeliveryRecord>;

export const DeliveryWithAttempts = Type.Object(
  { ...delivery, attempts: Type.Array(AttemptRecord) },
  { ...closed, title: 'DeliveryWithAttempts' },
);
