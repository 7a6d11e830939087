import { type Static, Type } from 'typebox';
import { Id, Nullable, Time } from './common.ts';

const strictOptions = { additionalProperties: false };
const count = (description: string) => Type.Integer({ minimum: 0, description });

const Patterns = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description:
    'Only these event types. `*` matches one segment, or as the last segment all that follow.',
});

const selection = Type.Enum(['failed', 'missing', 'all'], {
  default: 'failed',
  description:
    '`failed`: events whose delivery was exhausted or skipped. `missing`: events that match the current settings of the webhook and have neither been delivered nor are pending. `all`: all events that match, delivered or not, except those whose delivery is pending.',
});

export const ReplayCreate = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      description: 'Only events that occurred at or after this time.',
    }),
    until: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Only events that occurred before this time. Default: now.',
      }),
    ),
    event_types: Type.Optional(Patterns),
    only: selection,
    dry_run: Type.Boolean({ default: false, description: 'Only count the events; send nothing.' }),
  },
  { ...strictOptions, title: 'ReplayCreate' },
);
export type ReplayCreate = Static<typeof ReplayCreate>;

const range = {
  only: Type.Enum(['failed', 'missing', 'all']),
  since: Time,
  until: Time,
  event_types: Nullable(Type.Array(Type.String())),
  matched: count('Events that matched when the replay was requested.'),
};

/** The response to a dry run. */
export const ReplayPreview = Type.Object(range, { ...strictOptions, title: 'ReplayPreview' });
export type ReplayPreview = Static<typeof ReplayPreview>;

export const ReplayRecord = Type.Object(
  {
    id: Id('replay'),
    project_id: Id('project'),
    webhook_id: Id('webhook'),
    state: Type.Enum(['running', 'completed', 'cancelled']),
    reason: Nullable(Type.String({ description: 'Why the replay was cancelled.' })),
    ...range,
    queued: count(
      'Deliveries created so far. Events that were delivered in the meantime need none.',
    ),
    pending: count('Deliveries that wait for an attempt.'),
    succeeded: count('Deliveries that succeeded.'),
    exhausted: count('Deliveries that failed permanently.'),
    skipped: count('Deliveries skipped because the webhook was disabled or the event is too old.'),
    cancelled: count('Deliveries that were cancelled.'),
    created_at: Time,
    finished_at: Nullable(Time),
  },
  { ...strictOptions, title: 'Replay' },
);
export type ReplayRecord = Static<typeof ReplayRecord>;

/** Which pending deliveries to cancel. Default: all. */
export const BacklogCancel = Type.Object(
  {
    before: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Only events that occurred before this time.',
      }),
    ),
    event_types: Type.Optional(Patterns),
  },
  { ...strictOptions, title: 'BacklogCancel' },
);
export type BacklogCancel = Static<typeof BacklogCancel>;

export const BacklogRetried = Type.Object(
  { retried: count('How many deferred deliveries are now due.') },
  { ...strictOptions, title: 'BacklogRetried' },
);

export const BacklogCancelled = Type.Object(
  { cancelled: count('How many pending deliveries were cancelled.') },
  { ...strictOptions, title: 'BacklogCancelled' },
);
