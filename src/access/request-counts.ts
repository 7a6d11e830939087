import type { Database } from '../db/database.ts';
import { createTally } from '../db/tally.ts';
import type { Logger } from '../logger.ts';
import { noteUsage, type RequestCount } from '../policies/usage-days.ts';

/** Counts the requests of projects. */
export interface RequestCounts {
  /** Counts a request that was answered; returns at once. */
  count(projectId: string, succeeded: boolean): void;
  /** Stores what has been counted. Never rejects. */
  flush(): Promise<void>;
}

/**
 * Adds requests to the days of their projects, ten seconds after they were counted.
 * @param everyMs null stores only when asked to
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
