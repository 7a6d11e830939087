import type { ClientBase } from 'pg';
import { answersWithin } from './answers-within.ts';
import { configOf, PostgresClient } from './wire/client.ts';

/** How long a server may take to accept a login and to respond. */
const limitMs = 5_000;
/** How often two sessions are compared. */
const comparisons = 4;

/**
 * Errors if the role may not read the identity (`insufficient_privilege`), or the function does not
 * exist.
 */
const unreadableCodes: ReadonlySet<unknown> = new Set(['42501', '42883']);

const identityText = `SELECT system_identifier || '/' || oid AS identity
  FROM pg_control_system(), pg_database WHERE datname = current_database()`;

/**
 * Identifies a database: the identifier is the same on standbys and on physical copies, such as a
 * restored base backup, and different where a dump was restored.
 * @param runQuery runs a statement
 * @returns null if the server does not reveal it
 */
export async function readIdentity(
  runQuery: (text: string) => Promise<{ identity: string }[]>,
): Promise<string | null> {
  try {
    return (await runQuery(identityText))[0]?.identity ?? null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && unreadableCodes.has(error.code)) return null;
    throw error;
  }
}

/** Whether PgBouncer rejected a setting that it does not pass on. */
export function isRejectedSetting(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/.test(error.message);
}

/**
 * Whether a pooler is between this process and Postgres: at login, a pooler reports a different
 * process id than Postgres has.
 * @throws Error if its mode does not allow transactions
 */
export async function isPooled(client: ClientBase): Promise<boolean> {
  if (!(client instanceof PostgresClient))
    throw new Error('Expected a connection that this service opened.');
  if ((await backendPidOf(client)) === client.reportedProcessId) return false;
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
 * Rejects a URL without stable sessions: through a pooler in transaction mode, LISTEN receives
 * nothing, and a lock stays with a session that another client may already use.
 * @param name of the setting
 * @param identity the identity that the database must have, if known
 */
export async function requireSession(
  name: string,
  url: string,
  identity: string | null,
): Promise<void> {
  const limits = { connectionTimeoutMillis: limitMs, query_timeout: limitMs };
  const open = () => new PostgresClient({ ...configOf(url), ...limits });
  const clients = [open(), open()] as const;
  try {
    for (const client of clients) await client.connect();
    const [firstClient, secondClient] = clients;
    const sessionIdentity = await readIdentity(
      async (text) => (await firstClient.query<{ identity: string }>(text)).rows,
    );
    if (identity !== null && sessionIdentity !== null && sessionIdentity !== identity) {
      throw new Error(
        `${name} names a different database than DATABASE_URL: use the same database.`,
      );
    }
    const firstPid = await backendPidOf(firstClient);
    if (firstPid === firstClient.reportedProcessId) return;
    // The pooler may have given the session to another process in between.
    const secondPid = await backendPidOf(secondClient);
    let isStable = firstPid !== secondPid;
    for (let round = 0; isStable && round < comparisons; round++) {
      isStable =
        (await backendPidOf(firstClient)) === firstPid &&
        (await backendPidOf(secondClient)) === secondPid;
    }
    if (!isStable) {
      throw new Error(
        `${name} goes through a pooler in transaction mode, in which LISTEN and locks do not last: set DATABASE_SESSION_URL to the same login on Postgres itself, or on a pooler with pool_mode = session.`,
      );
    }
  } finally {
    // A suspended server would not close its side.
    await Promise.all(clients.map((client) => answersWithin(client.end(), limitMs)));
  }
}

async function backendPidOf(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid;
}
