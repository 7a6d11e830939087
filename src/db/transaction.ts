import type { PoolClient } from 'pg';
import { type EntityManager, QueryResult, type QueryRunner } from 'typeorm';
import { Problem } from '../contracts/problems.ts';
import { Aside, Conversation, type Heard, type Listener, nameOf } from './conversation.ts';
import type { Database } from './database.ts';
import { Gate } from './gate.ts';
import { Reading } from './reading.ts';

/** Where a transaction keeps whom it speaks to; undefined once it is over. */
const spokenTo = Symbol('spokenTo');

/** An open transaction. Whatever must be atomic takes one as its first argument. */
export type Tx = EntityManager & { [spokenTo]?: Listener | undefined };

/**
 * Runs `work` in one transaction: committed when it returns, rolled back when it throws. All that is
 * said in one turn of the event loop leaves as one packet: the start goes with the first statements of
 * `work`, the commit with the last ones that were sent by `send`.
 */
export async function inTransaction<T>(
  database: Database,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const runner = database.createQueryRunner();
  const tx: Tx = runner.manager;
  try {
    const conversation = new Conversation(await connect(runner));
    open(runner, tx, conversation);
    try {
      const result = await work(tx);
      fallSilent(tx, conversation);
      await conversation.commit();
      return result;
    } catch (error) {
      fallSilent(tx, conversation);
      await conversation.rollBack();
      throw conversation.causeOf(error);
    }
  } finally {
    await runner.release();
  }
}

/**
 * Runs `work` where it only reads: each packet is a transaction of its own, without a start and without
 * a commit. A setting, a lock or a snapshot lasts for one packet; `stayBehind` keeps the wall.
 */
export async function inReading<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const runner = database.createQueryRunner();
  const tx: Tx = runner.manager;
  try {
    const reading = new Reading(await connect(runner));
    open(runner, tx, reading);
    let result: T;
    try {
      result = await work(tx);
    } catch (error) {
      fallSilent(tx, reading);
      // What failed before tells more.
      await reading.end().catch(() => undefined);
      throw reading.causeOf(error);
    }
    fallSilent(tx, reading);
    await reading.end();
    return result;
  } finally {
    await runner.release();
  }
}

/** Keeps later packets of a transaction that only reads behind the wall; any other stays by itself. */
export function stayBehind(tx: Tx, projectId: string, seconds: number): void {
  const listener = conversationOf(tx);
  if (listener instanceof Reading) listener.stayBehind(projectId, seconds);
}

/** Work that was begun before it is known whether it may be done. */
export interface Begun<T> {
  /** Lets it go on, and gives what it comes to. */
  goOn(): Promise<T>;
  /** Gives it up; after `goOn` this has no effect. */
  giveUp(): void;
}

/**
 * Begins work in the packet that logs in: what it reads first travels with it, behind the same wall.
 * Whatever else it says waits until it may go on (`Gate`). `work` is given a name of its own for the
 * transaction.
 */
export function beginEarly<T>(tx: Tx, work: (own: Tx) => Promise<T>): Begun<T> {
  const gate = new Gate(conversationOf(tx));
  const { queryRunner } = tx;
  if (!queryRunner) throw new Error('This needs an open transaction.');
  // It never connects: what it is asked goes through the gate. (One derived from the other by its
  // prototype costs ten times as much.)
  const runner = tx.connection.createQueryRunner();
  const own: Tx = runner.manager;
  own[spokenTo] = gate;
  runner.query = asking(gate, ((text: string, values?: unknown[], structured?: boolean) =>
    queryRunner.query(text, values, structured as true)) as QueryRunner['query']);
  pretendActive(runner);
  const result = work(own);
  // Given up, nobody looks at it.
  result.catch(() => undefined);
  return {
    goOn() {
      gate.open();
      return result;
    },
    giveUp: () => gate.shut(),
  };
}

/** Has TypeORM's own managers say what they ask in the transaction, like all else. */
function open(runner: QueryRunner, tx: Tx, listener: Listener): void {
  tx[spokenTo] = listener;
  const ask = runner.query;
  runner.query = asking(listener, (async (...asked: Parameters<typeof ask>) => {
    if (!tx[spokenTo]) throw new Error('This needs an open transaction.');
    if (listener instanceof Reading) throw new Error('Where nothing commits, nothing is written.');
    listener.leave();
    return ask.apply(runner, asked);
  }) as typeof ask);
  pretendActive(runner);
}

/** Refuses what is said from here on: by the transaction, and by branches of its work that still run. */
function fallSilent(tx: Tx, talk: Conversation | Reading): void {
  tx[spokenTo] = undefined;
  talk.close();
}

/** What TypeORM's own startTransaction would set. */
function pretendActive(runner: QueryRunner): void {
  Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
}

/**
 * What TypeORM reads is prepared once on each connection, as `prepared` is, unless its text counts
 * its values. What it writes goes its own way.
 */
function asking(listener: Listener, otherwise: QueryRunner['query']): QueryRunner['query'] {
  return (async (text: string, values: unknown[] = [], structured?: boolean) => {
    if (!/^\s*SELECT\b/i.test(text)) return otherwise(text, values, structured as true);
    const name = / IN \(/.test(text) ? '' : nameOf(text);
    const { rows } = await listener.ask(name, text, values);
    if (!structured) return rows;
    return Object.assign(new QueryResult(), { raw: rows, records: rows, affected: rows.length });
  }) as QueryRunner['query'];
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

/** What became of one of several pieces of work in a transaction. */
export type Shared<T> =
  | { failed: false; result: T }
  /** `spoils`: it had written, or did not just refuse; the transaction must not commit. */
  | { failed: true; error: unknown; spoils: boolean };

/**
 * Runs one of several pieces of work that share a transaction. What it sends is said when it has
 * succeeded: one that throws before it wrote anything takes nothing with it. `work` is given a name of
 * its own for the transaction, with a cause of its own.
 */
export async function share<T>(tx: Tx, work: (own: Tx) => Promise<T>): Promise<Shared<T>> {
  const conversation = conversationOf(tx);
  if (conversation instanceof Aside) throw new Error('Shared work cannot be shared again.');
  const own: Tx = tx.connection.createEntityManager(tx.queryRunner);
  const aside = new Aside(conversation);
  own[spokenTo] = aside;
  try {
    const result = await work(own);
    aside.join();
    return { failed: false, result };
  } catch (error) {
    const spoils = aside.wrote || !(error instanceof Problem);
    return { failed: true, error, spoils };
  } finally {
    own[spokenTo] = undefined;
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
  send(tx, `SELECT set_config('app.project_id', $1, true)`, [projectId]);
}

/**
 * Plans what follows in this transaction by index. For statements that touch rows by their keys, in
 * tables whose size the planner misjudges: made for a table that is small just now, or by its idea of
 * what a random page costs, it would read the whole of it. A statement that joins what it is given
 * must say `= ANY` of it as well: a join may begin at either end. A plan is made once and not anew for
 * every batch, since nothing about it depends on the values.
 * @param join `loop` for what meets a few rows one by one, `hash` for what meets hundreds at once
 */
export function byKey(tx: Tx, join: 'loop' | 'hash' = 'loop'): void {
  send(tx, `SELECT ${keySettings(join)}`, []);
}

/** What `byKey` sets, as columns for a statement that says more than that. */
export function keySettings(join: 'loop' | 'hash'): string {
  const [hash, loop] = join === 'loop' ? ['off', 'on'] : ['on', 'off'];
  return `set_config('enable_seqscan', 'off', true), set_config('enable_mergejoin', 'off', true),
       set_config('enable_hashjoin', '${hash}', true), set_config('enable_nestloop', '${loop}', true),
       set_config('plan_cache_mode', 'force_generic_plan', true)`;
}

/**
 * Runs a statement whose text never varies, as a named prepared statement of the transaction's
 * connection. For text that is put together per call, use `query`.
 */
export async function prepared<Row extends object>(
  tx: Tx,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  return (await conversationOf(tx).ask(nameOf(text), text, values)).rows as Row[];
}

/**
 * Sends a statement like `prepared` and does not wait for it: for writes whose answer says nothing
 * but that they happened. It travels with the next statement, or the commit. When it fails the
 * transaction fails with its error, at the next statement or at the end.
 * @param heard is given the rows once they are there
 */
export function send<Row extends object>(
  tx: Tx,
  text: string,
  values: unknown[],
  heard?: (rows: Row[]) => void,
): void {
  conversationOf(tx).tell(nameOf(text), text, values, heard as Heard | undefined);
}

/**
 * Asks for what is answered with, as the last thing of a transaction: where whoever runs it has nothing
 * to add (`allowConclusion`), the commit leaves in the same packet. All of it must be said in one turn,
 * and none of it may be a reason to give the transaction up.
 */
export function concluding<T>(tx: Tx, ask: () => Promise<T>): Promise<T> {
  const listener = conversationOf(tx);
  const conversation = listener instanceof Gate ? listener.listener : listener;
  if (conversation instanceof Conversation) conversation.conclude();
  return ask();
}

/** Lets the work of a transaction conclude it: nothing will be said after it. */
export function allowConclusion(tx: Tx): void {
  const conversation = conversationOf(tx);
  if (conversation instanceof Conversation) conversation.allowConclusion();
}

/**
 * Runs a statement that is put together per call. One without values may be several, separated by
 * semicolons.
 */
export async function query<Row extends object>(
  tx: Tx,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const conversation = conversationOf(tx);
  if (values.length === 0) return (await conversation.askPlainly(text)) as Row[];
  return (await conversation.ask('', text, values)).rows as Row[];
}

/** Rows as one array for each of their columns, which `unnest` makes rows of again. */
export function columnsOf<Value>(rows: readonly (readonly Value[])[], width: number): Value[][] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column]!));
}

function conversationOf(tx: Tx): Listener {
  const conversation = tx[spokenTo];
  if (!conversation) throw new Error('This needs an open transaction.');
  return conversation;
}
