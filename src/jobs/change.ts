import { nextVersion, sendUpdate, transactionTime, type Values } from '../db/statements/rows.ts';
import type { Tx } from '../db/transaction.ts';
import { Job } from '../entities/jobs/job.ts';
import { JobOperation } from '../entities/jobs/job-operation.ts';

/**
 * Sends a change of a locked job, whose version increases, and does not wait for it.
 * @param parameters the values of `:names` in expressions
 */
export function changeJob(
  tx: Tx,
  { projectId, id }: Job,
  change: Values<Job>,
  parameters?: Record<string, unknown>,
): void {
  const values = { ...change, updatedAt: transactionTime, version: nextVersion };
  sendUpdate(tx, Job, { projectId, id }, values, parameters);
}

/** A value for `changeJob` that appends `:warnings`, a JSON array, to the job's warnings. */
export const appendWarnings = (): string => 'warnings || CAST(:warnings AS jsonb)';

/** Sends a change of an operation of a locked job, and does not wait for it. */
export function changeOperation(
  tx: Tx,
  { projectId, jobId, index }: JobOperation,
  change: Values<JobOperation>,
): void {
  sendUpdate(tx, JobOperation, { projectId, jobId, index }, change);
}
