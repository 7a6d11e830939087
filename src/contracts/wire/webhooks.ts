import { type Static, type TSchema, Type } from 'typebox';
import { hiddenValue } from '../hidden-value.ts';
import { limits } from '../limits.ts';
import { Id, Nullable, Time } from './common.ts';

const closed = { additionalProperties: false };

/** How what is sent can be signed, in the order of the signatures: HMAC-SHA256, ed25519. */
export const signatureKinds = ['v1', 'v1a'] as const;
export type SignatureKind = (typeof signatureKinds)[number];

/** An object of anybody's names; `Type.Record` looks past names that have a line break in them. */
function Named<S extends TSchema>(value: S, options: object = {}) {
  return Type.Unsafe<Record<string, Static<S>>>({
    type: 'object',
    additionalProperties: value,
    ...options,
  });
}

const filterValue = Type.Union([
  Type.String({ maxLength: 1000 }),
  Type.Number(),
  Type.Boolean(),
  Type.Null(),
]);
const filterValues = Type.Array(filterValue, {
  minItems: 1,
  maxItems: limits.webhook_filter_values,
});

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
    headers: Type.Record(Type.String(), Type.String(), {
      description: `Its own headers, by name. What they say may be a credential: \`${hiddenValue}\` stands for every value.`,
    }),
    payload: Type.Enum(['full', 'thin']),
    filter: Nullable(Named(filterValues)),
    max_per_second: Nullable(Type.Integer({ minimum: 1 })),
    max_in_flight: Type.Integer({ minimum: 1 }),
    signing: Type.Array(Type.Enum([...signatureKinds])),
    public_keys: Type.Array(Type.String(), {
      description:
        'What v1a signatures verify with (`whpk_` and the base64 of an ed25519 key), the newest first; during a rotation also the older ones.',
    }),
    health: WebhookHealth,
    created_at: Time,
    updated_at: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { ...closed, title: 'Webhook' },
);
export type WebhookRecord = Static<typeof WebhookRecord>;

/** The answer to creating one or rotating its secret: the only times that the secret is shown. */
export const WebhookWithSecret = Type.Object(
  {
    ...WebhookRecord.properties,
    secret: Nullable(
      Type.String({
        description:
          'What v1 signatures are made and verified with (Standard Webhooks); shown once. Null without v1.',
      }),
    ),
  },
  { ...closed, title: 'WebhookWithSecret' },
);
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

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
  max_per_second: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: limits.webhook_max_per_second,
      description:
        'How many attempts may begin a second, and at once after a rest; null for as many as there are.',
    }),
  ),
  max_in_flight: Type.Integer({
    minimum: 1,
    maximum: limits.webhook_max_in_flight,
    description: 'How many attempts may be under way at once.',
  }),
  signing: Type.Array(Type.Enum([...signatureKinds]), {
    minItems: 1,
    uniqueItems: true,
    description:
      'Which signatures it gets: v1 (HMAC-SHA256 with the secret), v1a (ed25519, verified with `public_keys`); v1 unless said. One that is taken away ends with its keys; one that is added gets new ones, and a new secret is shown by rotate-secret only.',
  }),
};

const filterDescription =
  'JSON pointers (RFC 6901) into the body of an event, each with a value or a list of values. An event is sent when every pointer leads to one of its values, or to an array that has one. It looks at the full body, also where the payload is thin.';
const pointers = { maxProperties: limits.webhook_filter_pointers };
const bareValue = Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean()]);

/** One of the owner's own, in place of one that is made. */
const ownSecret = Type.Optional(
  Type.String({
    maxLength: 200,
    description:
      'One of your own: `whsec_` and the base64 of 24 to 64 bytes for v1, or `whsk_` and the base64 of an ed25519 private key (32 bytes, or 64 with the public one) for v1a.',
  }),
);

export const WebhookCreate = Type.Object(
  {
    url: settings.url,
    event_types: settings.event_types,
    description: Type.Optional(settings.description),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description:
          'Sent with every message, an `Authorization` for instance. The values are kept sealed and shown in no answer.',
      }),
    ),
    payload: Type.Optional(settings.payload),
    filter: Type.Optional(
      Nullable(
        Named(Type.Union([bareValue, filterValues]), {
          ...pointers,
          description: filterDescription,
        }),
      ),
    ),
    max_per_second: Type.Optional(settings.max_per_second),
    max_in_flight: Type.Optional(settings.max_in_flight),
    signing: Type.Optional(settings.signing),
    state: Type.Optional(Type.Enum(['enabled', 'paused'])),
    secret: ownSecret,
  },
  { ...closed, title: 'WebhookCreate' },
);
export type WebhookCreate = Static<typeof WebhookCreate>;

export const WebhookPatch = Type.Partial(
  Type.Object({
    ...settings,
    filter: Nullable(
      Named(Type.Union([bareValue, filterValues, Type.Null()]), {
        ...pointers,
        description: `${filterDescription} Merged into the pointers there are; null takes one away, and in place of all of them the whole filter. To look for null, put it into a list.`,
      }),
    ),
    headers: Nullable(
      Type.Record(Type.String(), Nullable(Type.String()), {
        description: `Merged into those there are; null takes one away, and in place of all of them every one. \`${hiddenValue}\` keeps the value there is, so that what was read can be sent back.`,
      }),
    ),
  }),
  { ...closed, title: 'WebhookPatch' },
);
export type WebhookPatch = Static<typeof WebhookPatch>;

export const WebhookSecretRotation = Type.Object(
  {
    overlap_seconds: Type.Integer({
      minimum: 0,
      maximum: limits.webhook_secret_overlap_max_seconds,
      default: 86_400,
      description: 'How long the old secrets sign beside the new ones; 0 ends them at once.',
    }),
    secret: ownSecret,
  },
  { ...closed, title: 'WebhookSecretRotation' },
);
export type WebhookSecretRotation = Static<typeof WebhookSecretRotation>;

export const deliveryStates = [
  'pending',
  'delivering',
  'succeeded',
  'exhausted',
  'skipped',
  'cancelled',
] as const;

/** What came of one POST. */
const exchange = {
  at: Time,
  status: Nullable(Type.Integer()),
  duration_ms: Nullable(Type.Number()),
  timings: Nullable(Type.Record(Type.String(), Nullable(Type.Number()))),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() }, closed)),
  response_excerpt: Nullable(Type.String()),
};

export const WebhookTest = Type.Object(
  {
    outcome: Type.Enum(['succeeded', 'failed']),
    ...exchange,
    request: Type.Object(
      {
        method: Type.Literal('POST'),
        url: Type.String(),
        headers: Type.Record(Type.String(), Type.String(), {
          description: `What was sent, with \`${hiddenValue}\` for the values of the webhook's own headers.`,
        }),
        body: Type.String({ description: 'The exact text that was signed.' }),
      },
      closed,
    ),
  },
  { ...closed, title: 'WebhookTest' },
);
export type WebhookTest = Static<typeof WebhookTest>;

export const AttemptRecord = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    trigger: Type.String(),
    outcome: Type.Enum(['unknown', 'succeeded', 'failed']),
    ...exchange,
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
