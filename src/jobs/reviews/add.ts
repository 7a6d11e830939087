import { hiddenPage } from '@scriptorium/contracts/documents/shown-text';
import { newId } from '@scriptorium/contracts/ids';
import { limits } from '@scriptorium/contracts/limits';
import type { Origin } from '@scriptorium/contracts/origin';
import { Problem } from '@scriptorium/contracts/problems';
import type { NewFinding } from '@scriptorium/contracts/wire/reviews';
import { areCovered } from '@scriptorium/documents/redact/find/locate';
import { Any } from 'typeorm';
import { columnsOf, nextVersion, sendUpdate } from '../../db/statements/rows.ts';
import { prepared, type Tx } from '../../db/transaction.ts';
import { Finding } from '../../entities/reviews/finding.ts';
import { record } from '../../outbox/record.ts';
import type { PageSeal } from '../sealing/page-content.ts';
import { concludeDecision, requireClaim, requireFindings } from './claims.ts';
import { groupByPage, openFinding, sealFinding, sealReason } from './findings.ts';
import type { Place } from './locate.ts';
import { type FindingRow, insertFindings, type LockedReview, readFindings } from './queries.ts';
import { invalidateBoxes } from './schedule-layout.ts';

/**
 * Adds places to a locked review. A place that a finding covers entirely is not added: the finding
 * is accepted instead.
 * @returns the identifiers of the findings that were added or cover a place, in the order of the
 *   places
 * @throws Problem 409 as `requireClaim` does, and if the review has too many findings
 */
export async function addFindings(
  tx: Tx,
  origin: Origin,
  review: LockedReview,
  places: readonly Place[],
  { type, reason, ...seal }: Pick<NewFinding, 'type' | 'reason'> & PageSeal,
): Promise<string[]> {
  requireClaim(review, origin.actor);
  requireFindings(review);
  const pages = [...new Set(places.map(({ page }) => page))];
  const coveringIds =
    review.textDigest === null
      ? await findCoveringBoxes(tx, seal, review, places)
      : await findCoveringRanges(tx, review, places);
  const rows: FindingRow[] = [];
  const covered = new Set<string>();
  const ids = places.map(({ page, content, range = null }, at) => {
    const coveringId = coveringIds[at];
    if (coveringId) {
      covered.add(coveringId);
      return coveringId;
    }
    const id = newId('finding');
    rows.push({
      id,
      type,
      score: null,
      source: 'person',
      decision: 'accepted',
      range,
      page: page === hiddenPage ? null : page,
      decidedBy: origin.actor,
      content: sealFinding(seal, review, id, content),
      reason: reason === undefined ? null : sealReason(seal, review, reason),
      removal: range ? [] : null,
    });
    return id;
  });
  requireCapacity(review, rows.length);
  insertFindings(tx, review, rows);
  const sealedReason = reason === undefined ? null : sealReason(seal, review, reason);
  acceptFindings(tx, origin, review, [...covered], sealedReason);
  await invalidateBoxes(tx, review, pages);
  await concludeDecision(tx, origin, review);
  await record(tx, origin, {
    type: 'documents.review.decided',
    resourceId: review.id,
    data: {
      job_id: review.jobId,
      decision: 'added',
      findings: rows.length,
      by_type: [{ type, findings: rows.length }],
    },
  });
  return [...new Set(ids)];
}

function requireCapacity({ id, added }: LockedReview, count: number): void {
  if (added + count <= limits.review_places) return;
  throw new Problem(
    'state_conflict',
    `Review '${id}' would have more than ${limits.review_places} added findings.`,
  );
}

/** For each place on a page, the identifier of a finding whose boxes cover it, or undefined. */
async function findCoveringBoxes(
  tx: Tx,
  seal: Pick<PageSeal, 'unseal'>,
  review: LockedReview,
  places: readonly Place[],
): Promise<(string | undefined)[]> {
  const pages = [...new Set(places.map(({ page }) => page))];
  const findingsOnPages = groupByPage(
    (await readFindings(tx, review, pages)).map(({ id, page, content }) => ({
      id,
      page,
      boxes: openFinding(seal, review, id, content).boxes,
    })),
  );
  return places.map(
    ({ page, content }) =>
      findingsOnPages.get(page)?.find(({ boxes }) => areCovered(content.boxes, boxes))?.id,
  );
}

/** For each place in a text, the identifier of a finding whose range covers it, or undefined. */
async function findCoveringRanges(
  tx: Tx,
  { projectId, id }: LockedReview,
  places: readonly Place[],
): Promise<(string | undefined)[]> {
  const rows = places.map(({ page, range }) => [page, range?.start ?? 0, range?.end ?? 0]);
  const found = await prepared<{ at: number; id: string }>(
    tx,
    `SELECT p.at::integer - 1 AS at, f.id
     FROM unnest($3::integer[], $4::integer[], $5::integer[])
       WITH ORDINALITY AS p (page, range_start, range_end, at)
     CROSS JOIN LATERAL (SELECT f.id FROM finding f
       WHERE f.project_id = $1 AND f.review_id = $2 AND coalesce(f.page, 0) = p.page
         AND f.range_start <= p.range_start AND f.range_end >= p.range_end
       ORDER BY f.range_start DESC LIMIT 1) f`,
    [projectId, id, ...columnsOf(rows, 3)],
  );
  const coveringIds: (string | undefined)[] = places.map(() => undefined);
  for (const row of found) coveringIds[row.at] = row.id;
  return coveringIds;
}

/** Accepts the findings that cover a place. The reason of an earlier decision is discarded. */
function acceptFindings(
  tx: Tx,
  { actor }: Origin,
  { projectId, id: reviewId }: LockedReview,
  ids: readonly string[],
  reason: string | null,
): void {
  if (ids.length === 0) return;
  const undecided = Any(['pending' as const, 'rejected' as const]);
  sendUpdate(
    tx,
    Finding,
    { projectId, reviewId, id: Any([...ids]), decision: undecided },
    { decision: 'accepted', decidedBy: actor, reason, version: nextVersion },
  );
}

/** The named findings of a review, in the order of `ids`. */
export async function findingsById(
  tx: Tx,
  { projectId, id: reviewId }: LockedReview,
  ids: readonly string[],
): Promise<Finding[]> {
  const rows = await tx.findBy(Finding, { projectId, reviewId, id: Any([...ids]) });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
