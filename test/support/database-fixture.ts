import { newId } from '@scriptorium/contracts/ids';
import type { Origin } from '@scriptorium/contracts/origin';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { inTransaction, prepared } from '../../src/db/transaction.ts';
import { createDatabase, type TestDatabase } from './services.ts';

/** A database with the pools of every role, and projects to work in. */
export interface DatabaseFixture {
  urls: TestDatabase;
  owner: Database;
  api: Database;
  worker: Database;
  relay: Database;
  /** A new project's identifier. */
  createProject(): Promise<string>;
  close(): Promise<void>;
}

export async function openDatabaseFixture(): Promise<DatabaseFixture> {
  const urls = await createDatabase();
  const [owner, api, worker, relay] = await Promise.all(
    [urls.ownerUrl, urls.apiUrl, urls.workerUrl, urls.relayUrl].map((url) => openDatabase(url)),
  );
  return {
    urls,
    owner: owner!,
    api: api!,
    worker: worker!,
    relay: relay!,
    async createProject() {
      const id = newId('project');
      await inTransaction(owner!, (tx) =>
        prepared(tx, 'INSERT INTO project (id, name) VALUES ($1, $2)', [id, 'test']),
      );
      return id;
    },
    async close() {
      await Promise.all([owner!, api!, worker!, relay!].map((database) => database.destroy()));
      await urls.drop();
    },
  };
}

/** The origin of a change without a particular actor. */
export function originOf(projectId: string): Origin {
  return { projectId, actor: { type: 'system', id: null }, address: null, requestId: null };
}
