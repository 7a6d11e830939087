import { isTerminal } from '../contracts/jobs.ts';
import { pagedMimes } from '../contracts/sources.ts';
import type { Failure } from '../contracts/wire/common.ts';
import type { Database } from '../db/database.ts';
import { inProject, type Tx } from '../db/transaction.ts';
import { finalFailure } from '../engines/errors.ts';
import type { Engines } from '../engines/index.ts';
import type { Job } from '../entities/job.ts';
import type { JobOperation } from '../entities/job-operation.ts';
import { StoredObject } from '../entities/stored-object.ts';
import type { Logger } from '../logger.ts';
import type { TaskRun } from '../outbox/task-run.ts';
import type { Storage } from '../storage/storage.ts';
import { settleCancelling } from './cancel.ts';
import { loadOperation, lockJob } from './load.ts';
import type { SourceFile } from './operation-work.ts';

/** What the steps of a job need. */
export interface JobDeps {
  database: Database;
  storage: Storage;
  engines: Engines;
  logger: Logger;
}

type StepKind = 'operation.open' | 'operation.pages' | 'operation.assemble';

/** A job and its operation as a step finds them, before any work. */
export interface StepPlace {
  job: Job;
  operation: JobOperation;
  source: StoredObject | null;
}

/** Reads where a step stands. `begin` may write first, under the job's lock. */
export async function enterStep(
  deps: JobDeps,
  run: TaskRun<StepKind>,
  begin: (tx: Tx, job: Job, operation: JobOperation) => Promise<void>,
): Promise<StepPlace | null> {
  const { projectId, payload } = run.task;
  return inProject(deps.database, projectId, async (tx) => {
    const job = await lockJob(tx, projectId, payload.job_id);
    if (!job || isTerminal(job.state) || job.state === 'cancelling') return null;
    const operation = await loadOperation(tx, placeOf(run));
    await begin(tx, job, operation);
    const source = await tx.findOneBy(StoredObject, { projectId, id: job.sourceObjectId });
    return { job, operation, source };
  });
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

/** Opens the bytes of a job's source for the engines, and gives them back afterwards. */
export async function withSource<T>(
  deps: JobDeps,
  place: StepPlace,
  work: (source: SourceFile) => Promise<T>,
): Promise<T> {
  const { source } = place;
  const mime = pagedMimes.find((known) => known === source?.mime);
  if (!source || !mime || source.state !== 'available') {
    throw new SourceGone();
  }
  const file = await deps.storage.localPath(source.projectId, source.sha256);
  try {
    const { projectId, sha256 } = source;
    return await work({ path: file.path, mime, sha256, projectId });
  } finally {
    await file.release();
  }
}

/** The source of a job went away while it ran. */
class SourceGone extends Error {
  constructor() {
    super('The source object is no longer available.');
    this.name = 'SourceGone';
  }
}

/**
 * What to tell the customer about a failure of the document itself, or of its last try; null when
 * the step should be tried again.
 */
export function customerError(error: unknown, lastRun: boolean): Failure | null {
  if (error instanceof SourceGone) {
    return { code: 'source_unavailable', message: error.message, retryable: false };
  }
  return finalFailure(error, lastRun);
}
