import 'reflect-metadata';
import { setIdClock } from '@scriptorium/contracts/ids';
import pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { entities } from '../entities/index.ts';
import { isPooled, isRejectedSetting } from './pooling.ts';
import { measureClock, postgresTime } from './postgres-time.ts';
import { configOf, type Link, type LinkedConfig, PostgresClient } from './wire/client.ts';

export type Database = DataSource;

const int8Oid = 20;
/**
 * How long a connection attempt may take; the first one may take longer, while the process still
 * loads its modules.
 */
const connectMs = 5_000;
const firstConnectMs = 30_000;
/** How to connect to each database. */
const links = new WeakMap<Database, Link>();

interface Options {
  poolSize?: number;
  applicationName?: string;
  statementSeconds?: number;
  /** How long an idle connection is kept. Default: 10 seconds. */
  idleSeconds?: number;
  /** The migrations that `runMigrations` runs; only a process that migrates loads them. */
  migrations?: readonly (new () => MigrationInterface)[];
}

/**
 * Opens a pool of connections under the role that the URL names. `bigint` columns are returned as
 * numbers: sizes, ordinals and sequences all stay below 2^53. From then on, `postgresTime` is known,
 * from which identifiers get their time.
 */
export async function openDatabase(url: string, options: Options = {}): Promise<Database> {
  const config = configOf(url);
  config.link.limits.statement = options.statementSeconds ?? null;
  const database = await connect(config, options).catch((error: unknown) => {
    if (!isRejectedSetting(error)) throw error;
    config.link.isPooled = true;
    return connect(config, options);
  });
  try {
    config.link.isPooled = await onConnection(database, isPooled);
    links.set(database, config.link);
    await measureClock(database);
    setIdClock(postgresTime);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** Whether a pooler is between this process and Postgres. */
export function isBehindPooler(database: Database): boolean {
  return links.get(database)?.isPooled ?? false;
}

async function connect(config: LinkedConfig & { link: Link }, options: Options): Promise<Database> {
  const { idle, statement } = config.link.limits;
  const database = new DataSource({
    type: 'postgres',
    ...(config.database !== undefined && { database: config.database }),
    entities,
    migrations: [...(options.migrations ?? [])],
    migrationsTableName: 'migration',
    synchronize: false,
    logging: false,
    poolSize: options.poolSize ?? 10,
    extra: {
      ...config,
      application_name: options.applicationName ?? config.application_name ?? 'scriptorium',
      Client: PostgresClient,
      types: {
        getTypeParser: (oid: number, format: 'text' | 'binary') =>
          oid === int8Oid && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format),
      },
      connectionTimeoutMillis: firstConnectMs,
      // A new connection costs a login, a Postgres process and a new plan for every statement.
      ...(options.idleSeconds && { idleTimeoutMillis: options.idleSeconds * 1_000 }),
      // Detects connections that were cut silently, which would otherwise occupy a slot forever.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // Statements do not wait for the results of earlier ones, so starting costs no round trip.
      pipeline: true,
      // Through a pooler, each transaction sets its limits.
      ...(!config.link.isPooled && {
        idle_in_transaction_session_timeout: idle * 1_000,
        ...(statement !== null && { statement_timeout: statement * 1_000 }),
      }),
    },
  });
  await database.initialize();
  setConnectTimeout(database, connectMs);
  return database;
}

/** Sets how long new connections of a pool may take. */
function setConnectTimeout({ driver }: Database, milliseconds: number): void {
  const pool: unknown = 'master' in driver ? driver.master : undefined;
  if (!(pool instanceof pg.Pool)) throw new Error('TypeORM has opened no pool of connections.');
  pool.options.connectionTimeoutMillis = milliseconds;
}

async function onConnection<T>(
  database: Database,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const runner = database.createQueryRunner();
  try {
    return await work((await runner.connect()) as pg.PoolClient);
  } finally {
    await runner.release();
  }
}

/** The maximum number of open connections of a database. */
export function connectionsOf(database: Database): number {
  const { poolSize } = database.options;
  if (poolSize === undefined) throw new Error('The database was opened without a pool size.');
  return poolSize;
}
