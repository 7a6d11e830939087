import type { Origin } from '@scriptorium/contracts/origin';
import {
  type Fault,
  notFound,
  Problem,
  referenceNotFound,
  validationFailed,
} from '@scriptorium/contracts/problems';
import { decisionOf, type FindingSource } from '@scriptorium/contracts/reviews';
import type { FindingDecisions } from '@scriptorium/contracts/wire/reviews';
import { Conditions } from '../../db/statements/conditions.ts';
import { sendDelete } from '../../db/statements/rows.ts';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import { Finding } from '../../entities/reviews/finding.ts';
import type { PageSeal } from '../sealing/page-content.ts';
import { concludeDecision, isSameActor, requireClaim, requireFindings } from './claims.ts';
import { sealReason } from './findings.ts';
import type { LockedReview } from './queries.ts';
import { addFindingConditions } from './read.ts';
import { invalidateBoxes } from './schedule-layout.ts';

/**
 * Decides about findings of a locked review. Findings that already have the decision do not change.
 * @returns how many findings changed
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
  if ((body.ids === undefined) === (body.filter === undefined))
    throw validationFailed([selectionFault]);
  if (body.ids) await requireDetected(tx, review, body.ids, body.decision !== 'accept');
  const changed = await updateFindings(tx, origin, review, { seal, ...body });
  const findings = changed.reduce((sum, group) => sum + group.findings, 0);
  if (findings === 0) return 0;
  await invalidateBoxes(tx, review, [...new Set(changed.flatMap((group) => group.pages ?? []))]);
  const decision = eventDecisions[body.decision];
  await concludeDecision(tx, origin, review, [{ decision, byType: changed }]);
  return findings;
}

/** The names of decisions in events. */
const eventDecisions = { accept: 'accepted', reject: 'rejected', reset: 'reset' } as const;

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
  const sources = new Map(rows.map((row) => [row.id, row.source]));
  ids.forEach((findingId, at) => {
    if (!sources.has(findingId)) throw referenceNotFound(`/ids/${at}`, findingId);
  });
  const added = detectedOnly
    ? ids.find((findingId) => sources.get(findingId) === 'person')
    : undefined;
  if (added === undefined) return;
  throw new Problem(
    'state_conflict',
    `Finding '${added}' was added by a person. Delete it instead.`,
  );
}

interface ChangedFindings {
  type: string;
  findings: number;
  /** The pages on which something is now removed or kept that was not before. */
  pages: number[] | null;
}

/** Changes the findings, and counts them by type. */
async function updateFindings(
  tx: Tx,
  { actor }: Origin,
  review: LockedReview,
  body: FindingDecisions & Pick<PageSeal, 'seal'>,
): Promise<ChangedFindings[]> {
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
  return query<ChangedFindings>(
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
  if (!mayReadPii && !(finding.decidedBy && isSameActor(finding.decidedBy, origin.actor))) {
    const detail = 'Deleting a finding that someone else added requires the scope `pii:read`.';
    throw new Problem('insufficient_scope', detail);
  }
  sendDelete(tx, Finding, { projectId, id: findingId });
  if (finding.page !== null) await invalidateBoxes(tx, review, [finding.page]);
  const byType = [{ type: finding.type, findings: 1 }];
  await concludeDecision(tx, origin, review, [{ decision: 'removed', byType }]);
}
