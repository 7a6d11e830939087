import type { ClientBase } from 'pg';
import { configOf, SteadyClient } from './wire/client.ts';

/** Identifies a database: the same on its standbys, another one for every restored copy. */
export const identityText = `SELECT system_identifier || '/' || oid AS identity
  FROM pg_control_system(), pg_database WHERE datname = current_database()`;

/** PgBouncer's answer to a setting that it does not pass on. */
export function isRejectedSetting(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/.test(error.message);
}

/**
 * Whether a pooler is between us and Postgres: it names a process of its own at the log-in.
 * @throws Error if its mode does not allow transactions
 */
export async function isPooled(client: ClientBase): Promise<boolean> {
  if (!(client instanceof SteadyClient)) throw new Error('This is not a connection of ours.');
  if ((await processOf(client)) === client.namedProcess) return false;
  try {
    await client.query('BEGIN');
    await client.query('COMMIT');
  } catch (error) {
    throw new Error(
      'The database is behind a pooler in statement mode, which allows no transactions: set pool_mode = transaction.',
      { cause: error },
    );
  }
  return true;
}

/**
 * Refuses a URL on which sessions do not last: through a pooler in transaction mode, LISTEN hears nothing
 * and a lock stays with a session that belongs to someone else by then.
 * @param name of the setting
 * @param identity of the database that it must name
 */
export async function requireSession(name: string, url: string, identity: string): Promise<void> {
  const clients = [new SteadyClient(configOf(url)), new SteadyClient(configOf(url))] as const;
  try {
    for (const client of clients) await client.connect();
    const [one, other] = clients;
    const { rows } = await one.query<{ identity: string }>(identityText);
    if (rows[0]?.identity !== identity) {
      throw new Error(`${name} names another database than DATABASE_URL: name the same.`);
    }
    const first = await processOf(one);
    if (first === one.namedProcess) return;
    // A session that was shared in between is not ours alone.
    const shared = [await processOf(other), await processOf(one), await processOf(other)];
    if (shared[0] === first || shared[1] !== first || shared[2] !== shared[0]) {
      throw new Error(
        `${name} goes through a pooler in transaction mode, in which LISTEN and locks do not last: name Postgres itself, or a pooler with pool_mode = session.`,
      );
    }
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

async function processOf(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid;
}
