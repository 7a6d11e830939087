import type { Origin } from '@scriptorium/contracts/origin';
import type { Tx } from '../db/transaction.ts';
import { Job } from '../entities/jobs/job.ts';
import { JobOperation } from '../entities/jobs/job-operation.ts';

/** The key of an operation. */
interface OperationKey {
  projectId: string;
  jobId: string;
  index: number;
}

/** A job, locked until the transaction ends. Every change of a job takes this lock first. */
export async function lockJob(tx: Tx, projectId: string, jobId: string): Promise<Job | null> {
  return tx.findOne(Job, {
    where: { projectId, id: jobId },
    lock: { mode: 'pessimistic_write' },
  });
}

/** Loads an operation of a job. */
export async function loadOperation(tx: Tx, key: OperationKey): Promise<JobOperation> {
  return tx.findOneByOrFail(JobOperation, {
    projectId: key.projectId,
    jobId: key.jobId,
    index: key.index,
  });
}

/** All operations of a job, in order. */
export async function loadOperations(tx: Tx, job: Job): Promise<JobOperation[]> {
  return tx.find(JobOperation, {
    where: { projectId: job.projectId, jobId: job.id },
    order: { index: 'ASC' },
  });
}

/** The redaction before an operation of a job. Later operations read only its output. */
export function redactionBefore(
  operations: readonly JobOperation[],
  index: number,
): JobOperation | undefined {
  return operations.find((operation) => operation.op === 'redact_pii' && operation.index < index);
}

/** The origin of events that a job's workers record: the request that created the job. */
export function jobOrigin(job: Job): Origin {
  return { projectId: job.projectId, ...job.origin };
}
