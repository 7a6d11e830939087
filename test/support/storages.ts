import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalStorage } from '../../src/storage/local.ts';
import type { Storage } from '../../src/storage/storage.ts';

export interface TestStorage {
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

/** Every kind of storage there is, for tests of what is built on them. */
export const openTestStorages: [name: string, open: () => Promise<TestStorage>][] = [
  ['a local disk', openLocal],
];
