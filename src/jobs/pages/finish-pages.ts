import type { NewEvent } from '@scriptorium/contracts/events';
import type { Failure } from '@scriptorium/contracts/wire/common';
import type { Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import { record } from '../../outbox/record.ts';
import { jobOrigin } from '../load.ts';
import type { StoredOutcome } from './outcome.ts';
import { advanceProgress, arePagesDone, scheduleAssembly, storeCounts } from './progress.ts';
import { storeFailures, storeOutcomes } from './store-outcomes.ts';

/**
 * Stores the outcomes of pages, counts them and records progress, in the transaction that ends their
 * task. After the last page, schedules the assembly. The caller must hold the job's lock, and must
 * have read `job` and `operation` under it.
 */
export async function finishPages(
  tx: Tx,
  job: Job,
  operation: JobOperation,
  outcomes: readonly StoredOutcome[],
): Promise<void> {
  await storeOutcomes(tx, operation, outcomes);
  for (const outcome of outcomes) {
    if (outcome.state === 'succeeded') operation.pagesSucceeded += 1;
    else if (outcome.state === 'skipped') operation.pagesSkipped += 1;
    else operation.pagesFailed += 1;
  }
  const failed = outcomes.filter((outcome) => outcome.state === 'failed');
  storeCounts(tx, operation);
  const events = failed.map((outcome) => pageFailedEvent(operation, outcome));
  events.push(...advanceProgress(tx, job, outcomes.length, failed.length));
  if (events.length > 0) await record(tx, jobOrigin(job), ...events);
  if (arePagesDone(operation)) await scheduleAssembly(tx, job, operation);
}

/** Marks successful pages as failed because their output could not be made or verified. */
export async function failFinishedPages(
  tx: Tx,
  job: Job,
  operation: JobOperation,
  failures: readonly { page: number; error: Failure }[],
): Promise<void> {
  if (failures.length === 0) return;
  await storeFailures(tx, operation, failures);
  operation.pagesSucceeded -= failures.length;
  operation.pagesFailed += failures.length;
  storeCounts(tx, operation);
  const events = failures.map((failure) => pageFailedEvent(operation, failure));
  events.push(...advanceProgress(tx, job, 0, failures.length));
  await record(tx, jobOrigin(job), ...events);
}

function pageFailedEvent(
  operation: JobOperation,
  failure: { page: number; error: Failure },
): NewEvent {
  return {
    type: 'documents.job_page.failed',
    resourceId: operation.jobId,
    data: {
      page: failure.page,
      operation_index: operation.index,
      op: operation.op,
      error: failure.error,
    },
  };
}
