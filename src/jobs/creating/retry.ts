import { isTerminal } from '@scriptorium/contracts/jobs';
import type { Origin } from '@scriptorium/contracts/origin';
import { notFound, Problem } from '@scriptorium/contracts/problems';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import { Any, IsNull, Not } from 'typeorm';
import type { Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import { JobPage } from '../../entities/jobs/job-page.ts';
import { record } from '../../outbox/record.ts';
import { loadOperations, lockJob } from '../load.ts';
import type { PageSeal } from '../sealing/page-content.ts';
import { openOptions } from '../sealing/secret-options.ts';
import { createJob } from './create.ts';

/**
 * Retries a job as a new job: either all of it, or only the pages that did not succeed; the results
 * of the others are copied.
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
      `Job '${jobId}' is ${job.state}; only jobs that have ended can be retried.`,
    );
  }
  if (scope === 'failed_pages' && job.state === 'succeeded') {
    throw new Problem(
      'state_conflict',
      `All pages of job '${jobId}' succeeded. To run it again, use scope 'all'.`,
    );
  }
  if (scope === 'failed_pages') await requireResults(tx, job);
  const operations = await loadOperations(tx, job);
  const newJob = await createJob(tx, origin, {
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
    data: { new_job_id: newJob.id, scope },
  });
  return newJob;
}

/** @throws Problem 409 when results that the retry would take over have expired */
async function requireResults(tx: Tx, job: Job): Promise<void> {
  const expired = await tx.existsBy(JobPage, {
    projectId: job.projectId,
    jobId: job.id,
    state: Any(['succeeded', 'skipped']),
    result: Not(IsNull()),
    words: IsNull(),
  });
  if (!expired) return;
  throw new Problem(
    'results_expired',
    `The page results of job '${job.id}' have expired. Retry it with scope 'all'.`,
  );
}
