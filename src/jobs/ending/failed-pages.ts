import type { Failure } from '@scriptorium/contracts/wire/common';
import { IsNull, Not } from 'typeorm';
import type { Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import { JobPage } from '../../entities/jobs/job-page.ts';
import { chunkPages } from '../pages/page-ranges.ts';

interface FailedPage {
  page: number;
  error: Failure;
}

/** Maximum number of ranges of pages that a message lists; further pages are only counted. */
const maxRanges = 20;

/** The failure of a job with failed pages; null when none failed. */
export async function failureOfJob(tx: Tx, job: Job): Promise<Failure | null> {
  const rows = await tx.find(JobPage, {
    select: { page: true, operationIndex: true, error: true },
    where: { projectId: job.projectId, jobId: job.id, state: 'failed' },
    order: { page: 'ASC', operationIndex: 'ASC' },
  });
  const failed = failedPagesOf(rows);
  // The first failure of each page.
  const firstFailures = failed.filter(({ page }, at) => page !== failed[at - 1]?.page);
  return describeFailure(firstFailures, 'pages_failed');
}

/**
 * The failure of an operation whose pages failed in it or in an earlier operation. Null if none
 * did.
 */
export async function failureOfOperation(
  tx: Tx,
  { projectId, jobId, index, pagesTotal }: JobOperation,
): Promise<Failure | null> {
  const rows = await tx.find(JobPage, {
    select: { page: true, error: true },
    where: { projectId, jobId, operationIndex: index, error: Not(IsNull()) },
    order: { page: 'ASC' },
  });
  const failed = failedPagesOf(rows);
  return describeFailure(
    failed,
    failed.length === pagesTotal ? 'all_pages_failed' : 'pages_failed',
  );
}

function failedPagesOf(pages: readonly JobPage[]): FailedPage[] {
  return pages.flatMap(({ page, error }) => (error === null ? [] : [{ page, error }]));
}

/** Returns the failure of a job, which is retryable if that of any page is. */
function describeFailure(failed: readonly FailedPage[], code: string): Failure | null {
  if (failed.length === 0) return null;
  const pages = failed.map(({ page }) => page);
  const subject = pages.length === 1 ? 'Page' : 'Pages';
  const reasons = new Set(failed.map(({ error }) => error.message));
  const reason = reasons.size === 1 ? `: ${[...reasons][0]}` : '. See the error of each page.';
  return {
    code,
    message: `${subject} ${formatPages(pages)} failed${reason}`,
    retryable: failed.some(({ error }) => error.retryable),
  };
}

/** Pages in ascending order as "2, 5-7". */
function formatPages(pages: readonly number[]): string {
  const ranges = chunkPages(pages, pages.length);
  const listed = ranges
    .slice(0, maxRanges)
    .map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
    .join(', ');
  return ranges.length > maxRanges ? `${listed} and others (${pages.length} in all)` : listed;
}
