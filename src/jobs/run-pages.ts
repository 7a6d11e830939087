import { prepared, type Tx } from '../db/transaction.ts';
import type { JobOperation } from '../entities/job-operation.ts';
import { gaveUp, isLastRun, type TaskRun } from '../outbox/task-run.ts';
import { finishPages, type PageOutcome } from './finish-pages.ts';
import { operationWork } from './operation-work.ts';
import { customerError, enterStep, finishStep, type JobDeps, withSource } from './step.ts';

/** The middle step of an operation: works on a range of pages; each keeps a row of its own. */
export async function runPages(deps: JobDeps, run: TaskRun<'operation.pages'>): Promise<void> {
  const { from, to, op } = run.task.payload;
  const place = await enterStep(deps, run, async (tx, _job, operation) => {
    await prepared(
      tx,
      `UPDATE job_page SET state = 'running'
       WHERE project_id = $1 AND job_id = $2 AND operation_index = $3 AND page BETWEEN $4 AND $5
         AND state = 'pending'`,
      [operation.projectId, operation.jobId, operation.index, from, to],
    );
  });
  if (!place) return finishStep(run, async () => undefined);
  const work = operationWork[op];
  const outcomes: PageOutcome[] = [];
  for (let page = from; page <= to; page++) {
    try {
      outcomes.push(
        await withSource(deps, place, (source) =>
          // The options were checked against the operation's schema when the job was made.
          work.page(deps.engines, source, place.operation.options as never, page, run.signal),
        ),
      );
    } catch (error) {
      const told = customerError(error, isLastRun(run));
      if (!told) throw error;
      outcomes.push({ page, state: 'failed', error: told });
    }
  }
  await finishStep(run, (tx, job, operation) => finishPages(tx, job, operation, outcomes));
}

/** Marks pages as failed whose workers died on them. */
export async function giveUpPages(run: TaskRun<'operation.pages'>): Promise<void> {
  await finishStep(run, async (tx, job, operation) => {
    const pages = await undonePages(tx, operation, run.task.payload);
    const error = gaveUp('The work');
    await finishPages(
      tx,
      job,
      operation,
      pages.map((page) => ({ page, state: 'failed', error })),
    );
  });
}

async function undonePages(
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
