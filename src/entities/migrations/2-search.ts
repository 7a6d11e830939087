import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/**
 * Adds what one search over objects and images needs: the words of an image are in the index of its
 * object, words have a weight, the text of a page is kept for excerpts, and the words of objects
 * and documents can correct a misspelt query. `3-fill-search` fills the existing rows.
 */
export class Search2000000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${lockPatiently('image', 'SHARE ROW EXCLUSIVE')}
      ${lockPatiently('image_index', 'SHARE ROW EXCLUSIVE')}
      ${lockPatiently('object_index', 'SHARE ROW EXCLUSIVE')}
      ${lockPatiently('object_text')}
      ${detailsSql} ${wordsSql} ${textSql}`);
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be reverted. Restore a backup.');
  }
}

/**
 * Weights: A for titles, B for names and tags, C for the other words of an image, D for metadata
 * and text. A caller without the right to read images searches B and D only.
 */
const detailsSql = `
  CREATE OR REPLACE FUNCTION object_details(filename text, tags text[], metadata jsonb)
  RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    setweight(to_tsvector('library',
      plain_words(concat_ws(' ', filename, array_to_string(tags, ' ')))), 'B')
    || to_tsvector('library', plain_words(strings_of(metadata)));

  CREATE FUNCTION image_details(title text, description text, alt_text text, camera jsonb)
  RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    setweight(to_tsvector('library', plain_words(title)), 'A')
    || setweight(to_tsvector('library',
      plain_words(concat_ws(' ', description, alt_text, strings_of(camera)))), 'C');

  -- The details of an object with those of its image, if both fit beside the text of the object.
  CREATE FUNCTION joined_details(details tsvector, of_image tsvector)
  RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    CASE WHEN of_image IS NULL OR pg_column_size(details || of_image) > 400000 THEN details
      ELSE details || of_image END;

  CREATE OR REPLACE FUNCTION object_index_add() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
  BEGIN
    -- One statement may add an object and its image.
    INSERT INTO object_index (project_id, object_id, tags, details)
    SELECT o.project_id, o.id, o.tags, joined_details(
      object_details(o.filename, o.tags, o.metadata),
      (SELECT image_details(i.title, i.description, i.alt_text, i.camera) FROM image i
       WHERE i.project_id = o.project_id AND i.object_id = o.id))
    FROM changed o;
    RETURN NULL;
  END
  $$;

  CREATE OR REPLACE FUNCTION object_index_change() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
  -- Updates row by row along the primary key: a join whose plan was made for one row would take
  -- thousands of times longer. The trigger of image_index has locked the image.
  DECLARE
    c record;
  BEGIN
    FOR c IN SELECT o.project_id, o.id, o.tags, joined_details(
        object_details(o.filename, o.tags, o.metadata),
        (SELECT image_details(i.title, i.description, i.alt_text, i.camera) FROM image i
         WHERE i.project_id = o.project_id AND i.object_id = o.id)) AS details
      FROM changed o
    LOOP
      UPDATE object_index i SET tags = c.tags, details = c.details
      WHERE i.project_id = c.project_id AND i.object_id = c.id
        AND (i.tags <> c.tags OR i.details <> c.details);
    END LOOP;
    RETURN NULL;
  END
  $$;

  CREATE FUNCTION object_index_image() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
  -- As above: a plan made for a small library would read all of a large one, for each row.
  BEGIN
    -- The next statement then sees the object as a concurrent transaction has left it.
    PERFORM FROM object_index i
    WHERE i.project_id = NEW.project_id AND i.object_id = NEW.object_id FOR UPDATE;
    UPDATE object_index i SET details = joined_details(
      object_details(o.filename, o.tags, o.metadata),
      image_details(NEW.title, NEW.description, NEW.alt_text, NEW.camera))
    FROM object o
    WHERE o.project_id = NEW.project_id AND o.id = NEW.object_id
      AND i.project_id = NEW.project_id AND i.object_id = NEW.object_id;
    RETURN NULL;
  END
  $$;
  CREATE TRIGGER object_index_image_added AFTER INSERT ON image FOR EACH ROW
    WHEN (NEW.title IS NOT NULL OR NEW.description IS NOT NULL OR NEW.alt_text IS NOT NULL
      OR NEW.camera IS NOT NULL)
    EXECUTE FUNCTION object_index_image();
  CREATE TRIGGER object_index_image_changed
    AFTER UPDATE OF title, description, alt_text, camera ON image FOR EACH ROW
    WHEN ((NEW.title, NEW.description, NEW.alt_text, NEW.camera)
      IS DISTINCT FROM (OLD.title, OLD.description, OLD.alt_text, OLD.camera))
    EXECUTE FUNCTION object_index_image();`;

/** The words of the project, from the details and texts of objects instead of the images. */
const wordsSql = `
  DROP TRIGGER image_word_added ON image_index;
  DROP TRIGGER image_word_changed ON image_index;
  DROP FUNCTION image_word_add();

  CREATE FUNCTION object_word_add() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    project text;
    words text[];
  BEGIN
    IF TG_OP = 'INSERT' THEN
      FOR project, words IN
        SELECT a.project_id, array_agg(DISTINCT l.lexeme) FROM added a, unnest(a.details) l
        GROUP BY a.project_id
      LOOP
        PERFORM image_word_keep(project, words);
      END LOOP;
    ELSIF (SELECT count(*) = 1 FROM (SELECT FROM added LIMIT 2) first) THEN
      SELECT a.project_id, array_agg(l.lexeme) INTO project, words
      FROM added a, removed r, unnest(a.details) l WHERE a.details <> r.details
      GROUP BY a.project_id;
      IF FOUND THEN PERFORM image_word_keep(project, words); END IF;
    ELSE
      -- Planned for the number of rows: a cached plan could take minutes for thousands.
      FOR project, words IN EXECUTE '
        SELECT a.project_id, array_agg(DISTINCT l.lexeme)
        FROM added a JOIN removed r ON r.project_id = a.project_id AND r.object_id = a.object_id,
          unnest(a.details) l
        WHERE a.details <> r.details GROUP BY a.project_id'
      LOOP
        PERFORM image_word_keep(project, words);
      END LOOP;
    END IF;
    RETURN NULL;
  END
  $$;
  CREATE TRIGGER object_word_added AFTER INSERT ON object_index REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION object_word_add();
  CREATE TRIGGER object_word_changed AFTER UPDATE ON object_index
    REFERENCING NEW TABLE AS added OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION object_word_add();

  CREATE FUNCTION object_text_word_add() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    project text;
    words text[];
  BEGIN
    FOR project, words IN
      SELECT a.project_id, array_agg(DISTINCT l.lexeme) FROM added a, unnest(a.vector) l
      GROUP BY a.project_id
    LOOP
      PERFORM image_word_keep(project, words);
    END LOOP;
    RETURN NULL;
  END
  $$;
  CREATE TRIGGER object_text_word_added AFTER INSERT ON object_text REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION object_text_word_add();
  CREATE TRIGGER object_text_word_changed AFTER UPDATE ON object_text
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION object_text_word_add();`;

/** Keeps the text of each page. Only the beginning of a very long page has excerpts. */
const textSql = `
  ALTER TABLE object_text ADD COLUMN text text;

  CREATE FUNCTION excerpt_text(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    left($1, 100000);

  CREATE OR REPLACE FUNCTION keep_text(wanted_project text, wanted_object text, ended_job text)
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
      free_of, worth, job_id, text)
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
      ended_job,
      excerpt_text(p.text)
    FROM job_page p, page_vector(p.text) v
    WHERE p.project_id = wanted_project AND p.job_id = ended_job
      AND p.operation_index = operation AND p.text IS NOT NULL
    ON CONFLICT (project_id, object_id, page, redacted) DO UPDATE SET
      vector = excluded.vector, last_position = excluded.last_position,
      free_of = excluded.free_of, worth = excluded.worth, job_id = excluded.job_id,
      text = excluded.text
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

  CREATE OR REPLACE FUNCTION keep_own_text(
    wanted_project text, wanted_object text, given_pages integer[], given_texts text[])
  RETURNS void LANGUAGE plpgsql AS $$
  -- Adds the text in a file to the text that its object is searched by. As with jobs, the longest text of each
  -- page is kept, so that the order in which they end does not matter.
  BEGIN
    PERFORM FROM object_index i
    WHERE i.project_id = wanted_project AND i.object_id = wanted_object FOR UPDATE;
    IF NOT FOUND THEN RETURN; END IF;

    INSERT INTO object_text AS t (project_id, object_id, page, redacted, vector, last_position,
      free_of, worth, job_id, text)
    SELECT wanted_project, wanted_object, given.page, false, v.vector, v.last_position, NULL,
      length(regexp_replace(given.text, '\\s+', '', 'g')), '', excerpt_text(given.text)
    FROM unnest(given_pages, given_texts) AS given (page, text), page_vector(given.text) v
    ON CONFLICT (project_id, object_id, page, redacted) DO UPDATE SET
      vector = excluded.vector, last_position = excluded.last_position,
      free_of = excluded.free_of, worth = excluded.worth, job_id = excluded.job_id,
      text = excluded.text
    WHERE (excluded.worth, excluded.job_id) >= (t.worth, t.job_id);

    -- Without text left by redactions.
    UPDATE object_index i SET text = read.vector, has_positions = read.has_positions
    FROM joined_text(wanted_project, wanted_object, NULL) read
    WHERE i.project_id = wanted_project AND i.object_id = wanted_object;
  END
  $$;`;
