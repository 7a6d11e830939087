import type { JobWarning } from '../contracts/jobs.ts';
import { operations } from '../contracts/operations.ts';
import type { Failure } from '../contracts/wire/common.ts';
import { prepared, type Tx } from '../db/transaction.ts';
import type { Job } from '../entities/job.ts';
import type { JobOperation } from '../entities/job-operation.ts';
import { record } from '../outbox/record.ts';
import { schedule } from '../outbox/schedule.ts';
import { gaveUp, isLastRun, type TaskRun } from '../outbox/task-run.ts';
import { finishOperation, startJob } from './advance.ts';
import { countPages, pagesDone, scheduleAssembly } from './finish-pages.ts';
import { loadOperations, originOf } from './load.ts';
import { type OpenedSource, operationWork } from './operation-work.ts';
import { chunkPages, outOfRange, selectPages } from './page-ranges.ts';
import { refusalOf } from './refusal.ts';
import { takeOverPages } from './retry.ts';
import { customerError, enterStep, finishStep, type JobDeps } from './step.ts';
import { requireSource, withWork } from './step-work.ts';

/**
 * The first step of an operation: writes a row per page and schedules their work. The job's first
 * operation opens the source to know its pages.
 */
export async function openOperation(deps: JobDeps, run: TaskRun<'operation.open'>): Promise<void> {
  let refused: Failure | null = null;
  const place = await enterStep(deps, run, async (tx, job, operation) => {
    await startJob(tx, job, await loadOperations(tx, job));
    await startOperation(tx, operation);
    refused = await refusalOf(tx, job);
  });
  if (!place) return finishStep(run, async () => undefined);
  if (refused) return failStep(run, refused);
  let opened: OpenedSource | null = null;
  try {
    requireSource(place);
    if (place.operation.index === 0) {
      opened = await withWork(deps, place, run.signal, (work) =>
        operationWork[run.task.payload.op].open(work),
      );
    }
  } catch (error) {
    const told = customerError(error, isLastRun(run));
    if (!told) throw error;
    return failStep(run, told);
  }
  await finishStep(run, (tx, job, operation) => layOutPages(tx, job, operation, opened));
}

/** Ends an operation whose source nobody could open without dying. */
export async function giveUpOpening(run: TaskRun<'operation.open'>): Promise<void> {
  await failStep(run, gaveUp('The work'));
}

async function failStep(run: TaskRun<'operation.open'>, error: Failure): Promise<void> {
  await finishStep(run, (tx, job, operation) =>
    finishOperation(tx, job, operation, { state: 'failed', result: null, error }),
  );
}

async function startOperation(tx: Tx, operation: JobOperation): Promise<void> {
  await prepared(
    tx,
    `UPDATE job_operation SET state = 'running', started_at = now()
     WHERE project_id = $1 AND job_id = $2 AND index = $3 AND state = 'pending'`,
    [operation.projectId, operation.jobId, operation.index],
  );
}

async function layOutPages(
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

/** The pages that the job's first operation found to be worked on: all others work on the same. */
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
 * Leaves out the pages that failed in the operation before, or had been left out there: nobody knows
 * enough of them to go on.
 * @returns how many
 */
async function leaveOutFailed(tx: Tx, operation: JobOperation): Promise<number> {
  const error: Pick<Failure, 'code' | 'message'> = {
    code: 'failed_before',
    message: 'The page failed in an operation before this one.',
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

/** The job's total is known with its first operation: every operation works on the same pages. */
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
  const events = await countPages(tx, job, done, 0);
  if (events.length > 0) await record(tx, originOf(job), ...events);
}
