import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The portal's sessions as rows, so that signing out ends one in every process at once. */
export class PortalSessions1000000000032 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- No foreign key to the key's row: a session would lock it.
      CREATE TABLE portal_session (
        project_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        key_id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        ended_at timestamptz,
        PRIMARY KEY (project_id, id)
      );
      CREATE INDEX portal_session_key ON portal_session (project_id, key_id, created_at);
      SELECT wall('{portal_session}');
      -- Login looks before it has entered a project.
      CREATE POLICY login ON portal_session FOR SELECT TO owner USING (true);
      GRANT SELECT, INSERT, UPDATE, DELETE ON portal_session TO api;
      GRANT SELECT, DELETE ON portal_session TO worker;

      CREATE FUNCTION authenticate_session(
        wanted_hash bytea, wanted_project text, wanted_session text, stored boolean)
      RETURNS TABLE (
        outcome text, key_id text, stored_hash bytea, scopes text[], allowed_cidrs text[],
        read_per_minute integer, write_per_minute integer)
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- As authenticate, for a session that has not ended. One that a release without this table
      -- began has no row, unless it was ended: stored says whether there must be one.
      DECLARE
        s portal_session;
      BEGIN
        SELECT * INTO s FROM portal_session p
          WHERE p.project_id = wanted_project AND p.id = wanted_session;
        IF (stored AND s.id IS NULL) OR s.ended_at IS NOT NULL OR s.expires_at <= clock_timestamp() THEN
          RETURN QUERY SELECT 'ended', NULL::text, NULL::bytea, NULL::text[], NULL::text[], NULL::integer, NULL::integer;
          RETURN;
        END IF;
        RETURN QUERY SELECT * FROM authenticate(wanted_hash, wanted_project);
      END
      $$;
      REVOKE ALL ON FUNCTION authenticate_session FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION authenticate_session TO api;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION authenticate_session;
      DROP TABLE portal_session;
    `);
  }
}
