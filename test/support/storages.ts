import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalStorage } from '../../src/storage/local.ts';
import { openS3Storage } from '../../src/storage/s3/storage.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { startS3Double } from './s3-double.ts';

interface TestStorage {
  storage: Storage;
  close(): Promise<void>;
}

async function openLocal(): Promise<TestStorage> {
  const root = await mkdtemp(join(tmpdir(), 'scriptorium-storage-'));
  return {
    storage: await openLocalStorage(root),
    close: () => rm(root, { recursive: true, force: true }),
  };
}

async function openS3(): Promise<TestStorage> {
  const double = await startS3Double();
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-spool-'));
  const storage = await openS3Storage(double.storageUrl, { spoolPath: folder });
  return {
    storage,
    close: async () => {
      await storage.close();
      await double.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Every kind of storage there is, for tests of what is built on them. */
export const openTestStorages: [name: string, open: () => Promise<TestStorage>][] = [
  ['a local disk', openLocal],
  ['S3', openS3],
];
