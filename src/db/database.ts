import 'reflect-metadata';
import pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { entities } from '../entities/index.ts';

export type Database = DataSource;

const int8 = 20;

/**
 * A client that always has an error listener. Between the pool and TypeORM, a new client has none for a
 * moment, and an error event in that moment would end the process. The next statement fails instead.
 */
class SteadyClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/**
 * Opens a pool of connections under the role that the URL names. `bigint` columns arrive as numbers:
 * sizes, ordinals and sequences all stay below 2^53.
 */
export async function openDatabase(
  url: string,
  options: {
    poolSize?: number;
    applicationName?: string;
    statementSeconds?: number;
    /** How long an idle connection is kept. Default: 10 seconds. */
    idleSeconds?: number;
    /** What `runMigrations` runs; only a process that migrates loads them. */
    migrations?: readonly (new () => MigrationInterface)[];
  } = {},
): Promise<Database> {
  const database = new DataSource({
    type: 'postgres',
    url,
    entities,
    migrations: [...(options.migrations ?? [])],
    migrationsTableName: 'migration',
    synchronize: false,
    logging: false,
    poolSize: options.poolSize ?? 10,
    applicationName: options.applicationName ?? 'scriptorium',
    extra: {
      Client: SteadyClient,
      types: {
        getTypeParser: (oid: number, format: 'text' | 'binary') =>
          oid === int8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
      },
      connectionTimeoutMillis: 5_000,
      // A new connection costs a login, a process of Postgres and the plan of every statement.
      ...(options.idleSeconds && { idleTimeoutMillis: options.idleSeconds * 1_000 }),
      // Detects connections that were cut silently; they would hold a slot for ever.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // A statement does not wait for the answer to the one before it, so starting costs no round trip.
      pipeline: true,
      idle_in_transaction_session_timeout: 60_000,
      ...(options.statementSeconds && { statement_timeout: options.statementSeconds * 1_000 }),
    },
  });
  await database.initialize();
  return database;
}

/** The maximum number of open connections of a database. */
export function connectionsOf(database: Database): number {
  const { poolSize } = database.options;
  if (poolSize === undefined) throw new Error('The database was opened without a pool size.');
  return poolSize;
}
