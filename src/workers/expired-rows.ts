import { limits } from '@scriptorium/contracts/limits';
import { prepared, type Tx } from '../db/transaction.ts';
import { expiredDownloadsCondition } from '../library/downloads/queries.ts';
import { expiredPageImagesCondition } from '../library/objects/pages/page-image.ts';
import { expiredUsage } from '../policies/usage-days.ts';

/** Maximum number of rows that one statement removes: millions may expire in an hour. */
const batchSize = 5_000;

/** Which rows of a project expire, and when. */
interface ExpiryRule {
  table: string;
  /** The condition on expired rows `t` of the table, which may be joined to others. */
  where: string;
  join?: string;
  /** Columns to set to null instead of deleting the row. */
  clearedColumns?: readonly string[];
}

const endedReviewRows = {
  join: 'JOIN review r ON r.project_id = t.project_id AND r.id = t.review_id',
  where: `r.ended_at < now() - interval '${limits.review_retention_days} days'`,
};

const expiryRules: readonly ExpiryRule[] = [
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
    clearedColumns: ['text', 'words'],
  },
  {
    table: 'erasure',
    where: `t.sealed_values IS NOT NULL AND t.state IN ('searching', 'ready')
      AND t.created_at < now() - interval '${limits.erasure_confirmation_days} days'`,
    clearedColumns: ['sealed_values'],
  },
  { table: 'finding', ...endedReviewRows },
  { table: 'review_text', ...endedReviewRows },
  {
    table: 'replay',
    where: `t.finished_at < now() - interval '${limits.event_retention_days} days'`,
  },
  { table: 'object_variant', where: expiredPageImagesCondition },
  { table: 'object_download', where: expiredDownloadsCondition },
  { table: 'usage_day', where: expiredUsage },
];

/** Processes a batch of a project. Returns whether there may be more. */
export type Batch = (tx: Tx, projectId: string) => Promise<boolean>;

/** Functions that remove expired rows, by table. */
export const removals: readonly (readonly [string, Batch])[] = expiryRules.map((rule) => [
  rule.table,
  removalOf(rule),
]);

function removalOf({ table, where, join = '', clearedColumns }: ExpiryRule): Batch {
  const change = clearedColumns
    ? `UPDATE ${table} SET ${clearedColumns.map((column) => `${column} = NULL`).join(', ')}`
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
