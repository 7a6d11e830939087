import { setTimeout as delay } from 'node:timers/promises';
import { type FaultName, faults } from './faults.ts';
import type { World } from './world.ts';

export type FaultCounts = Partial<Record<FaultName, number>>;

/** The faults of a run: several at once, each on a separate target, each for a limited time. */
export interface Striking {
  /**
   * Begins a fault on the first free target, starting from a random one. Waits while all are in
   * use, so that no fault is skipped.
   */
  strike(name: FaultName, pick: (below: number) => number): Promise<void>;
  /** Ends all of them. */
  heal(): Promise<void>;
  /** The number of faults of each kind that have begun. */
  counts: FaultCounts;
  errors: string[];
}

/** With more at once, nothing would work for most of the time. */
const maxAtOnce = 6;

export function createStriking(world: World): Striking {
  /** By their targets. */
  const open = new Map<string, Promise<void>>();
  const healing = new AbortController();
  const counts: FaultCounts = {};
  const errors: string[] = [];

  const run = async (
    name: FaultName,
    target: string,
    pick: (below: number) => number,
    begun: () => void,
  ): Promise<void> => {
    const { begin, lasts } = faults[name];
    const [from, to] = lasts;
    try {
      const end = await begin({ world, pick }, target);
      if (!end) return;
      counts[name] = (counts[name] ?? 0) + 1;
      begun();
      const { signal } = healing;
      await delay(from + pick(to - from + 1), undefined, { signal }).catch(() => undefined);
      await end();
    } catch (error) {
      errors.push(`${name} of ${target}: ${String(error)}`);
    } finally {
      open.delete(target);
      begun();
    }
  };

  return {
    counts,
    errors,
    async strike(name, pick) {
      const targets = faults[name].targets(world);
      const wanted = pick(Math.max(targets.length, 1));
      while (targets.length > 0 && !healing.signal.aborted) {
        const inOrder = [...targets.slice(wanted), ...targets.slice(0, wanted)];
        const target = inOrder.find((one) => !open.has(one));
        if (target !== undefined && open.size < maxAtOnce) {
          await new Promise<void>((begun) => open.set(target, run(name, target, pick, begun)));
          return;
        }
        await Promise.race(open.values());
      }
    },
    async heal() {
      healing.abort();
      await Promise.all(open.values());
    },
  };
}
