import type { Origin } from '../../contracts/origin.ts';
import type { Database } from '../../db/database.ts';
import { inProject } from '../../db/transaction.ts';
import type { Logger } from '../../logger.ts';
import {
  addDownloads,
  type CountedDownload,
  type Download,
  reportDownloads,
  rowOf,
} from './queries.ts';

/** How long downloads are counted before they are stored: what a killed process loses. */
const gatherMs = 5_000;
/** How many different ones are stored in one transaction. */
const batchSize = 1_000;
/** How many different ones are kept: bounds the memory while they cannot be stored. */
const mostKept = 20_000;

/** Counts downloads, so that it can be said who downloaded what. */
export interface DownloadCounts {
  /** Counts a download whose response begins; returns at once. */
  count(origin: Origin, download: Download): void;
  /** Stores what has been counted, and records the events that are due. Never rejects. */
  flush(): Promise<void>;
}

/** Downloads in memory, with the times of the process's own clock. */
type Kept = Omit<CountedDownload, 'firstMsAgo' | 'lastMsAgo'> & { firstAt: number; lastAt: number };

/**
 * Gathers downloads in memory and adds them to the counters in the database, project by project, so
 * that no download waits for it. What cannot be stored is kept for the next time.
 * @param everyMs null stores only when asked to
 */
export function createDownloadCounts(
  database: Database,
  logger: Logger,
  { everyMs = gatherMs, most = mostKept }: { everyMs?: number | null; most?: number } = {},
): DownloadCounts {
  /** By project, then by row. */
  const projects = new Map<string, Map<string, Kept>>();
  let kept = 0;
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();

  const add = (one: Kept): void => {
    const { projectId } = one.origin;
    const rows = projects.get(projectId) ?? new Map<string, Kept>();
    const row = rowOf(one, one.origin);
    const before = rows.get(row);
    if (!before && kept >= most) {
      lost += one.count;
      return;
    }
    if (!before) kept += 1;
    const isLater = !before || one.lastAt >= before.lastAt;
    rows.set(row, {
      ...(isLater ? one : before),
      count: one.count + (before?.count ?? 0),
      firstAt: Math.min(one.firstAt, before?.firstAt ?? Number.POSITIVE_INFINITY),
      lastAt: Math.max(one.lastAt, before?.lastAt ?? 0),
    });
    projects.set(projectId, rows);
  };
  const storeProject = async (projectId: string): Promise<void> => {
    for (let rows = projects.get(projectId); rows; rows = projects.get(projectId)) {
      const batch = [...rows].slice(0, batchSize);
      // Downloads that are counted meanwhile begin a new count.
      for (const [row] of batch) rows.delete(row);
      if (rows.size === 0) projects.delete(projectId);
      kept -= batch.length;
      try {
        const now = performance.now();
        const counted = batch.map(([, { firstAt, lastAt, ...one }]) => {
          return { ...one, firstMsAgo: now - firstAt, lastMsAgo: now - lastAt };
        });
        await inProject(database, projectId, async (tx) => {
          addDownloads(tx, projectId, counted, true);
          await reportDownloads(tx, projectId);
        });
      } catch (error) {
        for (const [, one] of batch) add(one);
        throw error;
      }
    }
  };
  const storeAll = async (): Promise<void> => {
    for (const projectId of [...projects.keys()]) {
      try {
        await storeProject(projectId);
      } catch (error) {
        logger.error({ err: error, project_id: projectId }, 'downloads could not be recorded');
      }
    }
    if (lost > 0) logger.error({ lost }, 'too many downloads could not be recorded; some are lost');
    lost = 0;
    if (projects.size > 0) wait();
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    storing = storing.then(storeAll);
    return storing;
  };
  const wait = (): void => {
    if (everyMs !== null) timer ??= setTimeout(flush, everyMs).unref();
  };
  return {
    count(origin, download) {
      const now = performance.now();
      add({ ...download, origin, count: 1, firstAt: now, lastAt: now });
      wait();
    },
    flush,
  };
}
