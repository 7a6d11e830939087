import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/**
 * Adds passages: parts of the text of pages, and the chunks of `normalize_for_llm`, that a search
 * ranks. Triggers write those of pages, whichever release stores the text. `12-fill-passages` adds
 * the passages of existing texts.
 */
export class Passages2000000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${lockPatiently('object_text', 'SHARE ROW EXCLUSIVE')}
      ${lockPatiently('pack_document', 'SHARE ROW EXCLUSIVE')}
      ${tableSql} ${splitSql} ${pagesSql} ${chunksSql}`);
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be reverted. Restore a backup.');
  }
}

const tableSql = `
  CREATE TABLE passage (
    project_id text COLLATE "C" NOT NULL,
    object_id text COLLATE "C" NOT NULL,
    -- As in object_text: as it was read, or as a redaction left it.
    redacted boolean NOT NULL,
    page integer NOT NULL,
    position integer NOT NULL,
    last_page integer NOT NULL,
    -- The index of its chunk; null for a part of a page.
    chunk integer,
    job_id text COLLATE "C" NOT NULL,
    headings text[] NOT NULL DEFAULT '{}',
    text text NOT NULL,
    -- The boxes of a chunk, as in its file.
    boxes jsonb,
    -- Headings have the weight B.
    vector tsvector NOT NULL,
    free_of text[] COLLATE "C",
    PRIMARY KEY (project_id, object_id, redacted, page, position),
    FOREIGN KEY (project_id, object_id) REFERENCES object_index (project_id, object_id)
      ON DELETE CASCADE
  );
  -- A short pending list, as that of image_index_words.
  CREATE INDEX passage_words ON passage USING gin (project_id, vector)
    WITH (gin_pending_list_limit = 256);
  SELECT wall('{passage}');
  GRANT SELECT, INSERT, UPDATE, DELETE ON passage TO api, worker;

  -- Searched through a view, as object_index is.
  CREATE POLICY search ON passage FOR SELECT TO searcher USING (true);
  GRANT SELECT ON passage TO searcher;
  CREATE VIEW passage_search AS
    SELECT object_id, redacted, page, position, vector, free_of
    FROM passage WHERE project_id = (SELECT current_setting('app.project_id', true));
  GRANT SELECT ON passage_search TO api, worker;
  GRANT CREATE ON SCHEMA public TO searcher;
  ALTER VIEW passage_search OWNER TO searcher;
  REVOKE CREATE ON SCHEMA public FROM searcher;

  -- Finds the pack whose citations include the chunks of a job.
  CREATE INDEX pack_document_job ON pack_document (project_id, job_id);`;

const splitSql = `
  CREATE FUNCTION split_text(given text, max_characters integer, OUT place integer, OUT part text)
  RETURNS SETOF record LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  -- Parts of a text of at most the given length. A part ends after a sentence or a line if that is in its
  -- second half, otherwise between words.
  DECLARE
    rest text := btrim(given, E' \\n\\r\\t\\f');
    piece text;
    ending text;
  BEGIN
    place := 0;
    WHILE rest <> '' LOOP
      piece := left(rest, max_characters);
      IF length(rest) > max_characters THEN
        ending := substring(piece FROM '^.*(?:[.!?…。]\\s|\\n)');
        IF ending IS NULL OR length(ending) < max_characters / 2 THEN
          ending := substring(piece FROM '^.*\\s');
        END IF;
        IF ending IS NOT NULL AND length(ending) > 0 THEN piece := ending; END IF;
      END IF;
      rest := ltrim(substr(rest, length(piece) + 1), E' \\n\\r\\t\\f');
      part := rtrim(piece, E' \\n\\r\\t\\f');
      RETURN NEXT;
      place := place + 1;
    END LOOP;
  END
  $$;`;

const pagesSql = `
  CREATE FUNCTION add_passages(page_text object_text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO passage (project_id, object_id, redacted, page, position, last_page, job_id, text,
      vector, free_of)
    SELECT page_text.project_id, page_text.object_id, page_text.redacted, page_text.page, s.place,
      page_text.page, page_text.job_id, s.part, v.vector, page_text.free_of
    FROM split_text(page_text.text, 1000) s, page_vector(s.part) v
  $$;

  CREATE FUNCTION passage_change() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
  BEGIN
    -- The chunks of the same job, or of the text in the file, have headings and boxes.
    PERFORM FROM passage p
    WHERE p.project_id = NEW.project_id AND p.object_id = NEW.object_id
      AND p.redacted = NEW.redacted AND p.page <= NEW.page AND p.last_page >= NEW.page
      AND p.chunk IS NOT NULL AND NEW.job_id IN ('', p.job_id);
    IF FOUND THEN RETURN NULL; END IF;
    DELETE FROM passage p
    WHERE p.project_id = NEW.project_id AND p.object_id = NEW.object_id
      AND p.redacted = NEW.redacted AND p.page = NEW.page;
    PERFORM add_passages(NEW);
    RETURN NULL;
  END
  $$;
  CREATE TRIGGER passage_added AFTER INSERT ON object_text FOR EACH ROW
    EXECUTE FUNCTION passage_change();
  CREATE TRIGGER passage_changed AFTER UPDATE ON object_text FOR EACH ROW
    WHEN (NEW.text IS DISTINCT FROM OLD.text OR NEW.free_of IS DISTINCT FROM OLD.free_of
      OR NEW.job_id <> OLD.job_id)
    EXECUTE FUNCTION passage_change();`;

const chunksSql = `
  CREATE FUNCTION keep_chunks(wanted_project text, wanted_object text, wanted_job text,
    is_redacted boolean, chunks jsonb)
  RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
  -- Replaces the passages of the pages that a job has divided into chunks.
  DECLARE
    verified_free_of text[];
  BEGIN
    PERFORM FROM object_index i
    WHERE i.project_id = wanted_project AND i.object_id = wanted_object FOR UPDATE;
    IF NOT FOUND THEN RETURN; END IF;
    IF is_redacted THEN
      SELECT coalesce(r.entities, '{all}') INTO verified_free_of FROM job_output o
      JOIN redaction_fact r ON r.project_id = o.project_id AND r.object_id = o.object_id
      WHERE o.project_id = wanted_project AND o.job_id = wanted_job AND r.verified LIMIT 1;
    END IF;
    -- One statement would compare each passage with each chunk.
    DELETE FROM passage p
    WHERE p.project_id = wanted_project AND p.object_id = wanted_object
      AND p.redacted = is_redacted
      AND (p.chunk IS NOT NULL OR p.page IN (
        SELECT generate_series(c.page, c.last_page)
        FROM jsonb_to_recordset(chunks) AS c (page integer, last_page integer)));
    INSERT INTO passage (project_id, object_id, redacted, page, position, last_page, chunk, job_id,
      headings, text, boxes, vector, free_of)
    SELECT wanted_project, wanted_object, is_redacted, c.page,
      -- Beside the parts of a page that no chunk replaced.
      1000000 + row_number() OVER (ORDER BY c.chunk, s.place),
      c.last_page, c.chunk, wanted_job, c.headings, s.part, c.boxes,
      setweight(to_tsvector('library', plain_words(left(array_to_string(c.headings, ' '), 2000))), 'B')
        || v.vector,
      verified_free_of
    FROM jsonb_to_recordset(chunks) AS c (chunk integer, page integer, last_page integer,
        headings text[], text text, boxes jsonb),
      split_text(c.text, 4000) s, page_vector(s.part) v;
    PERFORM image_word_keep(wanted_project, (
      SELECT array_agg(DISTINCT word.lexeme) FROM passage p, unnest(p.vector) word
      WHERE p.project_id = wanted_project AND p.object_id = wanted_object AND p.job_id = wanted_job));
  END
  $$;`;
