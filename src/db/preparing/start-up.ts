import { type Database, isBehindPooler } from '../database.ts';
import { readIdentity, requireSession } from '../pooling.ts';
import { inTransaction, query } from '../transaction.ts';

/**
 * Requires a URL with stable sessions, for LISTEN and for the locks of uploads. Behind a pooler that
 * does not keep sessions, a separate URL is required.
 * @throws Error that says what to set
 */
export async function requireStableSession(
  database: Database,
  url: string,
  sessionUrl: string | undefined,
): Promise<void> {
  if (sessionUrl !== undefined) {
    await requireSession('DATABASE_SESSION_URL', sessionUrl, await identityOf(database));
  } else if (isBehindPooler(database)) await requireSession('DATABASE_URL', url, null);
}

/** Identifies a database, if its identity may be read. */
export function identityOf(database: Database): Promise<string | null> {
  return readIdentity((text) => inTransaction(database, (tx) => query(tx, text, [])));
}

/** A function that every release before 0.3.0 has, and no later one. */
const earlierFunction = 'public.authenticate(bytea, text)';

/** A database of a release before 0.3.0. */
export class EarlierSchema extends Error {
  constructor() {
    super(
      'The database is of a release before 0.3.0, which cannot be upgraded: download its files with that ' +
        'release, and upload them into a new database (docs/operations.md#upgrades).',
    );
    this.name = 'EarlierSchema';
  }
}

/**
 * Rejects a database of a release before 0.3.0. Unknown migrations are no reason to reject a
 * database: a release works with the schema of the next one.
 * @throws EarlierSchema
 */
export async function rejectEarlierSchema(database: Database): Promise<void> {
  const [found] = await inTransaction(database, (tx) =>
    query<{ earlier: boolean }>(tx, 'SELECT to_regprocedure($1) IS NOT NULL AS earlier', [
      earlierFunction,
    ]),
  );
  if (found?.earlier) throw new EarlierSchema();
}

/**
 * Whether the role of a relay has the settings of `roles.sql`. Without them, it may read whole tables
 * while statistics are outdated.
 */
export async function hasRelaySettings(relay: Database): Promise<boolean> {
  const [found] = await inTransaction(relay, (tx) =>
    query<{ mode: string }>(tx, `SELECT current_setting('plan_cache_mode') AS mode`, []),
  );
  return found?.mode === 'force_generic_plan';
}

/**
 * Requires that row-level security applies.
 * @throws Error for a superuser, a role with BYPASSRLS or the owner of the tables, and if a table of
 *   tenants lacks forced row-level security
 */
export async function requireRowSecurity(database: Database): Promise<void> {
  await inTransaction(database, async (tx) => {
    const [role] = await query<{ name: string; strong: boolean; owns: boolean }>(
      tx,
      `SELECT current_user AS name, rolsuper OR rolbypassrls AS strong,
         EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
             AND pg_has_role(current_user, c.relowner, 'USAGE')) AS owns
       FROM pg_roles WHERE rolname = current_user`,
      [],
    );
    if (!role || role.strong || role.owns) {
      throw new Error(
        `The database role '${role?.name}' is a superuser, may bypass row security or owns the tables. ` +
          `Connect as 'api', 'worker' or 'relay' instead.`,
      );
    }
    const unprotected = await query<{ name: string }>(
      tx,
      `SELECT c.relname AS name FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'project_id' AND NOT a.attisdropped
       WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
         AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`,
      [],
    );
    if (unprotected.length > 0) {
      throw new Error(
        `Row security is not forced on: ${unprotected.map((table) => table.name).join(', ')}. Run the migrations.`,
      );
    }
  });
}
