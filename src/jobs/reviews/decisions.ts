import type { Tx } from '../../db/transaction.ts';
import type { JobOperation } from '../../entities/jobs/job-operation.ts';
import type { Finding } from '../../entities/reviews/finding.ts';
import { Review } from '../../entities/reviews/review.ts';
import type { PageSeal } from '../sealing/page-content.ts';
import { type DecidedFinding, type Decisions, openFinding, type TextRange } from './findings.ts';
import { readFindings } from './queries.ts';

/** The submitted review of an operation; null without one. */
export async function readDecisions(
  tx: Tx,
  seal: Pick<PageSeal, 'unseal'>,
  { projectId, jobId, index: operationIndex }: JobOperation,
): Promise<Decisions | null> {
  const review = await tx.findOneBy(Review, {
    projectId,
    jobId,
    operationIndex,
    state: 'submitted',
  });
  if (!review) return null;
  const { decidedBy: by, accepted, rejected, added, label, textDigest } = review;
  const findings = await readFindings(tx, review);
  const rejectedFindings = findings.filter(({ decision }) => decision === 'rejected');
  const rejectedByType: Record<string, number> = {};
  for (const { type, foundAs } of rejectedFindings) {
    const detectedType = foundAs ?? type;
    rejectedByType[detectedType] = (rejectedByType[detectedType] ?? 0) + 1;
  }
  return {
    by,
    accepted,
    rejected,
    added,
    rejectedByType,
    label,
    textDigest,
    rejectedTypes: [
      ...new Set(rejectedFindings.flatMap(({ type, foundAs }) => [type, foundAs ?? type])),
    ],
    fourEyes: review.reviewers === 'not_requester',
    at: review.submittedAt!,
    findings: findings.map((finding) => openDecidedFinding(seal, review, finding)),
  };
}

/** The range of a stored finding in a text; null if it is on a page. */
export function rangeOf({
  rangeStart: start,
  rangeEnd: end,
}: Pick<Finding, 'rangeStart' | 'rangeEnd'>): TextRange | null {
  return start === null || end === null ? null : { start, end };
}

/** A stored finding with its content. */
export function openDecidedFinding(
  seal: Pick<PageSeal, 'unseal'>,
  review: Pick<Review, 'projectId' | 'sourceObjectId'>,
  { id, page, type, score, source, decision, content, rangeStart, rangeEnd }: Finding,
): DecidedFinding {
  return {
    id,
    page,
    type,
    score,
    source,
    decision,
    range: rangeOf({ rangeStart, rangeEnd }),
    content: openFinding(seal, review, id, content),
  };
}
