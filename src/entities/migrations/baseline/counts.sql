-- Counters of images and objects for facets, maintained by the transactions that change them: the counts as
-- of the last fold, and the changes since then. Changes are separate rows, so that no two writers wait for
-- the same counter.

CREATE TABLE image_count (
  project_id text COLLATE "C" NOT NULL,
  facet text COLLATE "C" NOT NULL CHECK (facet IN ('state', 'mime', 'orientation', 'tag')),
  value text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (project_id, facet, value)
);
CREATE INDEX image_count_highest ON image_count (project_id, facet, count DESC, value);
CREATE TABLE image_count_delta (
  project_id text COLLATE "C" NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  facet text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  delta bigint NOT NULL,
  PRIMARY KEY (project_id, id)
);
SELECT wall('{image_count,image_count_delta}');
GRANT SELECT, INSERT, UPDATE, DELETE ON image_count, image_count_delta TO api, worker;

CREATE FUNCTION image_facets(state text, mime text, orientation text, tags text[])
RETURNS TABLE (facet text, value text) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  -- The values that an image counts for; facets exclude the trash.
  SELECT 'state', state
  UNION ALL SELECT 'mime', mime WHERE state <> 'trashed'
  UNION ALL SELECT 'orientation', orientation WHERE state <> 'trashed' AND orientation IS NOT NULL
  UNION ALL SELECT 'tag', tag FROM unnest(tags) tag WHERE state <> 'trashed'
$$;

CREATE FUNCTION image_count_fold(project text) RETURNS void LANGUAGE plpgsql AS $$
-- Adds the changes to the counts, unless another transaction is doing so: no transaction waits.
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('image_count ' || project, 0)) THEN
    RETURN;
  END IF;
  WITH taken AS (
    DELETE FROM image_count_delta WHERE project_id = project RETURNING facet, value, delta)
  INSERT INTO image_count (project_id, facet, value, count)
    SELECT project, facet, value, sum(delta) FROM taken
    GROUP BY facet, value HAVING sum(delta) <> 0
  ON CONFLICT (project_id, facet, value)
    DO UPDATE SET count = image_count.count + excluded.count;
  DELETE FROM image_count WHERE project_id = project
    AND facet IN ('state', 'mime', 'orientation', 'tag') AND count = 0;
END
$$;

CREATE FUNCTION image_count_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  project text;
  changes integer;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO image_count_delta (project_id, facet, value, delta)
    SELECT a.project_id, f.facet, f.value, count(*)
    FROM added a, image_facets(a.state, a.mime, a.orientation, a.tags) f GROUP BY 1, 2, 3;
    GET DIAGNOSTICS changes = ROW_COUNT;
    SELECT project_id INTO project FROM added LIMIT 1;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO image_count_delta (project_id, facet, value, delta)
    SELECT r.project_id, f.facet, f.value, -count(*)
    FROM removed r, image_facets(r.state, r.mime, r.orientation, r.tags) f GROUP BY 1, 2, 3;
    GET DIAGNOSTICS changes = ROW_COUNT;
    SELECT project_id INTO project FROM removed LIMIT 1;
  ELSE
    INSERT INTO image_count_delta (project_id, facet, value, delta)
    SELECT c.project_id, c.facet, c.value, sum(c.delta) FROM (
      SELECT a.project_id, f.facet, f.value, 1 AS delta
      FROM added a, image_facets(a.state, a.mime, a.orientation, a.tags) f
      UNION ALL
      SELECT r.project_id, f.facet, f.value, -1
      FROM removed r, image_facets(r.state, r.mime, r.orientation, r.tags) f) c
    GROUP BY 1, 2, 3 HAVING sum(c.delta) <> 0;
    GET DIAGNOSTICS changes = ROW_COUNT;
    SELECT project_id INTO project FROM added LIMIT 1;
  END IF;
  -- It runs occasionally, so that readers usually add up about two thousand changes.
  IF random() < changes / 2000.0 THEN
    PERFORM image_count_fold(project);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER image_count_added AFTER INSERT ON image_index
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION image_count_change();
CREATE TRIGGER image_count_changed AFTER UPDATE ON image_index
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION image_count_change();
CREATE TRIGGER image_count_removed AFTER DELETE ON image_index
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION image_count_change();

-- Derived objects are also counted separately by the same facets, so that originals can be counted by
-- subtraction. Whether the source still exists is not counted: it depends on other rows, which change in
-- other transactions.
CREATE TABLE object_count (
  project_id text COLLATE "C" NOT NULL,
  facet text COLLATE "C" NOT NULL CHECK (facet IN ('state', 'mime', 'month', 'tag',
    'derived_state', 'derived_mime', 'derived_month', 'derived_tag')),
  value text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (project_id, facet, value)
);
CREATE TABLE object_count_delta (
  project_id text COLLATE "C" NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  facet text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  delta bigint NOT NULL,
  PRIMARY KEY (project_id, id)
);
SELECT wall('{object_count,object_count_delta}');
GRANT SELECT, INSERT, UPDATE, DELETE ON object_count, object_count_delta TO api, worker;

CREATE FUNCTION object_facets(state text, mime text, created_at timestamptz, tags text[])
RETURNS TABLE (facet text, value text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  -- The values that an object counts for; facets exclude the trash. Months are in UTC.
  SELECT 'state', state
  UNION ALL SELECT 'mime', mime WHERE state <> 'trashed'
  UNION ALL SELECT 'month', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM')
    WHERE state <> 'trashed'
  UNION ALL SELECT 'tag', tag FROM unnest(tags) tag WHERE state <> 'trashed'
$$;

CREATE FUNCTION object_facets(
  state text, mime text, created_at timestamptz, tags text[], derived_from text)
RETURNS TABLE (facet text, value text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT * FROM object_facets(state, mime, created_at, tags)
  UNION ALL
  SELECT 'derived_' || f.facet, f.value FROM object_facets(state, mime, created_at, tags) f
  WHERE derived_from IS NOT NULL AND state <> 'trashed'
$$;

CREATE FUNCTION object_count_fold(project text) RETURNS void LANGUAGE plpgsql AS $$
-- Adds the changes to the counts, unless another transaction is doing so: no transaction waits.
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('object_count ' || project, 0)) THEN
    RETURN;
  END IF;
  WITH taken AS (
    DELETE FROM object_count_delta WHERE project_id = project RETURNING facet, value, delta)
  INSERT INTO object_count (project_id, facet, value, count)
    SELECT project, facet, value, sum(delta) FROM taken
    GROUP BY facet, value HAVING sum(delta) <> 0
  ON CONFLICT (project_id, facet, value)
    DO UPDATE SET count = object_count.count + excluded.count;
  DELETE FROM object_count WHERE project_id = project AND count = 0;
END
$$;

CREATE FUNCTION object_count_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  project text;
  changes integer;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO object_count_delta (project_id, facet, value, delta)
    SELECT a.project_id, f.facet, f.value, count(*)
    FROM added a, object_facets(a.state, a.mime, a.created_at, a.tags, a.derived_from) f
    GROUP BY 1, 2, 3;
    GET DIAGNOSTICS changes = ROW_COUNT;
    SELECT project_id INTO project FROM added LIMIT 1;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO object_count_delta (project_id, facet, value, delta)
    SELECT r.project_id, f.facet, f.value, -count(*)
    FROM removed r, object_facets(r.state, r.mime, r.created_at, r.tags, r.derived_from) f
    GROUP BY 1, 2, 3;
    GET DIAGNOSTICS changes = ROW_COUNT;
    SELECT project_id INTO project FROM removed LIMIT 1;
  ELSE
    INSERT INTO object_count_delta (project_id, facet, value, delta)
    SELECT c.project_id, c.facet, c.value, sum(c.delta) FROM (
      SELECT a.project_id, f.facet, f.value, 1 AS delta
      FROM added a, object_facets(a.state, a.mime, a.created_at, a.tags, a.derived_from) f
      UNION ALL
      SELECT r.project_id, f.facet, f.value, -1
      FROM removed r, object_facets(r.state, r.mime, r.created_at, r.tags, r.derived_from) f) c
    GROUP BY 1, 2, 3 HAVING sum(c.delta) <> 0;
    GET DIAGNOSTICS changes = ROW_COUNT;
    SELECT project_id INTO project FROM added LIMIT 1;
  END IF;
  -- Occasionally, so that readers usually add up some two thousand changes.
  IF random() < changes / 2000.0 THEN
    PERFORM object_count_fold(project);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER object_count_added AFTER INSERT ON object
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION object_count_change();
CREATE TRIGGER object_count_changed AFTER UPDATE ON object
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION object_count_change();
CREATE TRIGGER object_count_removed AFTER DELETE ON object
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION object_count_change();
