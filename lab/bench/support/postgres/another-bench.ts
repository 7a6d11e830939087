import { newId } from '@scriptorium/contracts/ids';
import pg from 'pg';
import { createDatabase, migrate } from '../../../../src/db/preparing/prepare.ts';
import type { Bench } from '../bench.ts';
import { addWeeks } from './partitions.ts';

/**
 * Another database of the ground's Postgres and another of its Redis, for processes that must not
 * see the work of the first. Close it before the ground.
 */
export async function openAnotherBench(bench: Bench, redis: number): Promise<Bench> {
  const database = `bench_${redis}`;
  await createDatabase(bench.superuserUrl, database);
  const toDatabase = (url: string): string => {
    const changed = new URL(url);
    changed.pathname = `/${database}`;
    return changed.href;
  };
  const { ownerUrl, apiUrl, workerUrl, relayUrl, neighbourUrl } = bench.urls;
  await migrate(toDatabase(ownerUrl));
  const superuser = new pg.Pool({ connectionString: toDatabase(bench.superuserUrl), max: 2 });
  await addWeeks(superuser);
  return {
    ...bench,
    benchSuperuserUrl: toDatabase(bench.superuserUrl),
    urls: {
      ownerUrl: toDatabase(ownerUrl),
      apiUrl: toDatabase(apiUrl),
      workerUrl: toDatabase(workerUrl),
      relayUrl: toDatabase(relayUrl),
      neighbourUrl: toDatabase(neighbourUrl),
    },
    redisUrl: `${bench.redisUrl}/${redis}`,
    async createProject() {
      const id = newId('project');
      await superuser.query(`INSERT INTO project (id, name) VALUES ($1, 'bench')`, [id]);
      return id;
    },
    query: async (sql, values = []) => (await superuser.query(sql, values)).rows,
    async analyze() {
      await superuser.query('ANALYZE');
    },
    close: () => superuser.end(),
  };
}
