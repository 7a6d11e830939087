import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findFreePort } from '../../src/embedded/processes/ports.ts';
import { extension, runTypeScript } from '../../src/embedded/programs.ts';
import { run } from './run.ts';

/** The entry of script/demo, which is run without script/setup: that would install other packages. */
const demo = resolve(import.meta.dirname, `../../src/demo${extension}`);

/** Runs the demo to its end by a program of Node, with a data folder of its own. */
export async function runDemo(node: string): ReturnType<typeof run> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-test-'));
  // Postgres may run as another account.
  await chmod(folder, 0o711);
  const { DATABASE_URL, REDIS_URL, STORAGE_URL, ...env } = process.env;
  try {
    return await run(node, [...runTypeScript, demo], {
      env: { ...env, PORT: String(await findFreePort()), DATA_PATH: join(folder, 'data') },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
