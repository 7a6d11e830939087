import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { openLocalStorage } from '../../src/storage/local.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { uploadU as U } from './partials.ts';
import { projectA as A } from './shared.ts';

const hashOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();

describe('storage: files on their way', () => {
  let root: string;
  let storage: Storage;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'partials-'));
    storage = await openLocalStorage(root);
  });
  afterEach(async () => {
    await storage.close();
    await rm(root, { recursive: true, force: true });
  });
  const add = (at: number, text: string | Buffer, more: object = {}) =>
    storage.partials.append(A, U, at, Readable.from([Buffer.from(text)]), {
      maxBytes: 2 ** 30,
      ...more,
    });
  const offset = () => storage.partials.offset(A, U);

  describe('on a local disk', () => {
    const path = () => join(root, '.partial', A, U);

    it('do not count what a killed process wrote of a checked stream', async () => {
      await add(0, 'abc');
      // As it looks between the first byte and the check.
      await writeFile(`${path()}.confirmed`, '3');
      await truncate(path(), 10);
      expect(await offset()).to.equal(3);
      expect((await storage.partials.head(A, U, 99)).toString()).to.equal('abc');
      expect(await add(3, 'de')).to.equal(5);
      expect((await storage.partials.head(A, U, 99)).toString()).to.equal('abcde');
      expect(await readdir(join(root, '.partial', A))).to.deep.equal([U]);
    });

    it('leave no trace behind', async () => {
      const checksum = { algorithm: 'sha256', digest: hashOf('abc') };
      await add(0, 'abc', { checksum });
      const old = new Date(Date.now() - 86_400_000);
      await writeFile(`${path()}.confirmed`, '3');
      await utimes(path(), old, old);
      await utimes(`${path()}.confirmed`, old, old);
      expect(await storage.partials.clean(3_600_000)).to.equal(1);
      expect(await readdir(join(root, '.partial', A))).to.deep.equal([]);
    });
  });
});
