import type pg from 'pg';
import { listenTo } from '../../db/channels.ts';
import { configOf, PostgresClient } from '../../db/wire/client.ts';
import type { Logger } from '../../logger.ts';

const pingIntervalMs = 5_000;
const queryTimeoutMs = 5_000;

/** A connection and the locks that it holds. */
export interface LockSession {
  client: pg.Client;
  locks: Map<string, { lost: AbortController; shouldYield: () => boolean }>;
}

/**
 * Connects. The locks are lost if the connection is lost or stops responding.
 * @param onLost called when the connection is lost
 */
export async function openLockSession(
  url: string,
  logger: Logger,
  onLost: () => void,
): Promise<LockSession> {
  const client = new PostgresClient({
    ...configOf(url),
    application_name: 'scriptorium uploads',
    keepAlive: true,
    connectionTimeoutMillis: queryTimeoutMs,
    query_timeout: queryTimeoutMs,
    // Several requests send queries at once, without waiting for each other's results.
    pipeline: true,
  });
  const locks: LockSession['locks'] = new Map();
  const fail = (error?: Error): void => {
    clearInterval(ping);
    onLost();
    client.connection.stream.destroy();
    for (const { lost } of locks.values()) lost.abort();
    if (error) logger.warn({ err: error }, 'the connection that holds upload locks was lost');
  };
  // Without pings, the locks of a connection that vanished without closing would remain in this list,
  // although others may hold them by now.
  const ping = setInterval(() => void client.query('SELECT').catch(fail), pingIntervalMs).unref();
  client.on('error', fail);
  client.once('end', () => fail());
  client.on('notification', ({ payload = '' }) => {
    const [id = '', insists] = payload.split(' ');
    const lock = locks.get(id);
    if (lock && (insists !== undefined || lock.shouldYield())) lock.lost.abort();
  });
  try {
    await client.connect();
    // Postgres must not keep the locks of a vanished machine for hours either.
    await client.query(`SELECT set_config('tcp_keepalives_idle', '10', false),
      set_config('tcp_keepalives_interval', '5', false),
      set_config('tcp_keepalives_count', '3', false)`);
    // Notifies every process when a request wants the lock of an upload.
    await listenTo(client, 'upload_wanted');
  } catch (error) {
    fail();
    throw error;
  }
  return { client, locks };
}
