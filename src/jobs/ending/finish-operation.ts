import type { OperationState } from '@scriptorium/contracts/jobs';
import type { Failure } from '@scriptorium/contracts/wire/common';
import { transactionTime } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';
import { changeJob, changeOperation } from '../change.ts';
import { jobOrigin, loadOperations } from '../load.ts';
import { endJob } from './end-job.ts';
import { failureOfJob } from './failed-pages.ts';

/** The end of an operation. */
interface OperationEnd {
  state: Extract<OperationState, 'succeeded' | 'partially_succeeded' | 'failed'>;
  result: Record<string, unknown> | null;
  error: Failure | null;
}

/** Ends an operation without a result, as `finishOperation` does. */
export function failOperation(
  tx: Tx,
  job: Job,
  operation: JobOperation,
  error: Failure | null,
): Promise<void> {
  return finishOperation(tx, job, operation, { state: 'failed', result: null, error });
}

/**
 * Ends an operation, and starts the next one or ends the job. A failed operation fails the job; the
 * operations after it are skipped.
 */
export async function finishOperation(
  tx: Tx,
  job: Job,
  operation: JobOperation,
  end: OperationEnd,
): Promise<void> {
  changeOperation(tx, operation, { ...end, finishedAt: transactionTime });
  await record(tx, jobOrigin(job), {
    type: 'documents.job.operation_finished',
    resourceId: job.id,
    data: {
      index: operation.index,
      op: operation.op,
      state: end.state,
      pages_total: operation.pagesTotal ?? 0,
      pages_succeeded: operation.pagesSucceeded,
      pages_failed: operation.pagesFailed,
      pages_skipped: operation.pagesSkipped,
    },
  });
  if (end.state === 'failed') return endJob(tx, job, 'failed', end.error);
  const operations = await loadOperations(tx, job);
  const next = operations.find(({ index }) => index === operation.index + 1);
  if (!next) {
    const failure = await failureOfJob(tx, job);
    return endJob(tx, job, failure ? 'partially_succeeded' : 'succeeded', failure);
  }
  changeJob(tx, job, { currentOperationIndex: next.index });
  await schedule(tx, job.projectId, job.id, {
    kind: 'operation.open',
    payload: { job_id: job.id, operation_index: next.index, op: next.op },
  });
}
