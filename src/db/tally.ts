import type { Logger } from '../logger.ts';
import type { Database } from './database.ts';
import { isUnreachable } from './faults.ts';
import { inProject, type Tx } from './transaction.ts';

/** How many rows are stored in one transaction. */
const batchSize = 1_000;
/** How many rows are kept: bounds the memory while they cannot be stored. */
const mostKept = 20_000;

/** What is counted in memory before it is stored. */
export interface Tally<Count> {
  /** Adds a count to a row of a project; returns at once. */
  add(projectId: string, row: string, count: Count): void;
  /** Stores what was added. Never rejects. */
  flush(): Promise<void>;
}

interface TallyOptions<Count> {
  /** What is counted, for the log. */
  what: string;
  /** Milliseconds after which counts are stored: what a killed process loses. null stores only on `flush`. */
  everyMs: number | null;
  /** How many rows are kept at most. Default: 20,000. */
  most?: number | undefined;
  /** Two counts of one row as one, in either order. */
  merge(one: Count, other: Count): Count;
  /** Sends counts of different rows to be stored. */
  store(tx: Tx, projectId: string, counts: Count[]): Promise<void> | void;
}

/**
 * Counts in memory and stores the counts project by project, so that no request waits for it. What
 * cannot be stored is kept for the next time, and holds up no other project, unless the database is
 * unreachable.
 */
export function createTally<Count>(
  database: Database,
  logger: Logger,
  { what, everyMs, most = mostKept, merge, store }: TallyOptions<Count>,
): Tally<Count> {
  const projects = new Map<string, Map<string, Count>>();
  let kept = 0;
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();

  const add = (projectId: string, row: string, count: Count): void => {
    const rows = projects.get(projectId) ?? new Map<string, Count>();
    const before = rows.get(row);
    if (before === undefined && kept >= most) {
      lost += 1;
      return;
    }
    if (before === undefined) kept += 1;
    rows.set(row, before === undefined ? count : merge(before, count));
    projects.set(projectId, rows);
  };
  const storeProject = async (projectId: string): Promise<void> => {
    for (let rows = projects.get(projectId); rows; rows = projects.get(projectId)) {
      const batch = [...rows].slice(0, batchSize);
      // What is added meanwhile begins a new count.
      for (const [row] of batch) rows.delete(row);
      if (rows.size === 0) projects.delete(projectId);
      kept -= batch.length;
      try {
        const counts = batch.map(([, count]) => count);
        await inProject(database, projectId, async (tx) => store(tx, projectId, counts));
      } catch (error) {
        for (const [row, count] of batch) add(projectId, row, count);
        throw error;
      }
    }
  };
  const storeAll = async (): Promise<void> => {
    for (const projectId of [...projects.keys()]) {
      try {
        await storeProject(projectId);
      } catch (error) {
        logger.error({ err: error, project_id: projectId }, `${what} could not be recorded`);
        // The others would fail, too, each after the time limit of a connection.
        if (isUnreachable(error)) break;
      }
    }
    if (lost > 0) logger.error({ lost }, `too many ${what} could not be recorded; some are lost`);
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
    add(projectId, row, count) {
      add(projectId, row, count);
      wait();
    },
    flush,
  };
}
