import {
  ProjectDelete,
  ProjectDeletionRecord,
  ProjectPatch,
  ProjectRecord,
} from '@scriptorium/contracts/wire/projects';
import type { Tx } from '../../db/transaction.ts';
import { Project } from '../../entities/access/project.ts';
import { ProjectEmbedding } from '../../entities/embeddings/project-embedding.ts';
import { graceSeconds, requestDeletion } from '../../erasure/project/request.ts';
import { changeTexts } from '../../library/embeddings/texts.ts';
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
  handler: async ({ tx, key }) => ok(await readProject(tx, key.projectId)),
});

const update = route({
  method: 'PATCH',
  path,
  operationId: 'updateProject',
  tag,
  summary: 'Change the settings of the project.',
  description:
    'If fewer texts may be embedded, the vectors of the others are deleted within seconds. If more, their vectors are computed.',
  scopes: ['policies:write'],
  body: ProjectPatch,
  responses: { 200: ProjectRecord },
  handler: async ({ tx, key, origin, body }) => {
    if (body.embeddings) await changeTexts(tx, origin, body.embeddings);
    return ok(await readProject(tx, key.projectId));
  },
});

async function readProject(tx: Tx, projectId: string) {
  const [project, embedding] = await Promise.all([
    tx.findOneByOrFail(Project, { id: projectId }),
    tx.findOneBy(ProjectEmbedding, { projectId }),
  ]);
  const { id, name, createdAt } = project;
  const embeddings = embedding?.texts ?? 'unprotected';
  return { id, name, created_at: createdAt.toISOString(), embeddings };
}

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

export const projectRoutes = [get, update, remove];
