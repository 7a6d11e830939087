import type { Origin } from '@scriptorium/contracts/origin';
import type { Problem } from '@scriptorium/contracts/problems';
import type { JobRecord } from '@scriptorium/contracts/wire/jobs';
import type { Tx } from '../../db/transaction.ts';
import { PolicyDenied, recordDenied } from '../../policies/denials.ts';
import { checkOperations } from './check.ts';
import { insertJobs, type NewJobs } from './insert.ts';
import { judgeSources, problemOfAll } from './sources.ts';

export interface NewJob extends NewJobs {
  sourceObjectId: string;
}

/** The outcome for one source of a batch. */
export type BatchOutcome =
  | { sourceObjectId: string; job: JobRecord; problem: null }
  | { sourceObjectId: string; job: null; problem: Problem };

/**
 * Creates a job: the job, its operations, its event and its first task, in the caller's transaction.
 * Throws a Problem when a policy denies it or an option requires a scope (403), when the source is not
 * available (409), and when it does not exist, is of an unsupported type, or the operations, their
 * options or the pages are invalid (422).
 * @returns the job as the API shows it
 */
export async function createJob(tx: Tx, origin: Origin, job: NewJob): Promise<JobRecord> {
  checkOperations(job);
  const [source] = await judgeSources(tx, origin, job, [
    { id: job.sourceObjectId, at: '/source_object_id' },
  ]);
  if (source!.problem) throw source!.problem;
  const [made] = await insertJobs(tx, origin, job, [source!.source]);
  return made!;
}

/**
 * Creates the same job for several sources: with `abort` for all of them or none, with `continue` for
 * those that allow it.
 * @returns the outcome for each source, in order
 * @throws Problem as `createJob` does; for sources only with `abort`, with a fault for each
 */
export async function createJobs(
  tx: Tx,
  origin: Origin,
  jobs: NewJobs,
  sourceObjectIds: readonly string[],
  onError: 'abort' | 'continue',
): Promise<BatchOutcome[]> {
  checkOperations(jobs);
  const named = sourceObjectIds.map((id, index) => ({ id, at: `/source_object_ids/${index}` }));
  const judged = await judgeSources(tx, origin, jobs, named);
  const rejected = judged.flatMap(({ at, problem }) => (problem ? [{ at, problem }] : []));
  if (onError === 'abort' && rejected.length > 0) throw problemOfAll(rejected, named.length);
  for (const { problem } of rejected) {
    if (problem instanceof PolicyDenied) await recordDenied(tx, origin, problem.denial);
  }
  const sources = judged.flatMap(({ source, problem }) => (problem ? [] : [source]));
  const made = (await insertJobs(tx, origin, jobs, sources)).values();
  return judged.map(({ id: sourceObjectId, problem }) =>
    problem
      ? { sourceObjectId, job: null, problem }
      : { sourceObjectId, job: made.next().value!, problem: null },
  );
}
