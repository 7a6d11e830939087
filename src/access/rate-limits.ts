import type { Database } from '../db/database.ts';
import { createTally } from '../db/tally.ts';
import type { Logger } from '../logger.ts';
import { noteUsage, type RequestCount } from '../policies/usage-days.ts';
import { prefixOf, type Redis } from '../queues/connection.ts';

export type RateKind = 'read' | 'write';

/** A key's use of its rate limit in the current minute. */
export interface RateStanding {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Until the next minute. */
  resetSeconds: number;
}

export interface RateLimits {
  /** Counts one request of a key. Returns at once, with or without Redis. */
  take(keyId: string, kind: RateKind, limit: number): RateStanding;
  /** The key's current use, without counting a request. */
  peek(keyId: string, kind: RateKind, limit: number): RateStanding;
  /** Refunds most of a counted request that turned out to be cheap: ten of them cost one. */
  discount(keyId: string, kind: RateKind): void;
}

interface Counter {
  /** The counter's key in Redis, for one minute. */
  key: string;
  /** The known count of all processes. */
  count: number;
  /** Counted in this process and not yet sent to Redis. */
  unsent: number;
  /** Refunded by this process so far. */
  cheap: number;
}

/** How many cheap requests cost as much as a normal one. */
const cheapForOne = 10;
/** How long counts are collected before the next message to Redis. */
const flushMs = 100;
/** How many counters one Redis transaction updates; Redis does nothing else meanwhile. */
const batchSize = 500;

/**
 * Counts requests by key and minute. Each process decides by its own counters and synchronises them
 * with Redis in the background: the first at once, then all changes in one message every 100 ms,
 * each after the previous answer. No request waits for Redis. The count is exact with a single
 * process; with several, all but the messages in flight are included. Without Redis each process
 * counts for itself.
 */
export function createRateLimits(redis: Redis | null, now: () => number = Date.now): RateLimits {
  const prefix = redis ? prefixOf(redis) : '';
  let minute = 0;
  let counters = new Map<string, Counter>();
  /** Counters of the minute with counts not yet sent. */
  let changed = new Set<Counter>();
  /** Redis received a message a moment ago. */
  let resting = false;

  const counterOf = (name: string): Counter => {
    const current = Math.floor(now() / 60_000);
    if (current !== minute) {
      minute = current;
      counters = new Map();
      // Counts of a past minute no longer matter.
      changed = new Set();
    }
    let counter = counters.get(name);
    if (!counter) {
      counter = { key: `${prefix}:rate:${name}:${minute}`, count: 0, unsent: 0, cheap: 0 };
      counters.set(name, counter);
    }
    return counter;
  };

  const flush = (): void => {
    if (resting || changed.size === 0 || redis?.status !== 'ready') return;
    resting = true;
    const counters = [...changed];
    changed = new Set();
    const messages: Promise<void>[] = [];
    for (let at = 0; at < counters.length; at += batchSize) {
      messages.push(sendCounts(redis, counters.slice(at, at + batchSize)));
    }
    void Promise.all(messages).then(() => {
      const timer = setTimeout(() => {
        resting = false;
        flush();
      }, flushMs);
      timer.unref();
    });
  };

  const standing = (counter: Counter, limit: number, allowed: boolean): RateStanding => ({
    allowed,
    limit,
    remaining: Math.max(0, limit - counter.count),
    resetSeconds: 60 - (Math.floor(now() / 1000) % 60),
  });

  const change = (counter: Counter, by: number): void => {
    counter.count += by;
    counter.unsent += by;
    changed.add(counter);
    flush();
  };

  return {
    take(keyId, kind, limit) {
      const counter = counterOf(`${keyId}:${kind}`);
      const allowed = counter.count < limit;
      if (allowed) change(counter, 1);
      return standing(counter, limit, allowed);
    },
    peek(keyId, kind, limit) {
      const counter = counterOf(`${keyId}:${kind}`);
      return standing(counter, limit, counter.count < limit);
    },
    discount(keyId, kind) {
      const counter = counterOf(`${keyId}:${kind}`);
      counter.cheap += 1;
      if (counter.cheap % cheapForOne !== 0 && counter.count > 0) change(counter, -1);
    },
  };
}

/** Adds unsent counts to Redis, and takes over the totals of all processes. */
async function sendCounts(redis: Redis, counters: readonly Counter[]): Promise<void> {
  const message = redis.multi();
  for (const counter of counters) {
    message.incrby(counter.key, counter.unsent).expire(counter.key, 120);
    counter.unsent = 0;
  }
  // Redis is unreachable: this process keeps counting for itself.
  const answers = await message.exec().catch(() => null);
  for (const [at, counter] of counters.entries()) {
    const total = Number(answers?.[2 * at]?.[1]);
    if (Number.isFinite(total)) counter.count = Math.max(0, total + counter.unsent);
  }
}

/** Counts the requests of projects. */
export interface RequestCounts {
  /** Counts a request that was answered; returns at once. */
  count(projectId: string, succeeded: boolean): void;
  /** Stores what has been counted. Never rejects. */
  flush(): Promise<void>;
}

/**
 * Adds requests to the days of their projects, ten seconds after they were counted.
 * @param everyMs null to store only on request
 */
export function createRequestCounts(
  database: Database,
  logger: Logger,
  everyMs: number | null = 10_000,
): RequestCounts {
  const tally = createTally<RequestCount>(database, logger, {
    what: 'requests',
    everyMs,
    merge: (one, other) => ({
      succeeded: one.succeeded + other.succeeded,
      failed: one.failed + other.failed,
    }),
    store(tx, projectId, counts) {
      for (const count of counts) noteUsage(tx, projectId, count);
    },
  });
  return {
    count: (projectId, succeeded) =>
      tally.add(projectId, '', { succeeded: succeeded ? 1 : 0, failed: succeeded ? 0 : 1 }),
    flush: tally.flush,
  };
}
