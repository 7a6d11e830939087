import pg, { type Connection, type PoolClient } from 'pg';
import utils from 'pg/lib/utils.js';
import { QueryResult, type QueryRunner } from 'typeorm';
import { SteadyClient } from './client.ts';
import { MessageWriter, type Value } from './messages.ts';

/** The answer of Postgres to a statement. */
export interface StatementAnswer {
  rows: object[];
  /** The command, with a count where it has one: `INSERT 0 1`. */
  tag: string;
}

/** A statement in flight, with its receiver. */
export interface Statement {
  /** Prepared once on each connection under this name; without a name, for this execution only. */
  name: string;
  text: string;
  values: readonly Value[];
  resolve(answer: StatementAnswer): void;
  reject(error: unknown): void;
}

/** How to read the rows of a statement; empty until Postgres has described them. */
interface Shape {
  /** A row with all of its columns: filling a copy is cheaper than adding columns one by one. */
  blank: Record<string, unknown>;
  columns: { name: string; parse: (text: string) => unknown }[];
}

interface Prepared {
  generation: number;
  shapes: Map<string, Shape>;
}

/** The code of every statement after one that failed. */
export const inFailedTransaction = '25P02';
/** The code of a statement that does not exist, for example because its Parse was skipped. */
export const unknownStatement = '26000';

/** The prepared statements of each connection. */
const preparedOn = new WeakMap<Connection, Prepared>();
/** Raised when a plan turns out to be outdated: all connections prepare all their statements again. */
let generation = 0;

const packet = new MessageWriter();

/** A statement that Postgres skipped, with the code that a separate packet would get. */
class Skipped extends Error {
  readonly code = inFailedTransaction;
  constructor(cause: unknown) {
    super('The statement was skipped because an earlier one failed.', { cause });
    this.name = 'Skipped';
  }
}

/**
 * Statements that are sent as one packet followed by one Sync. Each is parsed and described once
 * per connection; after that it is only bound and executed. If one fails, Postgres skips all
 * statements up to the Sync, including a COMMIT.
 *
 * pg treats it as a query and passes messages to it.
 */
class PacketQuery extends pg.Query {
  readonly #client: PoolClient;
  readonly #statements: readonly Statement[];
  #shapes: Shape[] = [];
  /** By statement: whether this packet prepares it. */
  #parsed: boolean[] = [];
  /** The statement whose answer is being read. */
  #at = 0;
  #rows: object[] = [];
  /** The rows of this answer could not be read. */
  #fault: { error: unknown } | null = null;
  /** The answer of the last statement, until the connection is ready for the next packet. */
  #last: (() => void) | null = null;

  constructor(client: PoolClient, statements: readonly Statement[]) {
    // An object would be cloned.
    super('');
    this.#client = client;
    this.#statements = statements;
  }

  override submit = (connection: Connection): void => {
    const { shapes } = statementsOf(connection);
    const isPooled = this.#client instanceof SteadyClient && this.#client.link?.isPooled;
    for (const { name: given, text, values } of this.#statements) {
      // The pooler's next session would not know the name.
      const name = isPooled ? '' : given;
      let shape = name === '' ? undefined : shapes.get(name);
      const isNew = shape === undefined;
      if (!shape) {
        shape = { blank: {}, columns: [] };
        if (name !== '') {
          shapes.set(name, shape);
          // Another packet may have prepared it and then failed.
          packet.closeStatement(name);
        }
        packet.parse(name, text);
      }
      packet.bind(name, values);
      if (isNew) packet.describe();
      packet.execute();
      this.#shapes.push(shape);
      this.#parsed.push(isNew);
    }
    packet.sync();
    const bytes = packet.take();
    // If not, pg is about to reject all queries of this connection, this one included.
    if (connection.stream.writable) connection.stream.write(bytes);
  };

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const shape = this.#shapes[this.#at]!;
    shape.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.#client.getTypeParser(dataTypeID, 'text'),
    }));
    shape.blank = Object.fromEntries(fields.map(({ name }) => [name, null]));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { blank, columns } = this.#shapes[this.#at]!;
    const row = { ...blank };
    try {
      for (let at = 0; at < columns.length; at++) {
        const { name, parse } = columns[at]!;
        const text = fields[at]!;
        row[name] = text === null ? null : parse(text);
      }
    } catch (error) {
      this.#fault ??= { error };
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { resolve, reject } = this.#statements[this.#at]!;
    const rows = this.#rows;
    const fault = this.#fault;
    this.#rows = [];
    this.#fault = null;
    this.#at += 1;
    const answer = fault ? () => reject(fault.error) : () => resolve({ rows, tag: text });
    if (this.#at < this.#statements.length) answer();
    else this.#last = answer;
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  /** The connection is ready, and the receiver of the last answer may release it. */
  handleReadyForQuery(): void {
    this.#last?.();
    this.#last = null;
  }

  handleError(error: unknown, connection: Connection): void {
    // The last statement is done, but the state of the connection is unknown.
    if (this.#last) this.#at -= 1;
    this.#last = null;
    this.#forget(error, connection);
    const fromPostgres = error instanceof pg.DatabaseError;
    for (let first = true; this.#at < this.#statements.length; this.#at++, first = false) {
      this.#statements[this.#at]!.reject(first || !fromPostgres ? error : new Skipped(error));
    }
  }

  /** Statements from here on may or may not be prepared, so they are prepared again. */
  #forget(error: unknown, connection: Connection): void {
    const { shapes } = statementsOf(connection);
    for (let at = this.#at; at < this.#statements.length; at++) {
      const { name } = this.#statements[at]!;
      if (this.#parsed[at] && shapes.get(name) === this.#shapes[at]) shapes.delete(name);
    }
    if (!(error instanceof pg.DatabaseError)) return;
    if (error.code === unknownStatement) shapes.clear();
    if (isOutdatedPlan(error)) generation += 1;
  }
}

/**
 * A migration changed the result of a prepared statement ("cached plan must not change result
 * type"): Postgres does not run the prepared form. Nothing was executed, and a retry works.
 */
export function isOutdatedPlan(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === '0A000' &&
    error.routine === 'RevalidateCachedQuery'
  );
}

function statementsOf(connection: Connection): Prepared {
  let prepared = preparedOn.get(connection);
  if (prepared?.generation !== generation) {
    prepared = { generation, shapes: new Map() };
    preparedOn.set(connection, prepared);
  }
  return prepared;
}

/** Maximum number of values of a statement in the protocol. */
const maxValues = 65_535;

/**
 * A connection of the pool, as packets use it. This file is the only code that relies on pg beyond
 * its documented interface (8.23):
 *
 * - With `pipeline`, `client.query(q)` of a subclass of `pg.Query` calls `q.submit` without waiting
 *   for the queries before it, and passes it the messages that follow theirs, up to ReadyForQuery.
 * - `prepareValue` converts parameters as pg's own queries do.
 * - `connection.stream` is the socket. `getTransactionStatus` returns the status of the last
 *   ReadyForQuery.
 */
export class Pipeline {
  readonly #client: PoolClient;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  /** Sends statements as one packet. Each is answered on its own. */
  send(statements: readonly Statement[]): void {
    this.#client.query(new PacketQuery(this.#client, statements));
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
 * The values of a statement as they are sent.
 * @throws for more values than the protocol allows, or a value that Postgres cannot accept
 */
export function serializeValues(values: readonly unknown[]): Value[] {
  if (values.length > maxValues) {
    throw new Error(`A statement has at most ${maxValues} values, not ${values.length}.`);
  }
  return values.map(utils.prepareValue);
}

/**
 * Redirects TypeORM's statements through `runner`, so that its managers, repositories and query
 * builders use the same packets and checks as `prepared` and `send`. This relies on TypeORM beyond
 * its documented interface:
 *
 * - Managers and builders run every statement by `runner.query(text, values, structured)`, after
 *   only settled promises: statements of one turn are sent in one packet.
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
