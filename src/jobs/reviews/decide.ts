import type { Origin } from '@scriptorium/contracts/origin';
import {
  type Fault,
  invalid,
  notFound,
  Problem,
  referenceNotFound,
} from '@scriptorium/contracts/problems';
import { decisionOf, type FindingSource } from '@scriptorium/contracts/reviews';
import type { FindingDecisions } from '@scriptorium/contracts/wire/reviews';
import { Conditions } from '../../db/statements/conditions.ts';
import { sendDelete } from '../../db/statements/rows.ts';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import { Finding } from '../../entities/reviews/finding.ts';
import { record } from '../../outbox/record.ts';
import type { PageSeal } from '../sealing/page-content.ts';
import { sealReason } from './findings.ts';
import { concludeDecision, isSame, requireClaim, requireFindings } from './holding.ts';
import { layOutAgain } from './lay-out-later.ts';
import type { LockedReview } from './queries.ts';
import { addFindingConditions } from './read.ts';

/**
 * Decides about findings of a locked review. A decision that is already set changes nothing.
 * @returns how many changed
 * @throws Problem 409 as `requireClaim` does, and for findings that people added; 422 for findings
 *   that the review does not have
 */
export async function decideFindings(
  tx: Tx,
  origin: Origin,
  review: LockedReview,
  { seal, ...body }: FindingDecisions & Pick<PageSeal, 'seal'>,
): Promise<number> {
  requireClaim(review, origin.actor);
  requireFindings(review);
  if ((body.ids === undefined) === (body.filter === undefined)) throw invalid([selectionFault]);
  if (body.ids) await requireDetected(tx, review, body.ids, body.decision !== 'accept');
  const changed = await update(tx, origin, review, { seal, ...body });
  const findings = changed.reduce((sum, one) => sum + one.findings, 0);
  if (findings === 0) return 0;
  await layOutAgain(tx, review, [...new Set(changed.flatMap((one) => one.pages ?? []))]);
  await concludeDecision(tx, origin, review);
  await record(tx, origin, {
    type: 'documents.review.decided',
    resourceId: review.id,
    data: {
      job_id: review.jobId,
      decision: recorded[body.decision],
      findings,
      by_type: changed.map(({ type, findings: n }) => ({ type, findings: n })),
    },
  });
  return findings;
}

/** Decisions as audit entries name them. */
const recorded = { accept: 'accepted', reject: 'rejected', reset: 'reset' } as const;

const selectionFault: Fault = {
  pointer: '',
  code: 'one_of',
  detail: 'It must have exactly one of `ids` and `filter`.',
};

/**
 * Requires that the review has the findings and, for decisions other than accepting, that they were
 * detected.
 */
async function requireDetected(
  tx: Tx,
  { projectId, id }: LockedReview,
  ids: readonly string[],
  detectedOnly: boolean,
): Promise<void> {
  const rows = await prepared<{ id: string; source: FindingSource }>(
    tx,
    'SELECT id, source FROM finding WHERE project_id = $1 AND review_id = $2 AND id = ANY($3)',
    [projectId, id, ids],
  );
  const known = new Map(rows.map((row) => [row.id, row.source]));
  ids.forEach((one, at) => {
    if (!known.has(one)) throw referenceNotFound(`/ids/${at}`, one);
  });
  const added = detectedOnly ? ids.find((one) => known.get(one) === 'person') : undefined;
  if (added === undefined) return;
  throw new Problem(
    'state_conflict',
    `Finding '${added}' was added by a person. Delete it instead.`,
  );
}

interface Changed {
  type: string;
  findings: number;
  /** The pages on which something is now removed or kept that was not before. */
  pages: number[] | null;
}

/** Changes the findings, and counts them by type. */
async function update(
  tx: Tx,
  { actor }: Origin,
  review: LockedReview,
  body: FindingDecisions & Pick<PageSeal, 'seal'>,
): Promise<Changed[]> {
  const decision = decisionOf[body.decision];
  const where = new Conditions();
  const decided = where.bind(decision);
  const by = where.bind(decision === 'pending' ? null : JSON.stringify(actor));
  const type = where.bind(body.type ?? null);
  const reason = where.bind(
    body.reason === undefined ? null : sealReason(body, review, body.reason),
  );
  where.add('project_id = ? AND review_id = ?', review.projectId, review.id);
  if (body.ids) where.add('id = ANY(?)', body.ids);
  else {
    addFindingConditions(where, { ...body.filter, source: ['detector'] });
  }
  return query<Changed>(
    tx,
    `WITH chosen AS (
       SELECT project_id, id, decision AS was FROM finding WHERE ${where.sql()}
         AND (decision <> ${decided}::text OR type <> coalesce(${type}::text, type)
           OR ${reason}::text IS NOT NULL)),
     changed AS (
       UPDATE finding f SET decision = ${decided}, decided_by = ${by}::jsonb,
         type = coalesce(${type}, f.type),
         found_as = CASE WHEN ${type}::text IS NULL THEN f.found_as ELSE coalesce(f.found_as, f.type) END,
         reason = CASE WHEN ${decided} = 'pending' THEN NULL
           WHEN ${decided} = f.decision THEN coalesce(${reason}, f.reason) ELSE ${reason} END,
         version = f.version + 1
       FROM chosen c WHERE f.project_id = c.project_id AND f.id = c.id
       RETURNING f.type, f.page, (c.was = 'rejected') <> (f.decision = 'rejected') AS moves)
     SELECT type, count(*)::integer AS findings,
       array_agg(DISTINCT page) FILTER (WHERE moves AND page IS NOT NULL) AS pages
     FROM changed GROUP BY type ORDER BY type`,
    where.values,
  );
}

/**
 * Deletes a finding that a person added to a locked review.
 * @param mayReadPii whether the caller may see findings that others added
 * @throws Problem 404 if the review does not have it, 409 as `requireClaim` does and for a detected
 *   finding, 403 for one that someone else added and the caller may not see
 */
export async function removeFinding(
  tx: Tx,
  origin: Origin,
  review: LockedReview,
  findingId: string,
  mayReadPii: boolean,
): Promise<void> {
  requireClaim(review, origin.actor);
  const { projectId, id: reviewId } = review;
  const finding = await tx.findOneBy(Finding, { projectId, id: findingId, reviewId });
  if (!finding) throw notFound('finding', findingId);
  if (finding.source !== 'person') {
    throw new Problem(
      'state_conflict',
      `Finding '${findingId}' was not added by a person. Reject it instead.`,
    );
  }
  if (!mayReadPii && !(finding.decidedBy && isSame(finding.decidedBy, origin.actor))) {
    const detail = 'Deleting a finding that someone else added requires the scope `pii:read`.';
    throw new Problem('insufficient_scope', detail);
  }
  sendDelete(tx, Finding, { projectId, id: findingId });
  if (finding.page !== null) await layOutAgain(tx, review, [finding.page]);
  await concludeDecision(tx, origin, review);
  await record(tx, origin, {
    type: 'documents.review.decided',
    resourceId: reviewId,
    data: {
      ...{ job_id: review.jobId, decision: 'removed', findings: 1 },
      by_type: [{ type: finding.type, findings: 1 }],
    },
  });
}
