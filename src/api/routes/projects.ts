import {
  ProjectDelete,
  ProjectDeletionRecord,
  ProjectRecord,
} from '@scriptorium/contracts/wire/projects';
import { Project } from '../../entities/access/project.ts';
import { graceSeconds, requestDeletion } from '../../erasure/project/request.ts';
import { accepted, ok } from '../frame/reply.ts';
import { route } from '../frame/route.ts';

const tag = 'Projects';
const path = '/v1/projects/self';

const get = route({
  method: 'GET',
  path,
  operationId: 'getProject',
  tag,
  summary: 'Get the project of the request.',
  scopes: [],
  responses: { 200: ProjectRecord },
  handler: async ({ tx, key }) => {
    const { id, name, createdAt } = await tx.findOneByOrFail(Project, { id: key.projectId });
    return ok({ id, name, created_at: createdAt.toISOString() });
  },
});

const remove = route({
  method: 'DELETE',
  path,
  operationId: 'deleteProject',
  tag,
  summary: 'Delete the project with everything in it.',
  description: `Cannot be undone. Keys, sessions and links stop working with the response; later requests get 409 \`project_deleting\`, and 401 once the keys are deleted, too. After ${graceSeconds} seconds, all rows, stored bytes and queued work are removed. The operator gets a signed report with counts. An enforced policy with \`legal_hold\`, or with a \`retention\` that has not ended, prevents the deletion.`,
  scopes: ['projects:delete'],
  body: ProjectDelete,
  responses: { 202: ProjectDeletionRecord },
  problems: ['held_by_policy'],
  handler: async ({ tx, origin, body }) => {
    const deletion = await requestDeletion(tx, origin, body.name);
    const { id, projectId, requestedBy, requestedAt } = deletion;
    return accepted({
      id,
      project_id: projectId,
      requested_by: requestedBy,
      requested_at: requestedAt.toISOString(),
      starts_at: new Date(requestedAt.getTime() + graceSeconds * 1_000).toISOString(),
    });
  },
});

export const projectRoutes = [get, remove];
