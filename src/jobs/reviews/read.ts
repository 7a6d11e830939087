import type { FindingDecision, FindingSource, ReviewState } from '@scriptorium/contracts/reviews';
import type { ReviewPageRecord, ReviewSort } from '@scriptorium/contracts/wire/reviews';
import { Conditions } from '../../db/statements/conditions.ts';
import { keysetOf, type Position, type Sort, type SortKeys } from '../../db/statements/keyset.ts';
import { selectListOf } from '../../db/statements/rows.ts';
import { prepared, query, type Tx } from '../../db/transaction.ts';
import { Finding } from '../../entities/reviews/finding.ts';
import type { Review } from '../../entities/reviews/review.ts';
import type { PositionedRow } from '../reading/jobs.ts';
import { readReviews } from './queries.ts';

/** A review of the project, or null. */
export async function findReview(tx: Tx, projectId: string, id: string): Promise<Review | null> {
  const key = [projectId, id];
  const [review] = await readReviews(tx, ' FROM review WHERE project_id = $1 AND id = $2', key);
  return review ?? null;
}

/** The filters of a list of reviews. */
interface ReviewFilters {
  ids?: readonly string[] | undefined;
  state?: readonly ReviewState[] | undefined;
  op?: readonly string[] | undefined;
  claimedBy?: string | undefined;
  jobId?: string | undefined;
}

/** A page of a list: the position before it, and its size. */
interface ListPage {
  after: readonly unknown[] | null;
  limit: number;
}

const sortKeys: SortKeys<ReviewSort> = {
  created_at: { column: 'created_at', type: 'timestamptz' },
  expires_at: { column: 'expires_at', type: 'timestamptz' },
  state: { column: 'state', type: 'text' },
};

/** The project's reviews after a position, sorted. */
export async function listReviews(
  tx: Tx,
  projectId: string,
  filters: ReviewFilters,
  page: { sort: Sort<ReviewSort>; after: Position | null; limit: number },
): Promise<PositionedRow<Review>[]> {
  const where = reviewConditions(projectId, filters);
  const keyset = keysetOf(sortKeys, page.sort);
  keyset.startAfter(where, page.after);
  const rows = await readReviews<{ position: string }>(
    tx,
    `, ${keyset.position} FROM review
     WHERE ${where.sql()} ORDER BY ${keyset.order} LIMIT ${page.limit}`,
    where.values,
  );
  return rows.map((row) => ({ row, position: keyset.positionOf(row) }));
}

/** Counts the reviews that match the filters. */
export async function countReviews(
  tx: Tx,
  projectId: string,
  filters: ReviewFilters,
): Promise<number> {
  return countRows(tx, 'review', reviewConditions(projectId, filters));
}

async function countRows(tx: Tx, table: 'review' | 'finding', where: Conditions): Promise<number> {
  const [row] = await query<{ n: number }>(
    tx,
    `SELECT count(*) AS n FROM ${table} WHERE ${where.sql()}`,
    where.values,
  );
  return row!.n;
}

function reviewConditions(projectId: string, filters: ReviewFilters): Conditions {
  const where = new Conditions();
  where.add('project_id = ?', projectId);
  if (filters.ids) where.add('id = ANY(?::text[])', filters.ids);
  if (filters.state) where.add('state = ANY(?)', filters.state);
  if (filters.op) where.add('op = ANY(?)', filters.op);
  if (filters.jobId) where.add('job_id = ?', filters.jobId);
  if (filters.claimedBy) {
    where.add(
      `state = 'open' AND claimed_by ->> 'id' = ? AND claimed_until > clock_timestamp()`,
      filters.claimedBy,
    );
  }
  return where;
}

/** Selects findings of a review. */
export interface FindingFilters {
  page?: number | undefined;
  decision?: readonly FindingDecision[] | undefined;
  type?: readonly string[] | undefined;
  source?: readonly FindingSource[] | undefined;
  min_score?: number | undefined;
  max_score?: number | undefined;
}

/** Adds the conditions of filters on findings. */
export function addFindingConditions(where: Conditions, filters: FindingFilters): void {
  if (filters.page !== undefined) where.add('coalesce(page, 0) = ?', filters.page);
  if (filters.decision) where.add('decision = ANY(?)', filters.decision);
  if (filters.type) where.add('type = ANY(?)', filters.type);
  if (filters.source) where.add('source = ANY(?)', filters.source);
  if (filters.min_score !== undefined) where.add('score >= ?', filters.min_score);
  if (filters.max_score !== undefined) where.add('score <= ?', filters.max_score);
}

/**
 * Findings are only returned while the source exists: without it, no policy decides who may read
 * them.
 */
function findingConditions(
  { projectId, id, sourceObjectId }: Review,
  filters: FindingFilters,
): Conditions {
  const where = new Conditions();
  where.add('project_id = ? AND review_id = ?', projectId, id);
  where.add(
    'EXISTS (SELECT FROM object o WHERE o.project_id = ? AND o.id = ?)',
    projectId,
    sourceObjectId,
  );
  addFindingConditions(where, filters);
  return where;
}

/** The findings of a review, by page and then by their identifiers. */
export async function listFindings(
  tx: Tx,
  review: Review,
  filters: FindingFilters,
  { after, limit }: ListPage,
): Promise<Finding[]> {
  const where = findingConditions(review, filters);
  if (after) where.add('(coalesce(page, 0), id) > (?, ?)', ...after);
  return query<Finding>(
    tx,
    `SELECT ${selectListOf(tx, Finding)} FROM finding WHERE ${where.sql()}
     ORDER BY coalesce(page, 0), id LIMIT ${limit}`,
    where.values,
  );
}

/** Counts the findings of a review that match the filters. */
export async function countFindings(
  tx: Tx,
  review: Review,
  filters: FindingFilters,
): Promise<number> {
  return countRows(tx, 'finding', findingConditions(review, filters));
}

/** The pages of a review with their sizes and counts, in order. */
export async function listReviewPages(
  tx: Tx,
  review: Review,
  { after, limit }: ListPage,
): Promise<ReviewPageRecord[]> {
  if (review.textDigest !== null) return listTextPages(tx, review, after?.[0] ?? -1, limit);
  const { projectId, id, jobId, operationIndex } = review;
  type Row = ReviewPageRecord['counts'] & Omit<ReviewPageRecord, 'counts' | 'text'>;
  const rows = await prepared<Row>(
    tx,
    `SELECT p.page, (p.result ->> 'width')::double precision AS width,
       (p.result ->> 'height')::double precision AS height, c.*
     FROM job_page p CROSS JOIN LATERAL (${countsOnPage}) c
     WHERE p.project_id = $1 AND p.job_id = $3 AND p.operation_index = $4 AND p.page > $5
     ORDER BY p.page LIMIT $6`,
    [projectId, id, jobId, operationIndex, after?.[0] ?? 0, limit],
  );
  return rows.map(({ page, width, height, ...counts }) => ({
    page,
    width,
    height,
    text: null,
    counts,
  }));
}

/** The findings of review $2 on page `p.page` by their decision. */
const countsOnPage = `SELECT
    count(*) FILTER (WHERE source = 'detector' AND decision = 'pending') AS pending,
    count(*) FILTER (WHERE source = 'detector' AND decision = 'accepted') AS accepted,
    count(*) FILTER (WHERE source = 'detector' AND decision = 'rejected') AS rejected,
    count(*) FILTER (WHERE source = 'person') AS added
  FROM finding f WHERE f.project_id = p.project_id AND f.review_id = $2
    AND coalesce(f.page, 0) = p.page`;

/** The pages of a text, in order, after one. */
async function listTextPages(
  tx: Tx,
  { projectId, id }: Review,
  after: unknown,
  limit: number,
): Promise<ReviewPageRecord[]> {
  type Text = NonNullable<ReviewPageRecord['text']>;
  type Row = ReviewPageRecord['counts'] & { page: number } & Text;
  const rows = await prepared<Row>(
    tx,
    `SELECT p.*, c.* FROM (
       SELECT project_id, page, min(layout) AS layout, sum(length)::integer AS characters,
         json_agg(json_build_object('start', start_at, 'lines', lines) ORDER BY piece) AS pieces
       FROM review_text WHERE project_id = $1 AND review_id = $2 AND page > $3
       GROUP BY 1, 2 ORDER BY page LIMIT $4) p
     CROSS JOIN LATERAL (${countsOnPage}) c ORDER BY p.page`,
    [projectId, id, after, limit],
  );
  return rows.map(({ page, layout, characters, pieces, pending, accepted, rejected, added }) => ({
    page,
    width: null,
    height: null,
    text: { layout, characters, pieces },
    counts: { pending, accepted, rejected, added },
  }));
}
