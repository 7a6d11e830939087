import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { Id, Nullable, Time } from './common.ts';

const closed = { additionalProperties: false };

const WebhookHealth = Type.Object(
  {
    state: Type.Enum(['healthy', 'failing', 'warning', 'critical'], {
      description:
        'failing since its first failure with no success after it; warning after a day of that, critical after three, disabled after five.',
    }),
    since: Nullable(Time),
    disables_at: Nullable(Time),
    failures_in_row: Type.Integer({ minimum: 0 }),
    held_until: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'Set while too much has failed in a row: new events wait, without using attempts up, and one is sent after this time to see whether it answers again.',
      }),
    ),
    pending: Type.Integer({ minimum: 0, description: 'Deliveries that are still to be made.' }),
    oldest_pending_at: Nullable(Time),
    last_success_at: Nullable(Time),
    last_failure_at: Nullable(Time),
    last_error: Nullable(Type.Object({ code: Type.String(), message: Type.String() }, closed)),
  },
  { ...closed, title: 'WebhookHealth' },
);

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
    health: WebhookHealth,
    created_at: Time,
    updated_at: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { ...closed, title: 'Webhook' },
);
export type WebhookRecord = Static<typeof WebhookRecord>;

/** The answer to creating one: the only time that the secret is shown. */
export const WebhookCreated = Type.Object(
  {
    ...WebhookRecord.properties,
    secret: Type.String({ description: 'Signs what is sent (Standard Webhooks); shown once.' }),
  },
  { ...closed, title: 'WebhookCreated' },
);

const settings = {
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'Over https, on the public internet.',
  }),
  event_types: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description:
      'Types of events. `*` stands for one segment, or as the last one for all that follow; types of the category audit must be named in full.',
  }),
  description: Nullable(Type.String({ maxLength: 1000 })),
  payload: Type.Enum(['full', 'thin'], { description: 'thin leaves `data` out.' }),
  max_in_flight: Type.Integer({ minimum: 1, maximum: limits.webhook_max_in_flight }),
};

export const WebhookCreate = Type.Object(
  {
    url: settings.url,
    event_types: settings.event_types,
    description: Type.Optional(settings.description),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    payload: Type.Optional(settings.payload),
    max_in_flight: Type.Optional(settings.max_in_flight),
    state: Type.Optional(Type.Enum(['enabled', 'paused'])),
    secret: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'One of your own: `whsec_` and the base64 of 24 to 64 bytes.',
      }),
    ),
  },
  { ...closed, title: 'WebhookCreate' },
);
export type WebhookCreate = Static<typeof WebhookCreate>;

export const WebhookPatch = Type.Partial(
  Type.Object({
    ...settings,
    headers: Nullable(
      Type.Record(Type.String(), Nullable(Type.String()), {
        description: 'Merged into those there are; null takes one away.',
      }),
    ),
  }),
  { ...closed, title: 'WebhookPatch' },
);
export type WebhookPatch = Static<typeof WebhookPatch>;

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
export type AttemptRecord = Static<typeof AttemptRecord>;

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
export type DeliveryWithAttempts = Static<typeof DeliveryWithAttempts>;
