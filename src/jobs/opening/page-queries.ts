/* In SQL, because each statement writes thousands of rows. */
import type { Failure } from '@scriptorium/contracts/wire/common';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';

/** Sends a row for each page of an operation. */
export function insertPages(tx: Tx, operation: JobOperation, pages: readonly number[]): void {
  const { projectId, jobId, index } = operation;
  send(
    tx,
    `INSERT INTO job_page (project_id, job_id, operation_index, page)
     SELECT $1, $2, $3, page FROM unnest($4::integer[]) AS p (page)`,
    [projectId, jobId, index, pages],
  );
}

/**
 * Copies the successful pages of another job to the pending pages of an operation.
 * @returns how many were copied, by state
 */
export async function copyPages(
  tx: Tx,
  { projectId, jobId, index }: JobOperation,
  fromJobId: string,
): Promise<{ succeeded: number; skipped: number }> {
  const copied = await prepared<{ state: string }>(
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
    [projectId, jobId, index, fromJobId],
  );
  const succeeded = copied.filter(({ state }) => state === 'succeeded').length;
  return { succeeded, skipped: copied.length - succeeded };
}

/**
 * Skips the pages that failed in the previous operation, or that it skipped because they had failed
 * before.
 * @returns how many
 */
export async function skipFailedPages(
  tx: Tx,
  { projectId, jobId, index }: JobOperation,
): Promise<number> {
  const error: Pick<Failure, 'code' | 'message'> = {
    code: 'failed_before',
    message: 'The page failed in an earlier operation.',
  };
  const rows = await prepared<{ page: number }>(
    tx,
    `UPDATE job_page p SET state = 'skipped', finished_at = now(),
       error = $4::jsonb || jsonb_build_object('retryable', before.error -> 'retryable')
     FROM job_page before
     WHERE p.project_id = $1 AND p.job_id = $2 AND p.operation_index = $3 AND p.state = 'pending'
       AND before.project_id = $1 AND before.job_id = $2 AND before.operation_index = $3 - 1
       AND before.page = p.page
       AND (before.state = 'failed' OR before.state = 'skipped' AND before.error IS NOT NULL)
     RETURNING p.page`,
    [projectId, jobId, index, JSON.stringify(error)],
  );
  return rows.length;
}
