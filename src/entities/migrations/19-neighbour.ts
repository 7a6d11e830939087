import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How a neighbouring service records events of its own: `outbox_record`, for the role `neighbour`.
 * What it asks of the registry, `neighbour_types` and `neighbour_faults`, is made anew whenever
 * migrations have run (db/neighbour.ts).
 */
export class Neighbour1000000000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION new_id(prefix text) RETURNS text
      LANGUAGE sql VOLATILE AS $$
        -- What newId of contracts/ids.ts makes: a UUIDv7 in Crockford base32. The twelve bits after
        -- the milliseconds are their fraction, so that what one session makes sorts as it was made;
        -- the last 64, variant and chance, are those of a random UUID.
        WITH uuid AS MATERIALIZED (
          SELECT floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS us,
            ('x' || right(replace(gen_random_uuid()::text, '-', ''), 16))::bit(64) AS chance
        ), bits AS (
          SELECT B'00' || (us / 1000)::bit(48) || B'0111' || (us % 1000 * 4096 / 1000)::bit(12) || chance AS value
          FROM uuid
        )
        SELECT prefix || '_' || string_agg(
          substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits.value FROM at FOR 5)::bit(5)::integer + 1, 1),
          '' ORDER BY at)
        FROM bits, generate_series(1, 126, 5) AS at
      $$;
      REVOKE ALL ON FUNCTION new_id FROM PUBLIC;

      CREATE FUNCTION json_number(value jsonb) RETURNS double precision
      LANGUAGE plpgsql IMMUTABLE AS $$
      -- What everybody who reads JSON makes of a number: the double nearest to it. Null for what is
      -- no number, or too large for a double.
      BEGIN
        IF jsonb_typeof(value) IS DISTINCT FROM 'number' THEN RETURN NULL; END IF;
        RETURN value::numeric::double precision;
      EXCEPTION WHEN numeric_value_out_of_range THEN
        -- Postgres also refuses what is too near to zero.
        RETURN CASE WHEN abs(value::numeric) < 1 THEN 0 END;
      END
      $$;
      REVOKE ALL ON FUNCTION json_number FROM PUBLIC;

      CREATE FUNCTION outbox_record(project_id text, type text, resource_id text, data jsonb) RETURNS text
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- Records an event in the caller's transaction; returns its identifier.
      DECLARE
        known record;
        faults text[];
        entered text := coalesce(current_setting('app.project_id', true), '');
        size integer := octet_length(data::text);
        id text;
      BEGIN
        IF project_id IS NULL OR type IS NULL OR resource_id IS NULL OR data IS NULL THEN
          RAISE null_value_not_allowed USING MESSAGE =
            'project_id, type, resource_id and data must all be given.';
        END IF;
        IF size > 65536 THEN
          RAISE program_limit_exceeded USING MESSAGE =
            format('The data of an event holds at most 65536 bytes, not %s.', size);
        END IF;
        SELECT * INTO known FROM neighbour_types() t WHERE t.type = outbox_record.type;
        IF NOT FOUND THEN
          RAISE invalid_parameter_value USING
            MESSAGE = format('%L is no type of event that a neighbouring service records.', left(type, 100)),
            HINT = format('There are %s.', (SELECT string_agg(t.type, ', ') FROM neighbour_types() t));
        END IF;
        IF resource_id !~ ('^' || known.id_prefix || '_[0-9A-Za-z_-]{1,64}$') THEN
          RAISE invalid_parameter_value USING
            MESSAGE = format('%L is no resource_id of a %s event.', left(resource_id, 100), type),
            HINT = format('It begins with %s_, and 1 to 64 letters, digits, - or _ follow.', known.id_prefix);
        END IF;
        faults := neighbour_faults(type, data);
        IF cardinality(faults) > 0 THEN
          RAISE check_violation USING
            MESSAGE = format('The data of a %s event is wrong: %s%s.', type,
              array_to_string(faults[:10], ', '),
              CASE WHEN cardinality(faults) > 10 THEN format(', and %s more', cardinality(faults) - 10) END),
            HINT = 'GET /v1/event-types has the schema of every type.';
        END IF;
        IF NOT EXISTS (SELECT FROM project p WHERE p.id = outbox_record.project_id) THEN
          RAISE foreign_key_violation USING MESSAGE = format('There is no project %L.', left(project_id, 100));
        END IF;

        PERFORM set_config('app.project_id', project_id, true);
        id := new_id('evt');
        INSERT INTO event (id, project_id, category, type, resource_type, resource_id, data, actor_type, actor_id)
        VALUES (id, project_id, known.category, type, known.resource_type, resource_id, data,
          'service', session_user);
        -- The caller is where it was; an error would undo the setting with the rest.
        PERFORM set_config('app.project_id', entered, true);
        RETURN id;
      END
      $$;
      REVOKE ALL ON FUNCTION outbox_record FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION outbox_record TO neighbour;

      -- Making and dropping partitions waits for every open transaction that has recorded an event,
      -- and whoever records one waits behind it. A neighbour may leave its own open for hours: so
      -- they give up soon, and are tried again.
      ALTER FUNCTION partitions_ensure SET lock_timeout = '1s';
      ALTER FUNCTION partitions_drop SET lock_timeout = '1s';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER FUNCTION partitions_ensure RESET lock_timeout;
      ALTER FUNCTION partitions_drop RESET lock_timeout;
      DROP FUNCTION outbox_record, json_number, new_id;
      DROP FUNCTION IF EXISTS neighbour_types, neighbour_faults;
    `);
  }
}
