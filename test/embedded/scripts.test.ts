import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile } from '@scriptorium/contracts/helpers/validator';
import { expect } from 'chai';
import { Type } from 'typebox';
import { checkout, run } from '../support/run.ts';

const Lockfile = Type.Object({
  packages: Type.Record(
    Type.String(),
    Type.Object({
      optionalDependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
    }),
  ),
});

describe('scripts', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-test-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const setup = (env: NodeJS.ProcessEnv = {}, ...args: string[]) =>
    run(join(checkout, 'script/setup'), args, { cwd: '/', env: { ...process.env, ...env } });

  it('set up from any folder, any number of times', async () => {
    // The first run may have something to build.
    await setup();
    const { code, stderr } = await setup();
    expect(code).to.equal(0);
    expect(stderr).to.match(/^Redis: .+\nOCR model: .+\n$/);
  });

  it('build the portal only for programs that serve it', async () => {
    await setup();
    const mark = join(checkout, 'dist/browser/.built');
    const built = await readFile(mark, 'utf8');
    await writeFile(mark, 'other sources');
    try {
      const { code, stderr } = await setup({}, '--without-portal');
      expect(code).to.equal(0);
      expect(stderr).to.match(/^Redis: .+\nOCR model: .+\n$/);
      expect(await readFile(mark, 'utf8')).to.equal('other sources');
    } finally {
      await writeFile(mark, built);
    }
    expect(await setup({}, '--portal')).to.include({
      code: 1,
      stderr: "Unknown argument '--portal'. Usage: script/setup [--without-portal]\n",
    });
  });

  it('report a missing or outdated Node', async () => {
    const old = join(folder, 'node');
    await writeFile(old, '#!/bin/sh\necho 18.20.4\n');
    await chmod(old, 0o755);
    const { code, stderr } = await setup({ PATH: `${folder}:${process.env.PATH}` });
    expect([code, stderr]).to.deep.equal([
      1,
      'Node.js 18.20.4 is too old. Install version 24; 20.19 is the oldest that works.\n',
    ]);
    await writeFile(old, '#!/bin/sh\necho 20.18.1\n');
    expect((await setup({ PATH: `${folder}:${process.env.PATH}` })).code).to.equal(1);
    await rm(old);
    for (const tool of ['bash', 'dirname', 'env']) {
      const { stdout } = await run('sh', ['-c', `command -v ${tool}`]);
      await symlink(stdout.trim(), join(folder, tool));
    }
    const none = await setup({ PATH: folder });
    expect([none.code, none.stderr]).to.deep.equal([
      1,
      'Node.js not found. Install version 24; 20.19 is the oldest that works.\n',
    ]);
  });

  it('report a full disk', async () => {
    const { code, stderr } = await setup({ SETUP_NEEDED_MB: '999999999' });
    expect(code).to.equal(1);
    expect(stderr).to.match(
      /^The disk that holds .+ is full: \d+ MB are free and 999999999 MB are needed\.\n$/,
    );
  });

  it('can install from the lockfile, which lists every optional package', async () => {
    const lock: unknown = JSON.parse(await readFile(join(checkout, 'package-lock.json'), 'utf8'));
    if (!compile(Lockfile)(lock)) throw new Error('The lockfile has another format.');
    const { packages } = lock;
    const isThere = (holder: string, name: string): boolean => {
      if (packages[`${holder}${holder && '/'}node_modules/${name}`]) return true;
      const outer = holder.lastIndexOf('/node_modules/');
      return holder !== '' && isThere(outer < 0 ? '' : holder.slice(0, outer), name);
    };
    const missing = Object.entries(packages).flatMap(([holder, { optionalDependencies }]) =>
      Object.keys(optionalDependencies ?? {}).filter((name) => !isThere(holder, name)),
    );
    expect(missing).to.deep.equal([]);
  });
});
