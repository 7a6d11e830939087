import type { Failure } from '@scriptorium/contracts/wire/common';
import type { Tx } from '../../db/transaction.ts';
import type { Job } from '../../entities/jobs/job.ts';
import { judgeAction } from '../../policies/enforce.ts';
import { jobOrigin } from '../load.ts';

/**
 * The policy denial that stops a job, or null. Policies and facts may have changed since it was
 * created.
 */
export async function processingDenial(tx: Tx, job: Job): Promise<Failure | null> {
  const { decision, violations } = await judgeAction(tx, jobOrigin(job), {
    action: 'process',
    objectId: job.sourceObjectId,
    by: 'worker',
  });
  if (decision !== 'deny') return null;
  const message = `A policy denies processing. ${violations[0]?.detail}`;
  return { code: 'policy_denied', message, retryable: false };
}
