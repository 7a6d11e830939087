import type { ReviewState } from '../../contracts/reviews.ts';
import {
  nextVersion,
  sendDelete,
  sendUpdate,
  transactionTime,
  type Values,
} from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { Task } from '../../entities/outbox/task.ts';
import { Review } from '../../entities/reviews/review.ts';
import { keepCounts } from './queries.ts';

/** Ends a locked review, and keeps its counts. Its tasks are removed. */
export function endReview(
  tx: Tx,
  { projectId, id }: Pick<Review, 'projectId' | 'id'>,
  state: Exclude<ReviewState, 'open'>,
  change: Values<Review> = {},
): void {
  keepCounts(tx, { projectId, id });
  sendUpdate(
    tx,
    Review,
    { projectId, id },
    {
      ...{ state, claimedBy: null, claimedUntil: null, ...change },
      endedAt: transactionTime,
      version: nextVersion,
    },
  );
  sendDelete(tx, Task, { projectId, resourceId: id, state: 'pending' });
}

/** Ends the open review of a job that is cancelled, if it has one. The caller holds the job's lock. */
export async function cancelReviews(tx: Tx, projectId: string, jobId: string): Promise<void> {
  const open = await tx.find(Review, {
    select: { projectId: true, id: true },
    where: { projectId, jobId, state: 'open' },
    lock: { mode: 'pessimistic_write' },
  });
  for (const review of open) endReview(tx, review, 'cancelled');
}
