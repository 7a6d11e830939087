import { type EventTypeName, eventTypeNames, eventTypes } from '@scriptorium/contracts/events';
import { idPrefixes } from '@scriptorium/contracts/ids';
import pg from 'pg';
import type { Database } from '../database.ts';
import { inTransaction, query } from '../transaction.ts';
import { checkFunctionSql } from './schema-check.ts';

type NeighbourType = Extract<EventTypeName, `media.${string}`>;

/** The types of event that only a neighbouring service records. */
export const neighbourTypes = eventTypeNames.filter((type): type is NeighbourType =>
  type.startsWith('media.'),
);

/** The prefixes of a neighbour's resource ids. */
const prefixes: Record<(typeof eventTypes)[NeighbourType]['resource'], string> = {
  vod_job: idPrefixes.job,
};

/**
 * Copies the registry into the database, so that `outbox_record` uses the same schemas as `record`, and
 * restricts the role `neighbour` to that function. Runs after migrations, as the owner; can be run
 * repeatedly, and by several processes at the same time.
 */
export async function admitNeighbour(owner: Database): Promise<void> {
  await inTransaction(owner, async (tx) => {
    await query(tx, `SELECT pg_advisory_xact_lock(hashtext('admit neighbour'))`, []);
    for (const statement of [
      typesFunction(),
      faultsFunction(),
      revokeFromPublic,
      restrictFunctions,
    ]) {
      await query(tx, statement, []);
    }
  });
}

function typesFunction(): string {
  const rows = neighbourTypes.map((type) => {
    const { category, resource } = eventTypes[type];
    return `(${[type, category, resource, prefixes[resource]].map(pg.escapeLiteral).join(', ')})`;
  });
  return `CREATE OR REPLACE FUNCTION neighbour_types()
    RETURNS TABLE (type text, category text, resource_type text, id_prefix text)
    LANGUAGE sql IMMUTABLE AS ${pg.escapeLiteral(`VALUES ${rows.join(', ')}`)}`;
}

function faultsFunction(): string {
  const schemas = neighbourTypes.map((type) => [type, eventTypes[type].data] as const);
  return checkFunctionSql('neighbour_faults', Object.fromEntries(schemas));
}

/** Only `outbox_record` calls them, as their owner. */
const revokeFromPublic = 'REVOKE ALL ON FUNCTION neighbour_types, neighbour_faults FROM PUBLIC';

/**
 * By default, Postgres allows every role to execute a new function. This restricts all functions to the
 * processes of this service, so that migrations that create functions need not consider the neighbour.
 */
const restrictFunctions = `DO $$
  DECLARE
    made regprocedure;
  BEGIN
    FOR made IN
      SELECT p.oid FROM pg_proc p
      WHERE p.pronamespace = 'public'::regnamespace AND pg_get_userbyid(p.proowner) = current_user
        AND has_function_privilege('public', p.oid, 'EXECUTE')
    LOOP
      EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', made);
      EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO api, worker, relay, searcher', made);
    END LOOP;
  END
  $$`;
