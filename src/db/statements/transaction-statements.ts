import type { PoolClient } from 'pg';
import { PostgresClient } from '../wire/client.ts';
import {
  inFailedTransaction,
  Pipeline,
  type Statement,
  type StatementResult,
  serializeValues,
  unknownStatement,
} from '../wire/pipeline.ts';
import { nameOf } from './texts.ts';

/** A statement failed, but the work of the transaction ignored its error. */
export class RolledBack extends Error {
  constructor() {
    super('The transaction was rolled back at its end.');
    this.name = 'RolledBack';
  }
}

/** Sets, for one transaction, the limits that a session would otherwise have. */
const limitsText = `SELECT set_config('idle_in_transaction_session_timeout', $1, true), set_config('statement_timeout', $2, true)`;

/** Receives the rows of a statement that its transaction does not await. */
export type OnRows = (rows: object[]) => void;

/** The receiver of statements. */
export interface StatementSink {
  query(name: string, text: string, values: readonly unknown[]): Promise<StatementResult>;
  send(name: string, text: string, values: readonly unknown[], onRows?: OnRows): void;
  querySimple(text: string): Promise<object[]>;
  /** Sends the pending statements. */
  flush(): void;
}

/** The statements on a connection, one packet for each turn of the event loop. */
export abstract class Statements implements StatementSink {
  protected readonly pipeline: Pipeline;
  /** Statements of this turn of the event loop that are not sent yet. */
  protected pending: Statement[] = [];
  /** The first failure; statements that were skipped after it failed because of it. */
  #first: { error: unknown } | null = null;
  /** The first failure of a statement that is not awaited. */
  protected unhandled: { error: unknown } | null = null;
  #isClosed = false;

  constructor(client: PoolClient) {
    this.pipeline = new Pipeline(client);
  }

  /**
   * Sends a statement. All statements of one turn of the event loop are sent as one packet.
   * @throws synchronously for a value that Postgres cannot accept
   */
  query(name: string, text: string, values: readonly unknown[]): Promise<StatementResult> {
    if (this.#isClosed) throw new Error(`This needs an open transaction: ${text}`);
    return this.enqueue(name, text, values);
  }

  /** Sends a statement, even at the end of a closed transaction. */
  protected enqueue(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<StatementResult> {
    const serialized = serializeValues(values);
    if (this.pending.length === 0) process.nextTick(() => this.flush());
    return new Promise((resolve, reject) => {
      this.pending.push({
        name,
        text,
        values: serialized,
        resolve,
        reject: (error) => {
          this.#first ??= { error };
          reject(error);
        },
      });
    });
  }

  /** Sends a statement that is not awaited: if it fails, the end of the transaction fails. */
  send(name: string, text: string, values: readonly unknown[], onRows?: OnRows): void {
    const answer = this.query(name, text, values);
    const handled = onRows ? answer.then(({ rows }) => onRows(rows)) : answer;
    handled.catch((error) => {
      this.unhandled ??= { error };
    });
  }

  /** Runs SQL that may be several statements, by the simple protocol. */
  async querySimple(text: string): Promise<object[]> {
    if (this.#isClosed) throw new Error(`This needs an open transaction: ${text}`);
    this.flush();
    try {
      return await this.pipeline.querySimple(text);
    } catch (error) {
      this.#first ??= { error };
      throw error;
    }
  }

  /**
   * Rejects later statements: parts of failed work may still be running, and the connection is about to
   * be released.
   */
  close(): void {
    this.#isClosed = true;
  }

  flush(): void {
    if (this.pending.length === 0) return;
    const statements = this.pending;
    this.pending = [];
    this.pipeline.send(statements);
  }

  /** The error that caused another: if a statement failed because of an earlier one, the earlier error. */
  causeOf(error: unknown): unknown {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
    const isConsequence = code === inFailedTransaction || code === unknownStatement;
    return isConsequence && this.#first ? this.#first.error : error;
  }

  protected get hasFailed(): boolean {
    return this.#first !== null;
  }
}

/** The statements of one transaction on its connection, from start to end. */
export class TransactionStatements extends Statements {
  /** Whether Postgres has ended the transaction, by commit or rollback. */
  #isOver = false;
  #mayCommitWithLast = false;
  #isCommittingWithLast = false;
  /** The commit that was sent with the last statements. */
  #committed: Promise<StatementResult> | null = null;

  constructor(client: PoolClient) {
    super(client);
    this.send(nameOf('START TRANSACTION'), 'START TRANSACTION', []);
    const link = client instanceof PostgresClient ? client.link : null;
    if (!link?.isPooled) return;
    const { idle, statement } = link.limits;
    this.send('', limitsText, [`${idle}s`, statement === null ? '0' : `${statement}s`]);
  }

  /**
   * Gives `commitWithLast` an effect, because the caller of the transaction sends nothing more.
   */
  allowCommitWithLast(): void {
    this.#mayCommitWithLast = true;
  }

  /** Sends the commit in the same packet as the next statement, which is the last. */
  commitWithLast(): void {
    this.#isCommittingWithLast = this.#mayCommitWithLast;
  }

  override query(name: string, text: string, values: readonly unknown[]): Promise<StatementResult> {
    if (this.#committed) throw new Error(`The transaction is already committed: ${text}`);
    return super.query(name, text, values);
  }

  override flush(): void {
    if (this.#isCommittingWithLast && !this.#committed && this.pending.length > 0) {
      const committed = this.enqueue(nameOf('COMMIT'), 'COMMIT', []);
      // `commit` or `rollBack` handles the result.
      committed.catch(() => undefined);
      this.#committed = committed;
    }
    super.flush();
  }

  /** Commits, in one packet with the last statements. */
  async commit(): Promise<void> {
    const { tag } = await (this.#committed ?? this.#end('COMMIT'));
    this.#isOver = true;
    if (tag === 'COMMIT') return;
    // A statement failed and its error was ignored: Postgres rolls back on COMMIT.
    throw this.unhandled ? this.unhandled.error : new RolledBack();
  }

  /**
   * Rolls back an open transaction. A connection that does not respond as expected is closed rather than
   * returned to the pool.
   */
  async rollBack(): Promise<void> {
    if (this.#isOver) return;
    await this.#committed?.catch(() => undefined);
    this.#committed = null;
    this.#isCommittingWithLast = false;
    const ended = await this.#end('ROLLBACK').catch(() => null);
    if (ended && this.pipeline.isIdle) return;
    await this.pipeline.destroy();
  }

  #end(command: 'COMMIT' | 'ROLLBACK'): Promise<StatementResult> {
    const answer = this.enqueue(nameOf(command), command, []);
    this.flush();
    return answer;
  }
}

/**
 * The statements of one of several pieces of work that share a transaction. Statements sent without
 * waiting are buffered until the work has succeeded, so that failed work has written nothing.
 */
export class BufferedStatements implements StatementSink {
  readonly #transaction: StatementSink;
  #buffered: Parameters<StatementSink['send']>[] = [];
  /** Whether it wrote directly, which only a rollback of the transaction can undo. */
  hasWritten = false;

  constructor(transaction: StatementSink) {
    this.#transaction = transaction;
  }

  query(name: string, text: string, values: readonly unknown[]): Promise<StatementResult> {
    // A query after a buffered statement may depend on its effect.
    if (this.#buffered.length > 0) this.sendBuffered();
    if (!/^\s*SELECT\b/i.test(text)) this.hasWritten = true;
    return this.#transaction.query(name, text, values);
  }

  send(...sent: Parameters<StatementSink['send']>): void {
    this.#buffered.push(sent);
  }

  querySimple(text: string): Promise<object[]> {
    this.sendBuffered();
    this.hasWritten = true;
    return this.#transaction.querySimple(text);
  }

  flush(): void {
    this.#transaction.flush();
  }

  /** Sends the buffered statements. */
  sendBuffered(): void {
    const buffered = this.#buffered;
    this.#buffered = [];
    if (buffered.length > 0) this.hasWritten = true;
    for (const statement of buffered) this.#transaction.send(...statement);
  }
}
