import type { ReviewState } from '@scriptorium/contracts/reviews';
import { sendDelete, sendUpdate, transactionTime, type Values } from '../../db/statements/rows.ts';
import { send, type Tx } from '../../db/transaction.ts';
import { Task } from '../../entities/outbox/task.ts';
import { Review } from '../../entities/reviews/review.ts';
import { nextReviewVersion, storeCounts, storeCountsSql } from './queries.ts';

/** Ends a locked review, and keeps its counts. Its tasks are removed. */
export function endReview(
  tx: Tx,
  { projectId, id }: Pick<Review, 'projectId' | 'id'>,
  state: Exclude<ReviewState, 'open'>,
  change: Values<Review> = {},
): void {
  storeCounts(tx, { projectId, id });
  sendUpdate(
    tx,
    Review,
    { projectId, id },
    {
      state,
      claimedBy: null,
      claimedUntil: null,
      ...change,
      endedAt: transactionTime,
      version: nextReviewVersion,
    },
  );
  sendDelete(tx, Task, { projectId, resourceId: id, state: 'pending' });
}

/**
 * Sends the end of a cancelled job's open review, if it has one. The caller must hold the job's
 * lock.
 */
export function cancelReviews(tx: Tx, projectId: string, jobId: string): void {
  const key = [projectId, jobId];
  const openReviews = `SELECT id FROM review WHERE project_id = $1 AND job_id = $2 AND state = 'open'`;
  send(tx, `SELECT count(*) FROM (${openReviews} FOR UPDATE) locked`, key);
  send(tx, storeCountsSql(openReviews), key);
  send(
    tx,
    `DELETE FROM task WHERE project_id = $1 AND resource_id IN (${openReviews}) AND state = 'pending'`,
    key,
  );
  send(
    tx,
    `UPDATE review SET state = 'cancelled', claimed_by = NULL, claimed_until = NULL,
       ended_at = now(), version = ${nextReviewVersion()}
     WHERE project_id = $1 AND job_id = $2 AND state = 'open'`,
    key,
  );
}
