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
import type { PageSeal } from '../sealing/page-content.ts';
import { concludeDecision, requireClaim, requireFindings } from './claims.ts';
import { groupByPage, openFinding, sealFinding, sealReason } from './findings.ts';
import type { Place } from './locate.ts';
import { type FindingRow, insertFindings, type LockedReview, readFindings } from './queries.ts';
import { invalidateBoxes } from './schedule-layout.ts';

/** A finding that covers a place entirely. */
type CoveringFinding = Pick<Finding, 'id' | 'type' | 'decision'>;

/**
 * Adds places to a locked review. A place that a finding covers entirely is not added: the finding
 * is accepted instead. If all such findings are accepted already, the review does not change.
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
  const covering =
    review.textDigest === null
      ? await findCoveringBoxes(tx, seal, review, places)
      : await findCoveringRanges(tx, review, places);
  const rows: FindingRow[] = [];
  const toAccept = new Map<string, CoveringFinding>();
  const ids = places.map(({ page, content, range = null }, at) => {
    const existing = covering[at];
    if (existing) {
      if (existing.decision !== 'accepted') toAccept.set(existing.id, existing);
      return existing.id;
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
  if (rows.length === 0 && toAccept.size === 0) return [...new Set(ids)];
  requireCapacity(review, rows.length);
  insertFindings(tx, review, rows);
  const sealedReason = reason === undefined ? null : sealReason(seal, review, reason);
  acceptFindings(tx, origin, review, [...toAccept.keys()], sealedReason);
  await invalidateBoxes(tx, review, [...new Set(places.map(({ page }) => page))]);
  const changes = [
    { decision: 'accepted' as const, byType: countByType([...toAccept.values()]) },
    { decision: 'added' as const, byType: countByType(rows) },
  ];
  await concludeDecision(
    tx,
    origin,
    review,
    changes.filter(({ byType }) => byType.length > 0),
  );
  return [...new Set(ids)];
}

function countByType(findings: readonly { type: string }[]): { type: string; findings: number }[] {
  const counts = new Map<string, number>();
  for (const { type } of findings) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => ({ type, findings: count })).toSorted(byTypeName);
}

const byTypeName = (one: { type: string }, other: { type: string }): number =>
  one.type < other.type ? -1 : 1;

function requireCapacity({ id, added }: LockedReview, count: number): void {
  if (added + count <= limits.review_places) return;
  throw new Problem(
    'state_conflict',
    `Review '${id}' would have more than ${limits.review_places} added findings.`,
  );
}

/** For each place on a page, a finding whose boxes cover it, preferably an accepted one, or undefined. */
async function findCoveringBoxes(
  tx: Tx,
  seal: Pick<PageSeal, 'unseal'>,
  review: LockedReview,
  places: readonly Place[],
): Promise<(CoveringFinding | undefined)[]> {
  const pages = [...new Set(places.map(({ page }) => page))];
  const findingsOnPages = groupByPage(
    (await readFindings(tx, review, pages)).map(({ id, page, type, decision, content }) => ({
      id,
      page,
      type,
      decision,
      boxes: openFinding(seal, review, id, content).boxes,
    })),
  );
  return places.map(({ page, content }) => {
    const covering = findingsOnPages
      .get(page)
      ?.filter(({ boxes }) => areCovered(content.boxes, boxes));
    return covering?.find(({ decision }) => decision === 'accepted') ?? covering?.[0];
  });
}

/** For each place in a text, a finding whose range covers it, preferably an accepted one, or undefined. */
async function findCoveringRanges(
  tx: Tx,
  { projectId, id }: LockedReview,
  places: readonly Place[],
): Promise<(CoveringFinding | undefined)[]> {
  const rows = places.map(({ page, range }) => [page, range?.start ?? 0, range?.end ?? 0]);
  const found = await prepared<CoveringFinding & { at: number }>(
    tx,
    `SELECT p.at::integer - 1 AS at, f.id, f.type, f.decision
     FROM unnest($3::integer[], $4::integer[], $5::integer[])
       WITH ORDINALITY AS p (page, range_start, range_end, at)
     CROSS JOIN LATERAL (SELECT f.id, f.type, f.decision FROM finding f
       WHERE f.project_id = $1 AND f.review_id = $2 AND coalesce(f.page, 0) = p.page
         AND f.range_start <= p.range_start AND f.range_end >= p.range_end
       ORDER BY f.decision = 'accepted' DESC, f.range_start DESC LIMIT 1) f`,
    [projectId, id, ...columnsOf(rows, 3)],
  );
  const covering: (CoveringFinding | undefined)[] = places.map(() => undefined);
  for (const { at, ...finding } of found) covering[at] = finding;
  return covering;
}

/** Accepts findings that cover a place. The reason of an earlier decision is discarded. */
function acceptFindings(
  tx: Tx,
  { actor }: Origin,
  { projectId, id: reviewId }: LockedReview,
  ids: readonly string[],
  reason: string | null,
): void {
  if (ids.length === 0) return;
  sendUpdate(
    tx,
    Finding,
    { projectId, reviewId, id: Any([...ids]) },
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
