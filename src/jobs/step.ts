import { isTerminal, type JobState } from '../contracts/jobs.ts';
import type { OperationName } from '../contracts/operations.ts';
import type { Failure } from '../contracts/wire/common.ts';
import type { Database } from '../db/database.ts';
import { inProject, prepared, type Tx } from '../db/transaction.ts';
import { finalFailure } from '../engines/errors.ts';
import type { Engines } from '../engines/index.ts';
import type { Job } from '../entities/job.ts';
import type { JobOperation } from '../entities/job-operation.ts';
import { StoredObject } from '../entities/stored-object.ts';
import { causedBy } from '../outbox/cause.ts';
import type { TaskRun } from '../outbox/task-run.ts';
import type { Storage } from '../storage/storage.ts';
import { settleCancelling } from './cancel.ts';
import { loadOperation, loadOperations, lockJob, redactionBefore } from './load.ts';
import { OperationFailed } from './operation-failed.ts';
import type { PagePlace, PageSeal } from './page-secrets.ts';

/** What the steps of a job need. */
export interface JobDeps extends PageSeal {
  database: Database;
  storage: Storage;
  engines: Engines;
}

type StepKind = 'operation.open' | 'operation.pages' | 'operation.assemble';

/** A job and its operation as a step finds them, before any work. */
export interface StepPlace {
  job: Job;
  operation: JobOperation;
  /** All of the job's, in order. */
  operations: JobOperation[];
  source: StoredObject | null;
  /** What the operation reads: the source, or what `redact_pii` made of it before, and nothing else. */
  reads: StoredObject | null;
}

/** Where a page of the step's operation, or of another of its job, is kept. */
export function pagePlace(
  { job, operation }: StepPlace,
  page: number,
  op: OperationName = operation.op,
): PagePlace {
  return { projectId: job.projectId, sourceObjectId: job.sourceObjectId, op, page };
}

/** Reads where a step stands. `begin` may write first, under the job's lock. */
export async function enterStep(
  deps: JobDeps,
  run: TaskRun<StepKind>,
  begin: (tx: Tx, job: Job, operation: JobOperation) => Promise<void>,
): Promise<StepPlace | null> {
  const { projectId, payload } = run.task;
  return inProject(deps.database, projectId, async (tx) => {
    causedBy(tx, run.cause);
    const job = await lockJob(tx, projectId, payload.job_id);
    if (!job || isTerminal(job.state) || job.state === 'cancelling') return null;
    run.log.setBindings({ object_id: job.sourceObjectId });
    const operation = await loadOperation(tx, placeOf(run));
    await begin(tx, job, operation);
    const operations = await loadOperations(tx, job);
    const source = await tx.findOneBy(StoredObject, { projectId, id: job.sourceObjectId });
    const redaction = redactionBefore(operations, operation.index);
    const reads = redaction ? await outputOf(tx, redaction) : source;
    return { job, operation, operations, source, reads };
  });
}

/** What an operation that makes one output has made; null when that is gone. */
async function outputOf(tx: Tx, operation: JobOperation): Promise<StoredObject | null> {
  const { projectId, jobId, index } = operation;
  const [output] = await prepared<{ id: string }>(
    tx,
    `SELECT object_id AS id FROM job_output
     WHERE project_id = $1 AND job_id = $2 AND operation_index = $3`,
    [projectId, jobId, index],
  );
  return output ? tx.findOneBy(StoredObject, { projectId, id: output.id }) : null;
}

/**
 * Ends a step's task and, while the job still runs, does `work` with the job locked. A job that is
 * being cancelled stores nothing more and may end here; one that has ended stays as it is.
 */
export async function finishStep(
  run: TaskRun<StepKind>,
  work: (tx: Tx, job: Job, operation: JobOperation) => Promise<void>,
): Promise<void> {
  const { projectId, payload } = run.task;
  await run.finish(
    (tx) => lockJob(tx, projectId, payload.job_id),
    async (tx, job) => {
      if (!job || isTerminal(job.state)) return;
      if (job.state === 'cancelling') return settleCancelling(tx, job);
      await work(tx, job, await loadOperation(tx, placeOf(run)));
    },
  );
}

function placeOf(run: TaskRun<StepKind>) {
  const { projectId, payload } = run.task;
  return { projectId, jobId: payload.job_id, index: payload.operation_index };
}

/** How often work that takes long looks whether its job was cancelled meanwhile. */
const cancelPollMs = 2_000;

/** The job was cancelled while a step worked on it. */
export class Cancelled extends Error {}

/**
 * Runs the work of a step until it is done or its job is cancelled, whatever comes first: nobody has
 * to wait for the end of hours of work that nobody wants.
 * @throws Cancelled
 */
export async function unlessCancelled<T>(
  deps: JobDeps,
  run: TaskRun<StepKind>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { projectId, payload } = run.task;
  const cancelled = new AbortController();
  const look = async (): Promise<void> => {
    const [job] = await inProject(deps.database, projectId, (tx) =>
      prepared<{ state: JobState }>(tx, 'SELECT state FROM job WHERE project_id = $1 AND id = $2', [
        projectId,
        payload.job_id,
      ]),
    );
    if (!job || isTerminal(job.state) || job.state === 'cancelling') {
      cancelled.abort(new Cancelled());
    }
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => run.log.warn({ err: error }, 'a job was not looked at'));
  }, cancelPollMs);
  try {
    return await work(AbortSignal.any([run.signal, cancelled.signal]));
  } catch (error) {
    if (cancelled.signal.aborted) throw new Cancelled();
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/**
 * What to tell the customer about a failure of the document itself, or of its last try; null when
 * the step should be tried again.
 */
export function customerError(error: unknown, lastRun: boolean): Failure | null {
  if (error instanceof OperationFailed) return error.failure;
  return finalFailure(error, lastRun);
}
