import type { EventData } from '@scriptorium/contracts/events';
import { limits } from '@scriptorium/contracts/limits';
import type { Actor, Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import { sendUpdate } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { Review } from '../../entities/reviews/review.ts';
import { record } from '../../outbox/record.ts';
import { type LockedReview, nextReviewVersion, updateCountsAndClaim } from './queries.ts';

export function isSameActor(first: Actor | null, second: Actor): boolean {
  return first !== null && first.type === second.type && first.id === second.id;
}

/**
 * Requires that a review can be changed by an actor.
 * @throws Problem 409 `state_conflict` if it has ended or expired, `claimed` if another actor holds it
 */
export function requireClaim(review: LockedReview, actor: Actor): void {
  const { id, state, expiresAt, now } = review;
  if (state !== 'open') {
    const reason = state === 'expired' ? 'has expired' : `was ${state}`;
    throw new Problem('state_conflict', `Review '${id}' ${reason}.`);
  }
  if (expiresAt <= now) throw new Problem('state_conflict', `Review '${id}' has expired.`);
  if (review.claimedBy === null || isSameActor(review.claimedBy, actor)) return;
  const until = review.claimedUntil!.toISOString();
  const holder = review.claimedBy;
  throw new Problem('claimed', `'${holder.id ?? holder.type}' holds the review until ${until}.`, {
    extra: { claimed_by: holder, claimed_until: until },
  });
}

/** Records the claim of a review that the actor did not hold before. */
async function recordClaim(tx: Tx, origin: Origin, review: LockedReview): Promise<void> {
  if (isSameActor(review.claimedBy, origin.actor)) return;
  const until = review.now.getTime() + limits.review_claim_minutes * 60_000;
  await record(tx, origin, {
    type: 'documents.review.claimed',
    resourceId: review.id,
    data: {
      job_id: review.jobId,
      operation_index: review.operationIndex,
      op: review.op,
      claimed_until: new Date(until).toISOString(),
    },
  });
}

/** Claims a locked review for the actor, or renews its claim. Throws as `requireClaim` does. */
export async function claimReview(tx: Tx, origin: Origin, review: LockedReview): Promise<void> {
  requireClaim(review, origin.actor);
  await recordClaim(tx, origin, review);
  updateClaim(tx, origin, review, false);
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

/** Findings that a request changed in one way, counted by type. */
interface FindingsChange {
  decision: EventData<'documents.review.decided'>['decision'];
  byType: readonly { type: string; findings: number }[];
}

/**
 * Completes changes of a locked review's findings: updates the counts, claims the review for the
 * actor, and records each change.
 * @param changes at least one, each of at least one finding
 */
export async function concludeDecision(
  tx: Tx,
  origin: Origin,
  review: LockedReview,
  changes: readonly FindingsChange[],
): Promise<void> {
  await recordClaim(tx, origin, review);
  updateClaim(tx, origin, review, true);
  const events = changes.map(({ decision, byType }) => ({
    type: 'documents.review.decided' as const,
    resourceId: review.id,
    data: {
      job_id: review.jobId,
      decision,
      findings: byType.reduce((sum, { findings }) => sum + findings, 0),
      by_type: byType.map(({ type, findings }) => ({ type, findings })),
    },
  }));
  await record(tx, origin, ...events);
}

function updateClaim(tx: Tx, { actor }: Origin, review: LockedReview, hasDecided: boolean): void {
  updateCountsAndClaim(tx, review, {
    actor,
    decides: hasDecided,
    claimMinutes: limits.review_claim_minutes,
  });
}

/** @throws Problem 409 for a review of labels, which are decided by submitting one */
export function requireFindings(review: Review): void {
  if (review.op !== 'classify') return;
  throw new Problem(
    'state_conflict',
    `The labels of review '${review.id}' are not decided one by one. Submit the right \`label\`.`,
  );
}
