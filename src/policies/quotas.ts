import { type QuotaName, quotaNames, quotas } from '@scriptorium/contracts/quotas';
import { sendDelete } from '../db/statements/rows.ts';
import { prepared, send, type Tx } from '../db/transaction.ts';
import { ProjectQuota } from '../entities/policies/project-quota.ts';

/** A project's usage of a quota. */
export interface QuotaStatus {
  used: number;
  quota: number;
}

/**
 * Far from the quota, claims neither wait nor call `quota_claim`, which decides claims near the quota one
 * at a time. Changes are folded into the count once there are enough of them.
 */
const claimSql = `SELECT s.most, s.used,
    CASE WHEN s.used + greatest($3::bigint * 64, s.most / 10) > s.most
      THEN quota_claim($1, $2, $3, $4) END,
    CASE WHEN s.changes > 31 THEN usage_fold($1) END
  FROM quota_standing($1, $2, $4) s`;

/** For a process that counted recently: calls `quota_claim` only if the quota has changed since. */
const claimIfChangedSql = `SELECT CASE WHEN $5::bigint <> coalesce(
      (SELECT q.most FROM project_quota q WHERE q.project_id = $1 AND q.resource = $2), $4::bigint)
    THEN quota_claim($1, $2, $3, $4) END`;

const headroom = createHeadroom();

/**
 * Fails the transaction with a 403 `quota_exceeded` if it would exceed a quota of the project. Call
 * it before the rows are written. The result is not awaited.
 */
export function claimQuota(tx: Tx, projectId: string, name: QuotaName, amount: number): void {
  const values = [projectId, name, amount, quotas[name].most];
  const now = performance.now();
  const knownQuota = headroom.take(projectId, name, amount, now);
  if (knownQuota === null) {
    send<CountedUsage>(tx, claimSql, values, ([usage]) => {
      if (usage) headroom.remember(projectId, name, usage, now);
    });
  } else {
    send(tx, claimIfChangedSql, [...values, knownQuota]);
  }
}

/** The usage of each quota by the current project. */
export async function readQuotas(
  tx: Tx,
  projectId: string,
): Promise<Record<QuotaName, QuotaStatus>> {
  const rows = await prepared<{ name: QuotaName; used: number; most: number | null }>(
    tx,
    `SELECT n.name, usage_of($1, n.name) AS used, q.most FROM unnest($2::text[]) WITH ORDINALITY AS n (name, at)
     LEFT JOIN project_quota q ON q.project_id = $1 AND q.resource = n.name ORDER BY n.at`,
    [projectId, quotaNames],
  );
  return Object.fromEntries(
    rows.map(({ name, used, most }) => [name, { used, quota: most ?? quotas[name].most }]),
  ) as Record<QuotaName, QuotaStatus>;
}

/** Sets a quota of the current project; null restores the default. `tx` must be the owner's. */
export async function setQuota(
  tx: Tx,
  projectId: string,
  name: QuotaName,
  max: number | null,
): Promise<void> {
  const key = { projectId, resource: name };
  if (max === null) sendDelete(tx, ProjectQuota, key);
  else await tx.upsert(ProjectQuota, { ...key, most: max }, ['projectId', 'resource']);
}

/** A quota, and its committed usage at a moment. */
interface CountedUsage {
  most: number;
  used: number;
}

/** How long a process relies on a remembered usage. */
const usageTtlMs = 100;
/** Smaller quotas are always counted: a tenth could be used up within that time. */
const minQuota = 50_000;
/** The number of processes that may rely on remembered usages and together stay within a tenth of a quota. */
const maxProcesses = 256;
/** The maximum number of remembered usages. */
const maxRememberedUsages = 10_000;

/** The usages of quotas that a process remembers. */
export interface Headroom {
  /**
   * Takes from the part that may be used without counting.
   * @returns the quota on which the decision is based; null if the usage must be counted
   */
  take(projectId: string, name: QuotaName, amount: number, now: number): number | null;
  /** Remembers a usage that was queried at `queriedAt`. */
  remember(projectId: string, name: QuotaName, usage: CountedUsage, queriedAt: number): void;
}

/**
 * Avoids counting for most claims on a quota that is far from exhausted: if a claim finds a tenth
 * of the quota free, the process may use a small share of that tenth for a tenth of a second without
 * counting. Later claims include what was used of the share. Bytes are always counted, because a few
 * uploads may announce any number of them.
 */
export function createHeadroom(): Headroom {
  let usages = new Map<string, { most: number; remaining: number; expiresAt: number }>();
  return {
    take(projectId, name, amount, now) {
      const usage = usages.get(`${projectId} ${name}`);
      if (!usage || usage.remaining < amount || usage.expiresAt <= now) return null;
      usage.remaining -= amount;
      return usage.most;
    },
    remember(projectId, name, { most, used }, queriedAt) {
      if (usages.size >= maxRememberedUsages) usages = new Map();
      const hasTenthFree = used + Math.floor(most / 10) <= most;
      const remaining =
        hasTenthFree && most >= minQuota && name !== 'storage_bytes'
          ? Math.floor(most / 10 / maxProcesses)
          : 0;
      usages.set(`${projectId} ${name}`, {
        most,
        remaining,
        expiresAt: queriedAt + usageTtlMs,
      });
    },
  };
}
