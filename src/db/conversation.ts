import type { PoolClient } from 'pg';
import { nameOf } from './statements/names.ts';
import { SteadyClient } from './wire/client.ts';
import { Line, travelling } from './wire/line.ts';
import {
  inFailedTransaction,
  type Said,
  type StatementAnswer,
  unknownStatement,
} from './wire/round.ts';

/** A statement failed, but its transaction continued to the end regardless. */
export class RolledBack extends Error {
  constructor() {
    super('The transaction was rolled back at its end.');
    this.name = 'RolledBack';
  }
}

/** What a session would hold, for one transaction. */
const limitsText = `SELECT set_config('idle_in_transaction_session_timeout', $1, true), set_config('statement_timeout', $2, true)`;

/** Receives the rows of a statement that its transaction does not await. */
export type Heard = (rows: object[]) => void;

/** The receiver of statements. */
export interface Listener {
  ask(name: string, text: string, values: readonly unknown[]): Promise<StatementAnswer>;
  tell(name: string, text: string, values: readonly unknown[], heard?: Heard): void;
  askPlainly(text: string): Promise<object[]>;
  /** Sends the pending statements. */
  leave(): void;
}

/** The statements on a connection, one packet for each turn of the event loop. */
export abstract class Talk implements Listener {
  protected readonly line: Line;
  /** Statements of this turn of the event loop that are not sent yet. */
  protected said: Said[] = [];
  /** The first failure: all that were skipped after it failed because of it. */
  #first: { error: unknown } | null = null;
  /** The first failure of a statement that is not awaited. */
  protected unheard: { error: unknown } | null = null;
  #isClosed = false;

  constructor(client: PoolClient) {
    this.line = new Line(client);
  }

  /**
   * Sends a statement. All statements of one turn of the event loop leave as one packet.
   * @throws at once for a value that Postgres cannot accept
   */
  ask(name: string, text: string, values: readonly unknown[]): Promise<StatementAnswer> {
    if (this.#isClosed) throw new Error(`This needs an open transaction: ${text}`);
    return this.say(name, text, values);
  }

  /** Sends a statement, also at the end of a closed conversation. */
  protected say(name: string, text: string, values: readonly unknown[]): Promise<StatementAnswer> {
    const sent = travelling(values);
    if (this.said.length === 0) process.nextTick(() => this.leave());
    return new Promise((resolve, reject) => {
      this.said.push({
        name,
        text,
        values: sent,
        resolve,
        reject: (error) => {
          this.#first ??= { error };
          reject(error);
        },
      });
    });
  }

  /** Sends a statement that is not awaited: if it fails, the end of the conversation fails. */
  tell(name: string, text: string, values: readonly unknown[], heard?: Heard): void {
    const answer = this.ask(name, text, values);
    const told = heard ? answer.then(({ rows }) => heard(rows)) : answer;
    told.catch((error) => {
      this.unheard ??= { error };
    });
  }

  /** Runs SQL that may be several statements, by the simple protocol. */
  async askPlainly(text: string): Promise<object[]> {
    if (this.#isClosed) throw new Error(`This needs an open transaction: ${text}`);
    this.leave();
    try {
      return await this.line.sendPlainly(text);
    } catch (error) {
      this.#first ??= { error };
      throw error;
    }
  }

  /**
   * Rejects later statements. Failed work may have left branches that still run, and the connection is
   * about to be released.
   */
  close(): void {
    this.#isClosed = true;
  }

  leave(): void {
    if (this.said.length === 0) return;
    const said = this.said;
    this.said = [];
    this.line.send(said);
  }

  /** A statement that failed because an earlier one had failed: the earlier error is the cause. */
  causeOf(error: unknown): unknown {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
    const refused = code === inFailedTransaction || code === unknownStatement;
    return refused && this.#first ? this.#first.error : error;
  }

  protected get hasFailed(): boolean {
    return this.#first !== null;
  }
}

/** The statements of one transaction on its connection, from start to end. */
export class Conversation extends Talk {
  /** Postgres has ended the transaction, by commit or rollback. */
  #isOver = false;
  #mayConclude = false;
  #isConcluding = false;
  /** The commit that was sent with the last statements. */
  #committed: Promise<StatementAnswer> | null = null;

  constructor(client: PoolClient) {
    super(client);
    this.tell(nameOf('START TRANSACTION'), 'START TRANSACTION', []);
    const link = client instanceof SteadyClient ? client.link : null;
    if (!link?.isPooled) return;
    const { idle, statement } = link.limits;
    this.tell('', limitsText, [`${idle}s`, statement === null ? '0' : `${statement}s`]);
  }

  /** From here on `conclude` has an effect: the caller of the transaction sends nothing more. */
  allowConclusion(): void {
    this.#mayConclude = true;
  }

  /** The next statement is the last: the commit leaves in the same packet. */
  conclude(): void {
    this.#isConcluding = this.#mayConclude;
  }

  override ask(name: string, text: string, values: readonly unknown[]): Promise<StatementAnswer> {
    if (this.#committed) throw new Error(`The transaction is already committed: ${text}`);
    return super.ask(name, text, values);
  }

  override leave(): void {
    if (this.#isConcluding && !this.#committed && this.said.length > 0) {
      const committed = this.say(nameOf('COMMIT'), 'COMMIT', []);
      // `commit` or `rollBack` handles it.
      committed.catch(() => undefined);
      this.#committed = committed;
    }
    super.leave();
  }

  /** Commits, in one packet with the last statements. */
  async commit(): Promise<void> {
    const { tag } = await (this.#committed ?? this.#end('COMMIT'));
    this.#isOver = true;
    if (tag === 'COMMIT') return;
    // A statement failed and its error was ignored: Postgres answers COMMIT with a rollback.
    throw this.unheard ? this.unheard.error : new RolledBack();
  }

  /**
   * Rolls back an open transaction. A connection that does not respond as expected is closed rather than
   * returned to the pool.
   */
  async rollBack(): Promise<void> {
    if (this.#isOver) return;
    await this.#committed?.catch(() => undefined);
    this.#committed = null;
    this.#isConcluding = false;
    const ended = await this.#end('ROLLBACK').catch(() => null);
    if (ended && this.line.isIdle) return;
    await this.line.breakOff();
  }

  #end(command: 'COMMIT' | 'ROLLBACK'): Promise<StatementAnswer> {
    const answer = this.say(nameOf(command), command, []);
    this.leave();
    return answer;
  }
}

/**
 * The statements of one of several pieces of work that share a transaction. What it tells is held until
 * it has succeeded, so that failed work has written nothing.
 */
export class Aside implements Listener {
  readonly #conversation: Listener;
  #told: Parameters<Listener['tell']>[] = [];
  /** It wrote directly, which only a rollback of the transaction undoes. */
  wrote = false;

  constructor(conversation: Listener) {
    this.#conversation = conversation;
  }

  ask(name: string, text: string, values: readonly unknown[]): Promise<StatementAnswer> {
    // A question after a held statement may have to see its effect.
    if (this.#told.length > 0) this.join();
    if (!/^\s*SELECT\b/i.test(text)) this.wrote = true;
    return this.#conversation.ask(name, text, values);
  }

  tell(...told: Parameters<Listener['tell']>): void {
    this.#told.push(told);
  }

  askPlainly(text: string): Promise<object[]> {
    this.join();
    this.wrote = true;
    return this.#conversation.askPlainly(text);
  }

  leave(): void {
    this.#conversation.leave();
  }

  /** Sends what was held so far. */
  join(): void {
    const told = this.#told;
    this.#told = [];
    if (told.length > 0) this.wrote = true;
    for (const one of told) this.#conversation.tell(...one);
  }
}
