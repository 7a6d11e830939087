import type { Origin } from '@scriptorium/contracts/origin';
import type { Database } from '../../db/database.ts';
import { createTally } from '../../db/tally.ts';
import type { Logger } from '../../logger.ts';
import {
  addDownloads,
  type CountedDownload,
  type Download,
  downloadKey,
  reportDownloads,
} from './queries.ts';

/** Counts downloads, so that an object's downloads can be listed by actor. */
export interface DownloadCounts {
  /** Counts a download whose response begins; returns at once. */
  count(origin: Origin, download: Download): void;
  /** Stores the counts, and records the events that are due. Never rejects. */
  flush(): Promise<void>;
}

/** Downloads in memory, with times by the clock of the process. */
type BufferedDownload = Omit<CountedDownload, 'firstMsAgo' | 'lastMsAgo'> & {
  firstAt: number;
  lastAt: number;
};

/**
 * Adds downloads to the counters of their objects, five seconds after they were counted.
 * @param everyMs null to store only on request
 */
export function createDownloadCounts(
  database: Database,
  logger: Logger,
  { everyMs = 5_000, max }: { everyMs?: number | null; max?: number } = {},
): DownloadCounts {
  const tally = createTally<BufferedDownload>(database, logger, {
    name: 'downloads',
    intervalMs: everyMs,
    maxRows: max,
    merge: (first, second) => ({
      ...(second.lastAt >= first.lastAt ? second : first),
      count: first.count + second.count,
      firstAt: Math.min(first.firstAt, second.firstAt),
      lastAt: Math.max(first.lastAt, second.lastAt),
    }),
    async store(tx, projectId, counts) {
      const now = performance.now();
      const counted = counts.map(({ firstAt, lastAt, ...download }) => {
        return { ...download, firstMsAgo: now - firstAt, lastMsAgo: now - lastAt };
      });
      addDownloads(tx, projectId, counted, true);
      await reportDownloads(tx, projectId);
    },
  });
  return {
    count(origin, download) {
      const now = performance.now();
      const entry = { ...download, origin, count: 1, firstAt: now, lastAt: now };
      tally.add(origin.projectId, downloadKey(download, origin), entry);
    },
    flush: tally.flush,
  };
}
