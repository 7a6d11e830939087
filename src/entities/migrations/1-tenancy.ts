import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Projects, keys, the wall between projects, stored answers. */
export class Tenancy1000000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION wall(tables text[], pipeline boolean DEFAULT false) RETURNS void
      LANGUAGE plpgsql AS $$
      -- Puts the project's wall around tables: row security for everybody, the owner included.
      -- Pipeline tables are also open to the roles that serve all projects at once.
      DECLARE
        t text;
      BEGIN
        FOREACH t IN ARRAY tables LOOP
          EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
          EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
          EXECUTE format(
            'CREATE POLICY wall ON %I USING (project_id = current_setting(''app.project_id'', true))', t);
          IF pipeline THEN
            EXECUTE format('CREATE POLICY pipeline ON %I TO relay, worker USING (true)', t);
          END IF;
        END LOOP;
      END
      $$;

      CREATE TABLE project (
        id text COLLATE "C" PRIMARY KEY,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      ALTER TABLE project ENABLE ROW LEVEL SECURITY;
      ALTER TABLE project FORCE ROW LEVEL SECURITY;
      CREATE POLICY wall ON project USING (id = current_setting('app.project_id', true));
      CREATE POLICY administration ON project TO owner USING (true);
      GRANT SELECT ON project TO api, worker;

      CREATE TABLE api_key (
        id text COLLATE "C" NOT NULL,
        project_id text COLLATE "C" NOT NULL REFERENCES project,
        name text NOT NULL,
        prefix text NOT NULL,
        key_hash bytea NOT NULL UNIQUE,
        scopes text[] NOT NULL,
        allowed_cidrs text[] NOT NULL DEFAULT '{}',
        read_per_minute integer,
        write_per_minute integer,
        expires_at timestamptz,
        revoked_at timestamptz,
        last_used_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        version integer NOT NULL DEFAULT 1,
        PRIMARY KEY (project_id, id)
      );
      SELECT wall('{api_key}');
      CREATE POLICY administration ON api_key TO owner USING (true);
      GRANT SELECT, INSERT, UPDATE ON api_key TO api;
      GRANT SELECT ON api_key TO worker;

      CREATE FUNCTION authenticate(wanted_hash bytea, wanted_project text)
      RETURNS TABLE (
        outcome text, key_id text, stored_hash bytea, scopes text[], allowed_cidrs text[],
        read_per_minute integer, write_per_minute integer)
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
      -- Login and wall in one: checks a key, and when it is good for the project puts the
      -- transaction behind that project's wall.
      DECLARE
        k api_key;
      BEGIN
        SELECT * INTO k FROM api_key WHERE api_key.key_hash = wanted_hash;
        IF NOT FOUND THEN
          RETURN QUERY SELECT 'invalid', NULL::text, NULL::bytea, NULL::text[], NULL::text[], NULL::integer, NULL::integer;
          RETURN;
        END IF;
        IF k.revoked_at <= clock_timestamp() THEN outcome := 'revoked';
        ELSIF k.expires_at <= clock_timestamp() THEN outcome := 'expired';
        ELSIF k.project_id IS DISTINCT FROM wanted_project THEN outcome := 'forbidden';
        ELSE
          outcome := 'granted';
          PERFORM set_config('app.project_id', k.project_id, true);
          IF k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute' THEN
            -- Skipping a row somebody else is stamping keeps requests from queueing on it.
            UPDATE api_key SET last_used_at = now() WHERE api_key.id IN (
              SELECT a.id FROM api_key a WHERE a.key_hash = wanted_hash FOR UPDATE SKIP LOCKED);
          END IF;
        END IF;
        RETURN QUERY SELECT outcome, k.id, k.key_hash, k.scopes, k.allowed_cidrs, k.read_per_minute, k.write_per_minute;
      END
      $$;
      REVOKE ALL ON FUNCTION authenticate FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION authenticate TO api;

      -- No foreign key to the key's row: every request would lock that one row.
      CREATE TABLE idempotency (
        project_id text COLLATE "C" NOT NULL,
        key_id text COLLATE "C" NOT NULL,
        route text NOT NULL,
        value text NOT NULL,
        fingerprint bytea NOT NULL,
        status integer NOT NULL,
        headers jsonb NOT NULL,
        body text NOT NULL,
        encrypted boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (project_id, key_id, route, value)
      );
      CREATE INDEX idempotency_age ON idempotency (project_id, created_at);
      SELECT wall('{idempotency}');
      GRANT SELECT, INSERT, DELETE ON idempotency TO api, worker;

      -- One row per key, code and minute: the audit event of a refusal is recorded with its first.
      CREATE TABLE denial (
        project_id text COLLATE "C" NOT NULL,
        key_id text COLLATE "C" NOT NULL,
        code text NOT NULL,
        minute timestamptz NOT NULL,
        PRIMARY KEY (project_id, key_id, code, minute)
      );
      SELECT wall('{denial}');
      GRANT SELECT, INSERT, DELETE ON denial TO api, worker;
    `);
  }

  async down(): Promise<void> {
    throw new Error('There is no way back from the first migration: restore a backup.');
  }
}
