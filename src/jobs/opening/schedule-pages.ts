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
import { appendWarnings, changeJob, changeOperation } from '../change.ts';
import { failOperation } from '../ending/finish-operation.ts';
import { jobOrigin, loadOperations } from '../load.ts';
import type { OpenedSource } from '../operations/operation.ts';
import { chunkPages, outOfRangeMessage, selectPages } from '../pages/page-ranges.ts';
import { advanceProgress, arePagesDone, scheduleAssembly } from '../pages/progress.ts';
import { processingDenial } from '../steps/processing-denial.ts';
import { insertPages, skipFailedPages } from './page-queries.ts';
import { takeOverPages } from './take-over-pages.ts';

/**
 * Writes a row for each page of an operation and schedules their work.
 * @param purged the failure with which to end if the source was purged
 */
export async function schedulePages(
  tx: Tx,
  job: Job,
  operation: JobOperation,
  openedSource: OpenedSource | null,
  purged: Failure | null,
): Promise<void> {
  if (openedSource) {
    const otherCount = Raw((pages) => `${pages} IS DISTINCT FROM :counted`, {
      counted: openedSource.pages,
    });
    const source = { projectId: job.projectId, id: job.sourceObjectId, pages: otherCount };
    sendUpdate(tx, StoredObject, source, { pages: openedSource.pages });
    const message = job.pages === null ? null : outOfRangeMessage(job.pages, openedSource.pages);
    if (message !== null) {
      const error = { code: 'pages_out_of_range', message, retryable: false };
      return failOperation(tx, job, operation, error);
    }
  }
  // All operations process the same pages.
  const pages = openedSource
    ? selectPages(openedSource.pages, job.pages)
    : await listPages(tx, { ...operation, index: 0 });
  const failure = purged ?? (await processingDenial(tx, job));
  if (failure) return failOperation(tx, job, operation, failure);
  insertPages(tx, operation, pages);
  const copied = await takeOverPages(tx, job, operation);
  const leftOutCount = await skipFailedPages(tx, operation);
  operation.pagesTotal = pages.length;
  operation.pagesSucceeded = copied.succeeded;
  operation.pagesSkipped = copied.skipped + leftOutCount;
  const { pagesTotal, pagesSucceeded, pagesSkipped } = operation;
  changeOperation(tx, operation, { pagesTotal, pagesSucceeded, pagesSkipped });
  const doneCount = operation.pagesSucceeded + operation.pagesSkipped;
  await countJobPages(tx, job, operation, openedSource?.warnings ?? [], doneCount);
  if (arePagesDone(operation)) return scheduleAssembly(tx, job, operation);
  const pendingPages = await listPages(tx, operation, { state: 'pending' });
  const ranges = chunkPages(pendingPages, operations[operation.op].pagesPerTask);
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
async function listPages(
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
async function countJobPages(
  tx: Tx,
  job: Job,
  operation: JobOperation,
  warnings: JobWarning[],
  doneCount: number,
): Promise<void> {
  if (operation.index === 0) {
    const all = await loadOperations(tx, job);
    job.pagesTotal = (operation.pagesTotal ?? 0) * all.length;
  }
  changeJob(
    tx,
    job,
    { pagesTotal: job.pagesTotal, warnings: appendWarnings },
    { warnings: JSON.stringify(warnings) },
  );
  if (doneCount === 0) return;
  const events = advanceProgress(tx, job, doneCount, 0);
  if (events.length > 0) await record(tx, jobOrigin(job), ...events);
}
