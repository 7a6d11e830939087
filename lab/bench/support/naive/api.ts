import { createHash, randomBytes } from 'node:crypto';
import type { Bench } from '../bench.ts';
import { startChild } from '../children.ts';
import { createNaiveTables, NaiveKey, openNaiveDatabase } from './entities.ts';

/** The plain Koa handler of api-process.ts, on the benchmark's database. */
export interface NaiveApi {
  port: number;
  pid: number;
  /** The secrets of its API keys. */
  secrets: string[];
  close(): Promise<void>;
}

export async function startNaiveApi(bench: Bench, keys: number): Promise<NaiveApi> {
  await createNaiveTables(bench.benchSuperuserUrl);
  const secrets = Array.from({ length: keys }, () => randomBytes(24).toString('base64url'));
  const database = await openNaiveDatabase(bench.benchSuperuserUrl, 1);
  await database.getRepository(NaiveKey).insert(
    secrets.map((secret, at) => ({
      secretSha256: createHash('sha256').update(secret).digest('hex'),
      owner: `owner-${at}`,
    })),
  );
  await database.destroy();
  const child = await startChild('naive/api-process.ts', {
    DATABASE_URL: bench.benchSuperuserUrl,
    REDIS_URL: bench.redisUrl,
  });
  return {
    port: (child.firstMessage as { port: number }).port,
    pid: child.pid,
    secrets,
    close: () => child.kill(),
  };
}
