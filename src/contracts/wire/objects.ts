import { type Static, Type } from 'typebox';
import { Id, Metadata, Nullable, Tags, Time } from './common.ts';

const closed = { additionalProperties: false };

export const objectStates = ['processing', 'available', 'rejected', 'failed', 'trashed'] as const;

export const ObjectRecord = Type.Object(
  {
    id: Id('object'),
    project_id: Id('project'),
    state: Type.Enum([...objectStates]),
    filename: Type.String(),
    mime: Type.String({ description: 'What the bytes are, whatever they were declared as.' }),
    bytes: Type.Integer({ minimum: 0 }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    pages: Nullable(Type.Integer({ minimum: 1 })),
    labels: Type.Array(Type.Object({ label: Type.String(), score: Type.Number() }, closed)),
    tags: Tags,
    metadata: Metadata,
    derived_from: Nullable(Id('object')),
    source: Type.Object(
      { kind: Type.Enum(['upload', 'job']), job_id: Nullable(Id('job')) },
      closed,
    ),
    rejection: Nullable(Type.Record(Type.String(), Type.Unknown())),
    created_at: Time,
    updated_at: Time,
    version: Type.Integer({ minimum: 1 }),
  },
  { ...closed, title: 'Object' },
);
export type ObjectRecord = Static<typeof ObjectRecord>;
