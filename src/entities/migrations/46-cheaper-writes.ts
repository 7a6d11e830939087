import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/**
 * Cheaper admission and quotas. PL/pgSQL prepares every expression of a function again in each
 * transaction, which takes longer than to find a row: what each request calls consists of few
 * statements and no expressions.
 */
export class CheaperWrites1000000000046 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- One expression in SQL, no less volatile than what it calls: the planner puts it in place.
      CREATE OR REPLACE FUNCTION idempotency_lock(project text, key text, route text, value text)
      RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS $$
        -- The number that every release takes its advisory lock on: the first 64 bits of the SHA-256
        -- of all parts, each behind its length in bytes.
        SELECT ('x' || encode(substr(sha256(convert_to(
          '11:idempotency' || octet_length(project)::text || ':' || project
          || octet_length(key)::text || ':' || key || octet_length(route)::text || ':' || route
          || octet_length(value)::text || ':' || value, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint
      $$;

      CREATE FUNCTION stamp_key(wanted_hash bytea) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        -- Skipping a row somebody else is stamping keeps requests from queueing on it.
        UPDATE api_key SET last_used_at = now() WHERE api_key.id IN (
          SELECT a.id FROM api_key a WHERE a.key_hash = wanted_hash FOR UPDATE SKIP LOCKED);
      END
      $$;

      CREATE FUNCTION admit_key(
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
        SELECT found.*,
          set_config('statement_timeout', seconds || 's', true),
          CASE WHEN found.outcome = 'granted'
            THEN set_config('app.project_id', found.project_id, true) END AS entered,
          CASE WHEN found.outcome = 'granted'
            AND (found.last_used_at IS NULL OR found.last_used_at < now() - interval '1 minute')
            THEN stamp_key(found.key_hash) END,
          CASE WHEN found.outcome = 'granted' AND wanted_value IS NOT NULL
            THEN pg_try_advisory_xact_lock(
              idempotency_lock(found.project_id, found.id, wanted_route, wanted_value)) END AS claimed
        INTO k
        FROM (
          SELECT a.id, a.project_id, a.key_hash, a.scopes, a.allowed_cidrs, a.read_per_minute,
            a.write_per_minute, a.last_used_at, CASE
              WHEN a.revoked_at <= clock_timestamp() THEN 'revoked'
              WHEN a.expires_at <= clock_timestamp() THEN 'expired'
              WHEN a.project_id IS DISTINCT FROM wanted_project THEN 'forbidden'
              ELSE 'granted' END AS outcome
          FROM api_key a WHERE a.key_hash = wanted_hash) found;
        -- A statement of its own, so that it sees what the last holder of the lock committed.
        RETURN QUERY SELECT coalesce(k.outcome, 'invalid'), k.id, k.key_hash, k.scopes, k.allowed_cidrs,
            k.read_per_minute, k.write_per_minute, k.claimed,
            i.fingerprint, i.status, i.headers, i.body, i.encrypted,
            extract(epoch FROM now() - i.created_at)::integer
          FROM (SELECT) one LEFT JOIN idempotency i ON i.project_id = k.entered AND i.key_id = k.id
            AND i.route = wanted_route AND i.value = wanted_value;
      END
      $$;
      REVOKE ALL ON FUNCTION admit_key, stamp_key FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION admit_key TO api;

      -- A plain index scan marks the entries of rows that are gone, so that nobody visits them again:
      -- claims read the same range by a bitmap scan, which does not.
      ALTER FUNCTION usage_fold SET enable_bitmapscan = off;
      ALTER FUNCTION usage_fold SET enable_seqscan = off;

      CREATE FUNCTION usage_job_begins() RETURNS trigger LANGUAGE plpgsql AS $$
      -- What usage_change does for a new job. A WHEN of the trigger would be read from the catalogue
      -- by every statement.
      BEGIN
        INSERT INTO usage_delta (project_id, resource, delta)
        SELECT NEW.project_id, 'jobs_in_flight', 1 WHERE NEW.finished_at IS NULL;
        RETURN NEW;
      END
      $$;

      CREATE FUNCTION quota_standing(project text, wanted text, by_default bigint)
      RETURNS TABLE (most bigint, used bigint, changes bigint) LANGUAGE sql STABLE AS $$
        -- A project's quota, what it uses, and how many changes have yet to be folded. Planned in place.
        SELECT coalesce((SELECT q.most FROM project_quota q
            WHERE q.project_id = project AND q.resource = wanted), by_default),
          coalesce((SELECT c.used FROM usage_count c
            WHERE c.project_id = project AND c.resource = wanted), 0) + coalesce(d.delta, 0)::bigint,
          d.changes
        FROM (SELECT sum(u.delta) AS delta, count(*) AS changes FROM usage_delta u
          WHERE u.project_id = project AND u.resource = wanted) d
      $$;
    `);
    // Last, since it keeps writers out until the end.
    await runner.query(lockPatiently('job'));
    await runner.query(`
      DROP TRIGGER usage_begin ON job;
      CREATE TRIGGER usage_begin AFTER INSERT ON job
        FOR EACH ROW EXECUTE FUNCTION usage_job_begins();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION quota_standing, admit_key, stamp_key;
      DROP TRIGGER usage_begin ON job;
      CREATE TRIGGER usage_begin AFTER INSERT ON job
        FOR EACH ROW WHEN (NEW.finished_at IS NULL) EXECUTE FUNCTION usage_change('jobs_in_flight');
      DROP FUNCTION usage_job_begins;
      ALTER FUNCTION usage_fold RESET ALL;
    `);
  }
}
