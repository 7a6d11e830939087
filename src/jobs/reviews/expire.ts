import { systemOrigin } from '@scriptorium/contracts/origin';
import { StoredObject } from '../../entities/library/stored-object.ts';
import { record } from '../../outbox/record.ts';
import type { TaskRun } from '../../outbox/task-run.ts';
import { endReview } from './end.ts';
import { lockReviewWithJob } from './queries.ts';
import { failWaitingOperation } from './submit.ts';

/**
 * Ends a review that was not submitted in time, or whose source was purged. Its operation fails
 * without an output.
 */
export async function expireReview(_deps: object, run: TaskRun<'review.expire'>): Promise<void> {
  const { projectId, payload } = run.task;
  await run.finish(
    (tx) => lockReviewWithJob(tx, projectId, payload.review_id),
    async (tx, review) => {
      if (review?.state !== 'open') return;
      const source = { projectId, id: review.sourceObjectId };
      const isGone = !(await tx.existsBy(StoredObject, source));
      if (!isGone && review.expiresAt > review.now) return;
      if (isGone) {
        endReview(tx, review, 'cancelled');
        const message = 'The source object is no longer available.';
        return failWaitingOperation(tx, review, { code: 'source_unavailable', message });
      }
      endReview(tx, review, 'expired');
      const { pending, accepted, rejected, added, op } = review;
      await record(tx, systemOrigin(projectId), {
        type: 'documents.review.expired',
        resourceId: review.id,
        data: {
          job_id: review.jobId,
          operation_index: review.operationIndex,
          op,
          counts: { pending, accepted, rejected, added },
        },
      });
      const message = 'The review was not submitted in time.';
      await failWaitingOperation(tx, review, { code: 'review_expired', message });
    },
  );
}
