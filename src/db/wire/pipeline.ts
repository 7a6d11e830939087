import type { PoolClient } from 'pg';
import utils from 'pg/lib/utils.js';
import { QueryResult, type QueryRunner } from 'typeorm';
import { type Statement, type StatementAnswer, StatementBatch } from './batch.ts';
import type { Value } from './messages.ts';

/** The limit of the protocol. */
const maxValues = 65_535;

/**
 * A connection of the pool, as our packets use it. With `StatementBatch`, it is all that relies on pg beyond its
 * documented interface (8.23):
 *
 * - With `pipeline`, `client.query(q)` of a subclass of `pg.Query` calls `q.submit` without waiting for
 *   the queries before it, and passes it the messages that follow theirs, up to ReadyForQuery.
 * - `prepareValue` converts parameters as pg's own queries do.
 * - `connection.stream` is the socket. `getTransactionStatus` is that of the last ReadyForQuery.
 */
export class Pipeline {
  readonly #client: PoolClient;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  /** Sends statements as one packet. Each is answered on its own. */
  send(statements: readonly Statement[]): void {
    this.#client.query(new StatementBatch(this.#client, statements));
  }

  /** Runs SQL that may be several statements, by the simple protocol. */
  async querySimple(text: string): Promise<object[]> {
    return (await this.#client.query<object>(text)).rows;
  }

  /** Whether no transaction is open. */
  get isIdle(): boolean {
    return this.#client.getTransactionStatus() === 'I';
  }

  /** Closes a connection whose state is unknown: the pool drops it. */
  async destroy(): Promise<void> {
    this.#client.connection.stream.destroy();
    await this.#client.end();
  }
}

/**
 * The values of a statement as they travel.
 * @throws for more than the protocol allows, or one that Postgres cannot accept
 */
export function serializeValues(values: readonly unknown[]): Value[] {
  if (values.length > maxValues) {
    throw new Error(`A statement has at most ${maxValues} values, not ${values.length}.`);
  }
  return values.map(utils.prepareValue);
}

/**
 * Redirects what TypeORM asks through `runner`, so that its managers, repositories and query builders
 * use our packets and pass the same checks as `prepared` and `send`. We rely on this beyond TypeORM's
 * documented interface:
 *
 * - Managers and builders run every statement by `runner.query(text, values, structured)`, after only
 *   settled promises: what is asked in one turn is sent in one packet.
 * - `isTransactionActive` keeps `save` and `remove` from opening a separate transaction, and allows
 *   locks.
 * - A structured result is a `QueryResult`; without one, an UPDATE or DELETE gives rows and count.
 */
export function redirect(
  runner: QueryRunner,
  ask: (text: string, values: readonly unknown[]) => Promise<StatementAnswer>,
): void {
  Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
  runner.query = (async (text: string, values: unknown[] = [], structured = false) => {
    const { rows, tag } = await ask(text, values);
    const affected = Number(/\d+$/.exec(tag)?.[0] ?? rows.length);
    const raw = /^(?:UPDATE|DELETE)/.test(tag) ? [rows, affected] : rows;
    if (!structured) return raw;
    return Object.assign(new QueryResult(), { raw, records: rows, affected });
  }) as QueryRunner['query'];
  runner.stream = () => {
    throw new Error('A transaction cannot stream. Read in pages.');
  };
}
