import type { Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import { loadOperations, redactionBefore } from '../load.ts';
import { copyPages } from './page-queries.ts';

/**
 * Copies the successful pages of the job that this job retries. They count as finished.
 * @returns how many were copied, by state
 */
export async function takeOverPages(
  tx: Tx,
  job: Job,
  operation: JobOperation,
): Promise<{ succeeded: number; skipped: number }> {
  const nothing = { succeeded: 0, skipped: 0 };
  if (job.retryOf === null || job.retryScope !== 'failed_pages') return nothing;
  // The new job's redaction also covers values found on pages that failed before, which results of
  // the earlier redaction may still contain.
  if (redactionBefore(await loadOperations(tx, job), operation.index)) return nothing;
  return copyPages(tx, operation, job.retryOf);
}
