import { isTerminal } from '../contracts/jobs.ts';
import type { Origin } from '../contracts/origin.ts';
import { notFound, Problem } from '../contracts/problems.ts';
import type { JobRecord } from '../contracts/wire/jobs.ts';
import { prepared, type Tx } from '../db/transaction.ts';
import type { Job } from '../entities/job.ts';
import type { JobOperation } from '../entities/job-operation.ts';
import { record } from '../outbox/record.ts';
import { createJob } from './create.ts';
import { loadOperations, lockJob, redactionBefore } from './load.ts';
import type { PageSeal } from './page-secrets.ts';
import { openOptions } from './secret-options.ts';

/**
 * Tries a job again as a new job: all of it, or only the pages that did not succeed, in which case
 * the results of the good pages are taken over.
 * @returns the new job as the API shows it
 */
export async function retryJob(
  tx: Tx,
  origin: Origin,
  jobId: string,
  {
    scope,
    mayReadPii,
    ...seal
  }: PageSeal & {
    scope: 'failed_pages' | 'all';
    mayReadPii: boolean;
  },
): Promise<JobRecord> {
  const job = await lockJob(tx, origin.projectId, jobId);
  if (!job) throw notFound('job', jobId);
  if (!isTerminal(job.state)) {
    throw new Problem(
      'state_conflict',
      `The job '${jobId}' is ${job.state}; only one that has ended can be retried.`,
    );
  }
  if (scope === 'failed_pages' && job.state === 'succeeded') {
    throw new Problem(
      'state_conflict',
      `Every page of the job '${jobId}' succeeded; retry it with scope 'all'.`,
    );
  }
  if (scope === 'failed_pages') await requireResults(tx, job);
  const operations = await loadOperations(tx, job);
  const retried = await createJob(tx, origin, {
    sourceObjectId: job.sourceObjectId,
    operations: operations
      .filter((operation) => !operation.implicit)
      .map((operation) => ({ op: operation.op, options: openOptions(seal, job, operation) })),
    mayReadPii,
    seal: seal.seal,
    pages: job.pages,
    metadata: job.metadata,
    retryOf: { jobId, scope },
  });
  await record(tx, origin, {
    type: 'documents.job.retried',
    resourceId: jobId,
    data: { new_job_id: retried.id, scope },
  });
  return retried;
}

/** @throws Problem 409 when the results of good pages are gone, which a retry would take over */
async function requireResults(tx: Tx, job: Job): Promise<void> {
  const expired = await prepared<{ page: number }>(
    tx,
    `SELECT page FROM job_page WHERE project_id = $1 AND job_id = $2
       AND state IN ('succeeded', 'skipped') AND result IS NOT NULL AND words IS NULL LIMIT 1`,
    [job.projectId, job.id],
  );
  if (expired.length === 0) return;
  throw new Problem(
    'results_expired',
    `The page results of the job '${job.id}' are no longer kept; retry it with scope 'all'.`,
  );
}

/**
 * Takes over the good pages of the job that this one retries: they are written as they were, and
 * count as done.
 * @returns how many were taken over, by state
 */
export async function takeOverPages(
  tx: Tx,
  job: Job,
  operation: JobOperation,
): Promise<{ succeeded: number; skipped: number }> {
  const nothing = { succeeded: 0, skipped: 0 };
  if (job.retryOf === null || job.retryScope !== 'failed_pages') return nothing;
  // The job redacts anew, with what is found on the pages that had failed: what was read of its last
  // redaction may still show that.
  if (redactionBefore(await loadOperations(tx, job), operation.index)) return nothing;
  const taken = await prepared<{ state: string }>(
    tx,
    `UPDATE job_page p SET state = old.state, result = old.result, text = old.text,
       words = old.words, sealed = old.sealed, finished_at = now()
     FROM job_page old
     WHERE p.project_id = $1 AND p.job_id = $2 AND p.operation_index = $3 AND p.state = 'pending'
       AND old.project_id = $1 AND old.job_id = $4 AND old.operation_index = $3
       AND old.page = p.page AND old.state IN ('succeeded', 'skipped')
       -- Results are kept for a time; a page whose result is gone is done again.
       AND old.result IS NOT NULL AND old.words IS NOT NULL
     RETURNING p.state`,
    [job.projectId, job.id, operation.index, job.retryOf],
  );
  const succeeded = taken.filter(({ state }) => state === 'succeeded').length;
  return { succeeded, skipped: taken.length - succeeded };
}
