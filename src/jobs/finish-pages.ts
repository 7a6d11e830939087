import type { NewEvent } from '../contracts/events.ts';
import type { Failure } from '../contracts/wire/common.ts';
import { columnsOf, prepared, type Tx } from '../db/transaction.ts';
import type { Job } from '../entities/job.ts';
import type { JobOperation } from '../entities/job-operation.ts';
import { record } from '../outbox/record.ts';
import { schedule } from '../outbox/schedule.ts';
import { originOf } from './load.ts';
import type { PageContent, StoredContent } from './page-secrets.ts';

interface Done {
  page: number;
  state: 'succeeded' | 'skipped';
  result: Record<string, unknown>;
}

/** A page that was done, and what it left. */
export type DonePage = Done & PageContent;
/** The same as it is to be stored. */
export type StoredResult = Done & StoredContent;

interface FailedPage {
  page: number;
  state: 'failed';
  error: Failure;
}

/** What became of one page in one operation. */
export type PageOutcome = DonePage | FailedPage;
/** The same as it is to be stored. */
export type StoredOutcome = StoredResult | FailedPage;

/**
 * Stores what became of pages, counts them, tells of progress, and schedules the assembly when these
 * were the last: all in the transaction that ends their task. The caller holds the job's lock, and
 * `job` and `operation` carry the counts as they stand under it.
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
  await storeCounts(tx, operation);
  const events = failed.map((outcome) => pageFailed(operation, outcome));
  events.push(...(await countPages(tx, job, outcomes.length, failed.length)));
  if (events.length > 0) await record(tx, originOf(job), ...events);
  if (pagesDone(operation)) await scheduleAssembly(tx, job, operation);
}

/** Marks pages as failed that had succeeded, until what was made of them was looked at. */
export async function failDonePages(
  tx: Tx,
  job: Job,
  operation: JobOperation,
  failures: readonly { page: number; error: Failure }[],
): Promise<void> {
  if (failures.length === 0) return;
  for (const some of portions(failures)) {
    await prepared(
      tx,
      `UPDATE job_page p SET state = 'failed', error = f.error, result = NULL, text = NULL,
         words = NULL, sealed = false
       FROM unnest($4::integer[], $5::jsonb[]) AS f (page, error)
       WHERE p.project_id = $1 AND p.job_id = $2 AND p.operation_index = $3 AND p.page = ANY ($4)
         AND p.page = f.page`,
      [
        ...keyOf(operation),
        ...columnsOf(
          some.map(({ page, error }) => [page, JSON.stringify(error)]),
          2,
        ),
      ],
    );
  }
  operation.pagesSucceeded -= failures.length;
  operation.pagesFailed += failures.length;
  await storeCounts(tx, operation);
  const events = failures.map((failure) => pageFailed(operation, failure));
  events.push(...(await countPages(tx, job, 0, failures.length)));
  await record(tx, originOf(job), ...events);
}

/** Puts what is known of pages now in the place of what they had left when they were done. */
export async function replaceResults(
  tx: Tx,
  operation: JobOperation,
  pages: readonly StoredResult[],
): Promise<void> {
  for (const some of portions(pages)) {
    await prepared(
      tx,
      `UPDATE job_page p SET result = r.result, text = r.text, words = r.words, sealed = r.sealed
       FROM unnest($4::integer[], $5::jsonb[], $6::text[], $7::bytea[], $8::boolean[])
         AS r (page, result, text, words, sealed)
       WHERE p.project_id = $1 AND p.job_id = $2 AND p.operation_index = $3 AND p.page = ANY ($4)
         AND p.page = r.page`,
      [
        ...keyOf(operation),
        ...columnsOf(
          some.map(({ page, result, text, words, sealed }) => [
            ...[page, JSON.stringify(result)],
            ...[text, words, sealed],
          ]),
          5,
        ),
      ],
    );
  }
}

async function storeCounts(tx: Tx, operation: JobOperation): Promise<void> {
  await prepared(
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

function pageFailed(operation: JobOperation, failed: { page: number; error: Failure }): NewEvent {
  return {
    type: 'documents.job_page.failed',
    resourceId: operation.jobId,
    data: {
      page: failed.page,
      operation_index: operation.index,
      op: operation.op,
      error: failed.error,
    },
  };
}

/** Whether no page of an operation is left to be done. */
export function pagesDone(operation: JobOperation): boolean {
  const done = operation.pagesSucceeded + operation.pagesSkipped + operation.pagesFailed;
  return operation.pagesTotal !== null && done >= operation.pagesTotal;
}

/** Schedules the step that makes an operation's outputs. */
export async function scheduleAssembly(tx: Tx, job: Job, operation: JobOperation): Promise<void> {
  await schedule(tx, job.projectId, job.id, {
    kind: 'operation.assemble',
    payload: { job_id: job.id, operation_index: operation.index, op: operation.op },
  });
}

/**
 * Counts pages in the job's progress. The last percent belongs to the outputs, so the pages alone
 * reach 99.
 * @returns the progress event, when the whole percent changed
 */
export async function countPages(
  tx: Tx,
  job: Job,
  completed: number,
  failed: number,
): Promise<NewEvent[]> {
  job.pagesCompleted += completed;
  job.pagesFailed += failed;
  const share = job.pagesTotal ? Math.floor((100 * job.pagesCompleted) / job.pagesTotal) : 0;
  const percent = Math.max(job.percent, Math.min(99, share));
  const changed = percent !== job.percent;
  job.percent = percent;
  await prepared(
    tx,
    `UPDATE job SET pages_completed = $3, pages_failed = $4, percent = $5, updated_at = now(),
       version = version + 1
     WHERE project_id = $1 AND id = $2`,
    [job.projectId, job.id, job.pagesCompleted, job.pagesFailed, percent],
  );
  if (!changed) return [];
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

/** Stores outcomes of pages that nobody has stored before, a range in one statement. */
async function storeOutcomes(
  tx: Tx,
  operation: JobOperation,
  outcomes: readonly StoredOutcome[],
): Promise<void> {
  for (const some of portions(outcomes)) {
    const stored = await prepared<{ page: number }>(
      tx,
      `UPDATE job_page p SET state = o.state, error = o.error, result = o.result, text = o.text,
         words = o.words, sealed = o.sealed, finished_at = now()
       FROM unnest($4::integer[], $5::text[], $6::jsonb[], $7::jsonb[], $8::text[], $9::bytea[],
         $10::boolean[]) AS o (page, state, error, result, text, words, sealed)
       WHERE p.project_id = $1 AND p.job_id = $2 AND p.operation_index = $3 AND p.page = ANY ($4)
         AND p.page = o.page AND p.state IN ('pending', 'running') RETURNING p.page`,
      [...keyOf(operation), ...columnsOf(some.map(outcomeRow), 7)],
    );
    const known = new Set(stored.map(({ page }) => page));
    const missing = some.find(({ page }) => !known.has(page));
    if (missing) throw new Error(`Page ${missing.page} of ${operation.jobId} was stored already.`);
  }
}

/** What a page left: page, state, error, result, text, words, and whether they are sealed. */
function outcomeRow(outcome: StoredOutcome) {
  const { page, state } = outcome;
  if (outcome.state === 'failed') {
    return [page, state, JSON.stringify(outcome.error), null, null, null, false];
  }
  const { result, text, words, sealed } = outcome;
  return [page, state, null, JSON.stringify(result), text, words, sealed];
}

function keyOf({ projectId, jobId, index }: JobOperation): [string, string, number] {
  return [projectId, jobId, index];
}

/** So many pages, with their text and words, are some megabytes. */
const pagesPerStatement = 64;

function* portions<T>(pages: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < pages.length; from += pagesPerStatement) {
    yield pages.slice(from, from + pagesPerStatement);
  }
}
