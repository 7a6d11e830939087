import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { Id, Nullable, Time } from './common.ts';
import { EventRecord } from './events.ts';
import { listQuery, strictObject } from './shapes.ts';

export const consumerNamePattern = '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$';

const ConsumerName = Type.String({
  pattern: consumerNamePattern,
  description: 'Up to 100 letters, digits, dots, hyphens and underscores. Unique in the project.',
});

const position = Type.Integer({
  minimum: 0,
  description: 'The sequence of the last committed event. Reading continues after it.',
});
const latest = Type.Integer({
  minimum: 0,
  description: 'The sequence of the newest event of the category.',
});
const lag = Type.Integer({
  minimum: 0,
  description:
    'How many events that match the filters follow the position. Exact if the feed is at most 10,000 events ahead; events beyond that count whether they match or not.',
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
        'Events after the position are no longer retained. Reading returns 410 until the consumer seeks.',
    }),
    last_read_at: Nullable(
      Type.String({ format: 'date-time', description: 'Accurate to 10 seconds.' }),
    ),
    last_committed_at: Nullable(Time),
    created_at: Time,
    version: Type.Integer({
      minimum: 1,
      description: 'Increases with each commit or seek that moves the position.',
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
        description:
          '`audit` requires the `audit:read` scope, both to create and to use the consumer.',
      }),
    ),
    event_types: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description:
          'Event types of the category. `*` matches one segment, or as the last segment all that follow, including types of later releases. Default: all types.',
      }),
    ),
    resource_type: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    resource_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    start: Type.Optional(
      Type.Enum(['earliest', 'latest'], {
        default: 'earliest',
        description:
          'Where reading starts: at the earliest retained event, or with new events only.',
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
    has_more: Type.Boolean({ description: 'Whether more events are available now.' }),
    position,
    commit_sequence: Type.Integer({
      minimum: 0,
      description:
        'The sequence to commit after processing all of `data`. It also covers events that the filters exclude.',
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
      description: 'The last processed sequence: `commit_sequence`, or the `sequence` of an event.',
    }),
    ack: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Also acknowledge the committed events that match the filters.',
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
      description: 'How many events became published. 0 without `ack`.',
    }),
  },
  { title: 'ConsumerCommitted' },
);

export const ConsumerSeek = strictObject(
  {
    sequence: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The new position. Reading continues after it.' }),
    ),
    event_id: Type.Optional(Id('event')),
    to: Type.Optional(
      Type.Enum(['earliest', 'latest'], {
        description:
          '`earliest`: before the earliest retained event. `latest`: after the newest event.',
      }),
    ),
  },
  { title: 'ConsumerSeek', description: 'Exactly one of the fields is required.' },
);
export type ConsumerSeek = Static<typeof ConsumerSeek>;
