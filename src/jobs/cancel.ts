import { isTerminal } from '../contracts/jobs.ts';
import type { Origin } from '../contracts/origin.ts';
import { notFound, Problem } from '../contracts/problems.ts';
import { prepared, send, type Tx } from '../db/transaction.ts';
import type { Job } from '../entities/job.ts';
import { record } from '../outbox/record.ts';
import { endJob } from './advance.ts';
import { lockJob } from './load.ts';

/**
 * Asks a job to stop. Work that nobody holds is dropped at once; a job that no worker holds any more
 * is cancelled in this transaction, any other by whoever gives back the last lease.
 * @returns whether the request changed anything: false when it had been asked before
 */
export async function cancelJob(tx: Tx, origin: Origin, jobId: string): Promise<boolean> {
  const job = await lockJob(tx, origin.projectId, jobId);
  if (!job) throw notFound('job', jobId);
  return cancelLocked(tx, origin, job);
}

/** The same for a job that is locked already. */
export async function cancelLocked(tx: Tx, origin: Origin, job: Job): Promise<boolean> {
  const jobId = job.id;
  if (job.state === 'cancelled' || job.state === 'cancelling') return false;
  if (isTerminal(job.state)) {
    throw new Problem(
      'state_conflict',
      `The job '${jobId}' has ${job.state} and cannot be cancelled.`,
    );
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

/** Ends a job that is being cancelled once no worker holds a task of it. */
export async function settleCancelling(tx: Tx, job: Job): Promise<void> {
  const held = await prepared<{ id: string }>(
    tx,
    `SELECT id FROM task WHERE project_id = $1 AND resource_id = $2 AND state = 'running' LIMIT 1`,
    [job.projectId, job.id],
  );
  if (held.length === 0) await endJob(tx, job, 'cancelled', null);
}
