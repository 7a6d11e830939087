-- Portal sessions, and the admission of their requests.

-- Stored as rows, so that signing out ends a session in every process immediately. A session belongs to a key or
-- a person, acts in one project, and ends after two hours without a request. No foreign key to the key's row:
-- a session would lock it.
CREATE TABLE portal_session (
  project_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C",
  user_id text COLLATE "C",
  address text COLLATE "C",
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (project_id, id),
  CONSTRAINT portal_session_holder CHECK (num_nonnulls(key_id, user_id) = 1)
);
CREATE INDEX portal_session_key ON portal_session (project_id, key_id, created_at);
CREATE INDEX portal_session_user ON portal_session (user_id) WHERE user_id IS NOT NULL;
SELECT wall('{portal_session}');
CREATE POLICY administration ON portal_session TO owner USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON portal_session TO api;
GRANT SELECT, DELETE ON portal_session TO worker;

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
-- Skips a row that another request is updating, so that requests do not queue for it.
BEGIN
  IF s.last_seen_at > now() - interval '1 minute' THEN RETURN; END IF;
  UPDATE portal_session SET last_seen_at = now() WHERE (project_id, id) IN (
    SELECT p.project_id, p.id FROM portal_session p
    WHERE p.project_id = s.project_id AND p.id = s.id FOR UPDATE SKIP LOCKED);
END
$$;

CREATE FUNCTION admit(
  wanted_hash bytea, wanted_project text, wanted_session text, seconds integer, wanted_route text,
  wanted_values text[])
RETURNS TABLE (
  outcome text, key_id text, stored_hash bytea, scopes text[], allowed_cidrs text[],
  read_per_minute integer, write_per_minute integer,
  claimed boolean, fingerprint bytea, status integer, headers jsonb, body text, encrypted boolean,
  age_seconds integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
-- Checks a key, and the portal session that represents it. If both are valid for the project, restricts the
-- transaction to it, limits the duration of later statements, and claims Idempotency-Keys: one row for each
-- value, or one in total.
DECLARE
  k api_key;
  s portal_session;
BEGIN
  PERFORM set_config('statement_timeout', seconds || 's', true);
  IF wanted_session IS NOT NULL THEN
    SELECT * INTO s FROM portal_session p
      WHERE p.project_id = wanted_project AND p.id = wanted_session;
    IF s.id IS NULL OR NOT portal_session_alive(s) THEN
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
-- Like admit, for the session of a person who is an active member of the project. No row: the session or the
-- membership has ended.
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

CREATE FUNCTION authenticate_signed_person(wanted_project text, wanted_user text)
RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
-- Like authenticate_signed, for a token that names a person: returns the role of an active membership, or
-- NULL.
DECLARE
  held text;
BEGIN
  SELECT m.role INTO held FROM member m
    WHERE m.project_id = wanted_project AND m.user_id = wanted_user AND m.state = 'active';
  IF FOUND THEN PERFORM set_config('app.project_id', wanted_project, true); END IF;
  RETURN held;
END
$$;

CREATE FUNCTION sessions_beside(wanted_project text, wanted_session text)
RETURNS SETOF portal_session
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  -- The live sessions of a person in all projects, or of the key of a session.
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

CREATE FUNCTION move_session(
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

REVOKE ALL ON FUNCTION portal_session_idle, portal_session_alive, stamp_portal_session, admit, admit_person,
  authenticate_signed_person, sessions_beside, end_sessions_beside, move_session FROM PUBLIC;
GRANT EXECUTE ON FUNCTION admit, admit_person, authenticate_signed_person, sessions_beside,
  end_sessions_beside, move_session TO api;
