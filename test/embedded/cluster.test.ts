import fs from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findAccount } from '../../lab/embedded/postgres/account.ts';
import { createCluster } from '../../lab/embedded/postgres/cluster.ts';
import { createProgress } from '../../lab/embedded/progress.ts';
import { StartError } from '../../lab/embedded/start-error.ts';

const isRoot = process.getuid?.() === 0;

describe('the data folder of embedded Postgres', () => {
  let folder: string;
  let dataDir: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cluster-'));
    await chmod(folder, 0o711);
    dataDir = join(folder, 'data');
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Creates it with a script in the place of initdb, which runs in the new folder. */
  async function create(script = ':'): Promise<unknown> {
    const initdb = join(folder, 'initdb');
    await writeFile(initdb, `#!/bin/sh\n${script}\necho 17 >PG_VERSION\n`, { mode: 0o755 });
    const runtime = { postgres: initdb, initdb, lib: folder };
    return createProgress()
      .during('creating it', (step) => createCluster(runtime, dataDir, findAccount(), step))
      .catch((error: unknown) => error);
  }

  /** Lets a folder and its files not be read, as on a failing disk. */
  function refuseToRead(path: string): () => void {
    const { readFile: read, readdir: list } = fs.promises;
    const check = (asked: unknown): void => {
      if (asked !== path && !String(asked).startsWith(`${path}/`)) return;
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    };
    Object.assign(fs.promises, {
      readFile: async (...given: Parameters<typeof read>) => {
        check(given[0]);
        return read(...given);
      },
      readdir: async (...given: Parameters<typeof list>) => {
        check(given[0]);
        return list(...given);
      },
    });
    syncBuiltinESMExports();
    return () => {
      Object.assign(fs.promises, { readFile: read, readdir: list });
      syncBuiltinESMExports();
    };
  }

  it('is not replaced because it could not be read', async () => {
    await mkdir(dataDir);
    for (const name of ['PG_VERSION', 'table']) await writeFile(join(dataDir, name), 'data');
    const free = refuseToRead(dataDir);
    const failed = await create().finally(free);
    expect(failed)
      .to.be.instanceOf(StartError)
      .and.to.have.property('message')
      .that.includes('EIO');
    expect(await readFile(join(dataDir, 'table'), 'utf8')).to.equal('data');
  });

  it('is not put in the place of a file', async () => {
    await writeFile(dataDir, 'a letter');
    expect(await create()).to.be.instanceOf(StartError);
    expect(await readFile(dataDir, 'utf8')).to.equal('a letter');
  });

  it('does not share its account with what a link in it leads to', async function () {
    if (!isRoot) return this.skip();
    const outside = join(folder, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'file'), '');
    expect(await create(`mkdir base; : >base/1; ln -s ${outside} link`)).to.equal(undefined);
    const uidOf = async (path: string) => (await stat(path)).uid;
    expect(await uidOf(join(dataDir, 'base', '1'))).to.equal(findAccount()?.uid);
    expect(await uidOf(join(outside, 'file'))).to.equal(0);
  });
});
