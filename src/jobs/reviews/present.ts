import type { Actor } from '@scriptorium/contracts/origin';
import type { FindingRecord, ReviewRecord } from '@scriptorium/contracts/wire/reviews';
import type { Finding } from '../../entities/reviews/finding.ts';
import type { Review } from '../../entities/reviews/review.ts';
import type { OptionsReader } from '../sealing/secret-options.ts';
import { rangeOf } from './decisions.ts';
import { openFinding, openReason } from './findings.ts';

const presentActor = ({ type, id, name }: Actor) => ({ type, id, name: name ?? null });
const presentActorOrNull = (value: Actor | null) => value && presentActor(value);
const isoTime = (value: Date | null): string | null => value?.toISOString() ?? null;

/** A review as the API shows it. Its reason may contain personal data. */
export function presentReview(review: Review, reader: OptionsReader): ReviewRecord {
  const isClaimed = review.state === 'open' && review.claimedBy !== null;
  return {
    id: review.id,
    project_id: review.projectId,
    job_id: review.jobId,
    operation_index: review.operationIndex,
    op: review.op,
    source_object_id: review.sourceObjectId,
    state: review.state,
    reviewers: review.reviewers,
    counts: countsOf(review),
    pages: review.pages,
    located_by: review.op === 'classify' ? null : review.textDigest === null ? 'boxes' : 'ranges',
    claimed_by: isClaimed ? presentActorOrNull(review.claimedBy) : null,
    claimed_until: isClaimed ? isoTime(review.claimedUntil) : null,
    requested_by: presentActor(review.requestedBy),
    decided_by: review.decidedBy.map(presentActor),
    label: review.label,
    reason:
      review.reason !== null && reader.mayReadPii
        ? openReason(reader, review, review.reason)
        : null,
    expires_at: review.expiresAt.toISOString(),
    created_at: review.createdAt.toISOString(),
    submitted_at: isoTime(review.submittedAt),
    ended_at: isoTime(review.endedAt),
    version: review.version,
  };
}

/** The counts of a review, as records and events show them. */
function countsOf({ pending, accepted, rejected, added }: Review): ReviewRecord['counts'] {
  return { pending, accepted, rejected, added };
}

/** The rights of a caller that reads findings. */
export interface FindingReader extends OptionsReader {
  /** Whether policies allow reading the source. */
  mayReadSource: boolean;
}

/** A finding as the API shows it. */
export function presentFinding(
  finding: Finding,
  review: Pick<Review, 'id' | 'projectId' | 'sourceObjectId'>,
  reader: FindingReader,
): FindingRecord {
  const { text, boxes, location } = openFinding(reader, review, finding.id, finding.content);
  const { mayReadPii, mayReadSource } = reader;
  return {
    id: finding.id,
    review_id: finding.reviewId,
    page: finding.page,
    type: finding.type,
    score: finding.score,
    source: finding.source,
    boxes,
    removal: finding.page === null ? [] : finding.removal,
    range: rangeOf(finding),
    location: location ?? null,
    text: mayReadPii && mayReadSource ? text : null,
    decision: finding.decision,
    decided_by: presentActorOrNull(finding.decidedBy),
    reason:
      finding.reason !== null && mayReadPii ? openReason(reader, review, finding.reason) : null,
    version: finding.version,
  };
}
