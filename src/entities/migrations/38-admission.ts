import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Login, wall, time limit and Idempotency-Key of a request in one statement; quotas that cost less.
 * `authenticate` and `authenticate_session` stay for the release before.
 */
export class Admission1000000000038 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION idempotency_lock(project text, key text, route text, value text) RETURNS bigint
      LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      -- The number that every release takes its advisory lock on: the first 64 bits of the SHA-256
      -- of all parts, each behind its length in bytes.
      BEGIN
        RETURN ('x' || encode(substr(sha256(convert_to(
          '11:idempotency' || octet_length(project) || ':' || project || octet_length(key) || ':' || key
          || octet_length(route) || ':' || route || octet_length(value) || ':' || value, 'UTF8')), 1, 8),
          'hex'))::bit(64)::bigint;
      END
      $$;

      CREATE FUNCTION admit(
        wanted_hash bytea, wanted_project text, wanted_session text, session_stored boolean,
        seconds integer, wanted_route text, wanted_values text[])
      RETURNS TABLE (
        outcome text, key_id text, stored_hash bytea, scopes text[], allowed_cidrs text[],
        read_per_minute integer, write_per_minute integer,
        claimed boolean, fingerprint bytea, status integer, headers jsonb, body text, encrypted boolean,
        age_seconds integer)
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- Checks a key, and the portal's session that stands for it. When they are good for the project,
      -- puts the transaction behind that project's wall, limits how long each later statement may
      -- take, and claims Idempotency-Keys: one row for each value, or one in all.
      DECLARE
        k api_key;
        s portal_session;
        wanted_value text;
      BEGIN
        PERFORM set_config('statement_timeout', seconds || 's', true);
        IF wanted_session IS NOT NULL THEN
          SELECT * INTO s FROM portal_session p
            WHERE p.project_id = wanted_project AND p.id = wanted_session;
          -- One that a release without this table began has no row, unless it was ended.
          IF (session_stored AND s.id IS NULL) OR s.ended_at IS NOT NULL
            OR s.expires_at <= clock_timestamp() THEN
            outcome := 'ended';
            RETURN NEXT;
            RETURN;
          END IF;
        END IF;
        SELECT * INTO k FROM api_key a WHERE a.key_hash = wanted_hash;
        IF k.id IS NULL THEN
          outcome := 'invalid';
          RETURN NEXT;
          RETURN;
        END IF;
        key_id := k.id;
        stored_hash := k.key_hash;
        scopes := k.scopes;
        allowed_cidrs := k.allowed_cidrs;
        read_per_minute := k.read_per_minute;
        write_per_minute := k.write_per_minute;
        outcome := CASE
          WHEN k.revoked_at <= clock_timestamp() THEN 'revoked'
          WHEN k.expires_at <= clock_timestamp() THEN 'expired'
          WHEN k.project_id IS DISTINCT FROM wanted_project THEN 'forbidden'
          ELSE 'granted' END;
        IF outcome <> 'granted' THEN
          RETURN NEXT;
          RETURN;
        END IF;
        PERFORM set_config('app.project_id', k.project_id, true);
        IF k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute' THEN
          -- Skipping a row somebody else is stamping keeps requests from queueing on it.
          UPDATE api_key SET last_used_at = now() WHERE api_key.id IN (
            SELECT a.id FROM api_key a WHERE a.key_hash = wanted_hash FOR UPDATE SKIP LOCKED);
        END IF;
        IF wanted_values IS NULL THEN
          RETURN NEXT;
          RETURN;
        END IF;
        FOREACH wanted_value IN ARRAY wanted_values LOOP
          claimed := pg_try_advisory_xact_lock(
            idempotency_lock(k.project_id, k.id, wanted_route, wanted_value));
          -- A statement of its own, so that it sees what the last holder of the lock committed.
          SELECT i.fingerprint, i.status, i.headers, i.body, i.encrypted,
              extract(epoch FROM now() - i.created_at)::integer
            INTO fingerprint, status, headers, body, encrypted, age_seconds
            FROM idempotency i WHERE i.project_id = k.project_id AND i.key_id = k.id
              AND i.route = wanted_route AND i.value = wanted_value;
          RETURN NEXT;
        END LOOP;
      END
      $$;
      REVOKE ALL ON FUNCTION admit FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION admit TO api;

      -- In plpgsql, which keeps its plan: one in SQL is parsed and planned at every call.
      CREATE OR REPLACE FUNCTION usage_of(project text, wanted text) RETURNS bigint
      LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN coalesce((SELECT c.used FROM usage_count c
            WHERE c.project_id = project AND c.resource = wanted), 0)
          + coalesce((SELECT sum(d.delta) FROM usage_delta d
            WHERE d.project_id = project AND d.resource = wanted), 0);
      END
      $$;

      CREATE OR REPLACE FUNCTION usage_change() RETURNS trigger LANGUAGE plpgsql AS $$
      -- Its arguments are what a row counts for.
      DECLARE
        one record;
        sign integer;
        size bigint;
        counted text;
        added bigint;
      BEGIN
        IF TG_OP = 'INSERT' THEN one := NEW; sign := 1; ELSE one := OLD; sign := -1; END IF;
        IF TG_TABLE_NAME = 'object' THEN size := one.bytes;
        ELSIF TG_TABLE_NAME = 'upload' THEN size := one.length;
        END IF;
        FOREACH counted IN ARRAY TG_ARGV LOOP
          INSERT INTO usage_delta (project_id, resource, delta)
          VALUES (one.project_id, counted, CASE counted WHEN 'storage_bytes' THEN sign * size ELSE sign END)
          RETURNING id INTO added;
          -- Each row that is a round number folds those before it.
          IF added % 32 = 0 THEN PERFORM usage_fold(one.project_id); END IF;
        END LOOP;
        RETURN NULL;
      END
      $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION admit, idempotency_lock');
  }
}
