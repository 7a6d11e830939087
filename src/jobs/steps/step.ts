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
import { endIfIdle } from '../ending/cancel.ts';
import { loadOperation, loadOperations, lockJob, redactionBefore } from '../load.ts';
import { OperationFailed } from '../operations/operation-failed.ts';
import type { Recogniser } from '../recogniser/recogniser.ts';
import type { Decisions } from '../reviews/findings.ts';
import type { PageContext, PageSeal } from '../sealing/page-content.ts';

/** The dependencies of the steps of a job. */
export interface JobDeps extends PageSeal {
  database: Database;
  storage: Storage;
  engines: Engines;
  /** Null if the operator has not configured one. */
  recogniser: Recogniser | null;
}

type StepKind = 'operation.open' | 'operation.pages' | 'operation.assemble';

/** A job and its operation as read at the start of a step. */
export interface StepContext {
  job: Job;
  operation: JobOperation;
  /** All operations of the job, in order. */
  operations: JobOperation[];
  source: StoredObject | null;
  /**
   * The file that the operation reads: the source or, after `redact_pii`, only the redacted output.
   */
  input: StoredObject | null;
  /** People's decisions about the operation's findings; none without a review. */
  decisions?: Decisions | null;
}

/** The sealing context of a page of the step's operation, or of another operation of its job. */
export function pageContextOf(
  { job, operation }: StepContext,
  page: number,
  op: OperationName = operation.op,
): PageContext {
  return { projectId: job.projectId, sourceObjectId: job.sourceObjectId, op, page };
}

/**
 * Reads the job and operation of a step; null if the job has ended or is being cancelled. `begin`
 * may write first, under the job's lock.
 */
export async function enterStep(
  run: TaskRun<StepKind>,
  begin: (tx: Tx, job: Job, operation: JobOperation) => Promise<void>,
): Promise<StepContext | null> {
  const { projectId, payload } = run.task;
  return run.inProject(async (tx) => {
    const job = await lockJob(tx, projectId, payload.job_id);
    if (!job || isTerminal(job.state) || job.state === 'cancelling') return null;
    run.log.setBindings({ object_id: job.sourceObjectId });
    const operation = await loadOperation(tx, operationKeyOf(run));
    await begin(tx, job, operation);
    return readStepContext(tx, job, operation);
  });
}

/** Reads the context of a step. */
export async function readStepContext(
  tx: Tx,
  job: Job,
  operation: JobOperation,
): Promise<StepContext> {
  const { projectId } = job;
  const operations = await loadOperations(tx, job);
  const source = await tx.findOneBy(StoredObject, { projectId, id: job.sourceObjectId });
  const redaction = redactionBefore(operations, operation.index);
  const input = redaction ? await outputOf(tx, redaction) : source;
  return { job, operation, operations, source, input };
}

/** The only output of an operation; null if it was deleted. */
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
 * Ends a step's task as `finishStep` does, and stores the step's results. The objects that were read
 * are locked against a purge: a purge happens either before, and `work` receives the failure to
 * store, or after, and deletes the stored results.
 */
export async function storeStep(
  run: TaskRun<StepKind>,
  { job: { projectId, sourceObjectId }, input }: StepContext,
  work: (tx: Tx, job: Job, operation: JobOperation, purged: Failure | null) => Promise<void>,
): Promise<void> {
  const objectIds = [...new Set([sourceObjectId, input?.id ?? sourceObjectId])];
  await endStep(
    run,
    async (tx) => {
      const locked = await prepared(
        tx,
        `SELECT id FROM object WHERE project_id = $1 AND id = ANY($2) ORDER BY id FOR KEY SHARE`,
        [projectId, objectIds],
      );
      return locked.length === objectIds.length ? null : sourceUnavailable;
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
      if (job.state === 'cancelling') return endIfIdle(tx, job);
      await work(tx, job, await loadOperation(tx, operationKeyOf(run)), locked);
    },
  );
}

function operationKeyOf(run: TaskRun<StepKind>) {
  const { projectId, payload } = run.task;
  return { projectId, jobId: payload.job_id, index: payload.operation_index };
}

/** The failure of a step whose source is purged or in the trash. */
export const sourceUnavailable: Failure = {
  code: 'source_unavailable',
  message: 'The source object is no longer available.',
  retryable: false,
};

/** How often a step checks whether its job was cancelled. */
const cancelPollMs = 2_000;

/** The job was cancelled during a step. */
export class JobCancelled extends Error {}

/**
 * Runs the work of a step, and aborts it when its job is cancelled.
 * @throws Cancelled
 */
export async function abortIfCancelled<T>(
  deps: JobDeps,
  run: TaskRun<StepKind>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { projectId, payload } = run.task;
  const cancelled = new AbortController();
  const checkCancelled = async (): Promise<void> => {
    const where = { projectId, id: payload.job_id };
    const job = await inProject(deps.database, projectId, (tx) =>
      tx.findOne(Job, { select: { state: true }, where }),
    );
    if (!job || isTerminal(job.state) || job.state === 'cancelling') {
      cancelled.abort(new JobCancelled());
    }
  };
  const timer = setInterval(() => {
    checkCancelled().catch((error: unknown) =>
      run.log.warn({ err: error }, 'could not check whether a job was cancelled'),
    );
  }, cancelPollMs);
  try {
    return await work(AbortSignal.any([run.signal, cancelled.signal]));
  } catch (error) {
    if (cancelled.signal.aborted) throw new JobCancelled();
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/**
 * The failure to report for an error that the document caused, or for any error of the last run;
 * null if the step should be retried. Missing bytes are retried: a volume may not be mounted yet.
 */
export function reportableFailure(error: unknown, isFinalRun: boolean): Failure | null {
  if (error instanceof OperationFailed) return error.failure;
  if (isFinalRun && error instanceof StorageError && error.code === 'not_found') {
    const message = 'The bytes of the source object are missing from the storage.';
    return { code: 'source_unavailable', message, retryable: true };
  }
  return finalFailure(error, isFinalRun);
}
