import { limits } from '@scriptorium/contracts/limits';
import { prepared, type Tx } from '../db/transaction.ts';
import { expiredDownloads } from '../library/downloads/queries.ts';
import { expiredPageImages } from '../library/objects/pages/page-image.ts';
import { expiredUsage } from '../policies/usage-days.ts';

/** How many rows one statement removes. Those of an hour may be millions. */
const batchSize = 5_000;

/** Rows of a project that are kept for a limited time. */
interface Expired {
  table: string;
  /** Which rows `t` of the table, or of the table joined to others, have had their time. */
  where: string;
  join?: string;
  /** Columns that are emptied, where the row itself stays. */
  cleared?: readonly string[];
}

const ofReview = {
  join: 'JOIN review r ON r.project_id = t.project_id AND r.id = t.review_id',
  where: `r.ended_at < now() - interval '${limits.review_retention_days} days'`,
};

const expired: readonly Expired[] = [
  {
    table: 'idempotency',
    where: `t.created_at < now() - interval '${limits.idempotency_hours} hours'`,
  },
  { table: 'denial', where: `t.minute < now() - interval '1 hour'` },
  { table: 'portal_session', where: 't.expires_at < now()' },
  {
    table: 'invitation',
    where: `t.expires_at < now() - interval '${limits.event_retention_days} days'`,
  },
  {
    table: 'share',
    where: `least(t.expires_at, t.revoked_at) < now() - interval '${limits.event_retention_days} days'`,
  },
  {
    table: 'job_page',
    join: 'JOIN job j ON j.project_id = t.project_id AND j.id = t.job_id',
    where: `t.words IS NOT NULL
      AND j.finished_at < now() - interval '${limits.page_results_retention_days} days'`,
    cleared: ['text', 'words'],
  },
  { table: 'finding', ...ofReview },
  { table: 'review_text', ...ofReview },
  {
    table: 'replay',
    where: `t.finished_at < now() - interval '${limits.event_retention_days} days'`,
  },
  { table: 'object_variant', where: expiredPageImages },
  { table: 'object_download', where: expiredDownloads },
  { table: 'usage_day', where: expiredUsage },
];

/** Does a batch of some work on a project, and says whether there may be more of it. */
export type Batch = (tx: Tx, projectId: string) => Promise<boolean>;

/** What removes the rows that have had their time, by the name of their table. */
export const removals: readonly (readonly [string, Batch])[] = expired.map((one) => [
  one.table,
  removalOf(one),
]);

function removalOf({ table, where, join = '', cleared }: Expired): Batch {
  const change = cleared
    ? `UPDATE ${table} SET ${cleared.map((column) => `${column} = NULL`).join(', ')}`
    : `DELETE FROM ${table}`;
  const statement = `WITH removed AS (
      ${change} WHERE project_id = $1 AND ctid = ANY (ARRAY(
        SELECT t.ctid FROM ${table} t ${join} WHERE t.project_id = $1 AND ${where} LIMIT ${batchSize}))
      RETURNING 1)
    SELECT count(*)::integer AS n FROM removed`;
  return async (tx, projectId) => {
    const [row] = await prepared<{ n: number }>(tx, statement, [projectId]);
    return row!.n === batchSize;
  };
}
