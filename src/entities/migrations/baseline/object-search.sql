-- The search data of objects: their details, and the text read from them, page by page.

-- Every string in a JSON value, at any depth.
CREATE FUNCTION strings_of(value jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  (SELECT string_agg(s #>> '{}', ' ')
   FROM jsonb_path_query(value, 'strict $.** ? (@.type() == "string")') AS s);

CREATE FUNCTION object_details(filename text, tags text[], metadata jsonb) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  to_tsvector('library', plain_words(
    concat_ws(' ', filename, array_to_string(tags, ' '), strings_of(metadata))));

-- A row for each object. Derived: the triggers below write the details, and the job that reads the text
-- writes the text. A tsvector holds 1 MiB. The limits on names, tags and metadata keep details below 400,000
-- bytes, and text is kept below 640,000, so that both fit.
CREATE TABLE object_index (
  project_id text COLLATE "C" NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  tags text[] NOT NULL,
  details tsvector NOT NULL,
  text tsvector NOT NULL DEFAULT '',
  -- False for a text with more words than there are positions: it is stored as a set of words, and a phrase
  -- matches if its words occur.
  has_positions boolean NOT NULL DEFAULT true,
  text_job_id text COLLATE "C",
  -- Empty unless a verified redaction left text, in which case "redacted_free_of" is not null. It lists the
  -- kinds of personal data that the text is free of; {all} means all kinds.
  redacted_text tsvector NOT NULL DEFAULT '',
  redacted_has_positions boolean NOT NULL DEFAULT true,
  redacted_free_of text[] COLLATE "C",
  PRIMARY KEY (project_id, object_id),
  FOREIGN KEY (project_id, object_id) REFERENCES object (project_id, id) ON DELETE CASCADE
);
CREATE INDEX object_index_details ON object_index USING gin (project_id, details)
  WITH (fastupdate = off);
CREATE INDEX object_index_everything ON object_index USING gin (project_id, (details || text))
  WITH (fastupdate = off);
CREATE INDEX object_index_redacted ON object_index USING gin (project_id, (details || redacted_text))
  WITH (fastupdate = off) WHERE redacted_free_of IS NOT NULL;
CREATE INDEX object_index_folded_tags ON object_index USING gin (project_id, fold_tags(tags))
  WITH (fastupdate = off);
SELECT wall('{object_index}');
GRANT SELECT, INSERT, UPDATE ON object_index TO api, worker;

CREATE FUNCTION object_index_add() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO object_index (project_id, object_id, tags, details)
  SELECT project_id, id, tags, object_details(filename, tags, metadata) FROM changed;
  RETURN NULL;
END
$$;

CREATE FUNCTION object_index_change() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off AS $$
-- Updates row by row along the primary key: a join whose plan was made for one row would take thousands of
-- times longer.
DECLARE
  c record;
BEGIN
  FOR c IN SELECT project_id, id, tags, object_details(filename, tags, metadata) AS details
    FROM changed
  LOOP
    UPDATE object_index i SET tags = c.tags, details = c.details
    WHERE i.project_id = c.project_id AND i.object_id = c.id
      AND (i.tags <> c.tags OR i.details <> c.details);
  END LOOP;
  RETURN NULL;
END
$$;

CREATE TRIGGER object_index_added AFTER INSERT ON object REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION object_index_add();
CREATE TRIGGER object_index_changed AFTER UPDATE ON object REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION object_index_change();

-- Read like the index of images: through a view whose owner is not subject to a policy, because otherwise
-- every condition on words and tags would read every row. It is joined by id to the object table, which stays
-- behind row-level security; its column names do not overlap. The project is in a subquery so that the
-- planner does not equate it with the objects' policy: conditions of a policy are checked first, and no index
-- on words and tags would be used.
CREATE POLICY search ON object_index FOR SELECT TO searcher USING (true);
GRANT SELECT ON object_index TO searcher;
CREATE VIEW object_search AS
  SELECT object_id AS id, tags AS tagged, details, details || text AS everything, has_positions,
    details || redacted_text AS everything_redacted, redacted_has_positions, redacted_free_of
  FROM object_index WHERE project_id = (SELECT current_setting('app.project_id', true));
GRANT SELECT ON object_search TO api, worker;
GRANT CREATE ON SCHEMA public TO searcher;
ALTER VIEW object_search OWNER TO searcher;
REVOKE CREATE ON SCHEMA public FROM searcher;

-- A row for each page of an object whose text is known: as it was read, and as a redaction left it. "text"
-- and "redacted_text" of object_index are composed from these rows.
CREATE TABLE object_text (
  project_id text COLLATE "C" NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  page integer NOT NULL,
  redacted boolean NOT NULL,
  vector tsvector NOT NULL,
  -- Null for a page that is stored as a set of words.
  last_position integer,
  -- The kinds of personal data that a verified redaction is free of; {all} for all kinds.
  free_of text[] COLLATE "C",
  -- Of two readings, the longer one is kept; of two redactions, the one that is free of more.
  worth double precision NOT NULL,
  job_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (project_id, object_id, page, redacted),
  FOREIGN KEY (project_id, object_id) REFERENCES object_index (project_id, object_id)
    ON DELETE CASCADE
);
SELECT wall('{object_text}');
GRANT SELECT, INSERT, UPDATE, DELETE ON object_text TO api, worker;

CREATE FUNCTION page_vector(given text, OUT vector tsvector, OUT last_position integer)
LANGUAGE plpgsql STABLE AS $$
-- The text of a page, with positions if there are enough for all words; otherwise, without a last position,
-- a set of as many words as fit, in order of appearance. It never fails because a text is too long.
DECLARE
  position_limit CONSTANT integer := 16383;
  max_bytes CONSTANT integer := 640000;
  max_characters CONSTANT integer := 16000000;
  max_word CONSTANT integer := 10000;
BEGIN
  IF length(given) <= 10 * position_limit THEN
    BEGIN
      vector := to_tsvector('library', plain_words(given));
      SELECT coalesce(max(position), 0) INTO last_position
      FROM unnest(vector) AS word, unnest(word.positions) AS position;
      IF last_position < position_limit AND pg_column_size(vector) <= max_bytes THEN
        RETURN;
      END IF;
    EXCEPTION WHEN program_limit_exceeded THEN
      -- Some characters expand to several, so the text has become too long.
    END;
  END IF;

  last_position := NULL;
  WITH words AS (
    -- Each word is passed to the dictionaries only once: a long text has few new ones.
    SELECT left(w.word, max_word) AS word, min(w.place) AS place
    FROM string_to_table(plain_words(left(given, max_characters)), ' ')
      WITH ORDINALITY AS w (word, place)
    WHERE w.word <> '' GROUP BY 1
  ), pieces AS (
    SELECT part, string_agg(word, ' ' ORDER BY place) AS piece FROM (
      SELECT word, place, sum(octet_length(word)) OVER (ORDER BY place) / 100000 AS part
      FROM words) parted
    GROUP BY part
  ), lexemes AS (
    SELECT found.lexeme, min(part) AS part, min(found.positions[1]) AS position
    FROM pieces, unnest(to_tsvector('library', piece)) AS found GROUP BY 1
  ), counted AS (
    SELECT lexeme, sum(octet_length(lexeme)) OVER (ORDER BY part, position, lexeme) AS bytes
    FROM lexemes
  )
  SELECT coalesce(array_to_tsvector(array_agg(lexeme)), '') INTO vector FROM counted
  WHERE bytes <= max_bytes;
END
$$;

CREATE FUNCTION pages_to_search(wanted_project text, wanted_object text, wanted_free_of text[])
RETURNS SETOF object_text LANGUAGE sql STABLE AS $$
  -- The searchable text of each page: as it was read, otherwise as a redaction left it; or only text left by
  -- verified redactions that are free of all the given kinds.
  SELECT DISTINCT ON (t.page) t.* FROM object_text t
  WHERE t.project_id = wanted_project AND t.object_id = wanted_object
    AND (wanted_free_of IS NULL
      OR t.redacted AND (t.free_of = '{all}' OR t.free_of @> wanted_free_of))
  ORDER BY t.page, t.redacted
$$;

CREATE FUNCTION joined_text(
  wanted_project text, wanted_object text, wanted_free_of text[],
  OUT vector tsvector, OUT has_positions boolean)
LANGUAGE plpgsql STABLE AS $$
-- The combined text of pages, within the limits of a page.
DECLARE
  position_limit CONSTANT integer := 16383;
  max_bytes CONSTANT integer := 640000;
  piece tsvector;
BEGIN
  SELECT coalesce(bool_and(p.last_position IS NOT NULL)
    AND sum(p.last_position) < position_limit, true) INTO has_positions
  FROM pages_to_search(wanted_project, wanted_object, wanted_free_of) p;
  IF has_positions THEN
    BEGIN
      vector := '';
      FOR piece IN SELECT p.vector
        FROM pages_to_search(wanted_project, wanted_object, wanted_free_of) p ORDER BY p.page
      LOOP
        vector := vector || piece;
      END LOOP;
      IF pg_column_size(vector) <= max_bytes THEN RETURN; END IF;
    EXCEPTION WHEN program_limit_exceeded THEN
      -- More different words than a vector holds.
    END;
  END IF;

  has_positions := false;
  WITH lexemes AS (
    SELECT word.lexeme, min((p.page::bigint << 32) + coalesce(word.positions[1], 0)) AS place
    FROM pages_to_search(wanted_project, wanted_object, wanted_free_of) p,
      unnest(p.vector) AS word
    GROUP BY 1
  ), counted AS (
    SELECT lexeme, sum(octet_length(lexeme)) OVER (ORDER BY place, lexeme) AS bytes FROM lexemes
  )
  SELECT coalesce(array_to_tsvector(array_agg(lexeme)), '') INTO vector FROM counted
  WHERE bytes <= max_bytes;
END
$$;

CREATE FUNCTION keep_text(wanted_project text, wanted_object text, ended_job text)
RETURNS void LANGUAGE plpgsql AS $$
-- Adds a job's text of pages to the text that its source is searched by. The result does not depend on the
-- order in which jobs end.
DECLARE
  operation integer;
  is_redaction boolean;
  verified_free_of text[];
  newest_free_of text[];
BEGIN
  SELECT max(p.operation_index) INTO operation FROM job_page p
  WHERE p.project_id = wanted_project AND p.job_id = ended_job AND p.text IS NOT NULL;
  IF operation IS NULL THEN RETURN; END IF;
  -- Runs for one job at a time.
  PERFORM FROM object_index i
  WHERE i.project_id = wanted_project AND i.object_id = wanted_object FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;

  SELECT o.op = 'redact_pii' INTO is_redaction FROM job_operation o
  WHERE o.project_id = wanted_project AND o.job_id = ended_job AND o.index = operation;
  IF is_redaction THEN
    SELECT coalesce(r.entities, '{all}') INTO verified_free_of FROM job_output o
    JOIN redaction_fact r ON r.project_id = o.project_id AND r.object_id = o.object_id
    WHERE o.project_id = wanted_project AND o.job_id = ended_job AND r.verified LIMIT 1;
  END IF;

  INSERT INTO object_text AS t (project_id, object_id, page, redacted, vector, last_position,
    free_of, worth, job_id)
  SELECT wanted_project, wanted_object, p.page, is_redaction, v.vector, v.last_position,
    verified_free_of,
    CASE
      WHEN NOT is_redaction THEN
        -- Letters weighted by the recogniser's confidence.
        coalesce((p.result ->> 'characters')::double precision, length(p.text))
          * coalesce((p.result ->> 'mean_confidence')::double precision, 1)
      WHEN verified_free_of IS NULL THEN 0
      WHEN verified_free_of = '{all}' THEN 1e6
      ELSE cardinality(verified_free_of)
    END,
    ended_job
  FROM job_page p, page_vector(p.text) v
  WHERE p.project_id = wanted_project AND p.job_id = ended_job
    AND p.operation_index = operation AND p.text IS NOT NULL
  ON CONFLICT (project_id, object_id, page, redacted) DO UPDATE SET
    vector = excluded.vector, last_position = excluded.last_position,
    free_of = excluded.free_of, worth = excluded.worth, job_id = excluded.job_id
  WHERE (excluded.worth, excluded.job_id) >= (t.worth, t.job_id);

  SELECT t.free_of INTO newest_free_of FROM object_text t
  WHERE t.project_id = wanted_project AND t.object_id = wanted_object
    AND t.redacted AND t.free_of IS NOT NULL
  ORDER BY t.job_id DESC LIMIT 1;
  UPDATE object_index i SET text = read.vector, has_positions = read.has_positions,
    text_job_id = greatest(i.text_job_id, ended_job),
    redacted_text = CASE WHEN newest_free_of IS NULL THEN '' ELSE redacted.vector END,
    redacted_has_positions = newest_free_of IS NULL OR redacted.has_positions,
    redacted_free_of = newest_free_of
  FROM joined_text(wanted_project, wanted_object, NULL) read,
    joined_text(wanted_project, wanted_object, coalesce(newest_free_of, '{}')) redacted
  WHERE i.project_id = wanted_project AND i.object_id = wanted_object;
END
$$;

CREATE FUNCTION keep_own_text(
  wanted_project text, wanted_object text, given_pages integer[], given_texts text[])
RETURNS void LANGUAGE plpgsql AS $$
-- Adds the text in a file to the text that its object is searched by. As with jobs, the longest text of each
-- page is kept, so that the order in which they end does not matter.
BEGIN
  PERFORM FROM object_index i
  WHERE i.project_id = wanted_project AND i.object_id = wanted_object FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;

  INSERT INTO object_text AS t (project_id, object_id, page, redacted, vector, last_position,
    free_of, worth, job_id)
  SELECT wanted_project, wanted_object, given.page, false, v.vector, v.last_position, NULL,
    length(regexp_replace(given.text, '\s+', '', 'g')), ''
  FROM unnest(given_pages, given_texts) AS given (page, text), page_vector(given.text) v
  ON CONFLICT (project_id, object_id, page, redacted) DO UPDATE SET
    vector = excluded.vector, last_position = excluded.last_position,
    free_of = excluded.free_of, worth = excluded.worth, job_id = excluded.job_id
  WHERE (excluded.worth, excluded.job_id) >= (t.worth, t.job_id);

  -- Without text left by redactions.
  UPDATE object_index i SET text = read.vector, has_positions = read.has_positions
  FROM joined_text(wanted_project, wanted_object, NULL) read
  WHERE i.project_id = wanted_project AND i.object_id = wanted_object;
END
$$;
