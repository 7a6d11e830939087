import type { Redis } from '../queues/connection.ts';

export type RateKind = 'read' | 'write';

/** How a key stands in the minute that runs. */
export interface Standing {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Until the next minute. */
  resetSeconds: number;
}

export interface RateLimits {
  /** Counts one request of a key. Answers at once, with or without Redis. */
  take(keyId: string, kind: RateKind, limit: number): Standing;
  /** How a key stands, without counting. */
  peek(keyId: string, kind: RateKind, limit: number): Standing;
  /** Discounts a request that was counted and turned out to be cheap: ten of them cost one. */
  discount(keyId: string, kind: RateKind): void;
}

interface Counter {
  /** What this process knows to have happened in all processes. */
  count: number;
  /** Counted here and not yet told to Redis. */
  untold: number;
  /** Discounted by this process so far. */
  cheap: number;
  /** Redis was told a moment ago, and hears the rest together. */
  telling: boolean;
}

/** How many cheap requests cost as much as one other. */
const cheapForOne = 10;
/** How long a counter gathers before it tells Redis again. */
const gatherMs = 10;

/**
 * Counts requests by key and minute. Each process decides by its own counter and settles it with
 * Redis behind the request, one message at a time for each counter and not oftener than every few
 * milliseconds: no request waits for Redis, one process alone is exact, several are exact but for
 * what is on its way. Without Redis each counts for itself.
 */
export function createRateLimits(redis: Redis | null, now: () => number = Date.now): RateLimits {
  let minute = 0;
  let counters = new Map<string, Counter>();

  const counterOf = (name: string): Counter => {
    const current = Math.floor(now() / 60_000);
    if (current !== minute) {
      minute = current;
      counters = new Map();
    }
    let counter = counters.get(name);
    if (!counter) {
      counter = { count: 0, untold: 0, cheap: 0, telling: false };
      counters.set(name, counter);
    }
    return counter;
  };

  const tell = (name: string, counter: Counter): void => {
    if (counter.telling || counter.untold === 0 || redis?.status !== 'ready') return;
    const told = counter.untold;
    counter.telling = true;
    counter.untold = 0;
    const key = `scriptorium:rate:${name}:${minute}`;
    redis
      .multi()
      .incrby(key, told)
      .expire(key, 120)
      .exec()
      .then((answers) => {
        const total = Number(answers?.[0]?.[1]);
        if (Number.isFinite(total)) counter.count = Math.max(0, total + counter.untold);
      })
      // Redis is gone: this process goes on counting for itself.
      .catch(() => undefined)
      .finally(() => {
        const timer = setTimeout(() => {
          counter.telling = false;
          // What an old minute left untold matters to nobody.
          if (counters.get(name) === counter) tell(name, counter);
        }, gatherMs);
        timer.unref();
      });
  };

  const standing = (counter: Counter, limit: number, allowed: boolean): Standing => ({
    allowed,
    limit,
    remaining: Math.max(0, limit - counter.count),
    resetSeconds: 60 - (Math.floor(now() / 1000) % 60),
  });

  const change = (name: string, counter: Counter, by: number): void => {
    counter.count += by;
    counter.untold += by;
    tell(name, counter);
  };

  return {
    take(keyId, kind, limit) {
      const name = `${keyId}:${kind}`;
      const counter = counterOf(name);
      const allowed = counter.count < limit;
      if (allowed) change(name, counter, 1);
      return standing(counter, limit, allowed);
    },
    peek(keyId, kind, limit) {
      const counter = counterOf(`${keyId}:${kind}`);
      return standing(counter, limit, counter.count < limit);
    },
    discount(keyId, kind) {
      const name = `${keyId}:${kind}`;
      const counter = counterOf(name);
      counter.cheap += 1;
      if (counter.cheap % cheapForOne !== 0 && counter.count > 0) change(name, counter, -1);
    },
  };
}
