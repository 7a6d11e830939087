import type { Failure } from '@scriptorium/contracts/wire/common';
import { prepared, type Tx } from '../../db/transaction.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import { gaveUpFailure, isLastRun, type TaskRun } from '../../outbox/task-run.ts';
import { operationWork } from '../operations/index.ts';
import { sealPage, secrecyOf } from '../sealing/page-content.ts';
import {
  abortIfCancelled,
  enterStep,
  finishStep,
  JobCancelled,
  type JobDeps,
  pageContextOf,
  reportableFailure,
  type StepContext,
  storeStep,
} from '../steps/step.ts';
import { withWork } from '../steps/step-work.ts';
import { finishPages } from './finish-pages.ts';
import type { StoredOutcome } from './outcome.ts';

/** Runs the middle step of an operation, which processes a range of pages. */
export async function runPages(deps: JobDeps, run: TaskRun<'operation.pages'>): Promise<void> {
  const { from, to } = run.task.payload;
  const context = await enterStep(run, async (tx, _job, operation) => {
    await prepared(
      tx,
      `UPDATE job_page SET state = 'running'
       WHERE project_id = $1 AND job_id = $2 AND operation_index = $3 AND page BETWEEN $4 AND $5
         AND state = 'pending'`,
      [operation.projectId, operation.jobId, operation.index, from, to],
    );
  });
  if (!context) return finishStep(run, async () => undefined);
  const outcomes: StoredOutcome[] = [];
  try {
    await abortIfCancelled(deps, run, async (signal) => {
      for (let page = from; page <= to; page++) {
        outcomes.push(await runPage(deps, run, context, page, signal));
      }
    });
  } catch (error) {
    if (!(error instanceof JobCancelled)) throw error;
  }
  // Nothing is stored for a cancelled job.
  await storeStep(run, context, (tx, job, operation, purged) =>
    finishPages(tx, job, operation, purged ? outcomes.map(toFailure(purged)) : outcomes),
  );
}

function toFailure(error: Failure): (outcome: StoredOutcome) => StoredOutcome {
  return ({ page }) => ({ page, state: 'failed', error });
}

async function runPage(
  deps: JobDeps,
  run: TaskRun<'operation.pages'>,
  context: StepContext,
  page: number,
  signal: AbortSignal,
): Promise<StoredOutcome> {
  try {
    const outcome = await withWork(deps, context, signal, (work) =>
      operationWork[run.task.payload.op].page(work, page),
    );
    if (outcome.state === 'failed') return outcome;
    const secrecy = secrecyOf(context.operations, context.operation.index);
    return { ...outcome, ...sealPage(deps, pageContextOf(context, page), outcome, secrecy) };
  } catch (error) {
    const failure = reportableFailure(error, isLastRun(run));
    if (!failure) throw error;
    return { page, state: 'failed', error: failure };
  }
}

/** Marks pages as failed after all their workers have died. */
export async function giveUpPages(run: TaskRun<'operation.pages'>): Promise<void> {
  await finishStep(run, async (tx, job, operation) => {
    const pages = await listUnfinishedPages(tx, operation, run.task.payload);
    const error = gaveUpFailure('The work');
    await finishPages(
      tx,
      job,
      operation,
      pages.map((page) => ({ page, state: 'failed', error })),
    );
  });
}

async function listUnfinishedPages(
  tx: Tx,
  operation: JobOperation,
  range: { from: number; to: number },
): Promise<number[]> {
  const rows = await prepared<{ page: number }>(
    tx,
    `SELECT page FROM job_page
     WHERE project_id = $1 AND job_id = $2 AND operation_index = $3 AND page BETWEEN $4 AND $5
       AND state IN ('pending', 'running') ORDER BY page`,
    [operation.projectId, operation.jobId, operation.index, range.from, range.to],
  );
  return rows.map(({ page }) => page);
}
