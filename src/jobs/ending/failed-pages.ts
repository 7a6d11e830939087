import type { Failure } from '../../contracts/wire/common.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import { chunkPages } from '../pages/page-ranges.ts';

interface FailedPage {
  page: number;
  error: Failure;
}

/** How many runs of pages a message lists before it only counts the rest. */
const mostRuns = 20;

/** The failure of a job with failed pages; null when none failed. */
export async function failureOfJob(tx: Tx, job: Job): Promise<Failure | null> {
  const failed = await prepared<FailedPage>(
    tx,
    `SELECT DISTINCT ON (page) page, error FROM job_page
     WHERE project_id = $1 AND job_id = $2 AND state = 'failed' ORDER BY page, operation_index`,
    [job.projectId, job.id],
  );
  return describe(failed, 'pages_failed');
}

/**
 * The failure of an operation with missing pages: those that failed in it, and those that had failed
 * before it. Null when none is missing.
 */
export async function failureOfOperation(
  tx: Tx,
  { projectId, jobId, index, pagesTotal }: JobOperation,
): Promise<Failure | null> {
  const failed = await prepared<FailedPage>(
    tx,
    `SELECT page, error FROM job_page
     WHERE project_id = $1 AND job_id = $2 AND operation_index = $3 AND error IS NOT NULL
     ORDER BY page`,
    [projectId, jobId, index],
  );
  return describe(failed, failed.length === pagesTotal ? 'all_pages_failed' : 'pages_failed');
}

/** Retryable if any of the pages is. */
function describe(failed: readonly FailedPage[], code: string): Failure | null {
  if (failed.length === 0) return null;
  const pages = failed.map(({ page }) => page);
  const subject = pages.length === 1 ? 'Page' : 'Pages';
  const reasons = new Set(failed.map(({ error }) => error.message));
  const reason = reasons.size === 1 ? `: ${[...reasons][0]}` : '. See the error of each page.';
  return {
    code,
    message: `${subject} ${inWords(pages)} failed${reason}`,
    retryable: failed.some(({ error }) => error.retryable),
  };
}

/** Pages in ascending order as "2, 5-7". */
function inWords(pages: readonly number[]): string {
  const runs = chunkPages(pages, pages.length);
  const named = runs
    .slice(0, mostRuns)
    .map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
    .join(', ');
  return runs.length > mostRuns ? `${named} and others (${pages.length} in all)` : named;
}
