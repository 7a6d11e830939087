import type { Tx } from '../../db/transaction.ts';
import { Task } from '../../entities/outbox/task.ts';
import type { Review } from '../../entities/reviews/review.ts';
import { schedule } from '../../outbox/schedule.ts';

/** Schedules the computation of boxes, unless it is waiting already. The caller holds the review's lock. */
export async function scheduleLayout(
  tx: Tx,
  { projectId, id, op }: Pick<Review, 'projectId' | 'id' | 'op'>,
): Promise<void> {
  if (op !== 'redact_pii') return;
  const waiting = { projectId, resourceId: id, kind: 'review.lay_out', state: 'pending' } as const;
  if (await tx.existsBy(Task, waiting)) return;
  await schedule(tx, projectId, id, { kind: 'review.lay_out', payload: { review_id: id } });
}
