import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sessions of people, and login by them. Each session acts in one project, which it may change; it ends
 * after two hours without a request.
 */
export class PeopleSignIn1000000000061 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE person ADD COLUMN last_project_id text COLLATE "C";

      -- A session belongs to a key or to a person.
      ALTER TABLE portal_session
        ALTER COLUMN key_id DROP NOT NULL,
        ADD COLUMN user_id text COLLATE "C",
        ADD COLUMN last_seen_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN address text,
        ADD COLUMN user_agent text,
        ADD CONSTRAINT portal_session_holder CHECK (num_nonnulls(key_id, user_id) = 1);
      CREATE INDEX portal_session_user ON portal_session (user_id) WHERE user_id IS NOT NULL;
      DROP POLICY login ON portal_session;
      CREATE POLICY administration ON portal_session TO owner USING (true);

      CREATE FUNCTION portal_session_idle() RETURNS interval LANGUAGE sql IMMUTABLE
        RETURN interval '2 hours';

      CREATE FUNCTION portal_session_alive(s portal_session) RETURNS boolean
      LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        RETURN s.ended_at IS NULL AND s.expires_at > clock_timestamp()
          AND s.last_seen_at > clock_timestamp() - portal_session_idle();
      END
      $$;

      CREATE FUNCTION stamp_portal_session(s portal_session) RETURNS void LANGUAGE plpgsql AS $$
      -- Skipping a row that another request is stamping keeps requests from queueing on it.
      BEGIN
        IF s.last_seen_at > now() - interval '1 minute' THEN RETURN; END IF;
        UPDATE portal_session SET last_seen_at = now() WHERE (project_id, id) IN (
          SELECT p.project_id, p.id FROM portal_session p
          WHERE p.project_id = s.project_id AND p.id = s.id FOR UPDATE SKIP LOCKED);
      END
      $$;

      CREATE FUNCTION claim_idempotency_keys(
        wanted_project text, caller text, wanted_route text, wanted_values text[])
      RETURNS TABLE (
        claimed boolean, fingerprint bytea, status integer, headers jsonb, body text, encrypted boolean,
        age_seconds integer)
      LANGUAGE plpgsql AS $$
      -- Claims Idempotency-Keys: one row for each value, or one in all.
      DECLARE
        wanted_value text;
      BEGIN
        IF wanted_values IS NULL THEN
          RETURN NEXT;
          RETURN;
        END IF;
        FOREACH wanted_value IN ARRAY wanted_values LOOP
          claimed := pg_try_advisory_xact_lock(
            idempotency_lock(wanted_project, caller, wanted_route, wanted_value));
          -- A statement of its own, so that it sees what the last holder of the lock committed.
          SELECT i.fingerprint, i.status, i.headers, i.body, i.encrypted,
              extract(epoch FROM now() - i.created_at)::integer
            INTO fingerprint, status, headers, body, encrypted, age_seconds
            FROM idempotency i WHERE i.project_id = wanted_project AND i.key_id = caller
              AND i.route = wanted_route AND i.value = wanted_value;
          RETURN NEXT;
        END LOOP;
      END
      $$;

      CREATE OR REPLACE FUNCTION admit(
        wanted_hash bytea, wanted_project text, wanted_session text, session_stored boolean,
        seconds integer, wanted_route text, wanted_values text[])
      RETURNS TABLE (
        outcome text, key_id text, stored_hash bytea, scopes text[], allowed_cidrs text[],
        read_per_minute integer, write_per_minute integer,
        claimed boolean, fingerprint bytea, status integer, headers jsonb, body text, encrypted boolean,
        age_seconds integer)
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- As before, and a session that was idle for too long has ended.
      DECLARE
        k api_key;
        s portal_session;
      BEGIN
        PERFORM set_config('statement_timeout', seconds || 's', true);
        IF wanted_session IS NOT NULL THEN
          SELECT * INTO s FROM portal_session p
            WHERE p.project_id = wanted_project AND p.id = wanted_session;
          -- One that a release without this table began has no row, unless it was ended.
          IF (session_stored AND s.id IS NULL) OR (s.id IS NOT NULL AND NOT portal_session_alive(s)) THEN
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
        IF s.id IS NOT NULL THEN PERFORM stamp_portal_session(s); END IF;
        IF k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute' THEN
          PERFORM stamp_key(k.key_hash);
        END IF;
        RETURN QUERY SELECT outcome, k.id, k.key_hash, k.scopes, k.allowed_cidrs, k.read_per_minute,
            k.write_per_minute, c.*
          FROM claim_idempotency_keys(k.project_id, k.id, wanted_route, wanted_values) c;
      END
      $$;

      CREATE FUNCTION admit_person(
        wanted_project text, wanted_session text, seconds integer, wanted_route text,
        wanted_values text[])
      RETURNS TABLE (
        user_id text, user_name text, role text,
        claimed boolean, fingerprint bytea, status integer, headers jsonb, body text, encrypted boolean,
        age_seconds integer)
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- What admit does, for the session of a person who is a member of the project. No row: the session
      -- has ended, or the membership has.
      DECLARE
        s portal_session;
        m record;
      BEGIN
        PERFORM set_config('statement_timeout', seconds || 's', true);
        SELECT * INTO s FROM portal_session p
          WHERE p.project_id = wanted_project AND p.id = wanted_session;
        IF s.user_id IS NULL OR NOT portal_session_alive(s) THEN RETURN; END IF;
        SELECT n.user_id, p.name, n.role INTO m FROM member n JOIN person p ON p.id = n.user_id
          WHERE n.project_id = s.project_id AND n.user_id = s.user_id;
        IF NOT FOUND THEN RETURN; END IF;
        PERFORM set_config('app.project_id', s.project_id, true);
        PERFORM stamp_portal_session(s);
        RETURN QUERY SELECT m.user_id, m.name, m.role, c.*
          FROM claim_idempotency_keys(s.project_id, m.user_id, wanted_route, wanted_values) c;
      END
      $$;

      CREATE FUNCTION authenticate_signed_person(wanted_project text, wanted_user text) RETURNS text
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- What authenticate_signed does, for a token that names a person: returns the role, or NULL.
      DECLARE
        held text;
      BEGIN
        SELECT m.role INTO held FROM member m
          WHERE m.project_id = wanted_project AND m.user_id = wanted_user;
        IF FOUND THEN PERFORM set_config('app.project_id', wanted_project, true); END IF;
        RETURN held;
      END
      $$;

      CREATE FUNCTION sign_in_person(
        wanted_issuer text, wanted_subject text, given_name text, given_email text) RETURNS text
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- Notes a sign-in and what the provider says of the person; projects see it in their members.
      DECLARE
        found text := person_of(wanted_issuer, wanted_subject);
      BEGIN
        UPDATE person SET name = given_name, email = given_email, signed_in_at = now()
          WHERE id = found;
        UPDATE member SET name = given_name, email = given_email, updated_at = now(),
            version = version + 1
          WHERE user_id = found
            AND (name, email) IS DISTINCT FROM (given_name, given_email);
        RETURN found;
      END
      $$;

      CREATE FUNCTION projects_of(wanted_user text) RETURNS TABLE (id text, name text, role text)
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
        -- The projects that a person is a member of, the last used first.
        SELECT p.id, p.name, m.role FROM member m
        JOIN project p ON p.id = m.project_id JOIN person n ON n.id = m.user_id
        WHERE m.user_id = wanted_user
        ORDER BY (p.id = n.last_project_id) IS TRUE DESC, p.name, p.id
      $$;

      CREATE FUNCTION sessions_beside(wanted_project text, wanted_session text)
      RETURNS SETOF portal_session
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
        -- The live sessions of the person, in all projects, or of the key that a session is of.
        SELECT o.* FROM portal_session s
        JOIN portal_session o ON o.user_id = s.user_id
          OR (o.key_id = s.key_id AND o.project_id = s.project_id)
        WHERE s.project_id = wanted_project AND s.id = wanted_session AND portal_session_alive(o)
        ORDER BY o.last_seen_at DESC, o.id
      $$;

      CREATE FUNCTION end_sessions_beside(wanted_project text, wanted_session text, ended text)
      RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- Ends one of these sessions, or all if "ended" is NULL. Returns how many.
      DECLARE
        n integer;
      BEGIN
        UPDATE portal_session p SET ended_at = now()
          FROM sessions_beside(wanted_project, wanted_session) o
          WHERE p.project_id = o.project_id AND p.id = o.id AND (ended IS NULL OR o.id = ended);
        GET DIAGNOSTICS n = ROW_COUNT;
        RETURN n;
      END
      $$;

      CREATE FUNCTION move_session(wanted_project text, wanted_session text, next_project text)
      RETURNS boolean
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- Moves the session of a person to another project that they are a member of.
      BEGIN
        UPDATE portal_session p SET project_id = next_project
          WHERE p.project_id = wanted_project AND p.id = wanted_session AND EXISTS (
            SELECT FROM member m WHERE m.project_id = next_project AND m.user_id = p.user_id);
        IF NOT FOUND THEN RETURN false; END IF;
        UPDATE person SET last_project_id = next_project WHERE id = (
          SELECT p.user_id FROM portal_session p
          WHERE p.project_id = next_project AND p.id = wanted_session);
        RETURN true;
      END
      $$;

      DO $$
      DECLARE
        f text;
      BEGIN
        FOREACH f IN ARRAY ARRAY['portal_session_idle', 'portal_session_alive', 'stamp_portal_session',
            'claim_idempotency_keys', 'admit_person', 'authenticate_signed_person', 'sign_in_person',
            'projects_of', 'sessions_beside', 'end_sessions_beside', 'move_session'] LOOP
          EXECUTE format('REVOKE ALL ON FUNCTION %I FROM PUBLIC', f);
        END LOOP;
        FOREACH f IN ARRAY ARRAY['admit_person', 'authenticate_signed_person', 'sign_in_person',
            'projects_of', 'sessions_beside', 'end_sessions_beside', 'move_session'] LOOP
          EXECUTE format('GRANT EXECUTE ON FUNCTION %I TO api', f);
        END LOOP;
      END
      $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- admit stays as it is, with what it needs: its former body did the same.
      DROP FUNCTION admit_person, authenticate_signed_person, sign_in_person, projects_of,
        sessions_beside, end_sessions_beside, move_session;
      DELETE FROM portal_session WHERE user_id IS NOT NULL;
    `);
  }
}
