import { join } from 'node:path';
import { checkout } from './programs.ts';
import { findRedis } from './redis/binary.ts';
import { StartError } from './start-error.ts';
import { findEnglishModel } from './tessdata.ts';

/** The second half of `script/setup`: finds or downloads dependencies that are not on npm, once. */
async function provision(env: NodeJS.ProcessEnv): Promise<void> {
  const packagesDir = join(checkout, '.data', 'packages');
  const found = await Promise.allSettled([
    provideRedis(env, packagesDir),
    provideModel(env, packagesDir),
  ]);
  for (const one of found) if (one.status === 'fulfilled') log(one.value);
  for (const one of found) if (one.status === 'rejected') throw one.reason;
}

async function provideRedis(env: NodeJS.ProcessEnv, packagesDir: string): Promise<string> {
  if (env.REDIS_URL) return 'Redis: from REDIS_URL.';
  const redis = await findRedis({ packagesDir, log });
  return `Redis: ${redis.path}.`;
}

async function provideModel(env: NodeJS.ProcessEnv, packagesDir: string): Promise<string> {
  if (env.TESSDATA_PATH) return `OCR model: from TESSDATA_PATH, ${env.TESSDATA_PATH}.`;
  const dir = join(checkout, '.data', 'tessdata');
  return `OCR model: ${(await findEnglishModel({ dir, packagesDir, log })).description}.`;
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}

try {
  await provision(process.env);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  log(error.message);
  process.exitCode = 1;
}
