import { join } from 'node:path';
import { checkout } from './programs.ts';
import { findRedis } from './redis-binary.ts';
import { StartError } from './start-error.ts';
import { findTessdata } from './tessdata.ts';

/** `script/setup`'s second half: what npm does not have is found or fetched, once. */
async function provision(env: NodeJS.ProcessEnv): Promise<void> {
  const packagesDir = join(checkout, '.data', 'packages');
  if (env.REDIS_URL) {
    say('Redis: the one that REDIS_URL names.');
  } else {
    const redis = await findRedis({ packagesDir, log: say });
    say(`Redis: ${redis.path}.`);
  }
  if (env.TESSDATA_PATH) {
    say(`OCR model: the one in TESSDATA_PATH, ${env.TESSDATA_PATH}.`);
  } else {
    const dir = join(checkout, '.data', 'tessdata');
    say(`OCR model: ${(await findTessdata({ dir, packagesDir, log: say })).description}.`);
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

try {
  await provision(process.env);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
