import type { JobWarning, PageState } from '@scriptorium/contracts/jobs';
import { operations } from '@scriptorium/contracts/operations';
import type { Failure } from '@scriptorium/contracts/wire/common';
import { Raw } from 'typeorm';
import { sendUpdate } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import { JobPage } from '../../entities/jobs/job-page.ts';
import { StoredObject } from '../../entities/library/stored-object.ts';
import { record } from '../../outbox/record.ts';
import { schedule } from '../../outbox/schedule.ts';
import { appended, changeJob, changeOperation } from '../change.ts';
import { failOperation } from '../ending/finish-operation.ts';
import { jobOrigin, loadOperations } from '../load.ts';
import type { OpenedSource } from '../operations/operation.ts';
import { chunkPages, outOfRange, selectPages } from '../pages/page-ranges.ts';
import { advanceProgress, pagesDone, scheduleAssembly } from '../pages/progress.ts';
import { processingDenial } from '../steps/processing-denial.ts';
import { insertPages, leaveOutFailed } from './page-queries.ts';
import { takeOverPages } from './take-over-pages.ts';

/**
 * Writes a row for each page of an operation and schedules their work.
 * @param purged the failure with which to end if the source was purged
 */
export async function layOutPages(
  tx: Tx,
  job: Job,
  operation: JobOperation,
  opened: OpenedSource | null,
  purged: Failure | null,
): Promise<void> {
  if (opened) {
    const isOther = Raw((pages) => `${pages} IS DISTINCT FROM :counted`, { counted: opened.pages });
    const source = { projectId: job.projectId, id: job.sourceObjectId, pages: isOther };
    sendUpdate(tx, StoredObject, source, { pages: opened.pages });
    const message = job.pages === null ? null : outOfRange(job.pages, opened.pages);
    if (message !== null) {
      const error = { code: 'pages_out_of_range', message, retryable: false };
      return failOperation(tx, job, operation, error);
    }
  }
  // All operations process the same pages.
  const pages = opened
    ? selectPages(opened.pages, job.pages)
    : await pagesOf(tx, { ...operation, index: 0 });
  const denied = purged ?? (await processingDenial(tx, job));
  if (denied) return failOperation(tx, job, operation, denied);
  insertPages(tx, operation, pages);
  const taken = await takeOverPages(tx, job, operation);
  const leftOut = await leaveOutFailed(tx, operation);
  operation.pagesTotal = pages.length;
  operation.pagesSucceeded = taken.succeeded;
  operation.pagesSkipped = taken.skipped + leftOut;
  const { pagesTotal, pagesSucceeded, pagesSkipped } = operation;
  changeOperation(tx, operation, { pagesTotal, pagesSucceeded, pagesSkipped });
  const done = operation.pagesSucceeded + operation.pagesSkipped;
  await countJob(tx, job, operation, opened?.warnings ?? [], done);
  if (pagesDone(operation)) return scheduleAssembly(tx, job, operation);
  const left = await pagesOf(tx, operation, { state: 'pending' });
  const ranges = chunkPages(left, operations[operation.op].pagesPerTask);
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

/** The pages of an operation, in order. */
async function pagesOf(
  tx: Tx,
  { projectId, jobId, index }: Pick<JobOperation, 'projectId' | 'jobId' | 'index'>,
  state: { state?: PageState } = {},
): Promise<number[]> {
  const rows = await tx.find(JobPage, {
    select: { page: true },
    where: { projectId, jobId, operationIndex: index, ...state },
    order: { page: 'ASC' },
  });
  return rows.map(({ page }) => page);
}

/** Sets the job's total once its first operation knows the pages, and counts the finished pages. */
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
  changeJob(
    tx,
    job,
    { pagesTotal: job.pagesTotal, warnings: appended },
    { warnings: JSON.stringify(warnings) },
  );
  if (done === 0) return;
  const events = advanceProgress(tx, job, done, 0);
  if (events.length > 0) await record(tx, jobOrigin(job), ...events);
}
