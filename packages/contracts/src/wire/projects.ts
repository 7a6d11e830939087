import { type Static, Type } from 'typebox';
import { embeddedTexts, embeddingFailures } from '../embeddings.ts';
import { signatureField } from './certificates.ts';
import { Id, Nullable, Time } from './common.ts';
import { strictObject } from './shapes.ts';

const texts = Type.Enum([...embeddedTexts], {
  description:
    'Which texts are sent to the embedding endpoint of the service, if it has one. `unprotected`, the default: those of documents of which no policy restricts reading. `redacted`: also what verified redactions left of the others. `all`: all texts. `none`: no texts, and no questions of searches.',
});

export const ProjectRecord = strictObject(
  { id: Id('project'), name: Type.String(), created_at: Time, embeddings: texts },
  { title: 'Project' },
);

export const ProjectPatch = strictObject(
  { embeddings: Type.Optional(texts) },
  { title: 'ProjectPatch', minProperties: 1 },
);

export const EmbeddingsRecord = strictObject(
  {
    state: Type.Enum(['not_configured', 'disabled', 'failing', 'running', 'complete'], {
      description:
        '`not_configured`: the service has no embedding endpoint. `disabled`: the project embeds no texts. `failing`: the endpoint failed, and is tried again. `running`: vectors are being computed.',
    }),
    model: Nullable(Type.String({ description: 'The model and the dimensions of its vectors.' })),
    passages: strictObject({
      total: Type.Integer({ minimum: 0, description: 'The passages of the project.' }),
      embedded: Type.Integer({ minimum: 0, description: 'Those with a vector.' }),
      rejected: Type.Integer({
        minimum: 0,
        description: 'Those that the endpoint rejected, for example because they are too long.',
      }),
    }),
    failure: Nullable(
      strictObject({
        code: Type.Enum([...embeddingFailures]),
        since: Time,
      }),
    ),
  },
  { title: 'Embeddings' },
);
export type EmbeddingsRecord = Static<typeof EmbeddingsRecord>;

export const ProjectDelete = strictObject({
  name: Type.String({
    maxLength: 500,
    description: 'The name of the project, as `GET /v1/projects/self` returns it, to confirm.',
  }),
});

const actor = strictObject({ type: Type.String(), id: Nullable(Type.String()) });

export const ProjectDeletionRecord = strictObject(
  {
    id: Id('deletion'),
    project_id: Id('project'),
    requested_by: actor,
    requested_at: Time,
    starts_at: Type.String({
      format: 'date-time',
      description: 'When the removal begins: requests that are in progress end first.',
    }),
  },
  { title: 'ProjectDeletion' },
);

/** What was deleted with a project, signed with its certificate key. No personal values. */
export const DeletionReport = strictObject(
  {
    report: strictObject({
      version: Type.Integer({ minimum: 1, description: 'The version of this format.' }),
      deletion_id: Id('deletion'),
      project_id: Id('project'),
      requested_by: actor,
      requested_at: Time,
      finished_at: Time,
      rows_deleted: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
        description: 'Deleted rows by table.',
      }),
      files_deleted: Type.Integer({ minimum: 0 }),
    }),
    signature: signatureField('report'),
  },
  { title: 'DeletionReport' },
);
export type DeletionReport = Static<typeof DeletionReport>;
