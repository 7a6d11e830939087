import { Problem } from '@scriptorium/contracts/problems';
import type { PoolClient } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import type { Database } from './database.ts';
import { PrefetchGate } from './statements/prefetch-gate.ts';
import { ReadOnlyStatements } from './statements/read-only-statements.ts';
import { nameOf, nameOfBuilt } from './statements/texts.ts';
import {
  BufferedStatements,
  type OnRows,
  type StatementSink,
  TransactionStatements,
} from './statements/transaction-statements.ts';
import { redirectQueries } from './wire/pipeline.ts';

/** The key under which a transaction has its statements; undefined after its end. */
const statementsKey = Symbol('statementsKey');

/**
 * An open transaction. Every function whose changes must be atomic takes one as its first argument.
 */
export type Tx = EntityManager & { [statementsKey]?: StatementSink | undefined };

/**
 * Runs `work` in one transaction: committed when it returns, rolled back when it throws. All statements
 * of one turn of the event loop are sent as one packet: BEGIN with the first statements of `work`,
 * COMMIT with the last ones that were sent by `send`.
 */
export async function inTransaction<T>(
  database: Database,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const runner = database.createQueryRunner();
  const tx: Tx = runner.manager;
  try {
    const statements = new TransactionStatements(await connect(runner));
    redirectStatements(runner, tx, statements);
    try {
      const result = await work(tx);
      closeStatements(tx, statements);
      await statements.commit();
      return result;
    } catch (error) {
      closeStatements(tx, statements);
      await statements.rollBack();
      throw statements.causeOf(error);
    }
  } finally {
    await runner.release();
  }
}

/**
 * Runs a transaction that is sent as one packet, including its commit, so that its locks are released
 * without waiting for this process, which may be busy. For rows that many processes lock in turn, and
 * for work that does not depend on the results.
 * @param sendAll must send all statements before it awaits any. Results arrive after the commit, and
 *   later statements are rejected.
 */
export async function inOnePacket<T>(
  database: Database,
  sendAll: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { answer } = await inTransaction(database, async (tx) => {
    const answer = sendAll(tx);
    // If it throws, the transaction fails with its error.
    answer.catch(() => undefined);
    return { answer };
  });
  return answer;
}

/**
 * Runs read-only `work`: each packet is a separate transaction, without BEGIN or COMMIT. A setting, a
 * lock or a snapshot lasts for one packet; `setProject` keeps the restriction to a project.
 */
export async function inReadTransaction<T>(
  database: Database,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const runner = database.createQueryRunner();
  const tx: Tx = runner.manager;
  try {
    const statements = new ReadOnlyStatements(await connect(runner));
    redirectStatements(runner, tx, statements);
    let result: T;
    try {
      result = await work(tx);
    } catch (error) {
      closeStatements(tx, statements);
      // The earlier failure is more informative.
      await statements.end().catch(() => undefined);
      throw statements.causeOf(error);
    }
    closeStatements(tx, statements);
    await statements.end();
    return result;
  } finally {
    await runner.release();
  }
}

/** Restricts later packets of a read-only transaction to a project; other transactions stay restricted. */
export function setProject(tx: Tx, projectId: string, seconds: number): void {
  const sink = sinkOf(tx);
  if (sink instanceof ReadOnlyStatements) sink.setProject(projectId, seconds);
}

/** Work that starts before it is known whether it is allowed. */
export interface Prefetch<T> {
  /** Continues the work, and returns its result. */
  resume(): Promise<T>;
  /** Cancels the work; has no effect after `resume`. */
  cancel(): void;
}

/**
 * Starts work whose first reads are sent in the packet of the login, restricted to the same project. Its
 * other statements wait until `resume` (`PrefetchGate`). `work` gets a separate handle for the
 * transaction.
 */
export function startPrefetch<T>(tx: Tx, work: (workTx: Tx) => Promise<T>): Prefetch<T> {
  const gate = new PrefetchGate(sinkOf(tx));
  const result = work(createHandle(tx, gate));
  // After `cancel`, nothing awaits it.
  result.catch(() => undefined);
  return {
    resume() {
      gate.open();
      return result;
    },
    cancel: () => gate.cancel(),
  };
}

/** Redirects all statements of `tx`, including those of TypeORM's own methods, to `sink`. */
function redirectStatements(runner: QueryRunner, tx: Tx, sink: StatementSink): void {
  tx[statementsKey] = sink;
  redirectQueries(runner, (text, values) => sinkOf(tx).query(nameOfBuilt(text), text, values));
}

/**
 * Creates another handle for a transaction, with a separate sink. Its runner never connects. (A handle
 * derived from the prototype of `tx` costs ten times as much.)
 */
function createHandle(tx: Tx, sink: StatementSink): Tx {
  const runner = tx.connection.createQueryRunner();
  redirectStatements(runner, runner.manager, sink);
  return runner.manager;
}

/** Rejects later statements of the transaction, including those of work that is still running. */
function closeStatements(tx: Tx, statements: TransactionStatements | ReadOnlyStatements): void {
  tx[statementsKey] = undefined;
  statements.close();
}

/** No connection is available, for any reason. No statement was sent. */
export class DatabaseUnreachable extends Error {
  constructor(cause: unknown) {
    super('The database cannot be reached.', { cause });
    this.name = 'DatabaseUnreachable';
  }
}

async function connect(runner: QueryRunner): Promise<PoolClient> {
  try {
    return (await runner.connect()) as PoolClient;
  } catch (error) {
    throw new DatabaseUnreachable(error);
  }
}

/** The outcome of one of several pieces of work in a transaction. */
export type SharedOutcome<T> =
  | { failed: false; result: T }
  /**
   * `mustRollBack`: the work has written, or failed with an unexpected error, so the transaction must
   * not commit.
   */
  | { failed: true; error: unknown; mustRollBack: boolean };

/**
 * Runs one of several pieces of work that share a transaction. Its sent statements are buffered until it
 * has succeeded, so that work that throws before it wrote directly has no effect. `work` gets a separate
 * handle for the transaction, with a separate cause.
 */
export async function shareTransaction<T>(
  tx: Tx,
  work: (workTx: Tx) => Promise<T>,
): Promise<SharedOutcome<T>> {
  const statements = sinkOf(tx);
  if (statements instanceof BufferedStatements)
    throw new Error('Shared work cannot be shared again.');
  const buffered = new BufferedStatements(statements);
  const workTx = createHandle(tx, buffered);
  try {
    const result = await work(workTx);
    buffered.sendBuffered();
    return { failed: false, result };
  } catch (error) {
    const mustRollBack = buffered.hasWritten || !(error instanceof Problem);
    return { failed: true, error, mustRollBack };
  } finally {
    workTx[statementsKey] = undefined;
  }
}

/** Like `inTransaction`, restricted to one project. */
export async function inProject<T>(
  database: Database,
  projectId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return inTransaction(database, async (tx) => {
    await enterProject(tx, projectId);
    return work(tx);
  });
}

/** Runs each part of some work in a separate transaction, so that other work may run in between. */
export type InTransaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Restricts a transaction to one project, until it ends. */
export async function enterProject(tx: Tx, projectId: string): Promise<void> {
  send(tx, `SELECT set_config('app.project_id', $1, true)`, [projectId]);
}

/**
 * Runs a statement whose text never varies, as a named prepared statement of the transaction's
 * connection. For text that is built per call, use `query`.
 */
export async function prepared<Row extends object>(
  tx: Tx,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  return (await sinkOf(tx).query(nameOf(text), text, values)).rows as Row[];
}

/**
 * Sends a statement like `prepared` and does not await it, for writes whose result is not needed. It is
 * sent with the next statement or the commit. If it fails, the transaction fails with its error, at the
 * next statement or at the end.
 * @param onRows receives the rows once they arrive
 */
export function send<Row extends object>(
  tx: Tx,
  text: string,
  values: unknown[],
  onRows?: (rows: Row[]) => void,
): void {
  sinkOf(tx).send(nameOf(text), text, values, onRows as OnRows | undefined);
}

/**
 * Like `send`, but Postgres plans the statement for its values. For writes whose number of rows
 * varies widely.
 */
export function sendPlanned(tx: Tx, text: string, values: unknown[]): void {
  sinkOf(tx).send('', text, values);
}

/** Sends a statement from a query builder, like `send`. */
export function sendBuilt(
  tx: Tx,
  statement: { getQueryAndParameters(): [string, unknown[]] },
): void {
  const [text, values] = statement.getQueryAndParameters();
  sinkOf(tx).send(nameOfBuilt(text), text, values);
}

/**
 * Runs the last query of a transaction. If its caller allows it (`allowCommitWithLast`), the commit is
 * sent in the same packet. All statements must be sent in one turn, and no result may be a reason to
 * roll back.
 */
export function commitWith<T>(tx: Tx, sendLast: () => Promise<T>): Promise<T> {
  const sink = sinkOf(tx);
  const statements = sink instanceof PrefetchGate ? sink.sink : sink;
  if (statements instanceof TransactionStatements) statements.commitWithLast();
  return sendLast();
}

/** Allows the work of a transaction to commit with its last query: its caller sends nothing after it. */
export function allowCommitWithLast(tx: Tx): void {
  const statements = sinkOf(tx);
  if (statements instanceof TransactionStatements) statements.allowCommitWithLast();
}

/**
 * Runs a statement that is built per call. A text without values may contain several statements,
 * separated by semicolons.
 */
export async function query<Row extends object>(
  tx: Tx,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const statements = sinkOf(tx);
  if (values.length === 0) return (await statements.querySimple(text)) as Row[];
  return (await statements.query('', text, values)).rows as Row[];
}

function sinkOf(tx: Tx): StatementSink {
  const statements = tx[statementsKey];
  if (!statements) throw new Error('This needs an open transaction.');
  return statements;
}
