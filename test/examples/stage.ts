import { createProject, issueKey } from '../../src/access/projects.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startPrivateRedis } from '../support/services.ts';
import { prepareWorkers } from '../support/workers.ts';
import { createTeller, type Teller } from './teller.ts';

/** The API with all its workers and a webhook receiver, for scenes. */
export interface Stage {
  api: TestApi;
  receiver: Receiver;
  startWorkers(): void;
  /** Starts a scene in its own project. */
  scene(): Promise<Teller>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const api = await startApi({
    settings: { ocrLanguages: ['deu', 'eng'] },
    // On a busy machine, too, a small body arrives before the login.
    clientLimits: { smallBodyMs: 10_000 },
  });
  const [redis, receiver, worker, relay, owner] = await Promise.all([
    startPrivateRedis(),
    startReceiver(),
    openDatabase(api.database.workerUrl),
    openDatabase(api.database.relayUrl),
    openDatabase(api.database.ownerUrl, { poolSize: 2 }),
  ]);
  const { seal, storage } = api.deps;
  const workers = await prepareWorkers({ worker, relay }, redis.url, {
    storage,
    seal: seal.seal,
    unseal: seal.open,
    // A failure is not retried during a scene unless the scene requests it.
    retrySchedule: [0, 3_600],
  });
  return {
    api,
    receiver,
    startWorkers: () =>
      workers.start(
        'relay',
        'webhooks',
        'ocr',
        'redact',
        'normalize',
        'classify',
        'imaging',
        'maintenance',
      ),
    scene: () => startScene(api, receiver, owner),
    close: async () => {
      await workers.stop();
      await redis.remove();
      await receiver.close();
      await Promise.all([worker, relay, owner].map((database) => database.destroy()));
      await api.close();
    },
  };
}

async function startScene(api: TestApi, receiver: Receiver, owner: Database): Promise<Teller> {
  const made = await inTransaction(owner, (tx) => createProject(tx, 'Harbour'));
  const tenant = { projectId: made.projectId, keyId: made.keyId, key: made.secret };
  const issue: Teller['issue'] = async (key) =>
    (await inTransaction(owner, (tx) => issueKey(tx, made.projectId, key))).secret;
  return createTeller(api, receiver, tenant, issue);
}
