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
import { redirect } from './wire/pipeline.ts';

/** Where a transaction keeps its statements; undefined after its end. */
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
    open(runner, tx, statements);
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
 * Runs a transaction that is sent as one packet, including its commit, so that its locks are
 * released without waiting for this process, which may be busy. For rows that many processes lock
 * in turn, and for work that does not depend on the answers.
 * @param ask must send all of its statements before it awaits any. Answers arrive after the commit,
 *   and later statements are rejected.
 */
export async function inOnePacket<T>(database: Database, ask: (tx: Tx) => Promise<T>): Promise<T> {
  const { answer } = await inTransaction(database, async (tx) => {
    const answer = ask(tx);
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
    const reading = new ReadOnlyStatements(await connect(runner));
    open(runner, tx, reading);
    let result: T;
    try {
      result = await work(tx);
    } catch (error) {
      closeStatements(tx, reading);
      // The earlier failure is more informative.
      await reading.end().catch(() => undefined);
      throw reading.causeOf(error);
    }
    closeStatements(tx, reading);
    await reading.end();
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
 * Starts work in the packet of the login: its first reads travel with it, restricted to the same
 * project. Its other statements wait until it may continue (`PrefetchGate`). `work` gets a separate
 * handle for the transaction.
 */
export function startPrefetch<T>(tx: Tx, work: (own: Tx) => Promise<T>): Prefetch<T> {
  const gate = new PrefetchGate(sinkOf(tx));
  const result = work(handleFor(tx, gate));
  // Once it is cancelled, nothing waits for it.
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
function open(runner: QueryRunner, tx: Tx, sink: StatementSink): void {
  tx[statementsKey] = sink;
  redirect(runner, (text, values) => sinkOf(tx).query(nameOfBuilt(text), text, values));
}

/**
 * Another handle for a transaction, with a separate sink. Its runner never connects. (One derived
 * by its prototype costs ten times as much.)
 */
function handleFor(tx: Tx, sink: StatementSink): Tx {
  const runner = tx.connection.createQueryRunner();
  open(runner, runner.manager, sink);
  return runner.manager;
}

/** Rejects later statements: of the transaction, and of branches of its work that still run. */
function closeStatements(tx: Tx, statements: TransactionStatements | ReadOnlyStatements): void {
  tx[statementsKey] = undefined;
  statements.close();
}

/** No connection is available, for any reason. Nothing has happened. */
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
export type Shared<T> =
  | { failed: false; result: T }
  /**
   * `spoils`: the work had written, or failed in an unexpected way, so the transaction must not
   * commit.
   */
  | { failed: true; error: unknown; spoils: boolean };

/**
 * Runs one of several pieces of work that share a transaction. Its sent statements are held until
 * it has succeeded: if it throws before it wrote anything, it leaves nothing behind. `work` gets a
 * separate handle for the transaction, with a separate cause.
 */
export async function shareTransaction<T>(
  tx: Tx,
  work: (own: Tx) => Promise<T>,
): Promise<Shared<T>> {
  const statements = sinkOf(tx);
  if (statements instanceof BufferedStatements)
    throw new Error('Shared work cannot be shared again.');
  const buffered = new BufferedStatements(statements);
  const own = handleFor(tx, buffered);
  try {
    const result = await work(own);
    buffered.join();
    return { failed: false, result };
  } catch (error) {
    const spoils = buffered.wrote || !(error instanceof Problem);
    return { failed: true, error, spoils };
  } finally {
    own[statementsKey] = undefined;
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
 * Sends a statement like `prepared` and does not await it: for writes whose answer is not needed. It
 * travels with the next statement, or the commit. If it fails, the transaction fails with its error, at
 * the next statement or at the end.
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
 * Runs the last query of a transaction. If its caller allows it (`allowCommitWithLast`), the commit
 * leaves in the same packet. All statements must be sent in one turn, and no answer may be a reason
 * to roll back.
 */
export function commitWith<T>(tx: Tx, ask: () => Promise<T>): Promise<T> {
  const sink = sinkOf(tx);
  const statements = sink instanceof PrefetchGate ? sink.sink : sink;
  if (statements instanceof TransactionStatements) statements.commitWithLast();
  return ask();
}

/** Allows the work of a transaction to conclude it: its caller sends nothing afterwards. */
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
