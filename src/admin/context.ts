import { requireProject } from '../access/projects.ts';
import type { Signer } from '../access/signer.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { createLogger } from '../logger.ts';
import { connectFailFast } from '../queues/connection.ts';
import type { HintCounts } from '../queues/hints.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';

/** The configuration, read lazily. */
export interface AdminSettings {
  ownerUrl(): string;
  storageUrl(): string;
  hasStorage(): boolean;
  redisUrl(): string | undefined;
  spoolPath(): string | undefined;
  /** The settings for links to the portal. */
  linkSettings(): { publicUrl: string; signer: Signer };
  /** The URLs for `database setup`. */
  setupUrls(): {
    superuserUrl: string;
    ownerUrl: string;
    apiUrl: string;
    workerUrl: string;
    relayUrl: string;
    neighbourUrl: string | undefined;
  };
}

/** The resources of commands, opened on first use and closed at the end. */
export interface CommandContext {
  settings: AdminSettings;
  /** Runs a transaction as the owner of the database. */
  asOwner<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs a transaction restricted to a project. @throws if the project does not exist */
  inProject<T>(projectId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  storage(): Promise<Storage>;
  /** Opens a storage other than STORAGE_URL. */
  openStorage(url: string): Promise<Storage>;
  /** The hints of each queue; null if Redis is not configured or does not respond. */
  hints(): Promise<HintCounts | null>;
  /** Reports progress on standard error. */
  progress(line: string): void;
  close(): Promise<void>;
}

export function openContext(
  settings: AdminSettings,
  progress: (line: string) => void,
): CommandContext {
  const closers: (() => Promise<unknown>)[] = [];
  let database: Promise<Database> | undefined;
  let storage: Promise<Storage> | undefined;

  const openOwnerDatabase = async (): Promise<Database> => {
    const opened = await openDatabase(settings.ownerUrl(), {
      poolSize: 2,
      applicationName: 'scriptorium admin',
    });
    closers.push(() => opened.destroy());
    return opened;
  };
  const openAndTrack = async (url: string, spoolPath?: string): Promise<Storage> => {
    const opened = await openStorage(url, spoolPath);
    closers.push(() => opened.close());
    return opened;
  };
  const asOwner: CommandContext['asOwner'] = async (work) => {
    database ??= openOwnerDatabase();
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
      storage ??= openAndTrack(settings.storageUrl(), settings.spoolPath());
      return storage;
    },
    openStorage: (url) => openAndTrack(url),
    hints: () => readHintCounts(settings.redisUrl()),
    progress,
    async close() {
      for (const each of closers.reverse()) await each();
    },
  };
}

/** How long to wait for Redis, which only provides numbers for display. */
const redisTimeoutMs = 3_000;

async function readHintCounts(url: string | undefined): Promise<HintCounts | null> {
  if (!url) return null;
  // Imported lazily: BullMQ takes longer to load than most commands take to run.
  const { closeQueues, countHints, openQueues } = await import('../queues/hints.ts');
  const redis = connectFailFast(url, createLogger('silent', 'admin'));
  const ready = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), redisTimeoutMs);
    const settle = (isReady: boolean) => () => {
      clearTimeout(timer);
      resolve(isReady);
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
