import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { HEAD_BYTES, type Storage } from '../../src/storage/storage.ts';
import { projectA as A, projectB as B, codeOf, collect, type StorageFixture } from './shared.ts';

export const uploadU = 'upl_01jd00000000000000000000aa';
const U = uploadU;
const most = 2 ** 30;

const hashOf = (bytes: Buffer | string, algorithm = 'sha256') =>
  createHash(algorithm).update(bytes).digest();

/** These bytes, and then the line goes dead. */
function broken(...pieces: (string | Buffer)[]): Readable {
  return Readable.from(
    (function* () {
      for (const piece of pieces) yield Buffer.from(piece);
      throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
    })(),
    { objectMode: false },
  );
}

/** Describes what every storage does with files that arrive in several requests. */
export function describePartials(name: string, open: () => Promise<StorageFixture>): void {
  describe(`${name}, files on their way`, () => {
    let fixture: StorageFixture;
    let storage: Storage;
    beforeEach(async () => {
      fixture = await open();
      storage = fixture.storage;
    });
    afterEach(() => fixture.close());
    const add = (at: number, text: string | Buffer, more: object = {}) =>
      storage.partials.append(A, U, at, Readable.from([Buffer.from(text)]), {
        maxBytes: most,
        ...more,
      });
    const offset = () => storage.partials.offset(A, U);

    it('arrive in several requests and are kept under their hash', async () => {
      const bytes = randomBytes(300_000);
      expect(await offset()).to.equal(0);
      expect(await add(0, bytes.subarray(0, 100_000))).to.equal(100_000);
      expect(await add(100_000, '')).to.equal(100_000);
      expect(await add(100_000, bytes.subarray(100_000))).to.equal(300_000);
      expect(await offset()).to.equal(300_000);
      const { partials } = storage;
      expect((await partials.head(A, U, 1_000)).equals(bytes.subarray(0, 1_000))).to.equal(true);
      expect((await partials.head(A, U, most)).equals(bytes)).to.equal(true);
      const whole = await partials.complete(A, U);
      const sha256 = hashOf(bytes).toString('hex');
      expect(whole).to.include({ sha256, bytes: 300_000 });
      expect(whole.head.equals(bytes.subarray(0, HEAD_BYTES))).to.equal(true);
      // Nothing is taken yet: a caller that is killed here asks again.
      const again = await partials.complete(A, U);
      expect(await storage.stat(A, sha256)).to.equal(null);
      await again.commit();
      await again.commit();
      await again.discard();
      expect((await collect(await storage.open(A, sha256))).equals(bytes)).to.equal(true);
      await partials.drop(A, U);
      expect(await offset()).to.equal(0);
      expect(await codeOf(partials.complete(A, U))).to.equal('not_found');
    });

    it('grow at their end only', async () => {
      await add(0, 'abc');
      for (const at of [0, 2, 4]) expect(await codeOf(add(at, 'x'))).to.equal('offset_mismatch');
      expect((await storage.partials.head(A, U, 10)).toString()).to.equal('abc');
    });

    it('keep what arrived of a stream that broke off or was stopped', async () => {
      const run = storage.partials.append(A, U, 0, broken('abc', 'def'), { maxBytes: most });
      expect(await codeOf(run)).to.equal('aborted');
      expect(await offset()).to.equal(6);
      const stop = new AbortController();
      const endless = new Readable({
        read() {
          this.push(Buffer.from('ghi'));
          setImmediate(() => stop.abort());
        },
      });
      const options = { maxBytes: most, signal: stop.signal };
      expect(await codeOf(storage.partials.append(A, U, 6, endless, options))).to.equal('aborted');
      expect(endless.destroyed).to.equal(true);
      const head = (await storage.partials.head(A, U, 99)).toString();
      expect(head).to.match(/^abcdef(ghi)*$/);
    });

    it('keep nothing of a stream with too much in it', async () => {
      await add(0, 'abc');
      expect(await codeOf(add(3, 'defg', { maxBytes: 3 }))).to.equal('too_large');
      const late = Readable.from([Buffer.from('de'), Buffer.from('fg')]);
      const run = storage.partials.append(A, U, 3, late, { maxBytes: 3 });
      expect(await codeOf(run)).to.equal('too_large');
      expect(await offset()).to.equal(3);
      expect(await add(3, 'def', { maxBytes: 3 })).to.equal(6);
    });

    it('keep of a checked stream all or nothing', async () => {
      await add(0, 'abc');
      const sha256 = { algorithm: 'sha256', digest: hashOf('def') };
      expect(await codeOf(add(3, 'dxf', { checksum: sha256 }))).to.equal('checksum_mismatch');
      const short = { algorithm: 'sha256', digest: Buffer.alloc(3) };
      expect(await codeOf(add(3, 'def', { checksum: short }))).to.equal('checksum_mismatch');
      const options = { maxBytes: most, checksum: { algorithm: 'sha256', digest: hashOf('def') } };
      const cut = storage.partials.append(A, U, 3, broken('de'), options as never);
      expect(await codeOf(cut)).to.equal('aborted');
      expect(await offset()).to.equal(3);
      expect(await add(3, 'def', { checksum: sha256 })).to.equal(6);
      const sha1 = { algorithm: 'sha1', digest: hashOf('ghi', 'sha1') };
      expect(await add(6, 'ghi', { checksum: sha1 })).to.equal(9);
      expect((await storage.partials.head(A, U, 99)).toString()).to.equal('abcdefghi');
    });

    it('share nothing between projects, and lead nowhere else', async () => {
      await add(0, 'abc');
      expect(await storage.partials.offset(B, U)).to.equal(0);
      expect(await storage.partials.drop(B, U)).to.equal(false);
      const { partials } = storage;
      for (const [project, upload] of [
        [A, '../x'],
        [A, `${U}/..`],
        [A, U.toUpperCase()],
        [A, ''],
        ['..', U],
      ] as const) {
        const stream = Readable.from(['x']);
        for (const run of [
          partials.offset(project, upload),
          partials.append(project, upload, 0, stream, { maxBytes: 9 }),
          partials.head(project, upload, 1),
          partials.complete(project, upload),
          // Some refuse before there is a promise.
          (async () => partials.drop(project, upload))(),
        ]) {
          expect(await codeOf(run), `${project} ${upload}`).to.equal('reference_invalid');
        }
      }
    });

    it('go when they are dropped, or left alone for long', async () => {
      await add(0, 'abc');
      expect(await storage.partials.drop(A, U)).to.equal(true);
      expect(await storage.partials.drop(A, U)).to.equal(false);
      await add(0, 'abc');
      expect(await storage.partials.clean(3_600_000)).to.equal(0);
      // Stores tell their time in whole seconds.
      expect(await storage.partials.clean(-1_000)).to.equal(1);
      expect(await offset()).to.equal(0);
    });
  });
}
