import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { Id, Nullable, Time } from './common.ts';
import { EventRecord } from './events.ts';
import { listQuery, strictObject } from './shapes.ts';

export const ConsumerName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$',
  description: 'Letters, digits, dots, hyphens and underscores, at most 100; once in a project.',
});

const position = Type.Integer({
  minimum: 0,
  description: 'The last sequence that is done with; reading goes on after it.',
});
const latest = Type.Integer({
  minimum: 0,
  description: 'The sequence of the newest event of the category.',
});
const lag = Type.Integer({
  minimum: 0,
  description:
    'How many events that its filters want are after the position. Exact while the feed is at most 10,000 events ahead; of what is beyond that, every event counts.',
});

export const ConsumerRecord = strictObject(
  {
    id: Id('consumer'),
    project_id: Id('project'),
    name: Type.String(),
    category: Type.Enum(['domain', 'audit']),
    event_types: Nullable(Type.Array(Type.String())),
    resource_type: Nullable(Type.String()),
    resource_id: Nullable(Type.String()),
    position,
    latest_sequence: latest,
    lag,
    expired: Type.Boolean({
      description:
        'Part of what follows the position is no longer kept: reading is 410 until it seeks.',
    }),
    last_read_at: Nullable(Type.String({ format: 'date-time', description: 'Within 10 seconds.' })),
    last_committed_at: Nullable(Time),
    created_at: Time,
    version: Type.Integer({
      minimum: 1,
      description: 'Rises with each commit and seek that moves the position.',
    }),
  },
  { title: 'Consumer' },
);
export type ConsumerRecord = Static<typeof ConsumerRecord>;

export const ConsumerCreate = strictObject(
  {
    name: ConsumerName,
    category: Type.Optional(
      Type.Enum(['domain', 'audit'], {
        default: 'domain',
        description: 'audit needs the scope audit:read, here and at every use.',
      }),
    ),
    event_types: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description:
          'Types of the category. `*` stands for one segment, or as the last one for all that follow; types that come with later releases are matched too. All without it.',
      }),
    ),
    resource_type: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    resource_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    start: Type.Optional(
      Type.Enum(['earliest', 'latest'], {
        default: 'earliest',
        description:
          'Where it begins: at the earliest event that is kept, or with what comes from now on.',
      }),
    ),
  },
  { title: 'ConsumerCreate' },
);
export type ConsumerCreate = Static<typeof ConsumerCreate>;

export const consumerEventsQuery = strictObject({
  limit: listQuery(limits.events_limit_max).limit,
  wait_seconds: Type.Integer({ minimum: 0, maximum: limits.wait_seconds_max, default: 0 }),
});

export const ConsumerEvents = strictObject(
  {
    data: Type.Array(EventRecord),
    has_more: Type.Boolean({ description: 'More is there already.' }),
    position,
    commit_sequence: Type.Integer({
      minimum: 0,
      description:
        'What to commit when all of `data` is done; it passes over what the filters leave out.',
    }),
    latest_sequence: latest,
    lag,
  },
  { title: 'ConsumerEvents' },
);

export const ConsumerCommit = strictObject(
  {
    sequence: Type.Integer({
      minimum: 0,
      description: 'Everything up to and with it is done: `commit_sequence`, or that of an event.',
    }),
    ack: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Also acknowledges what is passed by this and matches the filters.',
      }),
    ),
  },
  { title: 'ConsumerCommit' },
);

export const ConsumerCommitted = strictObject(
  {
    ...ConsumerRecord.properties,
    acknowledged: Type.Integer({
      minimum: 0,
      description: 'How many events were not published before; 0 without `ack`.',
    }),
  },
  { title: 'ConsumerCommitted' },
);

export const ConsumerSeek = strictObject(
  {
    sequence: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The position itself: reading goes on after it.' }),
    ),
    event_id: Type.Optional(Id('event')),
    to: Type.Optional(
      Type.Enum(['earliest', 'latest'], {
        description: 'Before the earliest event that is kept, or after the newest.',
      }),
    ),
  },
  { title: 'ConsumerSeek', description: 'Exactly one of them.' },
);
export type ConsumerSeek = Static<typeof ConsumerSeek>;
