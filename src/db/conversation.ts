import type { PoolClient } from 'pg';
import utils from 'pg/lib/utils.js';
import { merge } from './wire/merge.ts';
import type { Value } from './wire/packet.ts';
import {
  type Answer,
  inFailedTransaction,
  Round,
  type Said,
  unknownStatement,
} from './wire/round.ts';

/** As many as the protocol can count. */
const mostValues = 65_535;

/** A statement failed, and its transaction went on to the end as if nothing had been. */
export class RolledBack extends Error {
  constructor() {
    super('The transaction was rolled back at its end.');
    this.name = 'RolledBack';
  }
}

/** Hears the rows of a statement that its transaction does not wait for. */
export type Heard = (rows: object[]) => void;

/** What statements are said to. */
export interface Listener {
  ask(name: string, text: string, values: readonly unknown[]): Promise<Answer>;
  tell(name: string, text: string, values: readonly unknown[], heard?: Heard): void;
  askPlainly(text: string): Promise<object[]>;
  /** Sends what was said. */
  leave(): void;
}

/** What goes over a connection, one packet for each turn of the event loop. */
export abstract class Talk implements Listener {
  protected readonly client: PoolClient;
  /** Said in this turn of the event loop, and not sent yet. */
  protected said: Said[] = [];
  /** The first failure: all that were refused after it failed because of it. */
  #first: { error: unknown } | null = null;
  /** The first failure that nobody was waiting for. */
  protected unheard: { error: unknown } | null = null;
  #isClosed = false;

  constructor(client: PoolClient) {
    this.client = client;
  }

  /**
   * Says a statement. All that is said in one turn of the event loop leaves as one packet.
   * @throws at once for a value that Postgres cannot be given
   */
  ask(name: string, text: string, values: readonly unknown[]): Promise<Answer> {
    if (this.#isClosed) throw new Error(`This needs an open transaction: ${text}`);
    return this.say(name, text, values);
  }

  /** Says a statement, also at the end of a conversation that is closed. */
  protected say(name: string, text: string, values: readonly unknown[]): Promise<Answer> {
    if (values.length > mostValues) {
      throw new Error(`A statement has at most ${mostValues} values, not ${values.length}.`);
    }
    const travelling: Value[] = values.map(utils.prepareValue);
    if (this.said.length === 0) process.nextTick(() => this.leave());
    return new Promise((resolve, reject) => {
      this.said.push({
        name,
        text,
        values: travelling,
        resolve,
        reject: (error) => {
          this.#first ??= { error };
          reject(error);
        },
      });
    });
  }

  /** Says a statement that nobody waits for: when it fails, the end tells. */
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
      return (await this.client.query<object>(text)).rows;
    } catch (error) {
      this.#first ??= { error };
      throw error;
    }
  }

  /**
   * Refuses what comes from here on. Work that failed may have left branches that still run, and the
   * connection is about to be given to others.
   */
  close(): void {
    this.#isClosed = true;
  }

  leave(): void {
    if (this.said.length === 0) return;
    const said = this.said;
    this.said = [];
    this.client.query(new Round(this.client, merge(said)));
  }

  /** A statement that was refused because an earlier one failed tells nothing: that one does. */
  causeOf(error: unknown): unknown {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
    const refused = code === inFailedTransaction || code === unknownStatement;
    return refused && this.#first ? this.#first.error : error;
  }

  protected get hasFailed(): boolean {
    return this.#first !== null;
  }

  /** Closes a connection of which nobody knows in what state it is. */
  protected async breakOff(): Promise<void> {
    this.client.connection.stream.destroy();
    await this.client.end();
  }
}

/** What goes over the connection of one transaction, from its start to its end. */
export class Conversation extends Talk {
  /** Postgres has ended the transaction, one way or the other. */
  #isOver = false;
  #mayConclude = false;
  #isConcluding = false;
  /** The commit that left with what was said last. */
  #committed: Promise<Answer> | null = null;

  constructor(client: PoolClient) {
    super(client);
    this.tell(nameOf('START TRANSACTION'), 'START TRANSACTION', []);
  }

  /** From here on `conclude` has an effect: whoever runs the transaction has nothing more to say. */
  allowConclusion(): void {
    this.#mayConclude = true;
  }

  /** What is said next is the last: the commit leaves in the same packet. */
  conclude(): void {
    this.#isConcluding = this.#mayConclude;
  }

  override ask(name: string, text: string, values: readonly unknown[]): Promise<Answer> {
    if (this.#committed) throw new Error(`The transaction is committed; this comes late: ${text}`);
    return super.ask(name, text, values);
  }

  override leave(): void {
    if (this.#isConcluding && !this.#committed && this.said.length > 0) {
      const committed = this.say(nameOf('COMMIT'), 'COMMIT', []);
      // `commit` or `rollBack` looks at it.
      committed.catch(() => undefined);
      this.#committed = committed;
    }
    super.leave();
  }

  /** Commits, in one packet with what was said last. */
  async commit(): Promise<void> {
    const { tag } = await (this.#committed ?? this.#end('COMMIT'));
    this.#isOver = true;
    if (tag === 'COMMIT') return;
    // A statement failed and somebody went on: Postgres answers COMMIT with a rollback.
    throw this.unheard ? this.unheard.error : new RolledBack();
  }

  /**
   * Rolls back what is still open, and makes sure that nobody is given a connection on which anything
   * is: one that does not answer as it should is closed.
   */
  async rollBack(): Promise<void> {
    if (this.#isOver) return;
    await this.#committed?.catch(() => undefined);
    this.#committed = null;
    this.#isConcluding = false;
    const ended = await this.#end('ROLLBACK').catch(() => null);
    if (ended && this.client.getTransactionStatus() === 'I') return;
    await this.breakOff();
  }

  #end(command: 'COMMIT' | 'ROLLBACK'): Promise<Answer> {
    const answer = this.say(nameOf(command), command, []);
    this.leave();
    return answer;
  }
}

/**
 * What one of several says who share a transaction. What it tells waits until it has succeeded, so
 * that one that gives up has written nothing.
 */
export class Aside implements Listener {
  readonly #conversation: Listener;
  #told: Parameters<Listener['tell']>[] = [];
  /** It wrote at once, and only rolling the transaction back takes that back. */
  wrote = false;

  constructor(conversation: Listener) {
    this.#conversation = conversation;
  }

  ask(name: string, text: string, values: readonly unknown[]): Promise<Answer> {
    // What is asked after something was told may have to see it.
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

  /** Says what was told so far. */
  join(): void {
    const told = this.#told;
    this.#told = [];
    if (told.length > 0) this.wrote = true;
    for (const one of told) this.#conversation.tell(...one);
  }
}

const statementNames = new Map<string, string>();

/** The name under which a statement whose text never varies is prepared. */
export function nameOf(text: string): string {
  let name = statementNames.get(text);
  if (!name) {
    name = `s${statementNames.size + 1}`;
    statementNames.set(text, name);
  }
  return name;
}
