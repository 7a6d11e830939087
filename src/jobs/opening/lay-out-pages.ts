import type { JobWarning } from '../../contracts/jobs.ts';
import { operations } from '../../contracts/operations.ts';
import type { Failure } from '../../contracts/wire/common.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';
import { finishOperation } from '../ending/finish-operation.ts';
import { jobOrigin, loadOperations } from '../load.ts';
import type { OpenedSource } from '../operations/operation.ts';
import { chunkPages, outOfRange, selectPages } from '../pages/page-ranges.ts';
import { advanceProgress, pagesDone, scheduleAssembly } from '../pages/progress.ts';
import { refusalOf } from '../steps/refusal.ts';
import { takeOverPages } from './take-over-pages.ts';

/** Writes a row for each page of an operation and schedules their work. */
export async function layOutPages(
  tx: Tx,
  job: Job,
  operation: JobOperation,
  opened: OpenedSource | null,
): Promise<void> {
  if (opened) {
    await prepared(
      tx,
      `UPDATE object SET pages = $3 WHERE project_id = $1 AND id = $2 AND pages IS DISTINCT FROM $3`,
      [job.projectId, job.sourceObjectId, opened.pages],
    );
    const message = job.pages === null ? null : outOfRange(job.pages, opened.pages);
    if (message !== null) {
      const error = { code: 'pages_out_of_range', message, retryable: false };
      return finishOperation(tx, job, operation, { state: 'failed', result: null, error });
    }
  }
  const pages = opened ? selectPages(opened.pages, job.pages) : await pagesOfFirst(tx, operation);
  const refused = await refusalOf(tx, job);
  if (refused) {
    return finishOperation(tx, job, operation, { state: 'failed', result: null, error: refused });
  }
  await prepared(
    tx,
    `INSERT INTO job_page (project_id, job_id, operation_index, page)
     SELECT $1, $2, $3, page FROM unnest($4::integer[]) AS p (page)`,
    [job.projectId, job.id, operation.index, pages],
  );
  const taken = await takeOverPages(tx, job, operation);
  const leftOut = await leaveOutFailed(tx, operation);
  operation.pagesTotal = pages.length;
  operation.pagesSucceeded = taken.succeeded;
  operation.pagesSkipped = taken.skipped + leftOut;
  await prepared(
    tx,
    `UPDATE job_operation SET pages_total = $4, pages_succeeded = $5, pages_skipped = $6
     WHERE project_id = $1 AND job_id = $2 AND index = $3`,
    [
      job.projectId,
      job.id,
      operation.index,
      operation.pagesTotal,
      operation.pagesSucceeded,
      operation.pagesSkipped,
    ],
  );
  const done = operation.pagesSucceeded + operation.pagesSkipped;
  await countJob(tx, job, operation, opened?.warnings ?? [], done);
  if (pagesDone(operation)) return scheduleAssembly(tx, job, operation);
  const left = await prepared<{ page: number }>(
    tx,
    `SELECT page FROM job_page
     WHERE project_id = $1 AND job_id = $2 AND operation_index = $3 AND state = 'pending' ORDER BY page`,
    [job.projectId, job.id, operation.index],
  );
  const ranges = chunkPages(
    left.map(({ page }) => page),
    operations[operation.op].pagesPerTask,
  );
  await schedule(
    tx,
    job.projectId,
    job.id,
    ...ranges.map(
      (range) =>
        ({
          kind: 'operation.pages',
          payload: { job_id: job.id, operation_index: operation.index, op: operation.op, ...range },
        }) as const,
    ),
  );
}

/** The pages of the job's first operation: all operations process the same pages. */
async function pagesOfFirst(tx: Tx, { projectId, jobId }: JobOperation): Promise<number[]> {
  const rows = await prepared<{ page: number }>(
    tx,
    `SELECT page FROM job_page WHERE project_id = $1 AND job_id = $2 AND operation_index = 0
     ORDER BY page`,
    [projectId, jobId],
  );
  return rows.map(({ page }) => page);
}

/**
 * Skips the pages that failed in the previous operation, or were skipped there because they had
 * failed.
 * @returns how many
 */
async function leaveOutFailed(tx: Tx, operation: JobOperation): Promise<number> {
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
    [operation.projectId, operation.jobId, operation.index, JSON.stringify(error)],
  );
  return rows.length;
}

/** Sets the job's total once its first operation knows the pages, and counts those that are done. */
async function countJob(
  tx: Tx,
  job: Job,
  operation: JobOperation,
  warnings: JobWarning[],
  done: number,
): Promise<void> {
  if (operation.index === 0) {
    const all = await loadOperations(tx, job);
    job.pagesTotal = (operation.pagesTotal ?? 0) * all.length;
  }
  await prepared(
    tx,
    `UPDATE job SET pages_total = $3, warnings = warnings || $4::jsonb, updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2`,
    [job.projectId, job.id, job.pagesTotal, JSON.stringify(warnings)],
  );
  if (done === 0) return;
  const events = await advanceProgress(tx, job, done, 0);
  if (events.length > 0) await record(tx, jobOrigin(job), ...events);
}
