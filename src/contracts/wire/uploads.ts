import { type Static, Type } from 'typebox';
import { Id, Nullable, Time } from './common.ts';
import { strictObject } from './shapes.ts';

const uploadStates = ['uploading', 'completed', 'rejected', 'expired'] as const;

export const ResumableUpload = strictObject(
  {
    id: Id('upload'),
    project_id: Id('project'),
    state: Type.Enum([...uploadStates]),
    offset: Type.Integer({
      minimum: 0,
      description: 'How many bytes are durably there. All of them when the upload is completed.',
    }),
    bytes: Type.Integer({ minimum: 1, description: 'How many there will be.' }),
    filename: Type.String(),
    object_id: Nullable(Id('object')),
    image_id: Nullable(Id('image')),
    deduplicated: Nullable(
      Type.Boolean({
        description: 'True when an available object with these bytes and this name was there.',
      }),
    ),
    rejection: Nullable(Type.Record(Type.String(), Type.Unknown())),
    created_at: Time,
    expires_at: Time,
  },
  { title: 'ResumableUpload' },
);
export type ResumableUpload = Static<typeof ResumableUpload>;
