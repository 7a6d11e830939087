import type { Tx } from '../../db/transaction.ts';
import { ProjectDeletion } from '../../entities/erasure/project-deletion.ts';

/** All deletions, newest first. `tx` is the owner's. */
export function listDeletions(tx: Tx): Promise<ProjectDeletion[]> {
  return tx.find(ProjectDeletion, { order: { id: 'DESC' } });
}

/** A deletion with its progress and, once finished, its signed report. */
export function presentProgress(deletion: ProjectDeletion) {
  const { id, projectId, requestedBy, requestedAt, finishedAt, checkedAt } = deletion;
  const counts = Object.values(deletion.rowsDeleted);
  return {
    id,
    project_id: projectId,
    state: finishedAt ? 'finished' : 'running',
    requested_by: requestedBy,
    requested_at: requestedAt.toISOString(),
    rows_deleted: counts.reduce((sum, count) => sum + count, 0),
    files_deleted: deletion.filesDeleted ?? 0,
    finished_at: finishedAt?.toISOString() ?? null,
    checked_at: checkedAt?.toISOString() ?? null,
    report: deletion.report,
  };
}
