import { requireProject } from '../access/projects.ts';
import type { Seal } from '../access/seal.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { createLogger } from '../logger.ts';
import { connectFailFast } from '../queues/connection.ts';
import type { HintCounts } from '../queues/hints.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';

/** What the environment says, read when a command needs it and not before. */
export interface Settings {
  ownerUrl(): string;
  storageUrl(): string;
  hasStorage(): boolean;
  redisUrl(): string | undefined;
  spoolPath(): string | undefined;
  /** Of SECRET_KEY, where it is set. */
  seal(): Seal | undefined;
  /** The URLs that `database setup` takes. */
  setUp(): {
    superuserUrl: string;
    ownerUrl: string;
    apiUrl: string;
    workerUrl: string;
    relayUrl: string;
    neighbourUrl: string | undefined;
  };
}

/** What commands work with. Each is opened when first asked for, and closed at the end. */
export interface Means {
  settings: Settings;
  /** One transaction as the database's owner. */
  asOwner<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same behind the wall of a project, which has to be there. */
  inProject<T>(projectId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  storage(): Promise<Storage>;
  /** Another storage than the one of STORAGE_URL. */
  openStorage(url: string): Promise<Storage>;
  /** The hints of each queue; null where Redis is not configured or does not answer. */
  hints(): Promise<HintCounts | null>;
  /** Tells how far something is, on standard error. */
  progress(line: string): void;
  close(): Promise<void>;
}

export function openMeans(settings: Settings, progress: (line: string) => void): Means {
  const closing: (() => Promise<unknown>)[] = [];
  let database: Promise<Database> | undefined;
  let storage: Promise<Storage> | undefined;

  const open = async (): Promise<Database> => {
    const opened = await openDatabase(settings.ownerUrl(), {
      poolSize: 2,
      applicationName: 'scriptorium admin',
    });
    closing.push(() => opened.destroy());
    return opened;
  };
  const openOther = async (url: string, spoolPath?: string): Promise<Storage> => {
    const opened = await openStorage(url, spoolPath);
    closing.push(() => opened.close());
    return opened;
  };
  const asOwner: Means['asOwner'] = async (work) => {
    database ??= open();
    return inTransaction(await database, work);
  };
  return {
    settings,
    asOwner,
    inProject: (projectId, work) =>
      asOwner(async (tx) => {
        await requireProject(tx, projectId);
        return work(tx);
      }),
    storage() {
      storage ??= openOther(settings.storageUrl(), settings.spoolPath());
      return storage;
    },
    openStorage: (url) => openOther(url),
    hints: () => askRedis(settings.redisUrl()),
    progress,
    async close() {
      for (const each of closing.reverse()) await each();
    },
  };
}

/** How long Redis may take to answer: what is asked of it is for looking at only. */
const redisPatienceMs = 3_000;

async function askRedis(url: string | undefined): Promise<HintCounts | null> {
  if (!url) return null;
  // BullMQ takes longer to load than most commands to run.
  const { closeQueues, countHints, openQueues } = await import('../queues/hints.ts');
  const redis = connectFailFast(url, createLogger('silent', 'admin'));
  const ready = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), redisPatienceMs);
    const settle = (answer: boolean) => () => {
      clearTimeout(timer);
      resolve(answer);
    };
    redis.once('ready', settle(true));
    redis.once('error', settle(false));
  });
  try {
    if (!ready) return null;
    const queues = openQueues(redis);
    const counts = await countHints(queues);
    await closeQueues(queues);
    return counts;
  } finally {
    redis.disconnect();
  }
}
