import { setTimeout as delay } from 'node:timers/promises';
import { type FaultName, faults } from './faults.ts';
import type { World } from './world.ts';

export type FaultCounts = Partial<Record<FaultName, number>>;

/** The faults of a run: several at once, each on a separate target, each for a limited time. */
export interface FaultInjector {
  /**
   * Begins a fault on the first free target, starting from a random one. Waits while all are in
   * use, so that no fault is skipped.
   */
  inject(name: FaultName, pick: (below: number) => number): Promise<void>;
  /** Ends all of them. */
  endAll(): Promise<void>;
  /** The number of faults of each kind that have begun. */
  counts: FaultCounts;
  errors: string[];
}

/** With more at once, nothing would work for most of the time. */
const maxAtOnce = 6;

export function createFaultInjector(world: World): FaultInjector {
  /** By their targets. */
  const active = new Map<string, Promise<void>>();
  const ending = new AbortController();
  const counts: FaultCounts = {};
  const errors: string[] = [];

  const run = async (
    name: FaultName,
    target: string,
    pick: (below: number) => number,
    onBegun: () => void,
  ): Promise<void> => {
    const { begin, durationMs: lasts } = faults[name];
    const [from, to] = lasts;
    try {
      const end = await begin({ world, pick }, target);
      if (!end) return;
      counts[name] = (counts[name] ?? 0) + 1;
      onBegun();
      const { signal } = ending;
      await delay(from + pick(to - from + 1), undefined, { signal }).catch(() => undefined);
      await end();
    } catch (error) {
      errors.push(`${name} of ${target}: ${String(error)}`);
    } finally {
      active.delete(target);
      onBegun();
    }
  };

  return {
    counts,
    errors,
    async inject(name, pick) {
      const targets = faults[name].targets(world);
      const first = pick(Math.max(targets.length, 1));
      while (targets.length > 0 && !ending.signal.aborted) {
        const orderedTargets = [...targets.slice(first), ...targets.slice(0, first)];
        const target = orderedTargets.find((one) => !active.has(one));
        if (target !== undefined && active.size < maxAtOnce) {
          await new Promise<void>((onBegun) =>
            active.set(target, run(name, target, pick, onBegun)),
          );
          return;
        }
        await Promise.race(active.values());
      }
    },
    async endAll() {
      ending.abort();
      await Promise.all(active.values());
    },
  };
}
