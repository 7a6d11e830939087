import pg from 'pg';
import { configOf, PostgresClient } from '../wire/client.ts';

/**
 * Functions of Postgres that every role may execute by default but a neighbour must not: it could take
 * the locks of this service, notify its channels, and fill the disk with large objects and log
 * messages.
 */
const restrictedFunctions = [
  '^pg_(try_)?advisory_',
  '^pg_notify$',
  '^pg_logical_emit_message$',
  '^pg_export_snapshot$',
  '^pg_(log_standby|stat_reset)',
  '^(lo_|loread$|lowrite$)',
];

/**
 * Restricts these functions to this service's roles, in one database. Requires a superuser, and
 * applies to this database only; can be run repeatedly.
 */
export async function restrictCatalogue(superuserUrl: string, database: string): Promise<void> {
  const client = new PostgresClient({ ...configOf(superuserUrl), database });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(hashtext('scriptorium catalogue'))`);
    await client.query(`DO $$
      DECLARE
        open regprocedure;
      BEGIN
        FOR open IN
          SELECT p.oid FROM pg_proc p
          WHERE p.pronamespace = 'pg_catalog'::regnamespace
            AND p.proname ~ ${pg.escapeLiteral(restrictedFunctions.join('|'))}
            AND has_function_privilege('public', p.oid, 'EXECUTE')
        LOOP
          EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', open);
          EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO owner, api, worker, relay, searcher', open);
        END LOOP;
      END
      $$`);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
