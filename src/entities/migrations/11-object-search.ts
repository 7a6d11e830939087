import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What objects are searched by: their details, and the text that was recognised in them. And what
 * operators watch: how much work waits.
 */
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
          -- A negative number would take from the other end.
          SELECT p.page, left(p.text, greatest(0, max_characters + length(p.text)
            - sum(length(p.text)) OVER (ORDER BY p.page))::integer) AS text
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

      -- Objects that were there before, with what is still kept of their newest job's text.
      DO $$
      DECLARE
        project text;
      BEGIN
        FOR project IN SELECT id FROM project LOOP
          PERFORM set_config('app.project_id', project, true);
          INSERT INTO object_index (project_id, object_id, tags, details, text, has_positions, text_job_id)
          SELECT o.project_id, o.id, o.tags, object_details(o.filename, o.tags, o.metadata),
            coalesce(t.vector, ''), coalesce(t.has_positions, true), t.id
          FROM object o LEFT JOIN LATERAL (
            SELECT j.id, recognised.* FROM job j, job_text(j.project_id, j.id) recognised
            WHERE j.project_id = o.project_id AND j.source_object_id = o.id
              AND j.state IN ('succeeded', 'partially_succeeded') AND recognised.vector IS NOT NULL
            ORDER BY j.id DESC LIMIT 1) t ON true;
        END LOOP;
        PERFORM set_config('app.project_id', '', true);
      END
      $$;

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
      GRANT SELECT ON object_search TO api, worker;
      GRANT CREATE ON SCHEMA public TO searcher;
      ALTER VIEW object_search OWNER TO searcher;
      REVOKE CREATE ON SCHEMA public FROM searcher;

      -- The owner's functions count over all projects; so it must see what they count.
      CREATE POLICY administration ON event FOR SELECT TO owner USING (true);
      CREATE POLICY administration ON delivery FOR SELECT TO owner USING (true);
      CREATE POLICY administration ON event_default FOR SELECT TO owner USING (true);
      CREATE POLICY administration ON delivery_default FOR SELECT TO owner USING (true);
      CREATE POLICY administration ON attempt_default FOR SELECT TO owner USING (true);
      CREATE FUNCTION pipeline_figures()
      RETURNS TABLE (figure text, label text, value double precision)
      LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
      -- Counts stop at a bound: that there is far too much is all that anybody needs to know then.
      DECLARE
        bound CONSTANT integer := 100000;
      BEGIN
        RETURN QUERY
          WITH due AS (
            SELECT t.queue, count(*) AS tasks, min(t.due_at) AS oldest FROM task t
            WHERE t.state = 'pending' AND t.due_at <= now() GROUP BY t.queue)
          SELECT 'tasks_due', queue, tasks::double precision FROM due
          UNION ALL
          SELECT 'tasks_oldest_due_seconds', queue,
            extract(epoch FROM now() - oldest)::double precision FROM due;
        RETURN QUERY SELECT 'events_unnumbered', NULL::text, count(*)::double precision
          FROM (SELECT FROM event e WHERE e.sequence IS NULL LIMIT bound) unnumbered;
        RETURN QUERY SELECT 'events_oldest_unnumbered_seconds', NULL::text,
          coalesce(extract(epoch FROM now() - (SELECT e.occurred_at FROM event e
            WHERE e.sequence IS NULL ORDER BY e.ordinal LIMIT 1)), 0)::double precision;
        RETURN QUERY SELECT 'deliveries_pending', NULL::text, count(*)::double precision FROM (
          (SELECT FROM delivery d WHERE d.state = 'pending' AND d.handed_at IS NULL LIMIT bound)
          UNION ALL
          (SELECT FROM delivery d WHERE d.state = 'pending' AND d.handed_at IS NOT NULL LIMIT bound)
        ) pending;
        -- Its event goes at 90 days, and the delivery with it.
        RETURN QUERY SELECT 'deliveries_expiring', NULL::text, count(*)::double precision
          FROM (SELECT FROM delivery d WHERE d.state = 'pending' AND d.handed_at IS NULL
            AND d.event_id < id_floor('evt', now() - interval '80 days') LIMIT bound) expiring;
        RETURN QUERY SELECT 'default_partition_rows', 'event', count(*)::double precision
          FROM (SELECT FROM event_default LIMIT bound) e;
        RETURN QUERY SELECT 'default_partition_rows', 'delivery', count(*)::double precision
          FROM (SELECT FROM delivery_default LIMIT bound) d;
        RETURN QUERY SELECT 'default_partition_rows', 'attempt', count(*)::double precision
          FROM (SELECT FROM attempt_default LIMIT bound) a;
      END
      $$;
      REVOKE ALL ON FUNCTION pipeline_figures FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION pipeline_figures TO api;
    `);
  }

  async down(): Promise<void> {
    throw new Error('There is no way back from the first migrations: restore a backup.');
  }
}
