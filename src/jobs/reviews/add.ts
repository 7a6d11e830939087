import { Any } from 'typeorm';
import { newId } from '../../contracts/ids.ts';
import { limits } from '../../contracts/limits.ts';
import type { Origin } from '../../contracts/origin.ts';
import { Problem } from '../../contracts/problems.ts';
import type { NewFinding } from '../../contracts/wire/reviews.ts';
import { nextVersion, sendUpdate } from '../../db/statements/rows.ts';
import type { Tx } from '../../db/transaction.ts';
import { areCovered } from '../../engines/redact/find/locate.ts';
import { Finding } from '../../entities/reviews/finding.ts';
import { record } from '../../outbox/record.ts';
import type { PageSeal } from '../sealing/page-content.ts';
import { byPage, openFinding, sealFinding, sealReason } from './findings.ts';
import { concludeDecision, requireFindings, requireHold } from './holding.ts';
import { scheduleLayout } from './lay-out-later.ts';
import type { Place } from './locate.ts';
import {
  type FindingRow,
  insertFindings,
  type LockedReview,
  markForLayout,
  readFindings,
} from './queries.ts';

/**
 * Adds places to a locked review. One that a finding covers entirely is not added: the finding is
 * accepted instead.
 * @returns the identifiers of the findings that were added or cover a place, in the order of the places
 * @throws Problem 409 as `requireHold` does, and if the review has too many findings
 */
export async function addFindings(
  tx: Tx,
  origin: Origin,
  review: LockedReview,
  places: readonly Place[],
  { type, reason, ...seal }: Pick<NewFinding, 'type' | 'reason'> & PageSeal,
): Promise<string[]> {
  requireHold(review, origin.actor);
  requireFindings(review);
  const pages = [...new Set(places.map(({ page }) => page))];
  const known = await readKnown(tx, seal, review, pages);
  const rows: FindingRow[] = [];
  const covering = new Set<string>();
  const ids = places.map(({ page, content }) => {
    const cover = (known.get(page) ?? []).find(({ boxes }) => areCovered(content.boxes, boxes));
    if (cover) {
      covering.add(cover.id);
      return cover.id;
    }
    const id = newId('finding');
    rows.push({
      ...{ id, page, type, score: null, source: 'person', decision: 'accepted' },
      decidedBy: origin.actor,
      content: sealFinding(seal, review, id, content),
      reason: reason === undefined ? null : sealReason(seal, review, reason),
      removal: null,
    });
    return id;
  });
  requireRoom(review, rows.length);
  insertFindings(tx, review, rows);
  acceptCovering(tx, origin, review, [...covering]);
  markForLayout(tx, review, pages);
  await scheduleLayout(tx, review);
  await concludeDecision(tx, origin, review);
  await record(tx, origin, {
    type: 'documents.review.decided',
    resourceId: review.id,
    data: {
      ...{ job_id: review.jobId, decision: 'added', findings: rows.length },
      by_type: [{ type, findings: rows.length }],
    },
  });
  return [...new Set(ids)];
}

function requireRoom({ id, added }: LockedReview, more: number): void {
  if (added + more <= limits.review_places) return;
  throw new Problem(
    'state_conflict',
    `Review '${id}' would have more than ${limits.review_places} added findings.`,
  );
}

/** The findings on pages, with their boxes, by page. */
async function readKnown(
  tx: Tx,
  seal: Pick<PageSeal, 'unseal'>,
  review: LockedReview,
  pages: readonly number[],
) {
  const found = await readFindings(tx, review, pages);
  return byPage(
    found.map(({ id, page, content }) => ({
      ...{ id, page },
      boxes: openFinding(seal, review, id, content).boxes,
    })),
  );
}

/** Accepts the findings that cover a place. */
function acceptCovering(
  tx: Tx,
  { actor }: Origin,
  { projectId, id: reviewId }: LockedReview,
  ids: readonly string[],
): void {
  if (ids.length === 0) return;
  const undecided = Any(['pending' as const, 'rejected' as const]);
  sendUpdate(
    tx,
    Finding,
    { projectId, reviewId, id: Any([...ids]), decision: undecided },
    { decision: 'accepted', decidedBy: actor, version: nextVersion },
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
