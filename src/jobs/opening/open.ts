import type { Failure } from '@scriptorium/contracts/wire/common';
import { sendUpdate, transactionTime } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import { JobOperation } from '../../entities/jobs/job-operation.ts';
import { record } from '../../outbox/record.ts';
import { gaveUp, isLastRun, type TaskRun } from '../../outbox/task-run.ts';
import { changeJob } from '../change.ts';
import { failOperation } from '../ending/finish-operation.ts';
import { jobOrigin, loadOperations } from '../load.ts';
import { operationWork } from '../operations/index.ts';
import type { OpenedSource } from '../operations/operation.ts';
import { processingDenial } from '../steps/processing-denial.ts';
import { customerError, enterStep, finishStep, type JobDeps, storeStep } from '../steps/step.ts';
import { requireSource, withWork } from '../steps/step-work.ts';
import { layOutPages } from './lay-out-pages.ts';

/**
 * The first step of an operation: inserts a row for each page and schedules their tasks. The job's
 * first operation opens the source to count its pages.
 */
export async function openOperation(deps: JobDeps, run: TaskRun<'operation.open'>): Promise<void> {
  let denied: Failure | null = null;
  const place = await enterStep(run, async (tx, job, operation) => {
    await startJob(tx, job, await loadOperations(tx, job));
    startOperation(tx, operation);
    denied = await processingDenial(tx, job);
  });
  if (!place) return finishStep(run, async () => undefined);
  if (denied) return failStep(run, denied);
  let opened: OpenedSource | null = null;
  try {
    requireSource(place);
    if (place.operation.index === 0) {
      opened = await withWork(deps, place, run.signal, (work) =>
        operationWork[run.task.payload.op].open(work),
      );
    }
  } catch (error) {
    const failure = customerError(error, isLastRun(run));
    if (!failure) throw error;
    return failStep(run, failure);
  }
  await storeStep(run, place, (tx, job, operation, purged) =>
    layOutPages(tx, job, operation, opened, purged),
  );
}

/** Ends an operation whose workers all died opening the source. */
export async function giveUpOpening(run: TaskRun<'operation.open'>): Promise<void> {
  await failStep(run, gaveUp('The work'));
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
