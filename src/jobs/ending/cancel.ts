import { isTerminal } from '@scriptorium/contracts/jobs';
import type { Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import { sendDelete } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import { Task } from '../../entities/outbox/task.ts';
import { record } from '../../outbox/record.ts';
import { changeJob } from '../change.ts';
import { endJob } from './end-job.ts';

/**
 * Cancels a locked job and removes its pending tasks. Without running tasks it ends in this
 * transaction, otherwise with the last of them.
 * @returns false if the job was already cancelled or cancelling
 */
export async function cancelLockedJob(tx: Tx, origin: Origin, job: Job): Promise<boolean> {
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
  sendDelete(tx, Task, { projectId: job.projectId, resourceId: job.id, state: 'pending' });
  job.state = 'cancelling';
  changeJob(tx, job, { state: 'cancelling' });
  await endIfIdle(tx, job);
  return true;
}

/** Ends a cancelling job if none of its tasks is running. */
export async function endIfIdle(tx: Tx, job: Job): Promise<void> {
  const running = { projectId: job.projectId, resourceId: job.id, state: 'running' } as const;
  if (!(await tx.existsBy(Task, running))) await endJob(tx, job, 'cancelled', null);
}
