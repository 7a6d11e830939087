import type { NewEvent } from '@scriptorium/contracts/events';
import { send, type Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import { schedule } from '../../outbox/schedule.ts';

/** Stores how many pages of an operation have ended, by state. */
export function storeCounts(tx: Tx, operation: JobOperation): void {
  send(
    tx,
    `UPDATE job_operation SET pages_succeeded = $4, pages_skipped = $5, pages_failed = $6
     WHERE project_id = $1 AND job_id = $2 AND index = $3`,
    [
      operation.projectId,
      operation.jobId,
      operation.index,
      operation.pagesSucceeded,
      operation.pagesSkipped,
      operation.pagesFailed,
    ],
  );
}

/** Whether all pages of an operation have ended. */
export function arePagesDone(operation: JobOperation): boolean {
  const doneCount = operation.pagesSucceeded + operation.pagesSkipped + operation.pagesFailed;
  return operation.pagesTotal !== null && doneCount >= operation.pagesTotal;
}

/**
 * Adds pages to the job's progress. Pages alone reach at most 99 percent; the last percent is for the
 * outputs.
 * @returns the progress event, if the whole percent changed
 */
export function advanceProgress(tx: Tx, job: Job, completed: number, failed: number): NewEvent[] {
  job.pagesCompleted += completed;
  job.pagesFailed += failed;
  const share = job.pagesTotal ? Math.floor((100 * job.pagesCompleted) / job.pagesTotal) : 0;
  const percent = Math.max(job.percent, Math.min(99, share));
  const hasChanged = percent !== job.percent;
  job.percent = percent;
  send(
    tx,
    `UPDATE job SET pages_completed = $3, pages_failed = $4, percent = $5, updated_at = now(),
       version = version + 1
     WHERE project_id = $1 AND id = $2`,
    [job.projectId, job.id, job.pagesCompleted, job.pagesFailed, percent],
  );
  if (!hasChanged) return [];
  return [
    {
      type: 'documents.job.progressed',
      resourceId: job.id,
      data: {
        percent,
        pages_total: job.pagesTotal ?? 0,
        pages_completed: job.pagesCompleted,
        pages_failed: job.pagesFailed,
      },
    },
  ];
}

/** Schedules the step that makes an operation's outputs. */
export async function scheduleAssembly(tx: Tx, job: Job, operation: JobOperation): Promise<void> {
  await schedule(tx, job.projectId, job.id, {
    kind: 'operation.assemble',
    payload: { job_id: job.id, operation_index: operation.index, op: operation.op },
  });
}
