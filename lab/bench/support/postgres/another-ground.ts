import { newId } from '@scriptorium/contracts/ids';
import pg from 'pg';
import { createDatabase, migrate } from '../../../../src/db/preparing/prepare.ts';
import type { BenchGround } from '../ground.ts';
import { addWeeks } from './partitions.ts';

/**
 * Another database of the ground's Postgres and another of its Redis, for processes that must not
 * see the work of the first. Close it before the ground.
 */
export async function openAnotherGround(ground: BenchGround, redis: number): Promise<BenchGround> {
  const database = `bench_${redis}`;
  await createDatabase(ground.superuserUrl, database);
  const within = (url: string): string => {
    const changed = new URL(url);
    changed.pathname = `/${database}`;
    return changed.href;
  };
  const { ownerUrl, apiUrl, workerUrl, relayUrl, neighbourUrl } = ground.urls;
  await migrate(within(ownerUrl));
  const superuser = new pg.Pool({ connectionString: within(ground.superuserUrl), max: 2 });
  await addWeeks(superuser);
  return {
    ...ground,
    benchSuperuserUrl: within(ground.superuserUrl),
    urls: {
      ownerUrl: within(ownerUrl),
      apiUrl: within(apiUrl),
      workerUrl: within(workerUrl),
      relayUrl: within(relayUrl),
      neighbourUrl: within(neighbourUrl),
    },
    redisUrl: `${ground.redisUrl}/${redis}`,
    async project() {
      const id = newId('project');
      await superuser.query(`INSERT INTO project (id, name) VALUES ($1, 'bench')`, [id]);
      return id;
    },
    ask: async (sql, values = []) => (await superuser.query(sql, values)).rows,
    async analyze() {
      await superuser.query('ANALYZE');
    },
    close: () => superuser.end(),
  };
}
