import { newId } from '@scriptorium/contracts/ids';
import type { Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import { isBeingDeleted, projectDeleting } from '../../access/project-deletions.ts';
import { sendInsert } from '../../db/statements/rows.ts';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import { Project } from '../../entities/access/project.ts';
import { ProjectDeletion } from '../../entities/erasure/project-deletion.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';
import { lockScopes } from '../../policies/facts/holds.ts';
import { findHoldingPolicies } from '../../policies/holding.ts';

/**
 * Seconds before the removal begins. Requests that are in progress end, and counts that processes
 * keep in memory are stored.
 */
export const graceSeconds = 60;

/**
 * Requests the deletion of the transaction's project: ends all access at once, and schedules the
 * removal of everything else.
 * @param name the name of the project, to confirm
 * @throws Problem 422 for another name, 409 `held_by_policy` while a policy keeps objects, 409
 *   `project_deleting` after another request
 */
export async function requestDeletion(
  tx: Tx,
  origin: Origin,
  name: string,
): Promise<ProjectDeletion> {
  const { projectId, actor } = origin;
  const project = await tx.findOneByOrFail(Project, { id: projectId });
  if (name !== project.name) {
    const detail = `It must be the name of the project, '${project.name}'.`;
    throw new Problem('validation_failed', `\`name\` must be the name of the project.`, {
      errors: [{ pointer: '/name', code: 'confirmation_mismatch', detail }],
    });
  }
  await prepared(tx, `SELECT pg_advisory_xact_lock(hashtextextended('deletion ' || $1, 0))`, [
    projectId,
  ]);
  if (await isBeingDeleted(tx, projectId)) throw projectDeleting();
  lockScopes(tx, projectId, 'exclusive');
  await rejectHeld(tx, projectId);
  const id = newId('deletion');
  const requestedBy = { type: actor.type, id: actor.id };
  sendInsert(tx, ProjectDeletion, { projectId, id, requestedBy });
  await record(tx, origin, {
    type: 'access.project.deletion_requested',
    resourceId: projectId,
    data: { deletion_id: id },
  });
  await schedule(tx, projectId, projectId, {
    kind: 'project.delete',
    payload: { recheck: false },
    dueInSeconds: graceSeconds,
  });
  const deletion = await tx.findOneByOrFail(ProjectDeletion, { projectId });
  send(tx, 'SELECT close_project($1)', [projectId]);
  return deletion;
}

async function rejectHeld(tx: Tx, projectId: string): Promise<void> {
  const holding = await findHoldingPolicies(tx, projectId);
  if (holding.length === 0) return;
  const names = holding.map(
    ({ policy_id, name, rule_type }) => `'${name}' (${policy_id}, \`${rule_type}\`)`,
  );
  throw new Problem(
    'held_by_policy',
    `The project cannot be deleted while policies keep its objects: ${names.slice(0, 10).join(', ')}.`,
    { extra: { held_by: holding } },
  );
}
