import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Admits people with an access token of the identity provider. */
export class AccessTokens2000000000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION admit_token(
        wanted_project text, wanted_issuer text, wanted_subject text, seconds integer,
        wanted_route text, wanted_values text[])
      RETURNS TABLE (
        user_id text, user_name text, role text,
        claimed boolean, fingerprint bytea, status integer, headers jsonb, body text,
        encrypted boolean, age_seconds integer)
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- Like admit_person, for a person whom a verified access token names. No row: not an active member.
      DECLARE
        m record;
      BEGIN
        PERFORM set_config('statement_timeout', seconds || 's', true);
        SELECT n.user_id, p.name, n.role INTO m FROM person p JOIN member n ON n.user_id = p.id
          WHERE p.issuer = wanted_issuer AND p.subject = wanted_subject
            AND n.project_id = wanted_project AND n.state = 'active';
        IF NOT FOUND THEN RETURN; END IF;
        PERFORM set_config('app.project_id', wanted_project, true);
        RETURN QUERY SELECT m.user_id, m.name, m.role, c.*
          FROM claim_idempotency_keys(wanted_project, m.user_id, wanted_route, wanted_values) c;
      END
      $$;
      REVOKE ALL ON FUNCTION admit_token FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION admit_token TO api;`);
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be reverted. Restore a backup.');
  }
}
