import type { Logger } from '../logger.ts';
import type { Database } from './database.ts';
import { isRolledBack, isUnreachable } from './errors.ts';
import { inProject, inTransaction, prepared, type Tx } from './transaction.ts';

/** The maximum number of rows stored in one transaction. */
const batchSize = 1_000;
/** The maximum number of rows kept in memory while they cannot be stored. */
const maxCounts = 20_000;

/** Counts whose commit was sent but not confirmed. */
interface Unconfirmed<Count> {
  projectId: string;
  transactionId: string;
  batch: readonly (readonly [string, Count])[];
}

/** Counts that are kept in memory before they are stored. */
export interface Tally<Count> {
  /** Adds a count to a row of a project. Does not wait. */
  add(projectId: string, row: string, count: Count): void;
  /** Stores the counts. Never rejects. */
  flush(): Promise<void>;
}

interface TallyOptions<Count> {
  /** The name of the counts, for the log. */
  name: string;
  /**
   * The interval at which counts are stored, in milliseconds, which bounds the loss if a process is
   * killed. Null stores only on `flush`.
   */
  intervalMs: number | null;
  /** The maximum number of rows kept. Default: 20,000. */
  maxRows?: number | undefined;
  /** Adds two counts of one row; the order does not matter. */
  merge(first: Count, second: Count): Count;
  /** Sends the statements that store counts of different rows. */
  store(tx: Tx, projectId: string, counts: Count[]): Promise<void> | void;
}

/**
 * Counts in memory and stores the counts project by project, so that no request waits for it. Counts
 * that cannot be stored are kept for the next time. They do not delay other projects, unless the
 * database is unreachable. Nothing is stored twice: if a connection is lost, a later query determines
 * whether the transaction was committed.
 */
export function createTally<Count>(
  database: Database,
  logger: Logger,
  { name, intervalMs, maxRows = maxCounts, merge, store }: TallyOptions<Count>,
): Tally<Count> {
  const projects = new Map<string, Map<string, Count>>();
  const unconfirmed: Unconfirmed<Count>[] = [];
  let pending = 0;
  let lostCount = 0;
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();

  const add = (projectId: string, row: string, count: Count): void => {
    const rows = projects.get(projectId) ?? new Map<string, Count>();
    const existing = rows.get(row);
    if (existing === undefined && pending >= maxRows) {
      lostCount += 1;
      return;
    }
    if (existing === undefined) pending += 1;
    rows.set(row, existing === undefined ? count : merge(existing, count));
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
  const settleUnconfirmed = async (): Promise<void> => {
    for (let next = unconfirmed[0]; next; next = unconfirmed[0]) {
      const { projectId, transactionId, batch } = next;
      const state = await inTransaction(database, (tx) => transactionStateOf(tx, transactionId));
      if (state === 'in progress') break;
      unconfirmed.shift();
      if (state === 'committed') pending -= batch.length;
      else restore(projectId, batch);
    }
  };
  const storeAll = async (): Promise<void> => {
    // While Postgres is unreachable, each project would wait for the time limit of a connection.
    let isDatabaseUnreachable = false;
    try {
      await settleUnconfirmed();
    } catch (error) {
      logger.error({ err: error }, `it is not known yet whether ${name} were recorded`);
      isDatabaseUnreachable = isUnreachable(error);
    }
    for (const projectId of [...projects.keys()]) {
      if (isDatabaseUnreachable) break;
      try {
        await storeProject(projectId);
      } catch (error) {
        logger.error({ err: error, project_id: projectId }, `${name} could not be recorded`);
        isDatabaseUnreachable = isUnreachable(error);
      }
    }
    if (lostCount > 0)
      logger.error({ lost: lostCount }, `too many ${name} could not be recorded; some are lost`);
    lostCount = 0;
    if (projects.size > 0 || unconfirmed.length > 0) scheduleFlush();
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    storing = storing.then(storeAll);
    return storing;
  };
  const scheduleFlush = (): void => {
    if (intervalMs !== null) timer ??= setTimeout(flush, intervalMs).unref();
  };
  return {
    add(projectId, row, count) {
      add(projectId, row, count);
      scheduleFlush();
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
async function transactionStateOf(
  tx: Tx,
  id: string,
): Promise<'committed' | 'aborted' | 'in progress'> {
  const [row] = await prepared<{ state: 'committed' | 'aborted' | 'in progress' }>(
    tx,
    `SELECT CASE WHEN $1::text::xid8 < pg_current_xact_id()
       THEN coalesce(pg_xact_status($1::text::xid8), 'aborted') ELSE 'aborted' END AS state`,
    [id],
  );
  return row!.state;
}
