import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What objects are searched by: their details, and the text that was recognised in them. */
export class ObjectSearch1000000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Every string of a JSON value, at whatever depth.
      CREATE FUNCTION strings_of(value jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        (SELECT string_agg(s #>> '{}', ' ')
         FROM jsonb_path_query(value, 'strict $.** ? (@.type() == "string")') AS s);

      CREATE FUNCTION object_details(filename text, tags text[], metadata jsonb) RETURNS tsvector
      LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
        to_tsvector('library', plain_words(
          concat_ws(' ', filename, array_to_string(tags, ' '), strings_of(metadata))));

      -- A row for each object. Derived: details are written by the triggers below, text by the job
      -- that recognised it. A tsvector holds a MiB; details are below 400,000 bytes by the limits on
      -- names, tags and metadata, and text is kept below 640,000, so that both fit into one.
      CREATE TABLE object_index (
        project_id text COLLATE "C" NOT NULL,
        object_id text COLLATE "C" NOT NULL,
        tags text[] NOT NULL,
        details tsvector NOT NULL,
        text tsvector NOT NULL DEFAULT '',
        -- False for a text with more words than there are positions: it is kept as a set of words,
        -- and a phrase is looked for as its words.
        has_positions boolean NOT NULL DEFAULT true,
        text_job_id text COLLATE "C",
        PRIMARY KEY (project_id, object_id),
        FOREIGN KEY (project_id, object_id) REFERENCES object (project_id, id) ON DELETE CASCADE
      );
      CREATE INDEX object_index_details ON object_index USING gin (project_id, details)
        WITH (fastupdate = off);
      CREATE INDEX object_index_everything ON object_index USING gin (project_id, (details || text))
        WITH (fastupdate = off);
      CREATE INDEX object_index_tags ON object_index USING gin (project_id, tags)
        WITH (fastupdate = off);
      -- Of no use to any query behind the wall, nor any more to others.
      DROP INDEX object_tags;
      SELECT wall('{object_index}');
      GRANT SELECT, INSERT, UPDATE ON object_index TO api, worker;

      CREATE FUNCTION object_index_add() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO object_index (project_id, object_id, tags, details)
        SELECT project_id, id, tags, object_details(filename, tags, metadata) FROM changed;
        RETURN NULL;
      END
      $$;
      CREATE FUNCTION object_index_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- Planned anew for as many rows as there are: one or a hundred thousand.
        EXECUTE '
          UPDATE object_index i SET tags = c.tags, details = c.details
          FROM (SELECT project_id, id, tags, object_details(filename, tags, metadata) AS details
            FROM changed) c
          WHERE i.project_id = c.project_id AND i.object_id = c.id
            AND (i.tags <> c.tags OR i.details <> c.details)';
        RETURN NULL;
      END
      $$;
      CREATE TRIGGER object_index_added AFTER INSERT ON object REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION object_index_add();
      CREATE TRIGGER object_index_changed AFTER UPDATE ON object REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION object_index_change();

      CREATE FUNCTION job_text(
        wanted_project text, wanted_job text, OUT vector tsvector, OUT has_positions boolean)
      LANGUAGE plpgsql STABLE AS $$
      -- The text of a job's pages as its last operation with text left it; null when there is none.
      -- With positions where these reach to its end; else as the set of its words, the first ones
      -- first, as many as fit. It never fails for the size of a text.
      DECLARE
        last_position CONSTANT integer := 16383;
        max_bytes CONSTANT integer := 640000;
        max_characters CONSTANT integer := 16000000;
        max_word CONSTANT integer := 10000;
        operation integer;
        characters bigint;
      BEGIN
        SELECT p.operation_index, sum(length(p.text)) INTO operation, characters FROM job_page p
        WHERE p.project_id = wanted_project AND p.job_id = wanted_job AND p.text IS NOT NULL
        GROUP BY 1 ORDER BY 1 DESC LIMIT 1;
        IF operation IS NULL THEN RETURN; END IF;

        IF characters <= 10 * last_position THEN
          BEGIN
            SELECT to_tsvector('library', plain_words(string_agg(p.text, ' ' ORDER BY p.page)))
            INTO vector FROM job_page p
            WHERE p.project_id = wanted_project AND p.job_id = wanted_job
              AND p.operation_index = operation;
            SELECT coalesce(max(position), 0) < last_position INTO has_positions
            FROM unnest(vector) AS word, unnest(word.positions) AS position;
            IF has_positions AND pg_column_size(vector) <= max_bytes THEN RETURN; END IF;
          EXCEPTION WHEN program_limit_exceeded THEN
            -- Characters that stand for many: it has become too long on the way.
          END;
        END IF;

        has_positions := false;
        WITH pages AS (
          SELECT p.page, left(p.text, (max_characters - (sum(length(p.text)) OVER (ORDER BY p.page)
            - length(p.text)))::integer) AS text
          FROM job_page p
          WHERE p.project_id = wanted_project AND p.job_id = wanted_job
            AND p.operation_index = operation AND p.text IS NOT NULL
        ), words AS (
          -- Each only once before the dictionaries see it: of a long text few are new.
          SELECT left(word, max_word) AS word, min((page::bigint << 32) + place) AS place
          FROM pages, string_to_table(plain_words(text), ' ') WITH ORDINALITY AS w (word, place)
          WHERE text <> '' AND word <> '' GROUP BY 1
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

      -- Read as the index of images is: through a view whose owner no policy binds, or every
      -- condition on words and tags would read every row. It is joined by id to the objects
      -- themselves, which stay behind the wall; its names do not meet theirs. The project stands in a
      -- subquery so that the planner does not equate it with the wall's of the objects: what comes
      -- from a wall is checked first, and no index on words and tags would be used.
      CREATE POLICY search ON object_index FOR SELECT TO searcher USING (true);
      GRANT SELECT ON object_index TO searcher;
      CREATE VIEW object_search AS
        SELECT object_id AS id, tags AS tagged, details, details || text AS everything,
          has_positions
        FROM object_index WHERE project_id = (SELECT current_setting('app.project_id', true));
      GRANT CREATE ON SCHEMA public TO searcher;
      ALTER VIEW object_search OWNER TO searcher;
      REVOKE CREATE ON SCHEMA public FROM searcher;
      GRANT SELECT ON object_search TO api, worker;
    `);
  }

  async down(): Promise<void> {
    throw new Error('There is no way back from the first migrations: restore a backup.');
  }
}
