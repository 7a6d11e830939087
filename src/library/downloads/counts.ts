import type { Origin } from '@scriptorium/contracts/origin';
import type { Database } from '../../db/database.ts';
import { createTally } from '../../db/tally.ts';
import type { Logger } from '../../logger.ts';
import {
  addDownloads,
  type CountedDownload,
  type Download,
  reportDownloads,
  rowOf,
} from './queries.ts';

/** Counts downloads, so that an object's downloads can be listed by actor. */
export interface DownloadCounts {
  /** Counts a download whose response begins; returns at once. */
  count(origin: Origin, download: Download): void;
  /** Stores the counts, and records the events that are due. Never rejects. */
  flush(): Promise<void>;
}

/** Downloads in memory, with times of the process's own clock. */
type Kept = Omit<CountedDownload, 'firstMsAgo' | 'lastMsAgo'> & { firstAt: number; lastAt: number };

/**
 * Adds downloads to the counters of their objects, five seconds after they were counted.
 * @param everyMs null to store only on request
 */
export function createDownloadCounts(
  database: Database,
  logger: Logger,
  { everyMs = 5_000, max }: { everyMs?: number | null; max?: number } = {},
): DownloadCounts {
  const tally = createTally<Kept>(database, logger, {
    what: 'downloads',
    everyMs,
    max,
    merge: (one, other) => ({
      ...(other.lastAt >= one.lastAt ? other : one),
      count: one.count + other.count,
      firstAt: Math.min(one.firstAt, other.firstAt),
      lastAt: Math.max(one.lastAt, other.lastAt),
    }),
    async store(tx, projectId, counts) {
      const now = performance.now();
      const counted = counts.map(({ firstAt, lastAt, ...one }) => {
        return { ...one, firstMsAgo: now - firstAt, lastMsAgo: now - lastAt };
      });
      addDownloads(tx, projectId, counted, true);
      await reportDownloads(tx, projectId);
    },
  });
  return {
    count(origin, download) {
      const now = performance.now();
      const kept = { ...download, origin, count: 1, firstAt: now, lastAt: now };
      tally.add(origin.projectId, rowOf(download, origin), kept);
    },
    flush: tally.flush,
  };
}
