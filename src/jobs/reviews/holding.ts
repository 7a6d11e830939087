import { limits } from '@scriptorium/contracts/limits';
import type { Actor, Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import { sendUpdate } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { Review } from '../../entities/reviews/review.ts';
import { record } from '../../outbox/record.ts';
import { type LockedReview, nextReviewVersion, touchReview } from './queries.ts';

export function isSame(one: Actor | null, other: Actor): boolean {
  return one !== null && one.type === other.type && one.id === other.id;
}

/**
 * Requires that a review can be changed by an actor.
 * @throws Problem 409 `state_conflict` if it has ended or expired, `claimed` if another actor holds it
 */
export function requireClaim(review: LockedReview, actor: Actor): void {
  const { id, state, expiresAt, now } = review;
  if (state !== 'open') {
    const what = state === 'expired' ? 'has expired' : `was ${state}`;
    throw new Problem('state_conflict', `Review '${id}' ${what}.`);
  }
  if (expiresAt <= now) throw new Problem('state_conflict', `Review '${id}' has expired.`);
  if (review.claimedBy === null || isSame(review.claimedBy, actor)) return;
  const until = review.claimedUntil!.toISOString();
  const holder = review.claimedBy;
  throw new Problem('claimed', `'${holder.id ?? holder.type}' holds the review until ${until}.`, {
    extra: { claimed_by: holder, claimed_until: until },
  });
}

/** Records that the actor claims a review that it did not hold. */
async function recordClaim(tx: Tx, origin: Origin, review: LockedReview): Promise<void> {
  if (isSame(review.claimedBy, origin.actor)) return;
  const until = review.now.getTime() + limits.review_claim_minutes * 60_000;
  await record(tx, origin, {
    type: 'documents.review.claimed',
    resourceId: review.id,
    data: {
      ...{ job_id: review.jobId, operation_index: review.operationIndex, op: review.op },
      claimed_until: new Date(until).toISOString(),
    },
  });
}

/** Claims a locked review for the actor, or renews its claim. Throws as `requireClaim` does. */
export async function claimReview(tx: Tx, origin: Origin, review: LockedReview): Promise<void> {
  requireClaim(review, origin.actor);
  await recordClaim(tx, origin, review);
  touch(tx, origin, review, false);
}

/**
 * Releases a locked review. Throws as `requireClaim` does; changes nothing if the review is not
 * claimed.
 */
export async function releaseReview(tx: Tx, origin: Origin, review: LockedReview): Promise<void> {
  requireClaim(review, origin.actor);
  if (review.claimedBy === null) return;
  const { projectId, id } = review;
  sendUpdate(
    tx,
    Review,
    { projectId, id },
    { claimedBy: null, claimedUntil: null, version: nextReviewVersion },
  );
  const { jobId: job_id, operationIndex: operation_index, op } = review;
  const data = { job_id, operation_index, op };
  await record(tx, origin, { type: 'documents.review.released', resourceId: id, data });
}

/**
 * Completes a change of a locked review's findings: counts them again, and makes the actor its
 * holder.
 */
export async function concludeDecision(
  tx: Tx,
  origin: Origin,
  review: LockedReview,
): Promise<void> {
  await recordClaim(tx, origin, review);
  touch(tx, origin, review, true);
}

function touch(tx: Tx, { actor }: Origin, review: LockedReview, decides: boolean): void {
  touchReview(tx, review, { actor, decides, claimMinutes: limits.review_claim_minutes });
}

/** @throws Problem 409 for a review of labels, which are decided by submitting one */
export function requireFindings(review: Review): void {
  if (review.op !== 'classify') return;
  throw new Problem(
    'state_conflict',
    `The labels of review '${review.id}' are not decided one by one. Submit the right \`label\`.`,
  );
}
