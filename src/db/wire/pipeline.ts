import pg, { type Connection, type PoolClient } from 'pg';
import utils from 'pg/lib/utils.js';
import { QueryResult, type QueryRunner } from 'typeorm';
import { PostgresClient } from './client.ts';
import { MessageWriter, type ParameterValue } from './messages.ts';

/** The result of a statement. */
export interface StatementResult {
  rows: object[];
  /** The command, with a count where it has one: `INSERT 0 1`. */
  tag: string;
}

/** A statement in flight, with its receiver. */
export interface Statement {
  /** Prepared once on each connection under this name; without a name, for this execution only. */
  name: string;
  text: string;
  values: readonly ParameterValue[];
  resolve(answer: StatementResult): void;
  reject(error: unknown): void;
}

/** How to read the rows of a statement; empty until Postgres has described them. */
interface RowShape {
  /** A row with all of its columns: filling a copy is cheaper than adding columns one by one. */
  emptyRow: Record<string, unknown>;
  columns: { name: string; parse: (text: string) => unknown }[];
}

interface PreparedStatements {
  generation: number;
  shapes: Map<string, RowShape>;
}

/** The code of every statement after one that failed. */
export const inFailedTransaction = '25P02';
/** The code of a statement that does not exist, for example because its Parse was skipped. */
export const unknownStatement = '26000';

/** The prepared statements of each connection. */
const preparedByConnection = new WeakMap<Connection, PreparedStatements>();
/** Increases when a plan is outdated, so that all connections prepare their statements again. */
let planGeneration = 0;

const writer = new MessageWriter();

/** A statement that Postgres skipped, with the code that a separate packet would get. */
class StatementSkipped extends Error {
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
  #shapes: RowShape[] = [];
  /** By statement: whether this packet prepares it. */
  #parsed: boolean[] = [];
  /** The index of the statement whose result is being read. */
  #at = 0;
  #rows: object[] = [];
  /** The error if the rows of this result could not be read. */
  #fault: { error: unknown } | null = null;
  /** Settles the last statement, once the connection is ready for the next packet. */
  #last: (() => void) | null = null;

  constructor(client: PoolClient, statements: readonly Statement[]) {
    // An object would be cloned.
    super('');
    this.#client = client;
    this.#statements = statements;
  }

  override submit = (connection: Connection): void => {
    const { shapes } = preparedStatementsOf(connection);
    const isPooled = this.#client instanceof PostgresClient && this.#client.link?.isPooled;
    for (const { name: preferredName, text, values } of this.#statements) {
      // The pooler's next session would not know the name.
      const name = isPooled ? '' : preferredName;
      let shape = name === '' ? undefined : shapes.get(name);
      const isNew = shape === undefined;
      if (!shape) {
        shape = { emptyRow: {}, columns: [] };
        if (name !== '') {
          shapes.set(name, shape);
          // Another packet may have prepared it and then failed.
          writer.closeStatement(name);
        }
        writer.parse(name, text);
      }
      writer.bind(name, values);
      if (isNew) writer.describe();
      writer.execute();
      this.#shapes.push(shape);
      this.#parsed.push(isNew);
    }
    writer.sync();
    const bytes = writer.take();
    // Otherwise, pg is about to reject all queries of this connection, including this one.
    if (connection.stream.writable) connection.stream.write(bytes);
  };

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const shape = this.#shapes[this.#at]!;
    shape.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.#client.getTypeParser(dataTypeID, 'text'),
    }));
    shape.emptyRow = Object.fromEntries(fields.map(({ name }) => [name, null]));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { emptyRow, columns } = this.#shapes[this.#at]!;
    const row = { ...emptyRow };
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
    const settle = fault ? () => reject(fault.error) : () => resolve({ rows, tag: text });
    if (this.#at < this.#statements.length) settle();
    else this.#last = settle;
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  /** The connection is ready, and the receiver of the last result may release it. */
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
    for (let isFirst = true; this.#at < this.#statements.length; this.#at++, isFirst = false) {
      this.#statements[this.#at]!.reject(
        isFirst || !fromPostgres ? error : new StatementSkipped(error),
      );
    }
  }

  /** Statements from here on may or may not be prepared, so they are prepared again. */
  #forget(error: unknown, connection: Connection): void {
    const { shapes } = preparedStatementsOf(connection);
    for (let at = this.#at; at < this.#statements.length; at++) {
      const { name } = this.#statements[at]!;
      if (this.#parsed[at] && shapes.get(name) === this.#shapes[at]) shapes.delete(name);
    }
    if (!(error instanceof pg.DatabaseError)) return;
    if (error.code === unknownStatement) shapes.clear();
    if (isOutdatedPlan(error)) planGeneration += 1;
  }
}

/**
 * Whether a migration has changed the result of a prepared statement ("cached plan must not change
 * result type"). Postgres executed nothing, and a retry works.
 */
export function isOutdatedPlan(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === '0A000' &&
    error.routine === 'RevalidateCachedQuery'
  );
}

function preparedStatementsOf(connection: Connection): PreparedStatements {
  let prepared = preparedByConnection.get(connection);
  if (prepared?.generation !== planGeneration) {
    prepared = { generation: planGeneration, shapes: new Map() };
    preparedByConnection.set(connection, prepared);
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

  /** Sends statements as one packet. Each gets a separate result. */
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
export function serializeValues(values: readonly unknown[]): ParameterValue[] {
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
export function redirectQueries(
  runner: QueryRunner,
  runQuery: (text: string, values: readonly unknown[]) => Promise<StatementResult>,
): void {
  Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
  runner.query = (async (text: string, values: unknown[] = [], structured = false) => {
    const { rows, tag } = await runQuery(text, values);
    const affected = Number(/\d+$/.exec(tag)?.[0] ?? rows.length);
    const raw = /^(?:UPDATE|DELETE)/.test(tag) ? [rows, affected] : rows;
    if (!structured) return raw;
    return Object.assign(new QueryResult(), { raw, records: rows, affected });
  }) as QueryRunner['query'];
  runner.stream = () => {
    throw new Error('A transaction cannot stream. Read in pages.');
  };
}
