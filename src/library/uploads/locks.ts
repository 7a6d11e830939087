import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '@scriptorium/contracts/problems';
import { channelName } from '../../db/channels.ts';
import { DatabaseUnreachable } from '../../db/transaction.ts';
import type { Logger } from '../../logger.ts';
import { type LockSession, openLockSession } from './lock-session.ts';

const askEveryMs = 100;
const patienceMs = 1_500;
const insistingMs = 5_000;

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
type Yields = () => boolean;

/** One writer at a time for each upload, across all processes. */
export interface UploadLocks {
  /**
   * Waits briefly for the lock. With `insists`, takes it from a request that is only receiving
   * bytes.
   * @throws Problem 423 `upload_locked` while another request continues it, DatabaseUnreachable
   */
  take(uploadId: string, yields: Yields, options?: { insists: boolean }): Promise<UploadLock>;
  /** Null if another request holds it. */
  takeIfFree(uploadId: string, yields: Yields): Promise<UploadLock | null>;
  close(): Promise<void>;
}

/**
 * Advisory locks of Postgres, held by one connection for all uploads of a process: if the process
 * is killed, they are released at once. It connects when a lock is first taken, and again after the
 * connection was lost.
 */
export function openUploadLocks(url: string, logger: Logger): UploadLocks {
  let session: Promise<LockSession> | null = null;

  const connected = async (): Promise<LockSession> => {
    if (!session) {
      const made: Promise<LockSession> = openLockSession(url, logger, () => {
        if (session === made) session = null;
      });
      session = made;
    }
    return session;
  };

  const takeIfFree = async (id: string, yields: Yields): Promise<UploadLock | null> => {
    const { client, locks } = await connected().catch(unreachable);
    // A session may take its own lock twice, so this process keeps a list of the locks it holds.
    if (locks.has(id)) return null;
    const lost = new AbortController();
    locks.set(id, { lost, yields });
    const locked = await client
      .query<{ granted: boolean }>(
        'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS granted',
        [`upload ${id}`],
      )
      .catch((error: unknown) => {
        locks.delete(id);
        return unreachable(error);
      });
    if (!locked.rows[0]?.granted) {
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
    async take(id, yields, { insists } = { insists: false }) {
      const end = performance.now() + (insists ? insistingMs : patienceMs);
      for (;;) {
        const lock = await takeIfFree(id, yields);
        if (lock) return lock;
        if (performance.now() > end) throw locked(id);
        const { client } = await connected().catch(unreachable);
        await client
          .query(`SELECT pg_notify(${channelName('upload_wanted')}, $1)`, [
            insists ? `${id} !` : id,
          ])
          .catch(unreachable);
        await delay(askEveryMs);
      }
    },
    async close() {
      const open = session;
      session = null;
      await open?.then(
        ({ client }) => client.end(),
        () => undefined,
      );
    },
  };
}

function locked(id: string): Problem {
  return new Problem('upload_locked', `Another request is writing to the upload '${id}'.`, {
    retryable: true,
    headers: { 'Retry-After': '1' },
  });
}

function unreachable(error: unknown): never {
  throw new DatabaseUnreachable(error);
}
