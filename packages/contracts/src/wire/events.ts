import { type Static, Type } from 'typebox';
import { ActorRecord, Id, Nullable, Time } from './common.ts';
import { listSchema } from './shapes.ts';

const strictOptions = { additionalProperties: false };

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
    actor: ActorRecord,
    address: Nullable(Type.String({ description: 'Null without the `audit:read` scope.' })),
    request_id: Nullable(Type.String()),
    published: Type.Boolean(),
    published_at: Nullable(Time),
  },
  { ...strictOptions, title: 'Event' },
);
export type EventRecord = Static<typeof EventRecord>;

/** A page of the feed. In ascending order `next_cursor` is always set, to continue later. */
export const EventList = Type.Object(
  {
    ...listSchema(EventRecord).properties,
    latest_sequence: Type.Integer({ minimum: 0 }),
  },
  { ...strictOptions, title: 'EventList' },
);

export const EventTypeRecord = Type.Object(
  {
    type: Type.String(),
    category: Type.Enum(['domain', 'audit']),
    resource_type: Type.String(),
    summary: Type.String(),
    data_schema: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'The JSON Schema of `data`. Every event was validated against it when it was recorded.',
    }),
    example: Type.Record(Type.String(), Type.Unknown(), {
      description: 'An example body, as sent to webhooks.',
    }),
  },
  { ...strictOptions, title: 'EventType' },
);
export type EventTypeRecord = Static<typeof EventTypeRecord>;
