import type { Logger } from '../logger.ts';
import type { Database } from './database.ts';
import { isRolledBack, isUnreachable } from './faults.ts';
import { inProject, inTransaction, prepared, type Tx } from './transaction.ts';

/** The maximum number of rows stored in one transaction. */
const batchSize = 1_000;
/** The maximum number of rows kept in memory while they cannot be stored. */
const maxCounts = 20_000;

/** Counts whose commit was sent but not answered. */
interface Unconfirmed<Count> {
  projectId: string;
  transactionId: string;
  batch: readonly (readonly [string, Count])[];
}

/** Counts that are kept in memory before they are stored. */
export interface Tally<Count> {
  /** Adds a count to a row of a project; returns at once. */
  add(projectId: string, row: string, count: Count): void;
  /** Stores the counts. Never rejects. */
  flush(): Promise<void>;
}

interface TallyOptions<Count> {
  /** The name of the counts, for the log. */
  what: string;
  /**
   * The interval of storing counts in milliseconds, which bounds the loss when a process is killed.
   * null stores only on `flush`.
   */
  everyMs: number | null;
  /** The maximum number of rows kept. Default: 20,000. */
  max?: number | undefined;
  /** Adds two counts of one row; the order does not matter. */
  merge(one: Count, other: Count): Count;
  /** Sends the statements that store counts of different rows. */
  store(tx: Tx, projectId: string, counts: Count[]): Promise<void> | void;
}

/**
 * Counts in memory and stores the counts project by project, so that no request waits for it.
 * Counts that cannot be stored are kept for the next time, and do not delay other projects, unless
 * the database is unreachable. Nothing is stored twice: if a connection is lost, Postgres is asked
 * later whether the transaction was committed.
 */
export function createTally<Count>(
  database: Database,
  logger: Logger,
  { what, everyMs, max = maxCounts, merge, store }: TallyOptions<Count>,
): Tally<Count> {
  const projects = new Map<string, Map<string, Count>>();
  const unconfirmed: Unconfirmed<Count>[] = [];
  let pending = 0;
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();

  const add = (projectId: string, row: string, count: Count): void => {
    const rows = projects.get(projectId) ?? new Map<string, Count>();
    const before = rows.get(row);
    if (before === undefined && pending >= max) {
      lost += 1;
      return;
    }
    if (before === undefined) pending += 1;
    rows.set(row, before === undefined ? count : merge(before, count));
    projects.set(projectId, rows);
  };
  const restore = (projectId: string, batch: Unconfirmed<Count>['batch']): void => {
    pending -= batch.length;
    for (const [row, count] of batch) add(projectId, row, count);
  };
  const storeProject = async (projectId: string): Promise<void> => {
    for (let rows = projects.get(projectId); rows; rows = projects.get(projectId)) {
      const batch = [...rows].slice(0, batchSize);
      // Counts added meanwhile are separate.
      for (const [row] of batch) rows.delete(row);
      if (rows.size === 0) projects.delete(projectId);
      let transactionId: string | undefined;
      try {
        const counts = batch.map(([, count]) => count);
        await inProject(database, projectId, async (tx) => {
          [transactionId] = await Promise.all([transactionIdOf(tx), store(tx, projectId, counts)]);
        });
        pending -= batch.length;
      } catch (error) {
        // Nothing can have been committed before its ID was known.
        if (transactionId !== undefined && !isRolledBack(error)) {
          unconfirmed.push({ projectId, transactionId, batch });
        } else {
          restore(projectId, batch);
        }
        throw error;
      }
    }
  };
  const settle = async (): Promise<void> => {
    for (let open = unconfirmed[0]; open; open = unconfirmed[0]) {
      const { projectId, transactionId, batch } = open;
      const state = await inTransaction(database, (tx) => stateOf(tx, transactionId));
      if (state === 'in progress') break;
      unconfirmed.shift();
      if (state === 'committed') pending -= batch.length;
      else restore(projectId, batch);
    }
  };
  const storeAll = async (): Promise<void> => {
    // While Postgres is unreachable, each project would wait for the time limit of a connection.
    let unreachable = false;
    try {
      await settle();
    } catch (error) {
      logger.error({ err: error }, `it is not known yet whether ${what} were recorded`);
      unreachable = isUnreachable(error);
    }
    for (const projectId of [...projects.keys()]) {
      if (unreachable) break;
      try {
        await storeProject(projectId);
      } catch (error) {
        logger.error({ err: error, project_id: projectId }, `${what} could not be recorded`);
        unreachable = isUnreachable(error);
      }
    }
    if (lost > 0) logger.error({ lost }, `too many ${what} could not be recorded; some are lost`);
    lost = 0;
    if (projects.size > 0 || unconfirmed.length > 0) wait();
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

async function transactionIdOf(tx: Tx): Promise<string> {
  const [row] = await prepared<{ id: string }>(tx, 'SELECT pg_current_xact_id()::text AS id', []);
  return row!.id;
}

/**
 * The outcome of a transaction. A standby that was promoted without it does not know its ID, which
 * is less than the ID of any transaction that begins later on this server.
 * https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-PG-SNAPSHOT
 */
async function stateOf(tx: Tx, id: string): Promise<'committed' | 'aborted' | 'in progress'> {
  const [row] = await prepared<{ state: 'committed' | 'aborted' | 'in progress' }>(
    tx,
    `SELECT CASE WHEN $1::text::xid8 < pg_current_xact_id()
       THEN coalesce(pg_xact_status($1::text::xid8), 'aborted') ELSE 'aborted' END AS state`,
    [id],
  );
  return row!.state;
}
