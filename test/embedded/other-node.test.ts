import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { findFreePort } from '../../src/embedded/processes/ports.ts';
import { extension, runTypeScript } from '../../src/embedded/programs.ts';
import { findOtherNode } from '../support/other-node.ts';
import { run } from '../support/run.ts';

/** The entry of script/demo, which is run without script/setup: that would install other packages. */
const demo = resolve(import.meta.dirname, `../../src/demo${extension}`);

describe('another version of Node', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-test-'));
    await chmod(folder, 0o711);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('runs the demo (skipped without one: set OTHER_NODE to its path)', async function () {
    const other = await findOtherNode();
    if (!other) this.skip();
    const { DATABASE_URL, REDIS_URL, STORAGE_URL, ...env } = process.env;
    const { code, stderr } = await run(other.path, [...runTypeScript, demo], {
      env: { ...env, PORT: String(await findFreePort()), DATA_PATH: join(folder, 'data') },
    });
    expect(code, `on ${other.version}: ${stderr}`).to.equal(0);
    expect(stderr)
      .to.match(/^Verified {2}yes;/m)
      .and.to.match(/^Webhooks .+ 0 rejected:/m);
  });
});
