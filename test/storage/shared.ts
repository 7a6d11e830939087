import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { expect } from 'chai';
import { HEAD_BYTES, type Storage, StorageError } from '../../src/storage/storage.ts';

/** A storage under test, and a look at what is not its contents. */
export interface StorageFixture {
  storage: Storage;
  /** What lies in its temporary places. */
  temps(): Promise<string[]>;
  /** Puts something under a project's name that no storage wrote. */
  litter(projectId: string): Promise<void>;
  /** Everything it holds, by name. */
  everything(): Promise<string[]>;
  close(): Promise<void>;
}

export const projectA = 'prj_01jd00000000000000000000aa';
export const projectB = 'prj_01jd00000000000000000000bb';
const A = projectA;
const B = projectB;

export const hashOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const none = hashOf('');

/** The code of the StorageError that something ends with. */
export async function codeOf(run: Promise<unknown>): Promise<string> {
  try {
    await run;
  } catch (error) {
    if (error instanceof StorageError) return error.code;
    throw error;
  }
  return 'nothing thrown';
}

export async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Stores bytes in a project. */
export async function put(storage: Storage, project: string, bytes: Buffer | string) {
  const it = await storage.receive(project, Readable.from([Buffer.from(bytes)]), {
    maxBytes: 2 ** 30,
  });
  await it.commit();
  await it.discard();
  return it;
}

/** Describes what every storage does, wherever it stores bytes. */
export function describeStorage(name: string, open: () => Promise<StorageFixture>): void {
  describe(name, () => {
    let fixture: StorageFixture;
    let storage: Storage;
    const temps = () => fixture.temps();
    const shas = async (project: string, after?: string) => {
      const found: string[] = [];
      for await (const sha256 of storage.list(project, after)) found.push(sha256);
      return found;
    };

    beforeEach(async () => {
      fixture = await open();
      storage = fixture.storage;
    });
    afterEach(() => fixture.close());

    it('keeps what it received under its hash', async () => {
      const bytes = randomBytes(300_000);
      const pieces = [bytes.subarray(0, 1), bytes.subarray(1, 70_000), bytes.subarray(70_000)];
      const it = await storage.receive(A, Readable.from(pieces), { maxBytes: 300_000 });
      expect(it).to.include({ sha256: hashOf(bytes), bytes: bytes.length });
      expect(it.head.equals(bytes.subarray(0, HEAD_BYTES))).to.equal(true);
      expect(await storage.stat(A, it.sha256)).to.equal(null);
      await it.commit();
      await it.discard();
      expect(await storage.stat(A, it.sha256)).to.include({ sha256: it.sha256, bytes: 300_000 });
      expect((await collect(await storage.open(A, it.sha256))).equals(bytes)).to.equal(true);
      expect(await temps()).to.deep.equal([]);
    });

    it('keeps nothing at all just as well', async () => {
      const it = await storage.receive(A, Readable.from([]), { maxBytes: 10 });
      await it.commit();
      expect(it).to.deep.include({ sha256: none, bytes: 0, head: Buffer.alloc(0) });
      expect(await collect(await storage.open(A, none))).to.have.length(0);
    });

    it('commits the same bytes twice, at the same time and later', async () => {
      const receive = () => storage.receive(A, Readable.from(['same']), { maxBytes: 10 });
      const [one, two] = await Promise.all([receive(), receive()]);
      await Promise.all([one.commit(), two.commit()]);
      await one.commit();
      const three = await receive();
      await three.commit();
      await Promise.all([one, two, three].map((each) => each.discard()));
      expect(await shas(A)).to.deep.equal([hashOf('same')]);
      expect(await temps()).to.deep.equal([]);
      expect(await collect(await storage.open(A, hashOf('same')))).to.deep.equal(
        Buffer.from('same'),
      );
    });

    it('puts back what went away between one commit and the next', async () => {
      const it = await storage.receive(A, Readable.from(['back']), { maxBytes: 10 });
      for (let turn = 0; turn < 3; turn++) {
        await it.commit();
        expect(String(await collect(await storage.open(A, it.sha256)))).to.equal('back');
        await storage.remove(A, it.sha256);
      }
      await it.commit();
      await it.discard();
      expect(String(await collect(await storage.open(A, it.sha256)))).to.equal('back');
      expect(await temps()).to.deep.equal([]);
    });

    it('discards without a trace', async () => {
      const it = await storage.receive(A, Readable.from(['gone']), { maxBytes: 10 });
      expect(await temps()).to.have.length(1);
      await it.discard();
      await it.discard();
      expect(await temps()).to.deep.equal([]);
      expect(await storage.stat(A, it.sha256)).to.equal(null);
    });

    it('shares nothing between projects', async () => {
      const { sha256 } = await put(storage, A, 'mine');
      expect(await storage.stat(B, sha256)).to.equal(null);
      expect(await codeOf(storage.open(B, sha256))).to.equal('not_found');
      expect(await shas(B)).to.deep.equal([]);
      await put(storage, B, 'mine');
      await storage.remove(A, sha256);
      expect(await storage.stat(A, sha256)).to.equal(null);
      expect(await collect(await storage.open(B, sha256))).to.deep.equal(Buffer.from('mine'));
    });

    it('stops as soon as there is too much, and stops the sender', async () => {
      let sent = 0;
      function* endless() {
        for (;;) {
          sent += 65_536;
          yield Buffer.alloc(65_536);
        }
      }
      const stream = Readable.from(endless());
      expect(await codeOf(storage.receive(A, stream, { maxBytes: 1_000_000 }))).to.equal(
        'too_large',
      );
      expect(sent).to.be.below(4_000_000);
      expect(stream.destroyed).to.equal(true);
      expect(await temps()).to.deep.equal([]);
    });

    it('takes exactly the maximum', async () => {
      const it = await storage.receive(A, Readable.from(['12345']), { maxBytes: 5 });
      expect(it.bytes).to.equal(5);
      await it.discard();
    });

    it('leaves nothing behind when the sender fails or the caller stops', async () => {
      async function* broken() {
        yield Buffer.from('half');
        throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
      }
      expect(await codeOf(storage.receive(A, Readable.from(broken()), { maxBytes: 10 }))).to.equal(
        'aborted',
      );
      const stop = new AbortController();
      const slow = new PassThrough();
      slow.write('half');
      slow.once('data', () => stop.abort()); // and it never ends by itself
      const run = storage.receive(A, slow, { maxBytes: 10, signal: stop.signal });
      expect(await codeOf(run)).to.equal('aborted');
      const before = Readable.from(['x']);
      const late = storage.receive(A, before, { maxBytes: 10, signal: stop.signal });
      expect(await codeOf(late)).to.equal('aborted');
      expect(await temps()).to.deep.equal([]);
    });

    it('names a full disk', async function () {
      if (!existsSync('/dev/full')) this.skip();
      // A real ENOSPC, from the device that is always full.
      async function* failing() {
        yield Buffer.from('x');
        await writeFile('/dev/full', 'x');
      }
      const run = storage.receive(A, Readable.from(failing()), { maxBytes: 10 });
      expect(await codeOf(run)).to.equal('storage_full');
      expect(await temps()).to.deep.equal([]);
    });

    it('never holds a stream whole', async () => {
      const size = 200 * 1024 * 1024;
      const chunk = Buffer.alloc(65_536, 7);
      function* big() {
        for (let sent = 0; sent < size; sent += chunk.length) yield chunk;
      }
      const before = process.memoryUsage().arrayBuffers;
      const it = await storage.receive(A, Readable.from(big()), { maxBytes: size });
      expect(it.bytes).to.equal(size);
      expect(process.memoryUsage().arrayBuffers - before).to.be.below(size / 4);
      await it.discard();
    });

    describe('ranges', () => {
      let sha256: string;
      beforeEach(async () => {
        sha256 = (await put(storage, A, '0123456789')).sha256;
      });
      for (const [range, expected] of [
        [{}, '0123456789'],
        [{ start: 0, end: 0 }, '0'],
        [{ start: 3, end: 5 }, '345'],
        [{ start: 7 }, '789'],
        [{ end: 1 }, '01'],
        [{ start: 8, end: 99 }, '89'],
      ] as const) {
        it(`reads ${JSON.stringify(range)}`, async () => {
          expect(String(await collect(await storage.open(A, sha256, range)))).to.equal(expected);
        });
      }
      for (const range of [
        { start: 10 },
        { start: 5, end: 4 },
        { start: -1 },
        { start: 0.5 },
        { start: Number.NaN },
      ]) {
        it(`refuses ${JSON.stringify(range)}`, async () => {
          expect(await codeOf(storage.open(A, sha256, range))).to.equal('range_invalid');
        });
      }
      it('keeps on reading what is removed meanwhile', async () => {
        const stream = await storage.open(A, sha256);
        await storage.remove(A, sha256);
        expect(String(await collect(stream))).to.equal('0123456789');
        await storage.remove(A, sha256);
        expect(await codeOf(storage.open(A, sha256))).to.equal('not_found');
      });
    });

    it('gives engines a path', async () => {
      const { sha256 } = await put(storage, A, 'for an engine');
      const local = await storage.localPath(A, sha256);
      expect(await readFile(local.path, 'utf8')).to.equal('for an engine');
      await local.release();
      expect(await storage.stat(A, sha256)).to.include({ bytes: 13 });
      expect(await codeOf(storage.localPath(A, none))).to.equal('not_found');
    });

    it('knows how much it stored, and when', async () => {
      const before = Date.now();
      const { sha256 } = await put(storage, A, 'twelve bytes');
      const stored = await storage.stat(A, sha256);
      expect(stored).to.include({ sha256, bytes: 12 });
      // Some stores count in seconds.
      expect(stored!.storedAt.getTime()).to.be.within(before - 1_000, Date.now() + 1_000);
    });

    it('lists what a project has in order, and passes by what it has not written', async () => {
      const contents = Array.from({ length: 30 }, (_, n) => `number ${n}`);
      for (const content of contents) await put(storage, A, content);
      await put(storage, B, 'other');
      await fixture.litter(A);
      const sorted = contents.map(hashOf).sort();
      expect(await shas(A)).to.deep.equal(sorted);
      for (const at of [0, 13, 29]) {
        expect(await shas(A, sorted[at])).to.deep.equal(sorted.slice(at + 1));
      }
      expect(await shas(A, 'f'.repeat(64))).to.deep.equal([]);
    });

    it('stops reading for a consumer that leaves', async () => {
      const { sha256 } = await put(storage, A, randomBytes(4 * 1024 * 1024));
      for (let turn = 0; turn < 100; turn++) {
        const stream = await storage.open(A, sha256);
        await once(stream, 'readable');
        const closed = once(stream, 'close');
        stream.destroy();
        await closed;
      }
      expect(String((await collect(await storage.open(A, sha256))).length)).to.equal('4194304');
    });

    describe('temporary files', () => {
      it('are taken over when they are finished', async () => {
        const temp = await storage.tempFile();
        const bytes = randomBytes(100_000);
        await writeFile(temp.path, bytes);
        const it = await storage.receiveFile(A, temp.path);
        expect(it).to.include({ sha256: hashOf(bytes), bytes: 100_000 });
        expect(it.head.equals(bytes.subarray(0, HEAD_BYTES))).to.equal(true);
        await it.commit();
        await it.discard();
        await temp.release();
        expect((await collect(await storage.open(A, it.sha256))).equals(bytes)).to.equal(true);
        expect(await temps()).to.deep.equal([]);
      });
      it('are the only files that are', async () => {
        const { sha256 } = await put(storage, A, 'stays');
        const { path } = await storage.localPath(A, sha256);
        const temp = await storage.tempFile();
        const folder = dirname(temp.path);
        await temp.release();
        for (const other of [path, '/etc/hostname', join(folder, '..', A), folder]) {
          expect(await codeOf(storage.receiveFile(A, other)), other).to.equal('reference_invalid');
        }
        expect(await codeOf(storage.receiveFile(A, temp.path))).to.equal('not_found');
        expect(await readFile(path, 'utf8')).to.equal('stays');
      });
      it('go when they are old', async () => {
        const [old, fresh] = [await storage.tempFile(), await storage.tempFile()];
        const yesterday = new Date(Date.now() - 86_400_000);
        await utimes(old.path, yesterday, yesterday);
        expect(await storage.cleanTemp(3_600_000)).to.equal(1);
        expect(existsSync(old.path)).to.equal(false);
        expect(existsSync(fresh.path)).to.equal(true);
      });
    });

    describe('references that lead elsewhere', () => {
      const projects = [
        '',
        '.',
        '..',
        '../x',
        'prj_',
        `${A}/..`,
        `${A}\0`,
        `${A}\n`,
        A.toUpperCase(),
        'obj_01jd00000000000000000000aa',
        'prj_01jd0000000000000000000iuo',
        '.tmp',
      ];
      const hashes = [
        '',
        '..',
        `../${none}`.slice(0, 64),
        none.toUpperCase(),
        none.slice(1),
        `${none}a`,
        `${none}\n`,
        '/'.repeat(64),
      ];
      it('are rejected by every method', async () => {
        const pairs = [
          ...projects.map((project) => [project, none] as const),
          ...hashes.map((hash) => [A, hash] as const),
        ];
        for (const [project, hash] of pairs) {
          const label = JSON.stringify([project, hash]);
          expect(await codeOf(storage.open(project, hash)), label).to.equal('reference_invalid');
          expect(await codeOf(storage.stat(project, hash)), label).to.equal('reference_invalid');
          expect(await codeOf(storage.remove(project, hash)), label).to.equal('reference_invalid');
          expect(await codeOf(storage.localPath(project, hash)), label).to.equal(
            'reference_invalid',
          );
        }
        for (const project of projects) {
          const stream = Readable.from(['x']);
          expect(await codeOf(storage.receive(project, stream, { maxBytes: 9 }))).to.equal(
            'reference_invalid',
          );
          expect(await codeOf(collectList(project))).to.equal('reference_invalid');
          const temp = await storage.tempFile();
          expect(await codeOf(storage.receiveFile(project, temp.path))).to.equal(
            'reference_invalid',
          );
          await temp.release();
        }
        expect(await fixture.everything()).to.deep.equal([]);
      });
      const collectList = async (project: string) => {
        for await (const sha256 of storage.list(project)) throw new Error(sha256);
      };
    });
  });
}
