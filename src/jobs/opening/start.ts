import { sendUpdate, transactionTime } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import { JobOperation } from '../../entities/jobs/job-operation.ts';
import { record } from '../../outbox/record.ts';
import { changeJob } from '../change.ts';
import { jobOrigin } from '../load.ts';

/** Marks a queued job as running and records its first event; does nothing if it is running. */
export async function startJob(tx: Tx, job: Job, operations: JobOperation[]): Promise<void> {
  if (job.state !== 'queued') return;
  job.state = 'running';
  changeJob(tx, job, { state: 'running', startedAt: transactionTime });
  await record(tx, jobOrigin(job), {
    type: 'documents.job.started',
    resourceId: job.id,
    data: {
      source_object_id: job.sourceObjectId,
      operations: operations.map(({ op }) => op),
      retry_of: job.retryOf,
    },
  });
}

/** Marks a pending operation as running. */
export function startOperation(tx: Tx, { projectId, jobId, index }: JobOperation): void {
  const pending = { projectId, jobId, index, state: 'pending' } as const;
  sendUpdate(tx, JobOperation, pending, { state: 'running', startedAt: transactionTime });
}
