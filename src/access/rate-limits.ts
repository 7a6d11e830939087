import type { Database } from '../db/database.ts';
import { createTally } from '../db/tally.ts';
import type { Logger } from '../logger.ts';
import { addUsage, type RequestCount } from '../policies/usage-days.ts';
import { prefixOf, type Redis } from '../queues/connection.ts';

export type RateKind = 'read' | 'write';

/** A key's use of its rate limit in the current minute. */
export interface RateLimitStatus {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Until the next minute. */
  resetSeconds: number;
}

export interface RateLimits {
  /** Counts one request of a key. Returns at once, with or without Redis. */
  take(keyId: string, kind: RateKind, limit: number): RateLimitStatus;
  /** The key's current use, without counting a request. */
  peek(keyId: string, kind: RateKind, limit: number): RateLimitStatus;
  /** Refunds a counted request that was cheap, except every tenth: ten of them cost one. */
  discount(keyId: string, kind: RateKind): void;
}

interface Counter {
  /** The counter's key in Redis, for one minute. */
  key: string;
  /** The known count of all processes. */
  count: number;
  /** Counted in this process and not yet sent to Redis. */
  unsent: number;
  /** The number of cheap requests in this process so far. */
  cheapRequests: number;
}

/** How many cheap requests cost as much as a normal one. */
const cheapRequestsPerRequest = 10;
/** How long counts are collected before the next message to Redis. */
const flushMs = 100;
/** How many counters one Redis transaction updates. Redis is blocked meanwhile. */
const batchSize = 500;

/**
 * Counts requests by key and minute. Each process decides by its local counters and synchronises them
 * with Redis in the background: the first change at once, then all changes in one message every 100 ms,
 * each after the reply to the previous one. No request waits for Redis. The count is exact with a single
 * process; with several, it lacks only the messages in flight. Without Redis, each process counts alone.
 */
export function createRateLimits(redis: Redis | null, now: () => number = Date.now): RateLimits {
  const prefix = redis ? prefixOf(redis) : '';
  let minute = 0;
  let counters = new Map<string, Counter>();
  /** Counters of the minute with counts not yet sent. */
  let unsentCounters = new Set<Counter>();
  /** True from a message to Redis until `flushMs` after its reply. */
  let isFlushPaused = false;

  const counterOf = (name: string): Counter => {
    const currentMinute = Math.floor(now() / 60_000);
    if (currentMinute !== minute) {
      minute = currentMinute;
      counters = new Map();
      // Counts of a past minute no longer matter.
      unsentCounters = new Set();
    }
    let counter = counters.get(name);
    if (!counter) {
      counter = { key: `${prefix}:rate:${name}:${minute}`, count: 0, unsent: 0, cheapRequests: 0 };
      counters.set(name, counter);
    }
    return counter;
  };

  const flush = (): void => {
    if (isFlushPaused || unsentCounters.size === 0 || redis?.status !== 'ready') return;
    isFlushPaused = true;
    const counters = [...unsentCounters];
    unsentCounters = new Set();
    const messages: Promise<void>[] = [];
    for (let at = 0; at < counters.length; at += batchSize) {
      messages.push(sendCounts(redis, counters.slice(at, at + batchSize)));
    }
    void Promise.all(messages).then(() => {
      const timer = setTimeout(() => {
        isFlushPaused = false;
        flush();
      }, flushMs);
      timer.unref();
    });
  };

  const statusOf = (counter: Counter, limit: number, allowed: boolean): RateLimitStatus => ({
    allowed,
    limit,
    remaining: Math.max(0, limit - counter.count),
    resetSeconds: 60 - (Math.floor(now() / 1000) % 60),
  });

  const addTo = (counter: Counter, by: number): void => {
    counter.count += by;
    counter.unsent += by;
    unsentCounters.add(counter);
    flush();
  };

  return {
    take(keyId, kind, limit) {
      const counter = counterOf(`${keyId}:${kind}`);
      const allowed = counter.count < limit;
      if (allowed) addTo(counter, 1);
      return statusOf(counter, limit, allowed);
    },
    peek(keyId, kind, limit) {
      const counter = counterOf(`${keyId}:${kind}`);
      return statusOf(counter, limit, counter.count < limit);
    },
    discount(keyId, kind) {
      const counter = counterOf(`${keyId}:${kind}`);
      counter.cheapRequests += 1;
      if (counter.cheapRequests % cheapRequestsPerRequest !== 0 && counter.count > 0)
        addTo(counter, -1);
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
  // If Redis is unreachable, this process counts alone.
  const replies = await message.exec().catch(() => null);
  for (const [at, counter] of counters.entries()) {
    const total = Number(replies?.[2 * at]?.[1]);
    if (Number.isFinite(total)) counter.count = Math.max(0, total + counter.unsent);
  }
}

/** Counts the requests of projects. */
export interface RequestCounts {
  /** Counts a request that got a response; returns at once. */
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
    name: 'requests',
    intervalMs: everyMs,
    merge: (first, second) => ({
      succeeded: first.succeeded + second.succeeded,
      failed: first.failed + second.failed,
    }),
    store(tx, projectId, counts) {
      for (const count of counts) addUsage(tx, projectId, count);
    },
  });
  return {
    count: (projectId, succeeded) =>
      tally.add(projectId, '', { succeeded: succeeded ? 1 : 0, failed: succeeded ? 0 : 1 }),
    flush: tally.flush,
  };
}
