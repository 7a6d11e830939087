import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { mock } from 'node:test';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { asStorageError } from '../../src/storage/files.ts';
import { openLocalStorage } from '../../src/storage/local.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { run } from '../support/run.ts';
import { describePartials, uploadU } from './partials.ts';
import { projectA as A, codeOf, collect, describeStorage, hashOf, put } from './shared.ts';

const openFixture = async () => {
  const root = await mkdtemp(join(tmpdir(), 'storage-'));
  return {
    root,
    storage: await openLocalStorage(root),
    temps: () => readdir(join(root, '.tmp')),
    litter: async (projectId: string) => {
      await writeFile(join(root, projectId, 'README'), 'not ours');
      await mkdir(join(root, projectId, 'aa', 'bb'), { recursive: true });
      await writeFile(join(root, projectId, 'aa', 'bb', hashOf('in the wrong folder')), '');
    },
    everything: async () => (await readdir(root)).filter((name) => name !== '.tmp'),
    close: () => rm(root, { recursive: true, force: true }),
  };
};

describeStorage('storage/local', openFixture);
describePartials('storage/local', openFixture);

describe('storage/local, on the disk', () => {
  let root: string;
  let storage: Storage;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ root, storage, close } = await openFixture());
  });
  afterEach(() => close());

  const pathOf = (sha256: string) => join(root, A, sha256.slice(0, 2), sha256.slice(2, 4), sha256);

  it('heals a damaged copy with the next upload of the same bytes', async () => {
    const { sha256 } = await put(storage, A, 'sound');
    await writeFile(pathOf(sha256), 'rotten');
    await put(storage, A, 'sound');
    expect(await readFile(pathOf(sha256), 'utf8')).to.equal('sound');
  });

  it('stored what is committed now, however long ago it came in', async () => {
    const it = await storage.receive(A, Readable.from(['slow']), { maxBytes: 10 });
    const [temp] = await readdir(join(root, '.tmp'));
    const yesterday = new Date(Date.now() - 86_400_000);
    await utimes(join(root, '.tmp', temp!), yesterday, yesterday);
    await it.commit();
    const stored = await storage.stat(A, it.sha256);
    expect(Date.now() - stored!.storedAt.getTime()).to.be.below(60_000);
  });

  it('dates and cleans files by the clock of the file system, however wrong its own is', async () => {
    const temp = await storage.tempFile();
    await storage.partials.append(A, uploadU, 0, Readable.from(['half']), { maxBytes: 10 });
    const before = Date.now();
    mock.timers.enable({ apis: ['Date'], now: before + 2 * 86_400_000 });
    try {
      const { sha256 } = await put(storage, A, 'from tomorrow');
      const stored = await storage.stat(A, sha256);
      expect(stored!.storedAt.getTime()).to.be.within(before - 1_000, before + 86_400_000);
      expect(await storage.now()).to.be.within(before - 1_000, before + 86_400_000);
      expect(await storage.cleanTemp(86_400_000)).to.equal(0);
      expect(await storage.partials.clean(86_400_000)).to.equal(0);
    } finally {
      mock.timers.reset();
    }
    await temp.release();
  });

  it('is unavailable while its disk is read-only or fails', async () => {
    for (const code of ['EROFS', 'EIO']) {
      async function* failing() {
        yield Buffer.from('x');
        throw Object.assign(new Error(`${code}: write`), { code });
      }
      const run = storage.receive(A, Readable.from(failing()), { maxBytes: 10 });
      expect(await codeOf(run)).to.equal('unavailable');
    }
    // Of making folders in a read-only file system, Node says this.
    const rejected = Object.assign(new Error('ENOENT: mkdir'), {
      code: 'ENOENT',
      syscall: 'mkdir',
    });
    expect(asStorageError(rejected)).to.have.property('code', 'unavailable');
  });

  it('keeps what it has stored if the disk becomes read-only before the rest is tidied', async function () {
    const disk = await mkdtemp(join(tmpdir(), 'disk-'));
    const mount = (...options: string[]) => run('mount', [...options, disk]);
    const { code } = await mount('-t', 'tmpfs', 'storage-test');
    // Only root may mount a file system.
    if (code !== 0) this.skip();
    try {
      const own = await openLocalStorage(disk);
      const it = await own.receive(A, Readable.from(['kept']), { maxBytes: 10 });
      const parts = Readable.from(['in parts']);
      await own.partials.append(A, uploadU, 0, parts, { maxBytes: 10 });
      const whole = await own.partials.complete(A, uploadU);
      await Promise.all([it.commit(), whole.commit()]);
      expect((await mount('-o', 'remount,ro')).code).to.equal(0);
      await Promise.all([it.discard(), whole.discard()]);
      mock.timers.enable({ apis: ['Date'], now: Date.now() + 2 * 86_400_000 });
      expect(await own.cleanTemp(86_400_000), 'by a wrong clock').to.equal(0);
      expect(String(await collect(await own.open(A, it.sha256)))).to.equal('kept');
      expect(String(await collect(await own.open(A, whole.sha256)))).to.equal('in parts');
    } finally {
      mock.timers.reset();
      await run('umount', [disk]);
      await rm(disk, { recursive: true });
    }
  });

  describe('openStorage', () => {
    it('opens a folder by file URL or path, and makes it', async () => {
      const inner = join(root, 'a', 'b c');
      const opened = await openStorage(pathToFileURL(inner).href);
      const it = await opened.receive(A, Readable.from(['x']), { maxBytes: 1 });
      await it.commit();
      const again = await openStorage(inner);
      expect(await again.stat(A, it.sha256)).to.include({ bytes: 1 });
    });
    for (const url of ['gs://bucket', 'http://example.com', '']) {
      it(`says that it cannot open ${JSON.stringify(url)}`, async () => {
        expect(await codeOf(openStorage(url))).to.equal('scheme_not_supported');
      });
    }
    it('says what is wrong when the folder is a file', async () => {
      await mkdir(root, { recursive: true });
      await writeFile(join(root, 'file'), '');
      const error = await openStorage(join(root, 'file')).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(Error).with.property('code', 'ENOTDIR');
    });
  });
});
