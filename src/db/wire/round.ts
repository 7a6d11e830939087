import pg, { type Connection, type PoolClient } from 'pg';
import { Packet, type Value } from './packet.ts';

/** What Postgres answers to a statement. */
export interface Answer {
  rows: object[];
  /** The command, with a count where it has one: `INSERT 0 1`. */
  tag: string;
}

/** A statement on its way, and who waits for its answer. */
export interface Said {
  /** Prepared once on each connection under this name; without one, for this time only. */
  name: string;
  text: string;
  values: readonly Value[];
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** How the rows of a statement are read; empty until Postgres has described them. */
interface Shape {
  /** A row with all of its columns: filling in a copy is cheaper than adding one after the other. */
  blank: Record<string, unknown>;
  columns: { name: string; parse: (text: string) => unknown }[];
}

interface Prepared {
  generation: number;
  shapes: Map<string, Shape>;
}

/** What Postgres answers to every statement after one that failed. */
export const inFailedTransaction = '25P02';
/** What it answers to a statement that it does not have: it skipped its Parse, for example. */
export const unknownStatement = '26000';

/** The statements that each connection has. */
const preparedOn = new WeakMap<Connection, Prepared>();
/** Raised when a plan turned out to be outdated: all connections prepare all their statements again. */
let generation = 0;

const packet = new Packet();

/** A statement that Postgres skipped, with what it would have said of it in a packet of its own. */
class Skipped extends Error {
  readonly code = inFailedTransaction;
  constructor(cause: unknown) {
    super('The statement was skipped, since one before it failed.', { cause });
    this.name = 'Skipped';
  }
}

/**
 * Statements that leave as one packet with one Sync behind them. Each is parsed and described once
 * for each connection; after that it is only bound and executed. When one fails, Postgres skips all
 * that follow it up to the Sync, a COMMIT included.
 *
 * pg takes it for a query of its own and tells it what arrives.
 */
export class Round extends pg.Query {
  readonly #client: PoolClient;
  readonly #said: readonly Said[];
  #shapes: Shape[] = [];
  /** Those that this round prepares. */
  #parsed: boolean[] = [];
  /** Whose answer is being read. */
  #at = 0;
  #rows: object[] = [];
  /** The rows of this answer could not be read. */
  #fault: { error: unknown } | null = null;
  /** The answer of the last statement, until the connection is ready for the next round. */
  #last: (() => void) | null = null;

  constructor(client: PoolClient, said: readonly Said[]) {
    // An object would be cloned.
    super('');
    this.#client = client;
    this.#said = said;
  }

  override submit = (connection: Connection): void => {
    const { shapes } = statementsOf(connection);
    for (const { name, text, values } of this.#said) {
      let shape = name === '' ? undefined : shapes.get(name);
      const isNew = shape === undefined;
      if (!shape) {
        shape = { blank: {}, columns: [] };
        if (name !== '') {
          shapes.set(name, shape);
          // Another round may have prepared it and failed after that, which nobody is told.
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
    // When it is not, pg is about to tell all rounds of it that the connection is gone.
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
    const { resolve, reject } = this.#said[this.#at]!;
    const rows = this.#rows;
    const fault = this.#fault;
    this.#rows = [];
    this.#fault = null;
    this.#at += 1;
    const answer = fault ? () => reject(fault.error) : () => resolve({ rows, tag: text });
    if (this.#at < this.#said.length) answer();
    else this.#last = answer;
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  /** The connection is ready for others: who waits for the last answer may give it back. */
  handleReadyForQuery(): void {
    this.#last?.();
    this.#last = null;
  }

  handleError(error: unknown, connection: Connection): void {
    // The last one is done, and yet nobody knows in what state the connection is.
    if (this.#last) this.#at -= 1;
    this.#last = null;
    this.#forget(error, connection);
    const fromPostgres = error instanceof pg.DatabaseError;
    for (let first = true; this.#at < this.#said.length; this.#at++, first = false) {
      this.#said[this.#at]!.reject(first || !fromPostgres ? error : new Skipped(error));
    }
  }

  /** What was to be prepared from here on may or may not be there: it is prepared again. */
  #forget(error: unknown, connection: Connection): void {
    const { shapes } = statementsOf(connection);
    for (let at = this.#at; at < this.#said.length; at++) {
      const { name } = this.#said[at]!;
      if (this.#parsed[at] && shapes.get(name) === this.#shapes[at]) shapes.delete(name);
    }
    if (!(error instanceof pg.DatabaseError)) return;
    if (error.code === unknownStatement) shapes.clear();
    if (isOutdatedPlan(error)) generation += 1;
  }
}

/**
 * A migration changed what a prepared statement gives ("cached plan must not change result type"):
 * Postgres refuses to run it as it was prepared. Nothing has happened, and it works when tried again.
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
