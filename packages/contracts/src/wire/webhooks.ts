import { type Static, type TSchema, Type } from 'typebox';
import { hiddenValue } from '../helpers/hidden-value.ts';
import { limits } from '../limits.ts';
import { Id, Nullable, Time } from './common.ts';

const strictOptions = { additionalProperties: false };

/** A status code of a response, a class of codes, or `none`. */
export const statusCodePattern = '^([1-5][0-9][0-9]|[1-5]xx|none)$';

/** The signature schemes, in the order of the signatures: HMAC-SHA256, Ed25519. */
export const signatureKinds = ['v1', 'v1a'] as const;
export type SignatureKind = (typeof signatureKinds)[number];

/** An object with arbitrary names. `Type.Record` does not match names with a line break. */
function MapOf<S extends TSchema>(value: S, options: object = {}) {
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
    state: Type.Enum(['healthy', 'degraded', 'failing', 'warning', 'critical'], {
      description:
        '`degraded` if the latest attempt succeeded, but at least one in twenty failed in the last hour. `failing` from the first failure until the next success. `warning` after one day of failures, `critical` after three. After five days the webhook is disabled.',
    }),
    since: Nullable(Time),
    disables_at: Nullable(Time),
    failures_in_row: Type.Integer({ minimum: 0 }),
    held_until: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'Set after too many failures in a row, until this time. New events wait without using up attempts. After this time one event is sent to probe the endpoint.',
      }),
    ),
    pending: Type.Integer({ minimum: 0, description: 'The number of pending deliveries.' }),
    deferred: Type.Integer({
      minimum: 0,
      description:
        'The number of pending deliveries that wait for a later time: that of their next retry, or `held_until`.',
    }),
    oldest_pending_at: Nullable(Time),
    last_success_at: Nullable(Time),
    last_failure_at: Nullable(Time),
    last_error: Nullable(
      Type.Object({ code: Type.String(), message: Type.String() }, strictOptions),
    ),
    last_hour: Type.Object(
      { attempts: Type.Integer({ minimum: 0 }), failed: Type.Integer({ minimum: 0 }) },
      {
        ...strictOptions,
        description: 'The number of attempts in the last hour, and how many of them failed.',
      },
    ),
  },
  { ...strictOptions, title: 'WebhookHealth' },
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
      description: `Custom headers by name. Values may be credentials, so every value is shown as \`${hiddenValue}\`.`,
    }),
    payload: Type.Enum(['full', 'thin']),
    filter: Nullable(MapOf(filterValues)),
    max_per_second: Nullable(Type.Integer({ minimum: 1 })),
    max_in_flight: Type.Integer({ minimum: 1 }),
    signing: Type.Array(Type.Enum([...signatureKinds])),
    public_keys: Type.Array(Type.String(), {
      description:
        'The public keys for `v1a` signatures (`whpk_` and the base64 of an Ed25519 key), newest first. During a rotation the older keys are included.',
    }),
    health: WebhookHealth,
    created_at: Time,
    updated_at: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { ...strictOptions, title: 'Webhook' },
);
export type WebhookRecord = Static<typeof WebhookRecord>;

/**
 * The response to creating a webhook or rotating its secret, which are the only two that show the
 * secret.
 */
export const WebhookWithSecret = Type.Object(
  {
    ...WebhookRecord.properties,
    secret: Nullable(
      Type.String({
        description:
          'The secret of `v1` signatures (Standard Webhooks). It is shown only once. Null without `v1`.',
      }),
    ),
  },
  { ...strictOptions, title: 'WebhookWithSecret' },
);
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

const settings = {
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'An https URL on the public internet.',
  }),
  event_types: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description:
      'Event types. `*` matches one segment, or as the last segment all that follow. Audit types must be named in full.',
  }),
  description: Nullable(Type.String({ maxLength: 1000 })),
  payload: Type.Enum(['full', 'thin'], { description: '`thin` omits `data`.' }),
  max_per_second: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: limits.webhook_max_per_second,
      description:
        'The maximum number of attempts per second, which is also the burst after an idle period. Null: unlimited.',
    }),
  ),
  max_in_flight: Type.Integer({
    minimum: 1,
    maximum: limits.webhook_max_in_flight,
    description: 'The maximum number of concurrent attempts.',
  }),
  signing: Type.Array(Type.Enum([...signatureKinds]), {
    minItems: 1,
    uniqueItems: true,
    description:
      'The signatures of each message: `v1` (HMAC-SHA256 with the secret), `v1a` (Ed25519, verified with `public_keys`). Default: `v1`. Removing a scheme discards its keys. Adding one creates new keys; the new secret is shown only by rotate-secret.',
  }),
};

const filterDescription =
  'JSON pointers (RFC 6901) into the body of an event, each with a value or a list of values. An event is sent if every pointer matches one of its values, or an array that contains one. The filter applies to the full body even if the payload is `thin`.';
const pointers = { maxProperties: limits.webhook_filter_pointers };
const scalarValue = Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean()]);

/** A secret supplied by the client. */
const clientSecret = Type.Optional(
  Type.String({
    maxLength: 200,
    description:
      'Your own secret instead of a generated one: `whsec_` and the base64 of 24 to 64 bytes for `v1`, or `whsk_` and the base64 of an Ed25519 private key (32 bytes, or 64 with the public key) for `v1a`.',
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
          'Sent with every message, such as `Authorization`. Values are stored encrypted and never returned.',
      }),
    ),
    payload: Type.Optional(settings.payload),
    filter: Type.Optional(
      Nullable(
        MapOf(Type.Union([scalarValue, filterValues]), {
          ...pointers,
          description: filterDescription,
        }),
      ),
    ),
    max_per_second: Type.Optional(settings.max_per_second),
    max_in_flight: Type.Optional(settings.max_in_flight),
    signing: Type.Optional(settings.signing),
    state: Type.Optional(Type.Enum(['enabled', 'paused'])),
    secret: clientSecret,
  },
  { ...strictOptions, title: 'WebhookCreate' },
);
export type WebhookCreate = Static<typeof WebhookCreate>;

export const WebhookPatch = Type.Partial(
  Type.Object({
    ...settings,
    filter: Nullable(
      MapOf(Type.Union([scalarValue, filterValues, Type.Null()]), {
        ...pointers,
        description: `${filterDescription} Merged into the current filter. Null removes a pointer; null instead of the object removes the whole filter. To match null, put it in a list.`,
      }),
    ),
    headers: Nullable(
      Type.Record(Type.String(), Nullable(Type.String()), {
        description: `Merged into the current headers. Null removes a header; null instead of the object removes all. \`${hiddenValue}\` keeps the current value, so that you can send back what you read.`,
      }),
    ),
  }),
  { ...strictOptions, title: 'WebhookPatch' },
);
export type WebhookPatch = Static<typeof WebhookPatch>;

export const WebhookSecretRotation = Type.Object(
  {
    overlap_seconds: Type.Integer({
      minimum: 0,
      maximum: limits.webhook_secret_overlap_max_seconds,
      default: 86_400,
      description:
        'How long the old secrets remain valid alongside the new ones. 0 revokes them at once.',
    }),
    secret: clientSecret,
  },
  { ...strictOptions, title: 'WebhookSecretRotation' },
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

/** The outcome of one POST. */
const attemptOutcome = {
  at: Time,
  status: Nullable(Type.Integer()),
  duration_ms: Nullable(Type.Number()),
  timings: Nullable(Type.Record(Type.String(), Nullable(Type.Number()))),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() }, strictOptions)),
  response_excerpt: Nullable(Type.String()),
};

export const WebhookTest = Type.Object(
  {
    outcome: Type.Enum(['succeeded', 'failed']),
    ...attemptOutcome,
    request: Type.Object(
      {
        method: Type.Literal('POST'),
        url: Type.String(),
        headers: Type.Record(Type.String(), Type.String(), {
          description: `The headers that were sent, with \`${hiddenValue}\` for the values of custom headers.`,
        }),
        body: Type.String({ description: 'The exact text that was signed.' }),
      },
      strictOptions,
    ),
  },
  { ...strictOptions, title: 'WebhookTest' },
);
export type WebhookTest = Static<typeof WebhookTest>;

export const AttemptRecord = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    trigger: Type.String(),
    outcome: Type.Enum(['unknown', 'succeeded', 'failed']),
    ...attemptOutcome,
    request_headers: Nullable(
      Type.Record(Type.String(), Type.String(), {
        description: `The headers of the message, with its signature, and with \`${hiddenValue}\` for the values of custom headers. Composed with the current settings and secrets of the webhook: what was sent, unless the webhook has changed since.`,
      }),
    ),
    next_attempt_at: Nullable(
      Type.String({
        format: 'date-time',
        description: 'When the next attempt was scheduled to begin, as of the end of this one.',
      }),
    ),
  },
  { ...strictOptions, title: 'Attempt' },
);
export type AttemptRecord = Static<typeof AttemptRecord>;

const LastAttempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    at: Time,
    outcome: Type.Enum(['unknown', 'succeeded', 'failed']),
    status: attemptOutcome.status,
    duration_ms: attemptOutcome.duration_ms,
    error: attemptOutcome.error,
  },
  { ...strictOptions, title: 'LastAttempt' },
);

const delivery = {
  id: Id('delivery'),
  webhook_id: Id('webhook'),
  event_id: Id('event'),
  event_type: Type.String(),
  state: Type.Enum([...deliveryStates]),
  reason: Nullable(Type.String()),
  attempts_made: Type.Integer({ minimum: 0 }),
  last_attempt: Type.Union([LastAttempt, Type.Null()], {
    description: 'The latest attempt that has ended. Null before the first.',
  }),
  next_attempt_at: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'The earliest time of the next attempt, never in the past: a delivery that is due has the time of the response. Null if no attempt will begin, such as while the webhook is paused.',
    }),
  ),
  created_at: Time,
  finished_at: Nullable(Time),
};

export const DeliveryRecord = Type.Object(delivery, { ...strictOptions, title: 'Delivery' });
export type DeliveryRecord = Static<typeof DeliveryRecord>;

const DeliveryRequest = Type.Object(
  {
    method: Type.Literal('POST'),
    url: Type.String(),
    body: Type.String({ description: 'The exact text that is signed and sent.' }),
  },
  { ...strictOptions, title: 'DeliveryRequest' },
);

export const DeliveryWithAttempts = Type.Object(
  {
    ...delivery,
    request: Type.Union([DeliveryRequest, Type.Null()], {
      description:
        'The message, composed with the current settings of the webhook. Its headers differ by attempt.',
    }),
    attempts: Type.Array(AttemptRecord),
  },
  { ...strictOptions, title: 'DeliveryWithAttempts' },
);
export type DeliveryWithAttempts = Static<typeof DeliveryWithAttempts>;

/** The sort keys of webhooks. */
export const webhookSorts = ['created_at', 'updated_at', 'url', 'state'] as const;
export type WebhookSort = (typeof webhookSorts)[number];
