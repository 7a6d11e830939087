import type { Database } from '../db/database.ts';
import { inProject } from '../db/transaction.ts';
import type { Logger } from '../logger.ts';
import { noteUsage, type RequestCount } from '../policies/usage-days.ts';

/** How long requests are counted before they are added to the day of their project. */
const gatherMs = 10_000;

/** Counts the requests of projects. */
export interface RequestCounts {
  /** Counts a request that was answered; returns at once. */
  count(projectId: string, succeeded: boolean): void;
  /** Stores what has been counted. */
  flush(): Promise<void>;
}

/**
 * Gathers counts in memory and adds them to the days of their projects, one after the other, so that no
 * request waits for it. What cannot be stored is kept for the next time; a process that is killed loses
 * the last seconds.
 * @param everyMs null stores only when asked to
 */
export function createRequestCounts(
  database: Database,
  logger: Logger,
  everyMs: number | null = gatherMs,
): RequestCounts {
  const counts = new Map<string, RequestCount>();
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();

  const storeAll = async (): Promise<void> => {
    for (const [projectId, count] of [...counts]) {
      // Requests that are counted meanwhile begin a new count.
      counts.delete(projectId);
      try {
        await inProject(database, projectId, async (tx) => noteUsage(tx, projectId, count));
      } catch (error) {
        add(projectId, count);
        logger.warn({ err: error, project_id: projectId }, 'requests could not be counted');
        return;
      }
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    storing = storing.then(storeAll);
    return storing;
  };
  const add = (projectId: string, { succeeded, failed }: RequestCount): void => {
    const count = counts.get(projectId) ?? { succeeded: 0, failed: 0 };
    counts.set(projectId, {
      succeeded: count.succeeded + succeeded,
      failed: count.failed + failed,
    });
    if (everyMs !== null) timer ??= setTimeout(flush, everyMs).unref();
  };
  return {
    count: (projectId, succeeded) =>
      add(projectId, { succeeded: succeeded ? 1 : 0, failed: succeeded ? 0 : 1 }),
    flush,
  };
}
