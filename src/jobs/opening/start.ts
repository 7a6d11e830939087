import { prepared, type Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import { record } from '../../outbox/record.ts';
import { jobOrigin } from '../load.ts';

/** Marks a queued job as running and records its first event; does nothing if it is running. */
export async function startJob(tx: Tx, job: Job, operations: JobOperation[]): Promise<void> {
  if (job.state !== 'queued') return;
  job.state = 'running';
  await prepared(
    tx,
    `UPDATE job SET state = 'running', started_at = now(), updated_at = now(), version = version + 1
     WHERE project_id = $1 AND id = $2`,
    [job.projectId, job.id],
  );
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
export async function startOperation(tx: Tx, operation: JobOperation): Promise<void> {
  await prepared(
    tx,
    `UPDATE job_operation SET state = 'running', started_at = now()
     WHERE project_id = $1 AND job_id = $2 AND index = $3 AND state = 'pending'`,
    [operation.projectId, operation.jobId, operation.index],
  );
}
