import type { Failure } from '@scriptorium/contracts/wire/common';
import { gaveUp, isLastRun, type TaskRun } from '../../outbox/task-run.ts';
import { failOperation } from '../ending/finish-operation.ts';
import { loadOperations } from '../load.ts';
import { operationWork } from '../operations/index.ts';
import type { OpenedSource } from '../operations/operation.ts';
import { processingDenial } from '../steps/processing-denial.ts';
import { customerError, enterStep, finishStep, type JobDeps, storeStep } from '../steps/step.ts';
import { requireSource, withWork } from '../steps/step-work.ts';
import { layOutPages } from './lay-out-pages.ts';
import { startJob, startOperation } from './start.ts';

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
