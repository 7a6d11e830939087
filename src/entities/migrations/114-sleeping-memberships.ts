import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/**
 * A membership that others made sleeps until the person accepts it: the project sees nothing of them, and
 * they see nothing of the project but its name.
 */
export class SleepingMemberships1000000000114 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${lockPatiently('member')}
      ALTER TABLE member
        ADD COLUMN state text COLLATE "C" NOT NULL DEFAULT 'active'
          CHECK (state IN ('invited', 'active')),
        -- As given when the person was added.
        ADD COLUMN issuer text COLLATE "C",
        ADD COLUMN subject text COLLATE "C",
        -- Who granted the role: asked again when the person accepts.
        ADD COLUMN granted_by jsonb;

      CREATE OR REPLACE FUNCTION admit_person(
        wanted_project text, wanted_session text, seconds integer, wanted_route text,
        wanted_values text[])
      RETURNS TABLE (
        user_id text, user_name text, role text,
        claimed boolean, fingerprint bytea, status integer, headers jsonb, body text, encrypted boolean,
        age_seconds integer)
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- As before, for an active membership.
      DECLARE
        s portal_session;
        m record;
      BEGIN
        PERFORM set_config('statement_timeout', seconds || 's', true);
        SELECT * INTO s FROM portal_session p
          WHERE p.project_id = wanted_project AND p.id = wanted_session;
        IF s.user_id IS NULL OR NOT portal_session_alive(s) THEN RETURN; END IF;
        SELECT n.user_id, p.name, n.role INTO m FROM member n JOIN person p ON p.id = n.user_id
          WHERE n.project_id = s.project_id AND n.user_id = s.user_id AND n.state = 'active';
        IF NOT FOUND THEN RETURN; END IF;
        PERFORM set_config('app.project_id', s.project_id, true);
        PERFORM stamp_portal_session(s);
        RETURN QUERY SELECT m.user_id, m.name, m.role, c.*
          FROM claim_idempotency_keys(s.project_id, m.user_id, wanted_route, wanted_values) c;
      END
      $$;

      CREATE OR REPLACE FUNCTION authenticate_signed_person(wanted_project text, wanted_user text)
      RETURNS text
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- As before, for an active membership.
      DECLARE
        held text;
      BEGIN
        SELECT m.role INTO held FROM member m
          WHERE m.project_id = wanted_project AND m.user_id = wanted_user AND m.state = 'active';
        IF FOUND THEN PERFORM set_config('app.project_id', wanted_project, true); END IF;
        RETURN held;
      END
      $$;

      CREATE OR REPLACE FUNCTION sign_in_person(
        wanted_issuer text, wanted_subject text, given_name text, given_email text) RETURNS text
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- Notes a sign-in and what the provider says of the person; projects see it in active members.
      DECLARE
        found text := person_of(wanted_issuer, wanted_subject);
      BEGIN
        UPDATE person SET name = given_name, email = given_email, signed_in_at = now()
          WHERE id = found;
        UPDATE member SET name = given_name, email = given_email, updated_at = now(),
            version = version + 1
          WHERE user_id = found AND state = 'active'
            AND (name, email) IS DISTINCT FROM (given_name, given_email);
        RETURN found;
      END
      $$;

      CREATE OR REPLACE FUNCTION projects_of(wanted_user text)
      RETURNS TABLE (id text, name text, role text)
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
        -- The projects that a person is an active member of, the last used first.
        SELECT p.id, p.name, m.role FROM member m
        JOIN project p ON p.id = m.project_id JOIN person n ON n.id = m.user_id
        WHERE m.user_id = wanted_user AND m.state = 'active'
        ORDER BY (p.id = n.last_project_id) IS TRUE DESC, p.name, p.id
      $$;

      CREATE FUNCTION memberships_offered(wanted_user text)
      RETURNS TABLE (id text, project_id text, project_name text, role text)
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
        -- The memberships that a person has not accepted yet.
        SELECT m.id, p.id, p.name, m.role FROM member m JOIN project p ON p.id = m.project_id
        WHERE m.user_id = wanted_user AND m.state = 'invited'
        ORDER BY m.created_at, m.id
      $$;
      REVOKE ALL ON FUNCTION memberships_offered FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION memberships_offered TO api;

      CREATE OR REPLACE FUNCTION move_session(
        wanted_project text, wanted_session text, next_project text)
      RETURNS boolean
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- Moves the session of a person to another project that they are an active member of.
      BEGIN
        UPDATE portal_session p SET project_id = next_project
          WHERE p.project_id = wanted_project AND p.id = wanted_session AND EXISTS (
            SELECT FROM member m WHERE m.project_id = next_project AND m.user_id = p.user_id
              AND m.state = 'active');
        IF NOT FOUND THEN RETURN false; END IF;
        UPDATE person SET last_project_id = next_project WHERE id = (
          SELECT p.user_id FROM portal_session p
          WHERE p.project_id = next_project AND p.id = wanted_session);
        RETURN true;
      END
      $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error(
      'Memberships that people have not accepted would become active: there is no way back. Restore a backup.',
    );
  }
}
