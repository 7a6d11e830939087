import { isTerminal } from '@scriptorium/contracts/jobs';
import type { OperationName } from '@scriptorium/contracts/operations';
import type { Failure } from '@scriptorium/contracts/wire/common';
import type { Engines } from '@scriptorium/documents';
import { finalFailure } from '@scriptorium/sandbox/errors';
import type { Database } from '../../db/database.ts';
import { inProject, prepared, type Tx } from '../../db/transaction.ts';
import { Job } from '../../entities/jobs/job.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import { JobOutput } from '../../entities/jobs/job-output.ts';
import { StoredObject } from '../../entities/library/stored-object.ts';
import type { TaskRun } from '../../outbox/task-run.ts';
import { type Storage, StorageError } from '../../storage/storage.ts';
import { settleCancelling } from '../ending/cancel.ts';
import { loadOperation, loadOperations, lockJob, redactionBefore } from '../load.ts';
import { OperationFailed } from '../operations/operation-failed.ts';
import type { Decisions } from '../reviews/findings.ts';
import type { PagePlace, PageSeal } from '../sealing/page-content.ts';

/** The dependencies of the steps of a job. */
export interface JobDeps extends PageSeal {
  database: Database;
  storage: Storage;
  engines: Engines;
}

type StepKind = 'operation.open' | 'operation.pages' | 'operation.assemble';

/** A job and its operation as read at the start of a step. */
export interface StepPlace {
  job: Job;
  operation: JobOperation;
  /** All operations of the job, in order. */
  operations: JobOperation[];
  source: StoredObject | null;
  /**
   * The file that the operation reads: the source or, after `redact_pii`, only the redacted output.
   */
  reads: StoredObject | null;
  /** People's decisions about the operation's findings; none without a review. */
  decisions?: Decisions | null;
}

/** The place of a page of the step's operation, or of another operation of its job. */
export function pagePlace(
  { job, operation }: StepPlace,
  page: number,
  op: OperationName = operation.op,
): PagePlace {
  return { projectId: job.projectId, sourceObjectId: job.sourceObjectId, op, page };
}

/**
 * Reads the job and operation of a step; null when the job has ended or is being cancelled. `begin` may
 * write first, under the job's lock.
 */
export async function enterStep(
  run: TaskRun<StepKind>,
  begin: (tx: Tx, job: Job, operation: JobOperation) => Promise<void>,
): Promise<StepPlace | null> {
  const { projectId, payload } = run.task;
  return run.inProject(async (tx) => {
    const job = await lockJob(tx, projectId, payload.job_id);
    if (!job || isTerminal(job.state) || job.state === 'cancelling') return null;
    run.log.setBindings({ object_id: job.sourceObjectId });
    const operation = await loadOperation(tx, placeOf(run));
    await begin(tx, job, operation);
    return readPlace(tx, job, operation);
  });
}

/** The context in which an operation of a job works. */
export async function readPlace(tx: Tx, job: Job, operation: JobOperation): Promise<StepPlace> {
  const { projectId } = job;
  const operations = await loadOperations(tx, job);
  const source = await tx.findOneBy(StoredObject, { projectId, id: job.sourceObjectId });
  const redaction = redactionBefore(operations, operation.index);
  const reads = redaction ? await outputOf(tx, redaction) : source;
  return { job, operation, operations, source, reads };
}

/** The output of an operation that has one; null when it is gone. */
async function outputOf(tx: Tx, operation: JobOperation): Promise<StoredObject | null> {
  const { projectId, jobId, index } = operation;
  const output = await tx.findOneBy(JobOutput, { projectId, jobId, operationIndex: index });
  return output && tx.findOneBy(StoredObject, { projectId, id: output.objectId });
}

/**
 * Ends a step's task and, if the job is still running, runs `work` with the job locked. A
 * cancelling job stores nothing more and may end here; a job that has ended is not changed.
 */
export async function finishStep(
  run: TaskRun<StepKind>,
  work: (tx: Tx, job: Job, operation: JobOperation) => Promise<void>,
): Promise<void> {
  await endStep(run, async () => undefined, work);
}

/**
 * Ends a step's task as `finishStep` does, and stores the step's results. The object that was read
 * is locked against a purge. A purge therefore happens either before, so that `work` receives the
 * failure to store instead, or after, so that it finds the stored results.
 */
export async function storeStep(
  run: TaskRun<StepKind>,
  { job: { projectId, sourceObjectId }, reads }: StepPlace,
  work: (tx: Tx, job: Job, operation: JobOperation, purged: Failure | null) => Promise<void>,
): Promise<void> {
  const read = [...new Set([sourceObjectId, reads?.id ?? sourceObjectId])];
  await endStep(
    run,
    async (tx) => {
      const locked = await prepared(
        tx,
        `SELECT id FROM object WHERE project_id = $1 AND id = ANY($2) ORDER BY id FOR KEY SHARE`,
        [projectId, read],
      );
      return locked.length === read.length ? null : sourceUnavailable;
    },
    work,
  );
}

/** @param lockFirst takes the locks that precede the job's, in the same packet */
async function endStep<L>(
  run: TaskRun<StepKind>,
  lockFirst: (tx: Tx) => Promise<L>,
  work: (tx: Tx, job: Job, operation: JobOperation, locked: L) => Promise<void>,
): Promise<void> {
  const { projectId, payload } = run.task;
  await run.finish(
    (tx) => Promise.all([lockFirst(tx), lockJob(tx, projectId, payload.job_id)]),
    async (tx, [locked, job]) => {
      if (!job || isTerminal(job.state)) return;
      if (job.state === 'cancelling') return settleCancelling(tx, job);
      await work(tx, job, await loadOperation(tx, placeOf(run)), locked);
    },
  );
}

function placeOf(run: TaskRun<StepKind>) {
  const { projectId, payload } = run.task;
  return { projectId, jobId: payload.job_id, index: payload.operation_index };
}

/** The failure of a step whose source is purged or in the trash. */
export const sourceUnavailable: Failure = {
  code: 'source_unavailable',
  message: 'The source object is no longer available.',
  retryable: false,
};

/** How often long work checks whether its job was cancelled. */
const cancelPollMs = 2_000;

/** The job was cancelled during a step. */
export class Cancelled extends Error {}

/**
 * Runs the work of a step, and aborts it when its job is cancelled.
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
    const where = { projectId, id: payload.job_id };
    const job = await inProject(deps.database, projectId, (tx) =>
      tx.findOne(Job, { select: { state: true }, where }),
    );
    if (!job || isTerminal(job.state) || job.state === 'cancelling') {
      cancelled.abort(new Cancelled());
    }
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) =>
      run.log.warn({ err: error }, 'could not check whether a job was cancelled'),
    );
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
 * The failure to report for an error of the document itself, or of the last attempt; null if the
 * step should be retried. Missing bytes may return before then: a volume may not be mounted yet.
 */
export function customerError(error: unknown, lastRun: boolean): Failure | null {
  if (error instanceof OperationFailed) return error.failure;
  if (lastRun && error instanceof StorageError && error.code === 'not_found') {
    const message = 'The bytes of the source object are missing from the storage.';
    return { code: 'source_unavailable', message, retryable: true };
  }
  return finalFailure(error, lastRun);
}
