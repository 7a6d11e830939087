import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds the key that may go on by its conditions, and asks why not only when there is none: a subquery
 * around the verdict cost as much as the look-up.
 */
export class PlainAdmission1000000000051 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION admit_key(
        wanted_hash bytea, wanted_project text, seconds integer, wanted_route text, wanted_value text)
      RETURNS TABLE (
        outcome text, key_id text, stored_hash bytea, scopes text[], allowed_cidrs text[],
        read_per_minute integer, write_per_minute integer,
        claimed boolean, fingerprint bytea, status integer, headers jsonb, body text, encrypted boolean,
        age_seconds integer)
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
      -- What admit does, for a request with a key alone and one Idempotency-Key at the most.
      DECLARE
        k record;
      BEGIN
        -- What is selected has effects, on a key that is granted and on no other.
        SELECT 'granted'::text AS outcome, a.id, a.key_hash, a.scopes, a.allowed_cidrs,
          a.read_per_minute, a.write_per_minute,
          set_config('statement_timeout', seconds || 's', true),
          set_config('app.project_id', a.project_id, true) AS entered,
          CASE WHEN (a.last_used_at < now() - interval '1 minute') IS NOT FALSE
            THEN stamp_key(a.key_hash) END,
          CASE WHEN wanted_value IS NOT NULL
            THEN pg_try_advisory_xact_lock(
              idempotency_lock(a.project_id, a.id, wanted_route, wanted_value)) END AS claimed
        INTO k
        FROM api_key a WHERE a.key_hash = wanted_hash AND a.project_id = wanted_project
          AND (a.revoked_at <= clock_timestamp()) IS NOT TRUE
          AND (a.expires_at <= clock_timestamp()) IS NOT TRUE;
        IF NOT FOUND THEN
          SELECT CASE
              WHEN a.revoked_at <= clock_timestamp() THEN 'revoked'
              WHEN a.project_id IS DISTINCT FROM wanted_project
                AND (a.expires_at <= clock_timestamp()) IS NOT TRUE THEN 'forbidden'
              ELSE 'expired' END AS outcome,
            a.id, a.key_hash, a.scopes, a.allowed_cidrs, a.read_per_minute, a.write_per_minute,
            set_config('statement_timeout', seconds || 's', true),
            NULL::text AS entered, NULL::text, NULL::boolean AS claimed
          INTO k
          FROM api_key a WHERE a.key_hash = wanted_hash;
        END IF;
        -- A statement of its own, so that it sees what the last holder of the lock committed.
        RETURN QUERY SELECT coalesce(k.outcome, 'invalid'), k.id, k.key_hash, k.scopes, k.allowed_cidrs,
            k.read_per_minute, k.write_per_minute, k.claimed,
            i.fingerprint, i.status, i.headers, i.body, i.encrypted,
            extract(epoch FROM now() - i.created_at)::integer
          FROM (SELECT) one LEFT JOIN idempotency i ON i.project_id = k.entered AND i.key_id = k.id
            AND i.route = wanted_route AND i.value = wanted_value;
      END
      $$;
    `);
  }

  /** Its former body does the same. */
  async down(): Promise<void> {}
}
