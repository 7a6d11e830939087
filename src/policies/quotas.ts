import { type QuotaName, quotaNames, quotas } from '../contracts/quotas.ts';
import { prepared, query, send, type Tx } from '../db/transaction.ts';
import { guard } from '../db/wire/merge.ts';
import { createHeadroom, type Standing } from './headroom.ts';

/** What a project uses of a quota. */
export interface QuotaUse {
  used: number;
  quota: number;
}

/**
 * Far from the quota nobody waits, and no function is called; near it `quota_claim` decides, one claim
 * after the other. Changes are folded into the count once there are enough of them.
 */
const claim = guard(`SELECT s.most, s.used,
    CASE WHEN s.used + greatest($3::bigint * 64, s.most / 10) > s.most
      THEN quota_claim($1, $2, $3, $4) END,
    CASE WHEN s.changes > 31 THEN usage_fold($1) END
  FROM quota_standing($1, $2, $4) s`);

/** For who has just counted: the quota must still be the one that it was far from. */
const claimFarFrom = guard(`SELECT CASE WHEN $5::bigint <> coalesce(
      (SELECT q.most FROM project_quota q WHERE q.project_id = $1 AND q.resource = $2), $4::bigint)
    THEN quota_claim($1, $2, $3, $4) END`);

const headroom = createHeadroom();

/**
 * Refuses what would take a project beyond a quota: the transaction fails with a 403 `quota_exceeded`.
 * Call it before the rows are written that count. Nobody waits for the answer here.
 */
export function claimQuota(tx: Tx, projectId: string, name: QuotaName, more: number): void {
  const values = [projectId, name, more, quotas[name].most];
  const now = performance.now();
  const known = headroom.take(projectId, name, more, now);
  if (known === null) {
    send<Standing>(tx, claim, values, ([standing]) => {
      if (standing) headroom.learn(projectId, name, standing, now);
    });
  } else {
    send(tx, claimFarFrom, [...values, known]);
  }
}

/** What the wall's project uses of each quota. */
export async function readQuotas(tx: Tx, projectId: string): Promise<Record<QuotaName, QuotaUse>> {
  const rows = await prepared<{ name: QuotaName; used: number; most: number | null }>(
    tx,
    `SELECT n.name, usage_of($1, n.name) AS used, q.most FROM unnest($2::text[]) WITH ORDINALITY AS n (name, at)
     LEFT JOIN project_quota q ON q.project_id = $1 AND q.resource = n.name ORDER BY n.at`,
    [projectId, quotaNames],
  );
  return Object.fromEntries(
    rows.map(({ name, used, most }) => [name, { used, quota: most ?? quotas[name].most }]),
  ) as Record<QuotaName, QuotaUse>;
}

/** Gives the wall's project a quota of its own; null for the default. `tx` is the owner's. */
export async function setQuota(
  tx: Tx,
  projectId: string,
  name: QuotaName,
  most: number | null,
): Promise<void> {
  if (most === null) {
    await query(tx, 'DELETE FROM project_quota WHERE project_id = $1 AND resource = $2', [
      projectId,
      name,
    ]);
    return;
  }
  await query(
    tx,
    `INSERT INTO project_quota (project_id, resource, most) VALUES ($1, $2, $3)
     ON CONFLICT (project_id, resource) DO UPDATE SET most = excluded.most`,
    [projectId, name, most],
  );
}
