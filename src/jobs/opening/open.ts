import type { Failure } from '@scriptorium/contracts/wire/common';
import { sendUpdate, transactionTime } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import { JobOperation } from '../../entities/jobs/job-operation.ts';
import { record } from '../../outbox/record.ts';
import { gaveUpFailure, isLastRun, type TaskRun } from '../../outbox/task-run.ts';
import { changeJob } from '../change.ts';
import { failOperation } from '../ending/finish-operation.ts';
import { jobOrigin, loadOperations } from '../load.ts';
import { operationWork } from '../operations/index.ts';
import type { OpenedSource } from '../operations/operation.ts';
import { processingDenial } from '../steps/processing-denial.ts';
import {
  enterStep,
  finishStep,
  type JobDeps,
  reportableFailure,
  storeStep,
} from '../steps/step.ts';
import { requireSource, withWork } from '../steps/step-work.ts';
import { schedulePages } from './schedule-pages.ts';

/**
 * The first step of an operation: inserts a row for each page and schedules their tasks. The job's
 * first operation opens the source to count its pages.
 */
export async function openOperation(deps: JobDeps, run: TaskRun<'operation.open'>): Promise<void> {
  let denial: Failure | null = null;
  const context = await enterStep(run, async (tx, job, operation) => {
    await startJob(tx, job, await loadOperations(tx, job));
    startOperation(tx, operation);
    denial = await processingDenial(tx, job);
  });
  if (!context) return finishStep(run, async () => undefined);
  if (denial) return failStep(run, denial);
  let openedSource: OpenedSource | null = null;
  try {
    requireSource(context);
    if (context.operation.index === 0) {
      openedSource = await withWork(deps, context, run.signal, (work) =>
        operationWork[run.task.payload.op].open(work),
      );
    }
  } catch (error) {
    const failure = reportableFailure(error, isLastRun(run));
    if (!failure) throw error;
    return failStep(run, failure);
  }
  await storeStep(run, context, (tx, job, operation, purged) =>
    schedulePages(tx, job, operation, openedSource, purged),
  );
}

/** Ends an operation whose workers all died opening the source. */
export async function giveUpOpening(run: TaskRun<'operation.open'>): Promise<void> {
  await failStep(run, gaveUpFailure('The work'));
}

async function failStep(run: TaskRun<'operation.open'>, error: Failure): Promise<void> {
  await finishStep(run, (tx, job, operation) => failOperation(tx, job, operation, error));
}

/** Marks a queued job as running and records its first event; does nothing if it is running. */
async function startJob(tx: Tx, job: Job, operations: JobOperation[]): Promise<void> {
  if (job.state !== 'queued') return;
  job.state = 'running';
  changeJob(tx, job, { state: 'running', startedAt: transactionTime });
  await record(tx, jobOrigin(job), {
    type: 'documents.job.started',
    resourceId: job.id,
    data: {
      source_object_id: job.sourceObjectId,
      operations: operations.map(({ op }) => op),
      retry_of: job.retryOf,
    },
  });
}

/** Marks a pending operation as running. */
function startOperation(tx: Tx, { projectId, jobId, index }: JobOperation): void {
  const pending = { projectId, jobId, index, state: 'pending' } as const;
  sendUpdate(tx, JobOperation, pending, { state: 'running', startedAt: transactionTime });
}
