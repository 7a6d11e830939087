import { type Static, Type } from 'typebox';
import { Id, Nullable, Time } from './common.ts';
import { listSchema } from './shapes.ts';

const closed = { additionalProperties: false };

export const EventRecord = Type.Object(
  {
    id: Id('event'),
    type: Type.String(),
    project_id: Id('project'),
    resource_id: Type.String(),
    occurred_at: Time,
    data: Type.Record(Type.String(), Type.Unknown()),
    sequence: Type.Integer({ minimum: 1 }),
    resource_type: Type.String(),
    category: Type.Enum(['domain', 'audit']),
    actor: Type.Object({ type: Type.String(), id: Nullable(Type.String()) }, closed),
    address: Nullable(Type.String({ description: 'Null without the scope audit:read.' })),
    request_id: Nullable(Type.String()),
    published: Type.Boolean(),
    published_at: Nullable(Time),
  },
  { ...closed, title: 'Event' },
);
export type EventRecord = Static<typeof EventRecord>;

/** A page of the feed. Forwards, `next_cursor` is always there: it is where to go on later. */
export const EventList = Type.Object(
  {
    ...listSchema(EventRecord).properties,
    latest_sequence: Type.Integer({ minimum: 0 }),
  },
  { ...closed, title: 'EventList' },
);

export const EventTypeRecord = Type.Object(
  {
    type: Type.String(),
    category: Type.Enum(['domain', 'audit']),
    resource_type: Type.String(),
    summary: Type.String(),
    data_schema: Type.Record(Type.String(), Type.Unknown(), {
      description: 'JSON Schema of `data`; every event was held against it when it was recorded.',
    }),
    example: Type.Record(Type.String(), Type.Unknown(), {
      description: 'A body as webhooks send it.',
    }),
  },
  { ...closed, title: 'EventType' },
);
export type EventTypeRecord = Static<typeof EventTypeRecord>;
