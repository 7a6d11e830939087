import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The text that objects are searched by, page by page, and apart from it what redactions left of it. */
export class ObjectText1000000000031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A row for each page of an object whose text is known: as it was read, and as a redaction left
      -- it. "text" and "redacted_text" of object_index are put together from these.
      CREATE TABLE object_text (
        project_id text COLLATE "C" NOT NULL,
        object_id text COLLATE "C" NOT NULL,
        -- 0 for the text of a whole document, from before pages were kept.
        page integer NOT NULL,
        redacted boolean NOT NULL,
        vector tsvector NOT NULL,
        -- Null for a page that is kept as a set of words.
        last_position integer,
        -- Of a redaction that is verified: the kinds of personal data it is free of, {all} for all.
        free_of text[],
        -- Of two readings the fuller one stays, of two redactions the one that is free of more.
        worth double precision NOT NULL,
        job_id text COLLATE "C" NOT NULL,
        PRIMARY KEY (project_id, object_id, page, redacted),
        FOREIGN KEY (project_id, object_id) REFERENCES object_index (project_id, object_id)
          ON DELETE CASCADE
      );
      SELECT wall('{object_text}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON object_text TO api, worker;

      ALTER TABLE object_index
        -- Empty unless a verified redaction left text; "redacted_free_of" is null then.
        ADD COLUMN redacted_text tsvector NOT NULL DEFAULT '',
        ADD COLUMN redacted_has_positions boolean NOT NULL DEFAULT true,
        ADD COLUMN redacted_free_of text[];
      CREATE INDEX object_index_redacted ON object_index
        USING gin (project_id, (details || redacted_text)) WITH (fastupdate = off)
        WHERE redacted_free_of IS NOT NULL;

      -- Until now a redaction's text took the place of what had been read.
      DO $$
      DECLARE
        project text;
      BEGIN
        FOR project IN SELECT id FROM project LOOP
          PERFORM set_config('app.project_id', project, true);
          UPDATE object_index SET redacted_text = text, redacted_has_positions = has_positions,
            redacted_free_of = text_free_of
          WHERE project_id = project AND text_free_of IS NOT NULL;
        END LOOP;
        PERFORM set_config('app.project_id', '', true);
      END
      $$;

      CREATE FUNCTION page_vector(given text, OUT vector tsvector, OUT last_position integer)
      LANGUAGE plpgsql STABLE AS $$
      -- The text of a page with positions where these reach to its end; else, without a last position,
      -- as the set of its words, the first ones first, as many as fit. It never fails for the size of
      -- a text.
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
            -- Characters that stand for many: it has become too long on the way.
          END;
        END IF;

        last_position := NULL;
        WITH words AS (
          -- Each only once before the dictionaries see it: of a long text few are new.
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

      CREATE FUNCTION pages_to_search(
        wanted_project text, wanted_object text, wanted_free_of text[])
      RETURNS SETOF object_text LANGUAGE sql STABLE AS $$
        -- What is searched of each page: what was read of it, else what a redaction left; or only what
        -- verified redactions left that are free of all that is wanted.
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
      -- Pages put together, with the limits of a page.
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
      -- Takes what a job left of its pages into the text that its source is searched by. Whatever the
      -- order in which jobs end, the same text comes of it.
      DECLARE
        index_row object_index;
        operation integer;
        is_redaction boolean;
        verified_free_of text[];
        newest_free_of text[];
      BEGIN
        SELECT max(p.operation_index) INTO operation FROM job_page p
        WHERE p.project_id = wanted_project AND p.job_id = ended_job AND p.text IS NOT NULL;
        IF operation IS NULL THEN RETURN; END IF;
        -- One job after the other.
        SELECT * INTO index_row FROM object_index i
        WHERE i.project_id = wanted_project AND i.object_id = wanted_object FOR UPDATE;
        IF NOT FOUND THEN RETURN; END IF;

        IF index_row.text <> '' AND NOT EXISTS (SELECT FROM object_text t
          WHERE t.project_id = wanted_project AND t.object_id = wanted_object) THEN
          INSERT INTO object_text (project_id, object_id, page, redacted, vector, last_position,
            free_of, worth, job_id)
          VALUES (wanted_project, wanted_object, 0, index_row.text_free_of IS NOT NULL,
            index_row.text, (SELECT CASE WHEN index_row.has_positions THEN coalesce(max(position), 0) END
              FROM unnest(index_row.text) AS word, unnest(word.positions) AS position),
            index_row.text_free_of, 0, coalesce(index_row.text_job_id, ''));
        END IF;

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
              -- Letters, as far as the recogniser believed them.
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

        -- The text of the whole is of no use any more once every page is known as well.
        DELETE FROM object_text whole USING object o
        WHERE whole.project_id = wanted_project AND whole.object_id = wanted_object
          AND whole.page = 0 AND whole.redacted = is_redaction
          AND o.project_id = wanted_project AND o.id = wanted_object
          AND (SELECT count(*) >= o.pages AND sum(length(t.vector)) >= length(whole.vector)
            FROM object_text t
            WHERE t.project_id = wanted_project AND t.object_id = wanted_object
              AND t.redacted = is_redaction AND t.page > 0);

        SELECT t.free_of INTO newest_free_of FROM object_text t
        WHERE t.project_id = wanted_project AND t.object_id = wanted_object
          AND t.redacted AND t.free_of IS NOT NULL
        ORDER BY t.job_id DESC LIMIT 1;
        UPDATE object_index i SET text = read.vector, has_positions = read.has_positions,
          text_free_of = NULL, text_job_id = greatest(i.text_job_id, ended_job),
          redacted_text = CASE WHEN newest_free_of IS NULL THEN '' ELSE redacted.vector END,
          redacted_has_positions = newest_free_of IS NULL OR redacted.has_positions,
          redacted_free_of = newest_free_of
        FROM joined_text(wanted_project, wanted_object, NULL) read,
          joined_text(wanted_project, wanted_object, coalesce(newest_free_of, '{}')) redacted
        WHERE i.project_id = wanted_project AND i.object_id = wanted_object;
      END
      $$;

      -- As it was (migration 23), with three more columns. It is searcher's, who may make none.
      DROP VIEW object_search;
      CREATE VIEW object_search AS
        SELECT object_id AS id, tags AS tagged, details, details || text AS everything,
          has_positions, text_free_of, details || redacted_text AS everything_redacted,
          redacted_has_positions, redacted_free_of
        FROM object_index WHERE project_id = (SELECT current_setting('app.project_id', true));
      GRANT SELECT ON object_search TO api, worker;
      GRANT CREATE ON SCHEMA public TO searcher;
      ALTER VIEW object_search OWNER TO searcher;
      REVOKE CREATE ON SCHEMA public FROM searcher;
    `);
  }

  async down(): Promise<void> {
    throw new Error(
      'What was read of pages cannot be told from the text of a whole: restore a backup.',
    );
  }
}
