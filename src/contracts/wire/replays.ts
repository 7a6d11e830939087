import { type Static, Type } from 'typebox';
import { Id, Nullable, Time } from './common.ts';

const closed = { additionalProperties: false };
const count = (description: string) => Type.Integer({ minimum: 0, description });

const Patterns = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description:
    'Only these types; `*` stands for one segment, or as the last one for all that follow.',
});

const selection = Type.Enum(['failed', 'missing', 'all'], {
  default: 'failed',
  description:
    'failed: what was given up or skipped. missing: what the webhook wants, as it is set now, and neither has got nor is about to: never owed, skipped, given up or cancelled. all: everything it wants, whether it has got it or not.',
});

export const ReplayCreate = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      description: 'Events that occurred at this time or later.',
    }),
    until: Type.Optional(
      Type.String({ format: 'date-time', description: 'And before this one: now unless said.' }),
    ),
    event_types: Type.Optional(Patterns),
    only: selection,
    dry_run: Type.Boolean({ default: false, description: 'Only count what would be sent.' }),
  },
  { ...closed, title: 'ReplayCreate' },
);
export type ReplayCreate = Static<typeof ReplayCreate>;

const range = {
  only: Type.Enum(['failed', 'missing', 'all']),
  since: Time,
  until: Time,
  event_types: Nullable(Type.Array(Type.String())),
  matched: count('Events that were to be sent again when it was asked for.'),
};

/** What a dry run answers. */
export const ReplayPreview = Type.Object(range, { ...closed, title: 'ReplayPreview' });
export type ReplayPreview = Static<typeof ReplayPreview>;

export const ReplayRecord = Type.Object(
  {
    id: Id('replay'),
    project_id: Id('project'),
    webhook_id: Id('webhook'),
    state: Type.Enum(['running', 'completed', 'cancelled']),
    reason: Nullable(Type.String({ description: 'Why it was cancelled.' })),
    ...range,
    queued: count('Deliveries made so far; what has arrived meanwhile needs none.'),
    pending: count('Of those: to be sent, or to be sent again.'),
    succeeded: count('Of those: arrived.'),
    exhausted: count('Of those: given up.'),
    skipped: count('Of those: skipped, since the webhook was disabled or the event is too old.'),
    cancelled: count('Of those: cancelled before they arrived.'),
    created_at: Time,
    finished_at: Nullable(Time),
  },
  { ...closed, title: 'Replay' },
);
export type ReplayRecord = Static<typeof ReplayRecord>;

/** Which of what waits is to be cancelled; without anything, all of it. */
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
  { ...closed, title: 'BacklogCancel' },
);
export type BacklogCancel = Static<typeof BacklogCancel>;

export const BacklogCancelled = Type.Object(
  { cancelled: count('Deliveries that were waiting and are not made any more.') },
  { ...closed, title: 'BacklogCancelled' },
);
