import type { PoolClient } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import type { Database } from './database.ts';

/** An open transaction. Whatever must be atomic takes one as its first argument. */
export type Tx = EntityManager;

/**
 * Runs `work` in one transaction: committed when it returns, rolled back when it throws. The start
 * is sent without waiting for its answer: it travels with the first statement of `work`.
 */
export async function inTransaction<T>(
  database: Database,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const runner = database.createQueryRunner();
  try {
    const client = await connect(runner);
    const started = client.query('START TRANSACTION');
    // Whoever uses the connection next meets the same error; here it must only not go unhandled.
    started.catch(() => undefined);
    // What TypeORM's own startTransaction would set, so that its managers see one open.
    Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
    const result = await work(runner.manager);
    await started;
    const ended = await client.query('COMMIT');
    Object.assign(runner, { isTransactionActive: false, transactionDepth: 0 });
    // A statement failed and somebody went on: Postgres answers COMMIT with a rollback.
    if (ended.command !== 'COMMIT') throw new Error('The transaction was rolled back at its end.');
    return result;
  } catch (error) {
    // A connection that broke cannot roll back; what the caller must see is the first error.
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

/** No connection to be had, for whatever reason: nothing has happened. */
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

/** Like `inTransaction`, behind the wall of one project. */
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

/** Puts a transaction behind the wall of one project, until it ends. */
export async function enterProject(tx: Tx, projectId: string): Promise<void> {
  await prepared(tx, `SELECT set_config('app.project_id', $1, true)`, [projectId]);
}

const statementNames = new Map<string, string>();

/**
 * Runs a statement whose text never varies, as a named prepared statement of the transaction's
 * connection. For text that is put together per call, use `query`.
 */
export async function prepared<Row extends object>(
  tx: Tx,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  let name = statementNames.get(text);
  if (!name) {
    name = `s${statementNames.size + 1}`;
    statementNames.set(text, name);
  }
  const client = await clientOf(tx);
  return (await client.query<Row>({ name, text, values })).rows;
}

/** Runs a statement that is put together per call. */
export async function query<Row extends object>(
  tx: Tx,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const client = await clientOf(tx);
  return (await client.query<Row>({ text, values })).rows;
}

async function clientOf(tx: Tx): Promise<PoolClient> {
  if (!tx.queryRunner?.isTransactionActive) throw new Error('This needs an open transaction.');
  return (await tx.queryRunner.connect()) as PoolClient;
}
