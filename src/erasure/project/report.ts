import type { DeletionReport } from '@scriptorium/contracts/wire/projects';
import type { Tx } from '../../db/transaction.ts';
import type { ProjectDeletion } from '../../entities/erasure/project-deletion.ts';
import { ensureKey, signContents } from '../../jobs/certificates/keys.ts';
import type { PageSeal } from '../../jobs/sealing/page-content.ts';

/**
 * The signed report of a deletion whose rows were removed, except the certificate key of the
 * project, which signs it.
 */
export async function signReport(
  tx: Tx,
  seal: PageSeal,
  deletion: ProjectDeletion,
  finishedAt: Date,
): Promise<DeletionReport> {
  const report: DeletionReport['report'] = {
    version: 1,
    deletion_id: deletion.id,
    project_id: deletion.projectId,
    requested_by: deletion.requestedBy,
    requested_at: deletion.requestedAt.toISOString(),
    finished_at: finishedAt.toISOString(),
    rows_deleted: deletion.rowsDeleted,
    files_deleted: deletion.filesDeleted ?? 0,
  };
  const key = await ensureKey(tx, seal, deletion.projectId);
  return { report, signature: signContents(seal, key, report) };
}
