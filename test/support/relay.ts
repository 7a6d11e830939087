import type { NewEvent } from '@scriptorium/contracts/events';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { inProject, inTransaction } from '../../src/db/transaction.ts';
import { record } from '../../src/outbox/record.ts';
import type { TestApi } from './api.ts';
import { fanOutRound, numberRound } from './relay-rounds.ts';

/** The relay's work, done when the test says so. */
export interface TestRelay {
  relay: Database;
  worker: Database;
  /** Records events as the API would; returns their identifiers. */
  record(projectId: string, ...events: NewEvent[]): Promise<string[]>;
  /** Numbers and fans out everything there is. */
  run(): Promise<void>;
  close(): Promise<void>;
}

export async function openRelay(api: Pick<TestApi, 'database'>): Promise<TestRelay> {
  const [relay, worker] = await Promise.all([
    openDatabase(api.database.relayUrl, { poolSize: 2 }),
    openDatabase(api.database.workerUrl, { poolSize: 4 }),
  ]);
  return {
    relay,
    worker,
    record: (projectId, ...events) =>
      inProject(worker, projectId, (tx) =>
        record(
          tx,
          {
            projectId,
            actor: { type: 'system', id: null },
            address: '192.0.2.7',
            requestId: null,
          },
          ...events,
        ),
      ),
    async run() {
      while ((await inTransaction(relay, numberRound)).events > 0);
      while ((await inTransaction(relay, fanOutRound)).events > 0);
    },
    async close() {
      await relay.destroy();
      await worker.destroy();
    },
  };
}
