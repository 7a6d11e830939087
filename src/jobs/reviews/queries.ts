import type { Actor } from '@scriptorium/contracts/origin';
import type { FindingDecision, FindingSource } from '@scriptorium/contracts/reviews';
import { columnsOf, selectListOf } from '../../db/statements/rows.ts';
import { prepared, query, send, type Tx } from '../../db/transaction.ts';
import { Finding } from '../../entities/reviews/finding.ts';
import { Review } from '../../entities/reviews/review.ts';
import type { TextRange } from './findings.ts';

/** A review that is locked until the transaction ends, and the current time. */
export interface LockedReview extends Review {
  now: Date;
}

/** SQL: whether the claim has expired; null without a claim. */
const hasClaimExpired = 'claimed_until <= clock_timestamp()';

/**
 * SQL for the version of a changed review. A review whose claim has expired was already shown with
 * the next version.
 */
export const nextReviewVersion = (): string =>
  `version + CASE WHEN ${hasClaimExpired} THEN 2 ELSE 1 END`;

/** The review without an expired claim, whose removal increases the version. */
function withoutExpiredClaim<Row extends Review & { lapsed: boolean | null }>(row: Row): Row {
  if (!row.lapsed) return row;
  return { ...row, claimedBy: null, claimedUntil: null, version: row.version + 1 };
}

/**
 * Reads reviews in their current state.
 * @param afterColumns the SQL after the columns
 */
export async function readReviews<Extra extends object = object>(
  tx: Tx,
  afterColumns: string,
  values: unknown[],
): Promise<(Review & Extra)[]> {
  const rows = await query<Review & Extra & { lapsed: boolean | null }>(
    tx,
    `SELECT ${selectListOf(tx, Review)}, ${hasClaimExpired} AS lapsed${afterColumns}`,
    values,
  );
  return rows.map(withoutExpiredClaim);
}

/** Locks a review; null if it does not exist. */
export async function lockReview(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<LockedReview | null> {
  const [row] = await prepared<LockedReview & { lapsed: boolean | null }>(
    tx,
    `SELECT ${selectListOf(tx, Review)}, clock_timestamp() AS now, ${hasClaimExpired} AS lapsed FROM review
     WHERE project_id = $1 AND id = $2 FOR UPDATE`,
    [projectId, id],
  );
  return row ? withoutExpiredClaim(row) : null;
}

/** Locks the job of a review, then the review: a change of both takes the job's lock first. */
export async function lockReviewWithJob(
  tx: Tx,
  projectId: string,
  id: string,
): Promise<LockedReview | null> {
  send(
    tx,
    `SELECT FROM job WHERE project_id = $1 AND id =
       (SELECT job_id FROM review WHERE project_id = $1 AND id = $2) FOR UPDATE`,
    [projectId, id],
  );
  return lockReview(tx, projectId, id);
}

/** A finding to insert. */
export interface FindingRow {
  id: string;
  page: number | null;
  type: string;
  score: number | null;
  source: FindingSource;
  decision: FindingDecision;
  decidedBy: Actor | null;
  content: string;
  reason: string | null;
  removal: number[][] | null;
  range: TextRange | null;
}

/** Findings per statement, a few megabytes. */
const findingsPerStatement = 2_000;

/** Sends findings of a review. */
export function insertFindings(
  tx: Tx,
  { projectId, id }: Pick<Review, 'projectId' | 'id'>,
  findings: readonly FindingRow[],
): void {
  for (let from = 0; from < findings.length; from += findingsPerStatement) {
    const rows = findings
      .slice(from, from + findingsPerStatement)
      .map((finding) => [
        finding.id,
        finding.page,
        finding.type,
        finding.score,
        finding.source,
        finding.decision,
        finding.decidedBy && JSON.stringify(finding.decidedBy),
        finding.content,
        finding.reason,
        finding.removal && JSON.stringify(finding.removal),
        finding.range?.start ?? null,
        finding.range?.end ?? null,
      ]);
    send(
      tx,
      `INSERT INTO finding (project_id, review_id, id, page, type, score, source, decision,
         decided_by, content, reason, removal, range_start, range_end, laid_out)
       SELECT $1, $2, f.*, f.page IS NULL OR f.removal IS NOT NULL FROM unnest($3::text[],
         $4::integer[], $5::text[], $6::double precision[], $7::text[], $8::text[], $9::jsonb[],
         $10::text[], $11::text[], $12::jsonb[], $13::integer[], $14::integer[]) AS f (id, page,
         type, score, source, decision, decided_by, content, reason, removal, range_start,
         range_end)`,
      [projectId, id, ...columnsOf(rows, 12)],
    );
  }
}

/** Findings of a review by page; of some pages, if given. */
export async function readFindings(
  tx: Tx,
  { projectId, id }: Pick<Review, 'projectId' | 'id'>,
  pages: readonly number[] | null = null,
): Promise<Finding[]> {
  return prepared<Finding>(
    tx,
    `SELECT ${selectListOf(tx, Finding)} FROM finding
     WHERE project_id = $1 AND review_id = $2 AND ($3::integer[] IS NULL OR page = ANY($3))
     ORDER BY coalesce(page, 0), id`,
    [projectId, id, pages],
  );
}

/** A change of a review by an actor, who claims it. */
export interface ClaimUpdate {
  actor: Actor;
  /** Whether the actor decided about a finding. */
  decides: boolean;
  claimMinutes: number;
}

/** Sends the new counts and the claim of a review whose findings changed. */
export function updateCountsAndClaim(
  tx: Tx,
  { projectId, id }: Pick<Review, 'projectId' | 'id'>,
  { actor, decides, claimMinutes }: ClaimUpdate,
): void {
  send(
    tx,
    `UPDATE review SET pending = c.pending, accepted = c.accepted, rejected = c.rejected,
       added = c.added, claimed_by = $3::jsonb,
       claimed_until = clock_timestamp() + $5::integer * interval '1 minute',
       decided_by = CASE WHEN NOT $4::boolean OR decided_by @> jsonb_build_array($3::jsonb)
         THEN decided_by ELSE decided_by || $3::jsonb END,
       version = ${nextReviewVersion()}
     FROM (SELECT
         count(*) FILTER (WHERE source = 'detector' AND decision = 'pending') AS pending,
         count(*) FILTER (WHERE source = 'detector' AND decision = 'accepted') AS accepted,
         count(*) FILTER (WHERE source = 'detector' AND decision = 'rejected') AS rejected,
         count(*) FILTER (WHERE source = 'person') AS added
       FROM finding WHERE project_id = $1 AND review_id = $2) c
     WHERE project_id = $1 AND id = $2`,
    [projectId, id, JSON.stringify(actor), decides, claimMinutes],
  );
}

/** SQL that permanently stores the number of findings by decision, for some reviews of project $1. */
export const storeCountsSql = (reviews: string): string =>
  `INSERT INTO review_count (project_id, review_id, type, score_tenth, source, decision, findings)
   SELECT $1, review_id, type, least(9, floor(coalesce(score, 1) * 10))::integer, source, decision,
     count(*)
   FROM finding WHERE project_id = $1 AND review_id IN (${reviews}) GROUP BY 2, 3, 4, 5, 6`;

/** Sends the permanent counts of a review's findings. */
export function storeCounts(tx: Tx, { projectId, id }: Pick<Review, 'projectId' | 'id'>): void {
  send(tx, storeCountsSql('SELECT $2::text'), [projectId, id]);
}

/** Sends that the boxes of pages must be computed again; rejected findings have none. */
export function markForLayout(
  tx: Tx,
  { projectId, id }: Pick<Review, 'projectId' | 'id'>,
  pages: readonly number[],
): void {
  send(
    tx,
    `UPDATE finding SET laid_out = (decision = 'rejected'),
       removal = CASE WHEN decision = 'rejected' THEN '[]' WHEN removal = '[]' THEN NULL ELSE removal END
     WHERE project_id = $1 AND review_id = $2 AND page = ANY($3)`,
    [projectId, id, pages],
  );
}

/** The first `limit` pages whose boxes must be computed. */
export async function pagesToLayOut(
  tx: Tx,
  { projectId, id }: Pick<Review, 'projectId' | 'id'>,
  limit: number,
): Promise<number[]> {
  const rows = await prepared<{ page: number }>(
    tx,
    `SELECT DISTINCT page FROM finding
     WHERE project_id = $1 AND review_id = $2 AND NOT laid_out ORDER BY page LIMIT $3`,
    [projectId, id, limit],
  );
  return rows.map(({ page }) => page);
}

/** Sends computed boxes, for findings that have not changed since. */
export function storeRemovals(
  tx: Tx,
  { projectId, id }: Pick<Review, 'projectId' | 'id'>,
  removals: readonly { id: string; version: number; removal: number[][] }[],
): void {
  const rows = removals.map((removal) => [
    removal.id,
    removal.version,
    JSON.stringify(removal.removal),
  ]);
  send(
    tx,
    `UPDATE finding f SET removal = r.removal, laid_out = true
     FROM unnest($3::text[], $4::integer[], $5::jsonb[]) AS r (id, version, removal)
     WHERE f.project_id = $1 AND f.review_id = $2 AND f.id = r.id AND f.version = r.version
       AND f.decision <> 'rejected'`,
    [projectId, id, ...columnsOf(rows, 3)],
  );
}
