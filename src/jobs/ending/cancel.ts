import { isTerminal } from '../../contracts/jobs.ts';
import type { Origin } from '../../contracts/origin.ts';
import { notFound, Problem } from '../../contracts/problems.ts';
import { prepared, send, type Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import { record } from '../../outbox/record.ts';
import { lockJob } from '../load.ts';
import { endJob } from './end-job.ts';

/**
 * Cancels a job. Pending tasks are removed; a job without running tasks ends in this transaction, any
 * other when its last running task ends.
 * @returns whether this changed anything: false when it was already cancelled or cancelling
 */
export async function cancelJob(tx: Tx, origin: Origin, jobId: string): Promise<boolean> {
  const job = await lockJob(tx, origin.projectId, jobId);
  if (!job) throw notFound('job', jobId);
  return cancelLocked(tx, origin, job);
}

/** Like `cancelJob`, for a job that is already locked. */
export async function cancelLocked(tx: Tx, origin: Origin, job: Job): Promise<boolean> {
  const jobId = job.id;
  if (job.state === 'cancelled' || job.state === 'cancelling') return false;
  if (isTerminal(job.state)) {
    throw new Problem('state_conflict', `Job '${jobId}' has ${job.state} and cannot be cancelled.`);
  }
  await record(tx, origin, {
    type: 'documents.job.cancel_requested',
    resourceId: job.id,
    data: {},
  });
  send(tx, `DELETE FROM task WHERE project_id = $1 AND resource_id = $2 AND state = 'pending'`, [
    job.projectId,
    job.id,
  ]);
  job.state = 'cancelling';
  send(
    tx,
    `UPDATE job SET state = 'cancelling', updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2`,
    [job.projectId, job.id],
  );
  await settleCancelling(tx, job);
  return true;
}

/** Ends a cancelling job once it has no running task. */
export async function settleCancelling(tx: Tx, job: Job): Promise<void> {
  const held = await prepared<{ id: string }>(
    tx,
    `SELECT id FROM task WHERE project_id = $1 AND resource_id = $2 AND state = 'running' LIMIT 1`,
    [job.projectId, job.id],
  );
  if (held.length === 0) await endJob(tx, job, 'cancelled', null);
}
