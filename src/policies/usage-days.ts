import { limits } from '@scriptorium/contracts/limits';
import type { UsageDay } from '@scriptorium/contracts/wire/service';
import { prepared, send, type Tx } from '../db/transaction.ts';

/** Requests by outcome. */
export interface RequestCount {
  succeeded: number;
  failed: number;
}

/** Adds requests to those of the day, and records the number of bytes that the project stores now. */
export function addUsage(
  tx: Tx,
  projectId: string,
  { succeeded, failed }: RequestCount = { succeeded: 0, failed: 0 },
): void {
  send(tx, 'SELECT usage_note($1, $2, $3)', [projectId, succeeded, failed]);
}

interface UsageRow extends RequestCount {
  day: string;
  storage_bytes: number | null;
  embedding_requests: number;
  embedding_tokens: number;
}

/** The days `t` that are too old to be shown. */
export const expiredUsage = `t.day < (now() AT TIME ZONE 'UTC')::date - ${limits.usage_days}`;

/**
 * The usage of the current project on each of the last `days`, today included. On a day without a
 * row, the project stored as much as the day before.
 */
export async function readUsageDays(tx: Tx, projectId: string, days: number): Promise<UsageDay[]> {
  const rows = await prepared<UsageRow>(
    tx,
    `SELECT to_char(t.today - back, 'YYYY-MM-DD') AS day,
       CASE WHEN back = 0 THEN usage_of($1, 'storage_bytes') ELSE (
         SELECT p.storage_bytes FROM usage_day p WHERE p.project_id = $1 AND p.day <= t.today - back
         ORDER BY p.day DESC LIMIT 1) END AS storage_bytes,
       coalesce(d.succeeded, 0) AS succeeded, coalesce(d.failed, 0) AS failed,
       coalesce(d.embedding_requests, 0) AS embedding_requests,
       coalesce(d.embedding_tokens, 0) AS embedding_tokens
     FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) t
       CROSS JOIN generate_series(0, $2::integer - 1) AS back
       LEFT JOIN usage_day d ON d.project_id = $1 AND d.day = t.today - back
     ORDER BY back DESC`,
    [projectId, days],
  );
  return rows.map((row) => ({
    day: row.day,
    storage_bytes: row.storage_bytes,
    requests: { succeeded: row.succeeded, failed: row.failed },
    embeddings: { requests: row.embedding_requests, tokens: row.embedding_tokens },
  }));
}
