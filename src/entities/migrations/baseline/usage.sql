-- The usage of projects, counted as it changes, and the quotas set by an operator.

CREATE TABLE project_quota (
  project_id text COLLATE "C" NOT NULL,
  resource text COLLATE "C" NOT NULL,
  most bigint NOT NULL CHECK (most >= 0),
  PRIMARY KEY (project_id, resource)
);
CREATE TABLE usage_count (
  project_id text COLLATE "C" NOT NULL,
  resource text COLLATE "C" NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (project_id, resource)
);
-- Writers only add rows here, so they never wait for each other; occasionally one of them folds the rows into
-- the counts.
CREATE TABLE usage_delta (
  project_id text COLLATE "C" NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  resource text COLLATE "C" NOT NULL,
  delta bigint NOT NULL,
  PRIMARY KEY (project_id, id)
);
SELECT wall('{project_quota,usage_count,usage_delta}');
GRANT SELECT ON project_quota TO api, worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON usage_count, usage_delta TO api, worker;

-- PL/pgSQL caches its plan; a function in SQL is parsed and planned on every call.
CREATE FUNCTION usage_of(project text, wanted text) RETURNS bigint
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((SELECT c.used FROM usage_count c
      WHERE c.project_id = project AND c.resource = wanted), 0)
    + coalesce((SELECT sum(d.delta) FROM usage_delta d
      WHERE d.project_id = project AND d.resource = wanted), 0);
END
$$;

CREATE FUNCTION usage_fold(project text) RETURNS void LANGUAGE plpgsql
SET enable_bitmapscan = off SET enable_seqscan = off AS $$
-- Adds the changes to the counts, unless another transaction is doing so: no transaction waits. A plain index
-- scan marks the entries of deleted rows, so that no later scan visits them: claims read the same range by a
-- bitmap scan, which does not.
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('usage ' || project, 0)) THEN RETURN; END IF;
  WITH taken AS (
    DELETE FROM usage_delta WHERE project_id = project RETURNING resource, delta)
  INSERT INTO usage_count (project_id, resource, used)
  SELECT project, resource, sum(delta) FROM taken GROUP BY resource
  ON CONFLICT (project_id, resource) DO UPDATE SET used = usage_count.used + excluded.used;
END
$$;

CREATE FUNCTION usage_change() RETURNS trigger LANGUAGE plpgsql AS $$
-- The arguments are the resources to which a row counts.
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
    -- Every 32nd row folds the earlier ones.
    IF added % 32 = 0 THEN PERFORM usage_fold(one.project_id); END IF;
  END LOOP;
  RETURN NULL;
END
$$;

CREATE FUNCTION usage_job_begins() RETURNS trigger LANGUAGE plpgsql AS $$
-- Like usage_change, for a new job. Every statement would read the WHEN of a trigger from the catalogue.
BEGIN
  INSERT INTO usage_delta (project_id, resource, delta)
  SELECT NEW.project_id, 'jobs_in_flight', 1 WHERE NEW.finished_at IS NULL;
  RETURN NEW;
END
$$;

CREATE FUNCTION picture_usage() RETURNS trigger LANGUAGE plpgsql AS $$
-- Like usage_change, for pictures of pages. A picture has a size only after it is drawn.
DECLARE
  project text := coalesce(NEW.project_id, OLD.project_id);
  added bigint;
BEGIN
  INSERT INTO usage_delta (project_id, resource, delta)
  VALUES (project, 'storage_bytes', coalesce(NEW.bytes, 0) - coalesce(OLD.bytes, 0))
  RETURNING id INTO added;
  IF added % 32 = 0 THEN PERFORM usage_fold(project); END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER usage_change AFTER INSERT OR DELETE ON object
  FOR EACH ROW EXECUTE FUNCTION usage_change('objects', 'storage_bytes');
CREATE TRIGGER usage_change AFTER INSERT OR DELETE ON collection
  FOR EACH ROW EXECUTE FUNCTION usage_change('collections');

CREATE TRIGGER usage_begin AFTER INSERT ON upload
  FOR EACH ROW WHEN (NEW.state = 'uploading')
  EXECUTE FUNCTION usage_change('uploads', 'objects', 'storage_bytes');
CREATE TRIGGER usage_end AFTER UPDATE OF state ON upload
  FOR EACH ROW WHEN (OLD.state = 'uploading' AND NEW.state <> 'uploading')
  EXECUTE FUNCTION usage_change('uploads', 'objects', 'storage_bytes');
CREATE TRIGGER usage_delete AFTER DELETE ON upload
  FOR EACH ROW WHEN (OLD.state = 'uploading')
  EXECUTE FUNCTION usage_change('uploads', 'objects', 'storage_bytes');

CREATE TRIGGER usage_begin AFTER INSERT ON api_key
  FOR EACH ROW WHEN (NEW.revoked_at IS NULL) EXECUTE FUNCTION usage_change('api_keys');
CREATE TRIGGER usage_end AFTER UPDATE OF revoked_at ON api_key
  FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
  EXECUTE FUNCTION usage_change('api_keys');

CREATE TRIGGER usage_begin AFTER INSERT ON job
  FOR EACH ROW EXECUTE FUNCTION usage_job_begins();
CREATE TRIGGER usage_end AFTER UPDATE OF finished_at ON job
  FOR EACH ROW WHEN (OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL)
  EXECUTE FUNCTION usage_change('jobs_in_flight');
CREATE TRIGGER usage_delete AFTER DELETE ON job
  FOR EACH ROW WHEN (OLD.finished_at IS NULL) EXECUTE FUNCTION usage_change('jobs_in_flight');

-- Pictures of pages count as long as they are stored.
CREATE TRIGGER picture_insert AFTER INSERT ON object_variant FOR EACH ROW
  WHEN (NEW.variant LIKE 'page:%' AND NEW.bytes IS NOT NULL) EXECUTE FUNCTION picture_usage();
CREATE TRIGGER picture_update AFTER UPDATE OF bytes ON object_variant FOR EACH ROW
  WHEN (NEW.variant LIKE 'page:%' AND NEW.bytes IS DISTINCT FROM OLD.bytes)
  EXECUTE FUNCTION picture_usage();
CREATE TRIGGER picture_delete AFTER DELETE ON object_variant FOR EACH ROW
  WHEN (OLD.variant LIKE 'page:%' AND OLD.bytes IS NOT NULL) EXECUTE FUNCTION picture_usage();

CREATE FUNCTION quota_standing(project text, wanted text, by_default bigint)
RETURNS TABLE (most bigint, used bigint, changes bigint) LANGUAGE sql STABLE AS $$
  -- A project's quota, its usage, and the number of changes that are not folded yet. Planned in place.
  SELECT coalesce((SELECT q.most FROM project_quota q
      WHERE q.project_id = project AND q.resource = wanted), by_default),
    coalesce((SELECT c.used FROM usage_count c
      WHERE c.project_id = project AND c.resource = wanted), 0) + coalesce(d.delta, 0)::bigint,
    d.changes
  FROM (SELECT sum(u.delta) AS delta, count(*) AS changes FROM usage_delta u
    WHERE u.project_id = project AND u.resource = wanted) d
$$;

CREATE FUNCTION quota_claim(project text, wanted text, more bigint, by_default bigint) RETURNS void
LANGUAGE plpgsql AS $$
-- Rejects a change that would exceed a project's quota. Far from the quota no claim waits; near it, claims
-- are decided one after the other, each after the previous commit.
DECLARE
  most bigint := coalesce((SELECT q.most FROM project_quota q
    WHERE q.project_id = project AND q.resource = wanted), by_default);
  used bigint := usage_of(project, wanted);
BEGIN
  IF used + greatest(more * 64, most / 10) <= most THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('quota ' || project, 0));
  -- A separate statement, so that it sees what the previous holder of the lock committed.
  used := usage_of(project, wanted);
  IF used + more <= most THEN RETURN; END IF;
  RAISE EXCEPTION USING ERRCODE = 'QT001', MESSAGE = format('The quota of %s is used up.', wanted),
    DETAIL = jsonb_build_object('quota', wanted, 'limit', most, 'used', used, 'wanted', more)::text;
END
$$;

-- The usage of projects on each day: a row per project and day, in UTC.
CREATE TABLE usage_day (
  project_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  -- When the row was last changed.
  storage_bytes bigint NOT NULL,
  succeeded bigint NOT NULL,
  failed bigint NOT NULL,
  PRIMARY KEY (project_id, day)
-- The counters of a day change often, and are in no index.
) WITH (fillfactor = 50);
SELECT wall('{usage_day}');
GRANT SELECT, INSERT, UPDATE ON usage_day TO api;
GRANT SELECT, INSERT, UPDATE, DELETE ON usage_day TO worker;

CREATE FUNCTION usage_note(project text, more_succeeded bigint, more_failed bigint)
RETURNS void LANGUAGE sql AS $$
  -- Adds requests to today's, and updates the stored amounts.
  INSERT INTO usage_day AS d (project_id, day, storage_bytes, succeeded, failed)
  VALUES (project, (now() AT TIME ZONE 'UTC')::date, usage_of(project, 'storage_bytes'),
    more_succeeded, more_failed)
  ON CONFLICT (project_id, day) DO UPDATE SET storage_bytes = excluded.storage_bytes,
    succeeded = d.succeeded + excluded.succeeded, failed = d.failed + excluded.failed
$$;
