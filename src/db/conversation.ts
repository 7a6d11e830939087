import type { PoolClient } from 'pg';
import utils from 'pg/lib/utils.js';
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

/** What goes over the connection of one transaction, from its start to its end. */
export class Conversation {
  readonly #client: PoolClient;
  /** Said in this turn of the event loop, and not sent yet. */
  #said: Said[] = [];
  /** The first failure: all that were refused after it failed because of it. */
  #first: { error: unknown } | null = null;
  /** The first failure that nobody was waiting for. */
  #unheard: { error: unknown } | null = null;
  /** Postgres has ended the transaction, one way or the other. */
  #isOver = false;

  constructor(client: PoolClient) {
    this.#client = client;
    this.tell(nameOf('START TRANSACTION'), 'START TRANSACTION', []);
  }

  /**
   * Says a statement. All that is said in one turn of the event loop leaves as one packet.
   * @throws at once for a value that Postgres cannot be given
   */
  ask(name: string, text: string, values: readonly unknown[]): Promise<Answer> {
    if (values.length > mostValues) {
      throw new Error(`A statement has at most ${mostValues} values, not ${values.length}.`);
    }
    const travelling: Value[] = values.map(utils.prepareValue);
    if (this.#said.length === 0) process.nextTick(() => this.leave());
    return new Promise((resolve, reject) => {
      this.#said.push({
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

  /** Says a statement that nobody waits for: when it fails, the end of the transaction tells. */
  tell(name: string, text: string, values: readonly unknown[]): void {
    this.ask(name, text, values).catch((error) => {
      this.#unheard ??= { error };
    });
  }

  /** Runs SQL that may be several statements, by the simple protocol. */
  async askPlainly(text: string): Promise<object[]> {
    this.leave();
    try {
      return (await this.#client.query<object>(text)).rows;
    } catch (error) {
      this.#first ??= { error };
      throw error;
    }
  }

  /** Sends what was said. */
  leave(): void {
    if (this.#said.length === 0) return;
    const said = this.#said;
    this.#said = [];
    this.#client.query(new Round(this.#client, said));
  }

  /** Commits, in one packet with what was said last. */
  async commit(): Promise<void> {
    const { tag } = await this.#end('COMMIT');
    this.#isOver = true;
    if (tag === 'COMMIT') return;
    // A statement failed and somebody went on: Postgres answers COMMIT with a rollback.
    throw this.#unheard
      ? this.#unheard.error
      : new Error('The transaction was rolled back at its end.');
  }

  /**
   * Rolls back what is still open, and makes sure that nobody is given a connection on which anything
   * is: one that does not answer as it should is closed.
   */
  async rollBack(): Promise<void> {
    if (this.#isOver) return;
    const ended = await this.#end('ROLLBACK').catch(() => null);
    if (ended && this.#client.getTransactionStatus() === 'I') return;
    this.#client.connection.stream.destroy();
    await this.#client.end();
  }

  /** A statement that was refused because an earlier one failed tells nothing: that one does. */
  causeOf(error: unknown): unknown {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
    const refused = code === inFailedTransaction || code === unknownStatement;
    return refused && this.#first ? this.#first.error : error;
  }

  #end(command: 'COMMIT' | 'ROLLBACK'): Promise<Answer> {
    const answer = this.ask(nameOf(command), command, []);
    this.leave();
    return answer;
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
