import type { Tx } from '../../db/transaction.ts';
import { Task } from '../../entities/outbox/task.ts';
import type { Review } from '../../entities/reviews/review.ts';
import { schedule } from '../../outbox/schedule.ts';
import { markForLayout } from './queries.ts';

/**
 * Schedules the computation of boxes, unless it is already scheduled. The caller must hold the
 * review's lock.
 */
export async function scheduleLayout(
  tx: Tx,
  { projectId, id }: Pick<Review, 'projectId' | 'id'>,
): Promise<void> {
  const pendingTask = {
    projectId,
    resourceId: id,
    kind: 'review.lay_out',
    state: 'pending',
  } as const;
  if (await tx.existsBy(Task, pendingTask)) return;
  await schedule(tx, projectId, id, { kind: 'review.lay_out', payload: { review_id: id } });
}

/**
 * Schedules a new computation of the boxes of pages; text and labels have none. The caller holds
 * the review's lock.
 */
export async function invalidateBoxes(
  tx: Tx,
  review: Pick<Review, 'projectId' | 'id' | 'op' | 'textDigest'>,
  pages: readonly number[],
): Promise<void> {
  if (review.op !== 'redact_pii' || review.textDigest !== null || pages.length === 0) return;
  markForLayout(tx, review, pages);
  await scheduleLayout(tx, review);
}
