import { type Static, Type } from 'typebox';
import { Id, Nullable, Time } from '../common.ts';
import { strictObject } from '../shapes.ts';

const uploadStates = ['uploading', 'completed', 'rejected', 'expired'] as const;

export const ResumableUpload = strictObject(
  {
    id: Id('upload'),
    project_id: Id('project'),
    state: Type.Enum([...uploadStates]),
    offset: Type.Integer({
      minimum: 0,
      description:
        'How many bytes are durably stored. Equals `bytes` once the upload is completed.',
    }),
    bytes: Type.Integer({ minimum: 1, description: 'The total size of the upload.' }),
    filename: Type.String(),
    object_id: Nullable(Id('object')),
    image_id: Nullable(Id('image')),
    deduplicated: Nullable(
      Type.Boolean({
        description:
          'Whether an available object with the same bytes and filename already existed.',
      }),
    ),
    rejection: Nullable(Type.Record(Type.String(), Type.Unknown())),
    created_at: Time,
    expires_at: Time,
  },
  { title: 'ResumableUpload' },
);
export type ResumableUpload = Static<typeof ResumableUpload>;
