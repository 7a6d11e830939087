-- The search data of images: an index, the project's words, and places.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS unaccent;

-- Words without stemming and accents: a library contains many languages.
CREATE TEXT SEARCH CONFIGURATION library (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION library
  ALTER MAPPING FOR word, numword, asciiword, hword, numhword, asciihword,
    hword_part, hword_numpart, hword_asciipart
  WITH unaccent, simple;

-- Text as plain words. Without punctuation, the parser detects no addresses, paths or signed numbers, and
-- IMG_1234-beach.jpg becomes four words. Queries are converted in the same way.
CREATE FUNCTION plain_words(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  regexp_replace(normalize(coalesce($1, ''), NFKC), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]+', ' ', 'g');

-- Tags as filters compare them: ignoring case.
CREATE FUNCTION fold_tags(tags text[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10 AS $$
BEGIN
  RETURN lower(tags::text COLLATE "und-x-icu")::text[];
END
$$;

CREATE FUNCTION image_document(
  title text, tags text[], description text, alt_text text, filename text)
RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  setweight(to_tsvector('library', plain_words(title)), 'A')
  || setweight(to_tsvector('library', plain_words(array_to_string(tags, ' '))), 'B')
  || setweight(to_tsvector('library', plain_words(description)), 'C')
  || setweight(to_tsvector('library', plain_words(alt_text)), 'C')
  || setweight(to_tsvector('library', plain_words(filename)), 'D');

-- A row for each image, derived from image and object. Written only by the triggers below.
CREATE TABLE image_index (
  project_id text COLLATE "C" NOT NULL,
  image_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  -- In the indexes, because a list is either in the trash or not.
  trashed boolean NOT NULL GENERATED ALWAYS AS (state = 'trashed') STORED,
  mime text COLLATE "C" NOT NULL,
  orientation text COLLATE "C",
  width integer,
  height integer,
  rating smallint,
  bytes bigint NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  captured_at timestamptz,
  filename text NOT NULL,
  tags text[] NOT NULL,
  untagged boolean NOT NULL GENERATED ALWAYS AS (tags = '{}') STORED,
  document tsvector NOT NULL,
  PRIMARY KEY (project_id, image_id),
  FOREIGN KEY (project_id, image_id) REFERENCES image (project_id, id) ON DELETE CASCADE
);
-- A short pending list: it halves the cost of a write and adds little to a search.
CREATE INDEX image_index_words ON image_index USING gin (project_id, document, tags)
  WITH (gin_pending_list_limit = 256);
CREATE INDEX image_index_folded_tags ON image_index USING gin (project_id, fold_tags(tags))
  WITH (gin_pending_list_limit = 256);
CREATE INDEX image_index_created ON image_index (project_id, trashed, created_at, image_id);
CREATE INDEX image_index_updated ON image_index (project_id, trashed, updated_at, image_id);
CREATE INDEX image_index_captured ON image_index (project_id, trashed, captured_at, image_id);
CREATE INDEX image_index_filename ON image_index (project_id, trashed, filename, image_id);
CREATE INDEX image_index_bytes ON image_index (project_id, trashed, bytes, image_id);
-- Other states are rare: without this index, a page of one would search all rows.
CREATE INDEX image_index_rare ON image_index (project_id, state, created_at, image_id)
  WHERE state NOT IN ('available', 'trashed');
CREATE INDEX image_index_untagged ON image_index (project_id, trashed, created_at, image_id)
  WHERE untagged;
SELECT wall('{image_index}');
GRANT SELECT, INSERT, UPDATE, DELETE ON image_index TO api, worker;

-- Words that are or were in the project's images: candidates for correcting a misspelt word. A word may occur
-- twice; preventing that would make writers wait for each other.
CREATE TABLE image_word (
  project_id text COLLATE "C" NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  word text COLLATE "C" NOT NULL,
  -- The only index for looking up a word, so that no plan can choose a wrong one.
  PRIMARY KEY (project_id, word, id)
);
CREATE INDEX image_word_alike ON image_word USING gin (project_id, word gin_trgm_ops);
SELECT wall('{image_word}');
GRANT SELECT, INSERT, UPDATE, DELETE ON image_word TO api, worker;

-- Under a policy, operators on text, arrays and trigrams cannot use an index before the policy is checked, so
-- they would read every row. These views contain the project in a condition, and their owner is not subject
-- to a policy.
CREATE POLICY search ON image_index FOR SELECT TO searcher USING (true);
CREATE POLICY search ON image_word FOR SELECT TO searcher USING (true);
GRANT SELECT ON image_index, image_word TO searcher;
CREATE VIEW image_search AS
  SELECT * FROM image_index WHERE project_id = current_setting('app.project_id', true);
CREATE VIEW image_word_search AS
  SELECT * FROM image_word WHERE project_id = current_setting('app.project_id', true);
GRANT SELECT ON image_search, image_word_search TO api, worker;
GRANT CREATE ON SCHEMA public TO searcher;
ALTER VIEW image_search OWNER TO searcher;
ALTER VIEW image_word_search OWNER TO searcher;
REVOKE CREATE ON SCHEMA public FROM searcher;

-- The row that the index must have for an image; read with the rights of the role that writes it.
CREATE VIEW image_source WITH (security_invoker = true) AS
  SELECT i.project_id, i.id AS image_id, i.object_id, o.state, o.mime, i.orientation, i.width,
    i.height, i.rating, o.bytes, i.created_at,
    greatest(i.updated_at, o.updated_at) AS updated_at, i.captured_at, o.filename, o.tags,
    image_document(i.title, o.tags, i.description, i.alt_text, o.filename) AS document
  FROM image i JOIN object o ON o.project_id = i.project_id AND o.id = i.object_id;
GRANT SELECT ON image_source TO api, worker;

-- The triggers see all rows that a statement changed at once. A single row, as most statements change, is
-- looked up by its key, with cached plans. Statements for many rows are run by EXECUTE, which plans them
-- again: a plan cached when there were few images takes minutes for thousands.
--
-- To write a row of the index, a transaction locks the image and reads image and object again, so that the
-- later of two writers sees the changes of the earlier one.
CREATE FUNCTION image_index_add() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  one record;
  s image_source;
BEGIN
  IF (SELECT count(*) = 1 FROM (SELECT FROM changed LIMIT 2) first) THEN
    SELECT project_id, id INTO one FROM changed;
    SELECT * INTO s FROM image_source v
    WHERE v.project_id = one.project_id AND v.image_id = one.id;
    INSERT INTO image_index (project_id, image_id, state, mime, orientation, width, height,
      rating, bytes, created_at, updated_at, captured_at, filename, tags, document)
    VALUES (s.project_id, s.image_id, s.state, s.mime, s.orientation, s.width, s.height,
      s.rating, s.bytes, s.created_at, s.updated_at, s.captured_at, s.filename, s.tags,
      s.document);
    RETURN NULL;
  END IF;
  EXECUTE '
    INSERT INTO image_index (project_id, image_id, state, mime, orientation, width, height,
      rating, bytes, created_at, updated_at, captured_at, filename, tags, document)
    SELECT s.project_id, s.image_id, s.state, s.mime, s.orientation, s.width, s.height,
      s.rating, s.bytes, s.created_at, s.updated_at, s.captured_at, s.filename, s.tags, s.document
    FROM changed c JOIN image_source s ON s.project_id = c.project_id AND s.image_id = c.id';
  RETURN NULL;
END
$$;

CREATE FUNCTION image_index_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  one record;
  image text;
  s image_source;
  images bigint;
BEGIN
  IF (SELECT count(*) = 1 FROM (SELECT FROM changed LIMIT 2) first) THEN
    SELECT project_id, id INTO one FROM changed;
    IF TG_TABLE_NAME = 'object' THEN
      SELECT i.id INTO image FROM image i
      WHERE i.project_id = one.project_id AND i.object_id = one.id FOR NO KEY UPDATE;
      -- Most objects are not images.
      IF NOT FOUND THEN RETURN NULL; END IF;
    ELSE
      image := one.id;
    END IF;
    SELECT * INTO s FROM image_source v
    WHERE v.project_id = one.project_id AND v.image_id = image;
    UPDATE image_index x SET
      state = s.state, mime = s.mime, orientation = s.orientation, width = s.width,
      height = s.height, rating = s.rating, bytes = s.bytes, updated_at = s.updated_at,
      captured_at = s.captured_at, filename = s.filename, tags = s.tags, document = s.document
    WHERE x.project_id = one.project_id AND x.image_id = image;
    RETURN NULL;
  END IF;
  IF TG_TABLE_NAME = 'object' THEN
    EXECUTE '
      SELECT FROM changed c
      JOIN image i ON i.project_id = c.project_id AND i.object_id = c.id
      ORDER BY i.id FOR NO KEY UPDATE OF i';
    GET DIAGNOSTICS images = ROW_COUNT;
    IF images = 0 THEN RETURN NULL; END IF;
    EXECUTE '
      UPDATE image_index x SET
        (state, mime, bytes, updated_at, filename, tags, document)
        = ROW (s.state, s.mime, s.bytes, s.updated_at, s.filename, s.tags, s.document)
      FROM changed c JOIN image_source s ON s.project_id = c.project_id AND s.object_id = c.id
      WHERE x.project_id = s.project_id AND x.image_id = s.image_id';
  ELSE
    EXECUTE '
      UPDATE image_index x SET
        (state, mime, orientation, width, height, rating, bytes, updated_at, captured_at,
          filename, tags, document)
        = ROW (s.state, s.mime, s.orientation, s.width, s.height, s.rating, s.bytes, s.updated_at,
          s.captured_at, s.filename, s.tags, s.document)
      FROM changed c JOIN image_source s ON s.project_id = c.project_id AND s.image_id = c.id
      WHERE x.project_id = s.project_id AND x.image_id = s.image_id';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER image_index_added AFTER INSERT ON image
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION image_index_add();
CREATE TRIGGER image_index_changed AFTER UPDATE ON image
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION image_index_change();
CREATE TRIGGER image_index_object_changed AFTER UPDATE ON object
  REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION image_index_change();

CREATE FUNCTION image_word_keep(project text, words text[]) RETURNS void LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
-- Stores the words that are not yet known; numbers are never misspelt words.
BEGIN
  INSERT INTO image_word (project_id, word)
  SELECT project, w FROM unnest(words) w WHERE w ~ '^[^0-9]{3,40}$'
    AND NOT EXISTS (SELECT FROM image_word k WHERE k.project_id = project AND k.word = w);
END
$$;

CREATE FUNCTION image_word_add() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  project text;
  words text[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    FOR project, words IN
      SELECT a.project_id, array_agg(DISTINCT l.lexeme) FROM added a, unnest(a.document) l
      GROUP BY a.project_id
    LOOP
      PERFORM image_word_keep(project, words);
    END LOOP;
  ELSIF (SELECT count(*) = 1 FROM (SELECT FROM added LIMIT 2) first) THEN
    SELECT a.project_id, array_agg(l.lexeme) INTO project, words
    FROM added a, removed r, unnest(a.document) l WHERE a.document <> r.document
    GROUP BY a.project_id;
    IF FOUND THEN PERFORM image_word_keep(project, words); END IF;
  ELSE
    FOR project, words IN EXECUTE '
      SELECT a.project_id, array_agg(DISTINCT l.lexeme)
      FROM added a JOIN removed r ON r.project_id = a.project_id AND r.image_id = a.image_id,
        unnest(a.document) l
      WHERE a.document <> r.document GROUP BY a.project_id'
    LOOP
      PERFORM image_word_keep(project, words);
    END LOOP;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER image_word_added AFTER INSERT ON image_index
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION image_word_add();
CREATE TRIGGER image_word_changed AFTER UPDATE ON image_index
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION image_word_add();

-- The places of images, for the map: "location" as numbers, in a separate table, because few images have a
-- place and expressions on JSON cannot use an index behind a policy.
CREATE TABLE image_place (
  project_id text COLLATE "C" NOT NULL,
  image_id text COLLATE "C" NOT NULL,
  object_id text COLLATE "C" NOT NULL,
  latitude double precision NOT NULL,
  longitude double precision NOT NULL,
  PRIMARY KEY (project_id, image_id),
  FOREIGN KEY (project_id, image_id) REFERENCES image (project_id, id) ON DELETE CASCADE
);
CREATE INDEX image_place_by_place ON image_place (project_id, longitude, latitude);
SELECT wall('{image_place}');
GRANT SELECT, INSERT, UPDATE, DELETE ON image_place TO api, worker;

CREATE FUNCTION image_place_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.location IS NULL THEN
    DELETE FROM image_place WHERE project_id = NEW.project_id AND image_id = NEW.id;
  ELSE
    INSERT INTO image_place (project_id, image_id, object_id, latitude, longitude)
    VALUES (NEW.project_id, NEW.id, NEW.object_id,
      (NEW.location->>'latitude')::double precision,
      (NEW.location->>'longitude')::double precision)
    ON CONFLICT (project_id, image_id) DO UPDATE
      SET latitude = excluded.latitude, longitude = excluded.longitude;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER image_place_add AFTER INSERT ON image FOR EACH ROW
  WHEN (NEW.location IS NOT NULL) EXECUTE FUNCTION image_place_change();
CREATE TRIGGER image_place_change AFTER UPDATE OF location ON image FOR EACH ROW
  WHEN (NEW.location IS DISTINCT FROM OLD.location) EXECUTE FUNCTION image_place_change();
