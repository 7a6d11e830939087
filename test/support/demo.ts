import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { findFreePort } from '../../lab/embedded/processes/ports.ts';
import { extension, runTypeScript } from '../../lab/embedded/programs.ts';
import { run } from './run.ts';

/** The entry of script/demo, which is run without script/setup: that would install other packages. */
const demo = resolve(import.meta.dirname, `../../lab/demo${extension}`);

/** Runs the demo with this Node executable and a new data folder, and expects it to succeed. */
export async function expectDemo(node: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-test-'));
  // Postgres may run as another account.
  await chmod(folder, 0o711);
  const { DATABASE_URL, REDIS_URL, STORAGE_URL, ...env } = process.env;
  try {
    const { code, stderr } = await run(node, [...runTypeScript, demo], {
      env: { ...env, PORT: String(await findFreePort()), DATA_PATH: join(folder, 'data') },
    });
    expect(code, `with ${node}: ${stderr}`).to.equal(0);
    expect(stderr)
      .to.match(/^Verified {2}yes;/m)
      .and.to.match(/^Webhooks .+ 0 rejected:/m);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
