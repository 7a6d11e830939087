import type pg from 'pg';
import { listenTo } from '../../db/channels.ts';
import { configOf, SteadyClient } from '../../db/wire/client.ts';
import type { Logger } from '../../logger.ts';

const pingMs = 5_000;
const answerMs = 5_000;

/** A connection and the locks that it holds. */
export interface LockSession {
  client: pg.Client;
  locks: Map<string, { lost: AbortController; yields: () => boolean }>;
}

/**
 * Connects. If the connection is lost or no longer answers, so are its locks.
 * @param lose is called when the connection is lost
 */
export async function openLockSession(
  url: string,
  logger: Logger,
  lose: () => void,
): Promise<LockSession> {
  const client = new SteadyClient({
    ...configOf(url),
    application_name: 'scriptorium uploads',
    keepAlive: true,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    // Several requests send queries at once, without waiting for each other's answers.
    pipeline: true,
  });
  const locks: LockSession['locks'] = new Map();
  const fail = (error?: Error): void => {
    clearInterval(ping);
    lose();
    client.connection.stream.destroy();
    for (const { lost } of locks.values()) lost.abort();
    if (error) logger.warn({ err: error }, 'the connection that holds upload locks was lost');
  };
  // Locks of a connection that vanished without closing would remain here, although others may hold
  // them by now.
  const ping = setInterval(() => void client.query('SELECT').catch(fail), pingMs).unref();
  client.on('error', fail);
  client.once('end', () => fail());
  client.on('notification', ({ payload = '' }) => {
    const [id = '', insisting] = payload.split(' ');
    const lock = locks.get(id);
    if (lock && (insisting !== undefined || lock.yields())) lock.lost.abort();
  });
  try {
    await client.connect();
    // Postgres must not keep the locks of a vanished machine for hours either.
    await client.query(`SELECT set_config('tcp_keepalives_idle', '10', false),
      set_config('tcp_keepalives_interval', '5', false),
      set_config('tcp_keepalives_count', '3', false)`);
    // Every process is notified here when a request wants an upload's lock.
    await listenTo(client, 'upload_wanted');
  } catch (error) {
    fail();
    throw error;
  }
  return { client, locks };
}
