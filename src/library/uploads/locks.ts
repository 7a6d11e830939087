import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '@scriptorium/contracts/problems';
import { channelName } from '../../db/channels.ts';
import { DatabaseUnreachable } from '../../db/transaction.ts';
import type { Logger } from '../../logger.ts';
import { type LockSession, openLockSession } from './lock-session.ts';

const retryMs = 100;
const waitMs = 1_500;
const insistWaitMs = 5_000;

/** The right to continue an upload. */
export interface UploadLock {
  /** Fires when the lock is lost with its connection, or given up for another request. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/**
 * Called when another request wants the lock: returning true gives it up, for example because bytes
 * have stopped arriving.
 */
type ShouldYield = () => boolean;

/** One writer at a time for each upload, across all processes. */
export interface UploadLocks {
  /**
   * Waits briefly for the lock. With `insists`, takes it from a request that is only receiving bytes.
   * @throws Problem 423 `upload_locked` if another request keeps the lock; DatabaseUnreachable
   */
  take(
    uploadId: string,
    shouldYield: ShouldYield,
    options?: { insists: boolean },
  ): Promise<UploadLock>;
  /** Null if another request holds it. */
  takeIfFree(uploadId: string, shouldYield: ShouldYield): Promise<UploadLock | null>;
  close(): Promise<void>;
}

/**
 * Advisory locks of Postgres, held by one connection for all uploads of a process. If the process is
 * killed, they are released at once. The connection is opened when a lock is first taken, and again after
 * it was lost.
 */
export function openUploadLocks(url: string, logger: Logger): UploadLocks {
  let session: Promise<LockSession> | null = null;

  const connect = async (): Promise<LockSession> => {
    if (!session) {
      const opening: Promise<LockSession> = openLockSession(url, logger, () => {
        if (session === opening) session = null;
      });
      session = opening;
    }
    return session;
  };

  const takeIfFree = async (id: string, shouldYield: ShouldYield): Promise<UploadLock | null> => {
    const { client, locks } = await connect().catch(throwUnreachable);
    // A session may take its own lock twice, so this process keeps a list of the locks it holds.
    if (locks.has(id)) return null;
    const lost = new AbortController();
    locks.set(id, { lost, shouldYield });
    const result = await client
      .query<{ granted: boolean }>(
        'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS granted',
        [`upload ${id}`],
      )
      .catch((error: unknown) => {
        locks.delete(id);
        return throwUnreachable(error);
      });
    if (!result.rows[0]?.granted) {
      locks.delete(id);
      return null;
    }
    return {
      lost: lost.signal,
      release: async () => {
        // Without the connection, the lock is lost too.
        await client
          .query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [`upload ${id}`])
          .catch(() => undefined);
        locks.delete(id);
      },
    };
  };

  return {
    takeIfFree,
    async take(id, shouldYield, { insists } = { insists: false }) {
      const deadline = performance.now() + (insists ? insistWaitMs : waitMs);
      for (;;) {
        const lock = await takeIfFree(id, shouldYield);
        if (lock) return lock;
        if (performance.now() > deadline) throw uploadLocked(id);
        const { client } = await connect().catch(throwUnreachable);
        await client
          .query(`SELECT pg_notify(${channelName('upload_wanted')}, $1)`, [
            insists ? `${id} !` : id,
          ])
          .catch(throwUnreachable);
        await delay(retryMs);
      }
    },
    async close() {
      const current = session;
      session = null;
      await current?.then(
        ({ client }) => client.end(),
        () => undefined,
      );
    },
  };
}

function uploadLocked(id: string): Problem {
  return new Problem('upload_locked', `Another request is writing to the upload '${id}'.`, {
    retryable: true,
    headers: { 'Retry-After': '1' },
  });
}

function throwUnreachable(error: unknown): never {
  throw new DatabaseUnreachable(error);
}
