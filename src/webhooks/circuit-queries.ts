import { query, type Tx } from '../db/transaction.ts';

/** The health of an endpoint for operators: its origin, without path or query. */
export interface Circuit {
  id: string;
  project_id: string;
  origin: string;
  state: 'enabled' | 'paused' | 'disabled';
  /** Open: only a probe may begin before `held_until`. */
  circuit: 'closed' | 'open';
  held_until: Date | null;
  failing_since: Date | null;
  failures_in_row: number;
  last_error: { code: string; message: string } | null;
  pending: number;
}

/**
 * Unhealthy endpoints of all projects: their circuit is open, all attempts fail, or they are paused
 * or disabled with deliveries waiting. With `all`, every endpoint. `tx` is the owner's.
 */
export async function listCircuits(tx: Tx, all: boolean): Promise<Circuit[]> {
  const rows = await query<Circuit & { url: string }>(
    tx,
    `SELECT * FROM (
       SELECT e.id, e.project_id, e.url, e.state,
         CASE WHEN f.hold_seconds IS NULL THEN 'closed' ELSE 'open' END AS circuit,
         f.held_until, f.failing_since, f.failures_in_row, f.last_error,
         (SELECT count(*) FROM due_delivery d
          WHERE d.project_id = e.project_id AND d.endpoint_id = e.id) AS pending
       FROM webhook_endpoint e JOIN webhook_flow f ON f.endpoint_id = e.id) c
     WHERE $1 OR circuit = 'open' OR failing_since IS NOT NULL OR (state <> 'enabled' AND pending > 0)
     ORDER BY failing_since NULLS LAST, id`,
    [all],
  );
  return rows.map(({ url, ...row }) => ({ ...row, origin: new URL(url).origin }));
}
