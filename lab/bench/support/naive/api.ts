import { createHash, randomBytes } from 'node:crypto';
import { startChild } from '../children.ts';
import type { BenchGround } from '../ground.ts';
import { createNaiveTables, NaiveKey, openNaive } from './entities.ts';

/** The plain Koa handler of api-process.ts, on the benchmark's database. */
export interface NaiveApi {
  port: number;
  pid: number;
  /** The secrets of its API keys. */
  secrets: string[];
  close(): Promise<void>;
}

export async function startNaiveApi(ground: BenchGround, keys: number): Promise<NaiveApi> {
  await createNaiveTables(ground.benchSuperuserUrl);
  const secrets = Array.from({ length: keys }, () => randomBytes(24).toString('base64url'));
  const database = await openNaive(ground.benchSuperuserUrl, 1);
  await database.getRepository(NaiveKey).insert(
    secrets.map((secret, at) => ({
      secretSha256: createHash('sha256').update(secret).digest('hex'),
      owner: `owner-${at}`,
    })),
  );
  await database.destroy();
  const child = await startChild('naive/api-process.ts', {
    DATABASE_URL: ground.benchSuperuserUrl,
    REDIS_URL: ground.redisUrl,
  });
  return {
    port: (child.told as { port: number }).port,
    pid: child.pid,
    secrets,
    close: () => child.end(),
  };
}
