import type { Failure } from '@scriptorium/contracts/wire/common';
import type { Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import { decideAction } from '../../policies/enforce.ts';
import { jobOrigin } from '../load.ts';

/**
 * The failure of a job that policies now deny, or null. Policies and facts may have changed since
 * the job was created.
 */
export async function processingDenial(tx: Tx, job: Job): Promise<Failure | null> {
  const { decision, violations } = await decideAction(tx, jobOrigin(job), {
    action: 'process',
    objectId: job.sourceObjectId,
    by: 'worker',
  });
  if (decision !== 'deny') return null;
  const message = `A policy denies processing. ${violations[0]?.detail}`;
  return { code: 'policy_denied', message, retryable: false };
}
