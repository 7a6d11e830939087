import { type Static, Type } from 'typebox';
import { signatureField } from './certificates.ts';
import { Id, Nullable, Time } from './common.ts';
import { strictObject } from './shapes.ts';

export const ProjectRecord = strictObject(
  { id: Id('project'), name: Type.String(), created_at: Time },
  { title: 'Project' },
);

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
