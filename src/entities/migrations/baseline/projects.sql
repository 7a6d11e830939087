-- Projects, their API keys, and the admission of requests.
--
-- Functions that run as their owner name pg_temp last in their search_path: otherwise temporary tables would
-- be searched first, and a role that may create one could substitute it for a table that these functions
-- read.

CREATE FUNCTION wall(tables text[], pipeline boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql AS $$
-- Enables tenant isolation for tables: row security by project for every role, including the owner. Pipeline
-- tables are also open to the roles that serve all projects.
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY tables LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', t);
    EXECUTE format(
      'CREATE POLICY wall ON %I USING (project_id = current_setting(''app.project_id'', true))', t);
    IF pipeline THEN
      EXECUTE format('CREATE POLICY pipeline ON %I TO relay, worker USING (true)', t);
    END IF;
  END LOOP;
END
$$;

CREATE FUNCTION id_floor(prefix text, at timestamptz) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
-- The smallest identifier that can be created at a given time: ten characters of milliseconds since 1970 in
-- Crockford base32, then zeros.
DECLARE
  ms bigint := floor(extract(epoch FROM at) * 1000)::bigint;
  encoded text := '';
BEGIN
  FOR i IN 1..10 LOOP
    encoded := substr('0123456789abcdefghjkmnpqrstvwxyz', (ms & 31)::integer + 1, 1) || encoded;
    ms := ms >> 5;
  END LOOP;
  RETURN prefix || '_' || encoded || repeat('0', 16);
END
$$;

CREATE FUNCTION new_id(prefix text) RETURNS text
LANGUAGE sql VOLATILE AS $$
  -- Creates the same identifiers as newId of contracts/ids.ts: a UUIDv7 in Crockford base32. The twelve bits
  -- after the milliseconds are their fraction, so that identifiers of one session sort in the order of
  -- creation; the last 64 bits, variant and random part, come from a random UUID.
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

CREATE FUNCTION random_id(prefix text) RETURNS text
LANGUAGE sql VOLATILE AS $$
  -- Like new_id, but from a random UUID: for people, because the time in an identifier would show one project
  -- how long a person has been known to others.
  WITH bits AS MATERIALIZED (
    SELECT B'00' || ('x' || replace(gen_random_uuid()::text, '-', ''))::bit(128) AS value
  )
  SELECT prefix || '_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits.value FROM at FOR 5)::bit(5)::integer + 1, 1),
    '' ORDER BY at)
  FROM bits, generate_series(1, 126, 5) AS at
$$;
REVOKE ALL ON FUNCTION random_id FROM PUBLIC;

CREATE TABLE project (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE project ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY wall ON project USING (id = current_setting('app.project_id', true));
CREATE POLICY administration ON project TO owner USING (true);
GRANT SELECT ON project TO api, worker;

CREATE TABLE api_key (
  project_id text COLLATE "C" NOT NULL REFERENCES project,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  key_hash bytea NOT NULL UNIQUE,
  scopes text[] COLLATE "C" NOT NULL,
  allowed_cidrs text[] COLLATE "C" NOT NULL DEFAULT '{}',
  read_per_minute integer,
  write_per_minute integer,
  -- An actor, with the name at that time.
  created_by jsonb NOT NULL,
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

-- Stored responses, by Idempotency-Key. No foreign key to the caller's row: every request would lock that
-- row. "key_id" is the caller, a key or a person.
CREATE TABLE idempotency (
  project_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  route text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
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

-- One row per caller, code and minute: the first denial also records the audit event.
CREATE TABLE denial (
  project_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  minute timestamptz NOT NULL,
  PRIMARY KEY (project_id, key_id, code, minute)
);
SELECT wall('{denial}');
GRANT SELECT, INSERT, DELETE ON denial TO api, worker;

-- PL/pgSQL prepares every expression of a function again in each transaction, which takes longer than finding
-- a row. Functions that every request calls therefore have few statements and no expressions.

CREATE FUNCTION idempotency_lock(project text, key text, route text, value text)
RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE AS $$
  -- The number of the advisory lock for an Idempotency-Key: the first 64 bits of the SHA-256 of all parts,
  -- each preceded by its length in bytes. A single SQL expression that is as volatile as the functions it
  -- calls, so that the planner can inline it.
  SELECT ('x' || encode(substr(sha256(convert_to(
    '11:idempotency' || octet_length(project)::text || ':' || project
    || octet_length(key)::text || ':' || key || octet_length(route)::text || ':' || route
    || octet_length(value)::text || ':' || value, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint
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
    -- A separate statement, so that it sees what the last holder of the lock committed.
    SELECT i.fingerprint, i.status, i.headers, i.body, i.encrypted,
        extract(epoch FROM now() - i.created_at)::integer
      INTO fingerprint, status, headers, body, encrypted, age_seconds
      FROM idempotency i WHERE i.project_id = wanted_project AND i.key_id = caller
        AND i.route = wanted_route AND i.value = wanted_value;
    RETURN NEXT;
  END LOOP;
END
$$;

CREATE FUNCTION stamp_key(wanted_hash bytea) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Skips a row that another request is updating, so that requests do not queue for it.
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
-- Login, tenant isolation, time limit and Idempotency-Key in one statement, for a request with only a key and
-- at most one Idempotency-Key (admit handles others). Its conditions find a valid key; the reason for a
-- refusal is determined only if no key is valid.
DECLARE
  k record;
BEGIN
  -- The selected functions have effects only for a granted key.
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

CREATE FUNCTION authenticate_signed(wanted_project text, wanted_key text) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
-- Admits a request whose signed token names a key: if that key is still valid, restricts the transaction to
-- its project and returns the key's scopes; otherwise NULL.
DECLARE
  held text[];
BEGIN
  SELECT k.scopes INTO held FROM api_key k
  WHERE k.project_id = wanted_project AND k.id = wanted_key
    AND (k.revoked_at IS NULL OR k.revoked_at > clock_timestamp())
    AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp());
  IF FOUND THEN
    PERFORM set_config('app.project_id', wanted_project, true);
  END IF;
  RETURN held;
END
$$;

REVOKE ALL ON FUNCTION claim_idempotency_keys, stamp_key, admit_key, authenticate_signed FROM PUBLIC;
GRANT EXECUTE ON FUNCTION admit_key, authenticate_signed TO api;
