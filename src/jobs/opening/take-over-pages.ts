import { prepared, type Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import { loadOperations, redactionBefore } from '../load.ts';

/**
 * Copies the successful pages of the job that this one retries, which count as done.
 * @returns how many were copied, by state
 */
export async function takeOverPages(
  tx: Tx,
  job: Job,
  operation: JobOperation,
): Promise<{ succeeded: number; skipped: number }> {
  const nothing = { succeeded: 0, skipped: 0 };
  if (job.retryOf === null || job.retryScope !== 'failed_pages') return nothing;
  // The new job's redaction also covers values found on pages that had failed, which the results of
  // the former redaction may still show.
  if (redactionBefore(await loadOperations(tx, job), operation.index)) return nothing;
  const taken = await prepared<{ state: string }>(
    tx,
    `UPDATE job_page p SET state = old.state, result = old.result, text = old.text,
       words = old.words, sealed = old.sealed, finished_at = now()
     FROM job_page old
     WHERE p.project_id = $1 AND p.job_id = $2 AND p.operation_index = $3 AND p.state = 'pending'
       AND old.project_id = $1 AND old.job_id = $4 AND old.operation_index = $3
       AND old.page = p.page AND old.state IN ('succeeded', 'skipped')
       -- Results expire; a page without one is processed again.
       AND old.result IS NOT NULL AND old.words IS NOT NULL
     RETURNING p.state`,
    [job.projectId, job.id, operation.index, job.retryOf],
  );
  const succeeded = taken.filter(({ state }) => state === 'succeeded').length;
  return { succeeded, skipped: taken.length - succeeded };
}
