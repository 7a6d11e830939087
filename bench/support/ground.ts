import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { newId } from '../../src/contracts/ids.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { type DatabaseUrls, prepareDatabase } from '../../src/db/prepare.ts';
import { inTransaction, prepared } from '../../src/db/transaction.ts';
import { startPostgres } from '../../src/embedded/postgres.ts';
import { findRedis, startRedis } from '../../src/embedded/redis.ts';

/** A Postgres that syncs to disk and a Redis with AOF, as in production, for one bench. */
export interface BenchGround {
  superuserUrl: string;
  /** A superuser's URL to the database that the service uses. */
  benchSuperuserUrl: string;
  urls: DatabaseUrls;
  redisUrl: string;
  postgresPid: number;
  folder: string;
  open(url: string, poolSize?: number): Promise<Database>;
  /** A new project's identifier. */
  project(): Promise<string>;
  /**
   * Statistics of what the tables hold by now: autovacuum would take a minute to notice that they
   * are no longer empty, and plans made for empty tables read all of a full one.
   */
  analyze(): Promise<void>;
  close(): Promise<void>;
}

export async function openBenchGround(): Promise<BenchGround> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'scriptorium-bench-')));
  await chmod(folder, 0o711);
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: true });
  const binary = await findRedis({
    packagesDir: resolve(import.meta.dirname, '../../.data/packages'),
  });
  const redis = await startRedis({ dir: join(folder, 'redis'), binary });
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
  const opened: Database[] = [];
  const open = async (url: string, poolSize = 10): Promise<Database> => {
    const database = await openDatabase(url, { poolSize });
    opened.push(database);
    return database;
  };
  const owner = await open(urls.ownerUrl, 2);
  return {
    superuserUrl: postgres.superuserUrl,
    benchSuperuserUrl: benchUrl.href,
    urls,
    redisUrl: redis.url,
    postgresPid: Number(
      (await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0],
    ),
    folder,
    open,
    async project() {
      const id = newId('project');
      await inTransaction(owner, (tx) =>
        prepared(tx, 'INSERT INTO project (id, name) VALUES ($1, $2)', [id, 'bench']),
      );
      return id;
    },
    async analyze() {
      const client = new pg.Client({ connectionString: benchUrl.href });
      await client.connect();
      await client.query('ANALYZE');
      await client.end();
    },
    async close() {
      for (const database of opened) await database.destroy();
      await redis.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
