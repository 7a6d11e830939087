import { Problem } from '@scriptorium/contracts/problems';
import { prepared, type Tx } from '../db/transaction.ts';

/** Whether a project is being deleted, or was. Needs no login. */
export async function isBeingDeleted(tx: Tx, projectId: string): Promise<boolean> {
  const [row] = await prepared<{ deleting: boolean }>(
    tx,
    'SELECT is_being_deleted($1) AS deleting',
    [projectId],
  );
  return row!.deleting;
}

/** The problem of a request to a project that is being deleted. */
export function projectDeleting(): Problem {
  return new Problem('project_deleting', 'The project is being deleted. Use another project.');
}
