import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { newId } from '@scriptorium/contracts/ids';
import pg from 'pg';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { type DatabaseUrls, prepareDatabase } from '../../../src/db/preparing/prepare.ts';
import { inTransaction, prepared } from '../../../src/db/transaction.ts';
import { type RunningPostgres, startPostgres } from '../../embedded/postgres/postgres.ts';
import { findRedis, startRedis } from '../../embedded/redis/redis.ts';
import { addWeeks } from './postgres/partitions.ts';
import { attach, openTether } from './tether.ts';

/** A Postgres that syncs to disk and a Redis with AOF, as in production, for one benchmark. */
export interface Bench {
  superuserUrl: string;
  /** The superuser's URL of the service's database. */
  benchSuperuserUrl: string;
  urls: DatabaseUrls;
  redisUrl: string;
  postgresPid: number;
  redisPid: number;
  folder: string;
  openDatabase(url: string, poolSize?: number): Promise<Database>;
  /** Creates a project; returns its identifier. */
  createProject(): Promise<string>;
  /** Queries as a superuser, bypassing row-level security: for checks. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /**
   * Vacuums all tables and updates their statistics. Autovacuum would take a minute to notice that
   * they are no longer empty, and plans made for empty tables read all of a full one.
   */
  analyze(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param options.counting whether Postgres records the cost of each statement. Default:
 *   STATEMENTS=1
 * @param options.settings of Postgres, while it counts
 */
export async function openBench(
  {
    counting: countsStatements,
    settings = {},
  }: {
    counting: boolean;
    settings?: Record<string, string>;
  } = {
    counting: process.env.STATEMENTS === '1',
  },
): Promise<Bench> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'scriptorium-bench-')));
  await chmod(folder, 0o711);
  const net = openTether(folder);
  const dataDir = join(folder, 'postgres');
  let postgres = await startPostgres({ dataDir, durable: true });
  if (countsStatements) postgres = await restartWithStatements(postgres, settings);
  const binary = await findRedis({
    packagesDir: resolve(import.meta.dirname, '../../../.data/packages'),
  });
  const redis = await startRedis({ dir: join(folder, 'redis'), binary });
  attach(redis.pid, 'SIGTERM');
  attach(postgres.pid, 'SIGINT');
  const password = randomBytes(12).toString('hex');
  const urls = await prepareDatabase({
    superuserUrl: postgres.superuserUrl,
    database: 'bench',
    passwords: {
      owner: password,
      api: password,
      worker: password,
      relay: password,
      neighbour: password,
    },
  });
  const benchUrl = new URL(postgres.superuserUrl);
  benchUrl.pathname = '/bench';
  const superuser = new pg.Pool({ connectionString: benchUrl.href, max: 2 });
  await addWeeks(superuser);
  const databases: Database[] = [];
  const open = async (url: string, poolSize = 10): Promise<Database> => {
    const database = await openDatabase(url, { poolSize });
    databases.push(database);
    return database;
  };
  const owner = await open(urls.ownerUrl, 2);
  return {
    superuserUrl: postgres.superuserUrl,
    benchSuperuserUrl: benchUrl.href,
    urls,
    redisUrl: redis.url,
    redisPid: redis.pid,
    postgresPid: postgres.pid,
    folder,
    openDatabase: open,
    async createProject() {
      const id = newId('project');
      await inTransaction(owner, (tx) =>
        prepared(tx, 'INSERT INTO project (id, name) VALUES ($1, $2)', [id, 'bench']),
      );
      return id;
    },
    query: async (sql, values = []) => (await superuser.query(sql, values)).rows,
    async analyze() {
      await superuser.query('VACUUM (ANALYZE)');
    },
    async close() {
      if (process.env.STATEMENTS) await printStatements(superuser);
      await superuser.end();
      for (const database of databases) await database.destroy();
      await redis.stop();
      await postgres.stop();
      await net.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A Postgres that records the cost of each statement, including planning. */
async function restartWithStatements(
  running: RunningPostgres,
  settings: Record<string, string>,
): Promise<RunningPostgres> {
  const client = new pg.Client({ connectionString: running.superuserUrl });
  await client.connect();
  await client.query(`ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`);
  await client.query(`ALTER SYSTEM SET "pg_stat_statements.track_planning" = on`);
  for (const [name, value] of Object.entries(settings)) {
    await client.query(`ALTER SYSTEM SET ${name} = ${client.escapeLiteral(value)}`);
  }
  await client.end();
  await running.stop();
  return startPostgres({ dataDir: running.dataDir, durable: true });
}

async function printStatements(superuser: pg.Pool): Promise<void> {
  await superuser.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  const { rows } = await superuser.query<
    Record<'total' | 'planned' | 'calls' | 'rows', number> & { text: string }
  >(
    `SELECT total_exec_time + total_plan_time AS total, total_plan_time AS planned, calls::integer,
       rows::integer, left(regexp_replace(query, '\\s+', ' ', 'g'), 110) AS text
     FROM pg_stat_statements ORDER BY total DESC LIMIT 20`,
  );
  process.stderr.write('  statements: total ms, planning ms, calls, rows\n');
  for (const row of rows) {
    const numbers = [row.total, row.planned, row.calls, row.rows].map((value) => value.toFixed(0));
    process.stderr.write(`  ${numbers.map((n) => n.padStart(8)).join(' ')}  ${row.text}\n`);
  }
}
