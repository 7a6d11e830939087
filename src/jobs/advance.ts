import type { NewEvent } from '../contracts/events.ts';
import type { JobState, OperationState } from '../contracts/jobs.ts';
import type { Failure } from '../contracts/wire/common.ts';
import { prepared, send, type Tx } from '../db/transaction.ts';
import type { Job } from '../entities/job.ts';
import type { JobOperation } from '../entities/job-operation.ts';
import { indexText } from '../library/objects/text.ts';
import { record } from '../outbox/record.ts';
import { schedule } from '../outbox/schedule.ts';
import { failureOfJob } from './failed-pages.ts';
import { loadOperations, originOf } from './load.ts';

/** Marks a queued job as running, and its first event; does nothing to one that is running. */
export async function startJob(tx: Tx, job: Job, operations: JobOperation[]): Promise<void> {
  if (job.state !== 'queued') return;
  job.state = 'running';
  await prepared(
    tx,
    `UPDATE job SET state = 'running', started_at = now(), updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2`,
    [job.projectId, job.id],
  );
  await record(tx, originOf(job), {
    type: 'documents.job.started',
    resourceId: job.id,
    data: {
      source_object_id: job.sourceObjectId,
      operations: operations.map(({ op }) => op),
      retry_of: job.retryOf,
    },
  });
}

/** How an operation ended. */
interface OperationEnd {
  state: Extract<OperationState, 'succeeded' | 'partially_succeeded' | 'failed'>;
  result: Record<string, unknown> | null;
  error: Failure | null;
}

/**
 * Ends an operation, and starts the next one or ends the job: a job whose operation failed is
 * failed, and what would have come after is skipped.
 */
export async function finishOperation(
  tx: Tx,
  job: Job,
  operation: JobOperation,
  end: OperationEnd,
): Promise<void> {
  await prepared(
    tx,
    `UPDATE job_operation SET state = $4, result = $5, error = $6, finished_at = now()
     WHERE project_id = $1 AND job_id = $2 AND index = $3`,
    [
      job.projectId,
      job.id,
      operation.index,
      end.state,
      end.result && JSON.stringify(end.result),
      end.error && JSON.stringify(end.error),
    ],
  );
  await record(tx, originOf(job), {
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
  await prepared(
    tx,
    `UPDATE job SET current_operation_index = $3, updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2`,
    [job.projectId, job.id, next.index],
  );
  await schedule(tx, job.projectId, job.id, {
    kind: 'operation.open',
    payload: { job_id: job.id, operation_index: next.index, op: next.op },
  });
}

type EndState = Extract<JobState, 'succeeded' | 'partially_succeeded' | 'failed' | 'cancelled'>;

/**
 * Ends a job for good: what has not ended ends with it, and no task of it is left. The caller holds
 * the job's lock.
 */
export async function endJob(
  tx: Tx,
  job: Job,
  state: EndState,
  error: Failure | null,
): Promise<void> {
  const rest = state === 'cancelled' ? 'cancelled' : 'skipped';
  const key = [job.projectId, job.id];
  // What ends here has no say in them.
  const outputs = await prepared<{ object_id: string; kind: string }>(
    tx,
    `SELECT object_id, kind FROM job_output WHERE project_id = $1 AND job_id = $2
     ORDER BY operation_index, kind`,
    key,
  );
  send(tx, 'DELETE FROM task WHERE project_id = $1 AND resource_id = $2', key);
  send(
    tx,
    `UPDATE job_page SET state = $3, finished_at = now()
     WHERE project_id = $1 AND job_id = $2 AND state IN ('pending', 'running')`,
    [...key, rest],
  );
  send(
    tx,
    `UPDATE job_operation SET state = $3, finished_at = now()
     WHERE project_id = $1 AND job_id = $2 AND state IN ('pending', 'running')`,
    [...key, rest],
  );
  const whole = state === 'succeeded' || state === 'partially_succeeded';
  send(
    tx,
    `UPDATE job SET state = $3, error = $4, finished_at = now(), updated_at = now(),
       percent = CASE WHEN $5 THEN 100 ELSE percent END, version = version + 1
     WHERE project_id = $1 AND id = $2`,
    [...key, state, error && JSON.stringify(error), whole],
  );
  if (whole) indexText(tx, job.projectId, job.sourceObjectId, job.id);
  job.state = state;
  await record(tx, originOf(job), {
    type: `documents.job.${state}`,
    resourceId: job.id,
    data: {
      state,
      pages_total: job.pagesTotal ?? 0,
      pages_completed: job.pagesCompleted,
      pages_failed: job.pagesFailed,
      outputs,
      error,
    },
  } as NewEvent);
}
