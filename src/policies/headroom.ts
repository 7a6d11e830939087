import type { QuotaName } from '../contracts/quotas.ts';

/** A quota, and what was committed of it at some moment. */
export interface Standing {
  most: number;
  used: number;
}

/** For how long a process goes by what it was told. */
const knownMs = 100;
/** A tenth of a smaller quota could be used up in that time. */
const leastQuota = 50_000;
/** As many processes may go by what they were told, and stay within a tenth of the quota together. */
const processes = 256;
/** How many standings are remembered. */
const mostKnown = 10_000;

/** What a process knows of quotas that are far from being used up. */
export interface Headroom {
  /**
   * Takes from what may be used without being counted first.
   * @returns the quota by which that was judged; null when there is nothing to go by
   */
  take(projectId: string, name: QuotaName, more: number, now: number): number | null;
  /** Remembers a standing that was asked for at `asked`. */
  learn(projectId: string, name: QuotaName, standing: Standing, asked: number): void;
}

/**
 * Spares most of the claims on a quota that is far from being used up the counting: a claim that finds
 * a tenth of the quota free speaks for a small share of that tenth, for a tenth of a second. What is
 * taken so is counted in full by every later claim. Bytes are always counted, since a few uploads may
 * announce any number of them.
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
      if (known.size >= mostKnown) known = new Map();
      const isFar = used + Math.floor(most / 10) <= most;
      const left =
        isFar && most >= leastQuota && name !== 'storage_bytes'
          ? Math.floor(most / 10 / processes)
          : 0;
      known.set(`${projectId} ${name}`, { most, left, until: asked + knownMs });
    },
  };
}
