import { type QuotaName, quotaNames, quotas } from '@scriptorium/contracts/quotas';
import { sendDelete } from '../db/statements/rows.ts';
import { prepared, send, type Tx } from '../db/transaction.ts';
import { ProjectQuota } from '../entities/policies/project-quota.ts';

/** A project's usage of a quota. */
export interface QuotaUse {
  used: number;
  quota: number;
}

/**
 * Far from the quota, claims neither wait nor call a function; near it, `quota_claim` decides one
 * claim after the other. Changes are folded into the count once there are enough of them.
 */
const claim = `SELECT s.most, s.used,
    CASE WHEN s.used + greatest($3::bigint * 64, s.most / 10) > s.most
      THEN quota_claim($1, $2, $3, $4) END,
    CASE WHEN s.changes > 31 THEN usage_fold($1) END
  FROM quota_standing($1, $2, $4) s`;

/** For a process that has just counted: calls `quota_claim` if the quota has changed since. */
const claimFarFrom = `SELECT CASE WHEN $5::bigint <> coalesce(
      (SELECT q.most FROM project_quota q WHERE q.project_id = $1 AND q.resource = $2), $4::bigint)
    THEN quota_claim($1, $2, $3, $4) END`;

const headroom = createHeadroom();

/**
 * Fails the transaction with a 403 `quota_exceeded` if it would exceed a quota of the project. Call
 * it before the rows are written. The result is not awaited.
 */
export function claimQuota(tx: Tx, projectId: string, name: QuotaName, more: number): void {
  const values = [projectId, name, more, quotas[name].most];
  const now = performance.now();
  const known = headroom.take(projectId, name, more, now);
  if (known === null) {
    send<QuotaUsage>(tx, claim, values, ([standing]) => {
      if (standing) headroom.learn(projectId, name, standing, now);
    });
  } else {
    send(tx, claimFarFrom, [...values, known]);
  }
}

/** The usage of each quota by the current project. */
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

/** Sets a quota of the current project; null restores the default. `tx` must be the owner's. */
export async function setQuota(
  tx: Tx,
  projectId: string,
  name: QuotaName,
  most: number | null,
): Promise<void> {
  const key = { projectId, resource: name };
  if (most === null) sendDelete(tx, ProjectQuota, key);
  else await tx.upsert(ProjectQuota, { ...key, most }, ['projectId', 'resource']);
}

/** A quota, and its committed usage at a moment. */
interface QuotaUsage {
  most: number;
  used: number;
}

/** How long a process relies on a known usage. */
const knownMs = 100;
/** For smaller quotas, a tenth could be used up within that time. */
const leastQuota = 50_000;
/** How many processes may rely on known usages and together stay within a tenth of the quota. */
const processes = 256;
/** The maximum number of remembered usages. */
const maxKnown = 10_000;

/** The usages that a process knows of quotas that are far from exhausted. */
export interface Headroom {
  /**
   * Takes from the part that may be used without counting.
   * @returns the quota that the decision is based on; null if nothing is known
   */
  take(projectId: string, name: QuotaName, more: number, now: number): number | null;
  /** Remembers a usage that was queried at `asked`. */
  learn(projectId: string, name: QuotaName, standing: QuotaUsage, asked: number): void;
}

/**
 * Avoids counting for most claims on a quota that is far from exhausted: if a claim finds a tenth
 * of the quota free, a small share of that tenth is allowed for a tenth of a second. Every later
 * claim counts that share as used. Bytes are always counted, because a few uploads may announce any
 * number of them.
 */
export function createHeadroom(): Headroom {
  let known = new Map<string, { most: number; left: number; until: number }>();
  return {
    take(projectId, name, more, now) {
      const room = known.get(`${projectId} ${name}`);
      if (!room || room.left < more || room.until <= now) return null;
      room.left -= more;
      return room.most;
    },
    learn(projectId, name, { most, used }, asked) {
      if (known.size >= maxKnown) known = new Map();
      const isFar = used + Math.floor(most / 10) <= most;
      const left =
        isFar && most >= leastQuota && name !== 'storage_bytes'
          ? Math.floor(most / 10 / processes)
          : 0;
      known.set(`${projectId} ${name}`, { most, left, until: asked + knownMs });
    },
  };
}
