import type { QuotaName } from '@scriptorium/contracts/quotas';

/** A quota and its committed usage at a moment. */
export interface QuotaUsage {
  most: number;
  used: number;
}

/** For how long a process relies on a known usage. */
const knownMs = 100;
/** A tenth of a smaller quota could be used up in that time. */
const leastQuota = 50_000;
/** This many processes may rely on known usages and stay within a tenth of the quota together. */
const processes = 256;
/** The maximum number of remembered usages. */
const maxKnown = 10_000;

/** What a process knows of quotas that are far from being used up. */
export interface Headroom {
  /**
   * Takes from the part that may be used without counting first.
   * @returns the quota that the decision is based on; null if nothing is known
   */
  take(projectId: string, name: QuotaName, more: number, now: number): number | null;
  /** Remembers a usage that was queried at `asked`. */
  learn(projectId: string, name: QuotaName, standing: QuotaUsage, asked: number): void;
}

/**
 * Saves most claims on a quota that is far from being used up from counting: a claim that finds a tenth
 * of the quota free allows a small share of that tenth for a tenth of a second. Every later claim
 * counts that share in full. Bytes are always counted, because a few uploads may announce any number
 * of them.
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
