import { type Static, Type } from 'typebox';
import { Id, Nullable, Time } from './common.ts';

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
