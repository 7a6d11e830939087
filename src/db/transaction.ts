import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import type { Database } from './database.ts';

/** An open transaction. Whatever must be atomic takes one as its first argument. */
export type Tx = EntityManager;

/** What goes over the connection of a transaction until it ends. */
interface Conversation {
  client: PoolClient;
  /** Statements that nobody waited for yet, in the order they were sent. */
  unanswered: Promise<unknown>[];
  corked: boolean;
}

const conversations = new WeakMap<Tx, Conversation>();

/** What Postgres answers to every statement after one that failed. */
const inFailedTransaction = '25P02';

/**
 * Runs `work` in one transaction: committed when it returns, rolled back when it throws. The start
 * is sent without waiting for its answer: it travels with the first statement of `work`, and the
 * commit with the last ones that were sent by `send`.
 */
export async function inTransaction<T>(
  database: Database,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const runner = database.createQueryRunner();
  const tx = runner.manager;
  const unanswered: Promise<unknown>[] = [];
  try {
    const client = await connect(runner);
    const conversation: Conversation = { client, unanswered, corked: false };
    conversations.set(tx, conversation);
    later(conversation, say(conversation, { text: 'START TRANSACTION' }));
    // What TypeORM's own startTransaction would set, so that its managers see one open.
    Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
    const result = await work(tx);
    const commit = say(conversation, { text: 'COMMIT' });
    const answers = await Promise.allSettled([...unanswered, commit]);
    // Whatever was said to it, the transaction is over.
    Object.assign(runner, { isTransactionActive: false, transactionDepth: 0 });
    // Answers come in the order of the statements: the first failure is the cause of all others.
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed) throw failed.reason;
    // A statement failed and somebody went on: Postgres answers COMMIT with a rollback.
    if ((await commit).command !== 'COMMIT') {
      throw new Error('The transaction was rolled back at its end.');
    }
    return result;
  } catch (error) {
    // A connection that broke cannot roll back; what the caller must see is the first error.
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw await causeOf(error, unanswered);
  } finally {
    conversations.delete(tx);
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

/** A statement that was refused because an earlier one failed tells nothing: that one does. */
async function causeOf(error: unknown, unanswered: Promise<unknown>[]): Promise<unknown> {
  const refused =
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === inFailedTransaction;
  if (!refused) return error;
  const answers = await Promise.allSettled(unanswered);
  return answers.find((answer) => answer.status === 'rejected')?.reason ?? error;
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
  send(
    tx,
    `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_mergejoin', 'off', true),
       set_config('enable_hashjoin', $1, true), set_config('enable_nestloop', $2, true),
       set_config('plan_cache_mode', 'force_generic_plan', true)`,
    join === 'loop' ? ['off', 'on'] : ['on', 'off'],
  );
}

const statementNames = new Map<string, string>();

function nameOf(text: string): string {
  let name = statementNames.get(text);
  if (!name) {
    name = `s${statementNames.size + 1}`;
    statementNames.set(text, name);
  }
  return name;
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
  return (await say<Row>(conversationOf(tx), { name: nameOf(text), text, values })).rows;
}

/**
 * Sends a statement like `prepared` and does not wait for it: for writes whose answer says nothing
 * but that they happened. It travels with the next statement, or the commit. When it fails the
 * transaction fails with its error, at the next statement or at the end.
 */
export function send(tx: Tx, text: string, values: unknown[]): void {
  const conversation = conversationOf(tx);
  later(conversation, say(conversation, { name: nameOf(text), text, values }));
}

/** Runs a statement that is put together per call. */
export async function query<Row extends object>(
  tx: Tx,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  return (await say<Row>(conversationOf(tx), { text, values })).rows;
}

function conversationOf(tx: Tx): Conversation {
  const conversation = conversations.get(tx);
  if (!conversation) throw new Error('This needs an open transaction.');
  return conversation;
}

/** Queues a statement; all of one turn of the event loop leave in one packet. */
function say<Row extends object>(
  conversation: Conversation,
  statement: QueryConfig,
): Promise<QueryResult<Row>> {
  if (!conversation.corked) {
    const { stream } = conversation.client.connection;
    conversation.corked = true;
    stream.cork();
    process.nextTick(() => {
      conversation.corked = false;
      stream.uncork();
    });
  }
  return conversation.client.query<Row>(statement);
}

function later(conversation: Conversation, answer: Promise<unknown>): void {
  // It is waited for at the end; here it must only not go unhandled.
  answer.catch(() => undefined);
  conversation.unanswered.push(answer);
}
