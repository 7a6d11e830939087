import type { Failure } from '../contracts/wire/common.ts';
import type { Tx } from '../db/transaction.ts';
import type { Job } from '../entities/job.ts';
import { judge } from '../policies/enforce.ts';
import { originOf } from './load.ts';

/**
 * Why a job may not go on, by what is known of its source by now; null when it may. Policies may have
 * been made since it started, and pages counted.
 */
export async function refusalOf(tx: Tx, job: Job): Promise<Failure | null> {
  const { decision, violations } = await judge(tx, originOf(job), {
    action: 'process',
    objectId: job.sourceObjectId,
    by: 'worker',
  });
  if (decision !== 'deny') return null;
  const message = `A policy does not allow this: ${violations[0]?.detail}`;
  return { code: 'policy_denied', message, retryable: false };
}
