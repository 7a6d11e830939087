import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds erasures of values, such as the name of a person, from all rows of a project. */
export class Erasures2000000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${tablesSql} ${columnsSql} ${replacementSql} ${rowsSql}`);
  }

  async down(): Promise<void> {
    throw new Error('This migration cannot be reverted. Restore a backup.');
  }
}

const tablesSql = `
  CREATE TABLE erasure (
    project_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL DEFAULT 'searching'
      CHECK (state IN ('searching', 'ready', 'running', 'finished', 'cancelled')),
    -- Sealed; null as soon as they are no longer needed.
    sealed_values text COLLATE "C",
    value_count integer NOT NULL,
    objects text COLLATE "C" NOT NULL CHECK (objects IN ('purge', 'text')),
    requested_by jsonb NOT NULL,
    confirmed_by jsonb,
    percent integer NOT NULL DEFAULT 0,
    -- Values that are single words, by their position: [{value_index, resources}].
    ordinary_words jsonb NOT NULL DEFAULT '[]',
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    -- {report, signature}
    report jsonb,
    version integer NOT NULL DEFAULT 1,
    PRIMARY KEY (project_id, id)
  );
  -- The resources that contain a value. Never the value.
  CREATE TABLE erasure_resource (
    project_id text COLLATE "C" NOT NULL,
    erasure_id text COLLATE "C" NOT NULL,
    resource_type text COLLATE "C" NOT NULL,
    resource_id text COLLATE "C" NOT NULL,
    -- The fields that contain a value, and the positions of the values.
    fields text[] COLLATE "C" NOT NULL,
    value_indexes integer[] NOT NULL,
    state text COLLATE "C" NOT NULL DEFAULT 'found' CHECK (state IN ('found', 'erased', 'kept')),
    -- {policy_id, rule_type}
    kept_by jsonb,
    -- The hashes of the bytes of a purged object, until these are removed.
    hashes text[] COLLATE "C" NOT NULL DEFAULT '{}',
    PRIMARY KEY (project_id, erasure_id, resource_type, resource_id),
    FOREIGN KEY (project_id, erasure_id) REFERENCES erasure (project_id, id) ON DELETE CASCADE
  );
  SELECT wall('{erasure,erasure_resource}');
  GRANT SELECT, INSERT, UPDATE, DELETE ON erasure, erasure_resource TO api, worker;`;

/**
 * The columns with text of people or clients, from the catalogue: text in the collation of the
 * database, and JSON. Text that programs compare is COLLATE "C". A new column is included unless it is
 * excluded here.
 */
const columnsSql = `
  CREATE FUNCTION erasable_columns() RETURNS TABLE (table_name text, column_name text, kind text)
  LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT c.relname::text, a.attname::text,
      CASE WHEN c.relname = 'event' AND a.attname = 'body' THEN 'json_text'
        WHEN a.attname = 'metadata' THEN 'free_json'
        WHEN t.typname = 'jsonb' THEN 'json' WHEN t.typname = '_text' THEN 'list' ELSE 'text' END
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type t ON t.oid = a.atttypid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relname IN (SELECT name FROM project_tables())
      AND a.attgenerated = ''
      AND (t.typname = 'jsonb' OR t.typname IN ('text', '_text') AND a.attcollation = 100)
      -- Indexes and counts, which triggers derive from other tables.
      AND c.relname NOT IN ('object_index', 'image_index', 'image_place', 'erasure', 'erasure_resource')
      AND (c.relname, a.attname) NOT IN (
        -- Sealed: the workers search these.
        ('finding', 'content'), ('finding', 'reason'), ('review', 'reason'), ('review_text', 'content'),
        ('review_text', 'layout'), ('webhook_endpoint', 'secrets'), ('webhook_endpoint', 'headers'),
        -- Stored responses are deleted instead.
        ('idempotency', 'body'), ('idempotency', 'headers'),
        -- Identifiers and positions only.
        ('task', 'payload'), ('replay', 'walk'), ('finding', 'removal'),
        -- They decide what is kept. People change them.
        ('policy', 'scope_members'), ('policy', 'rules'), ('policy', 'conditions'))
    ORDER BY 1, 2
  $$;`;

/** Patterns are in the syntax of Postgres, and match whole values regardless of case. */
const replacementSql = `
  CREATE FUNCTION contains_value(document jsonb, pattern text, free boolean) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  -- Whether a text in a JSON document matches; in data of clients (free), also a name or a number.
  DECLARE
    entry record;
  BEGIN
    CASE jsonb_typeof(document)
      WHEN 'string' THEN RETURN (document #>> '{}') ~* pattern;
      WHEN 'number' THEN RETURN free AND (document #>> '{}') ~* pattern;
      WHEN 'array' THEN
        FOR entry IN SELECT value FROM jsonb_array_elements(document) LOOP
          IF contains_value(entry.value, pattern, free) THEN RETURN true; END IF;
        END LOOP;
      WHEN 'object' THEN
        FOR entry IN SELECT key, value FROM jsonb_each(document) LOOP
          IF free AND entry.key ~* pattern OR contains_value(entry.value, pattern, free) THEN RETURN true; END IF;
        END LOOP;
      ELSE RETURN false;
    END CASE;
    RETURN false;
  END
  $$;

  CREATE FUNCTION without_value(document jsonb, pattern text, free boolean) RETURNS jsonb
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  BEGIN
    CASE jsonb_typeof(document)
      WHEN 'string' THEN RETURN to_jsonb(regexp_replace(document #>> '{}', pattern, '[…]', 'gi'));
      WHEN 'number' THEN
        IF free AND (document #>> '{}') ~* pattern THEN RETURN '"[…]"'; END IF;
        RETURN document;
      WHEN 'array' THEN
        RETURN coalesce((SELECT jsonb_agg(without_value(value, pattern, free) ORDER BY position)
          FROM jsonb_array_elements(document) WITH ORDINALITY AS e (value, position)), '[]');
      WHEN 'object' THEN
        RETURN coalesce((SELECT jsonb_object_agg(
            CASE WHEN free THEN regexp_replace(key, pattern, '[…]', 'gi') ELSE key END,
            without_value(value, pattern, free))
          FROM jsonb_each(document)), '{}');
      ELSE RETURN document;
    END CASE;
  END
  $$;

  CREATE FUNCTION contains_value_sql(column_name text, kind text) RETURNS text
  LANGUAGE sql IMMUTABLE AS $$
    -- The condition on a column, with the pattern as $2. The hint, $3, is a word of each value: reading a
    -- document takes a hundred times as long as searching its text, in which white space is escaped.
    SELECT format(CASE kind
      WHEN 'text' THEN '%1$I ~* $2'
      WHEN 'list' THEN 'EXISTS (SELECT FROM unnest(%1$I) AS item WHERE item ~* $2)'
      WHEN 'json' THEN '(%1$I::text ~* $3 AND contains_value(%1$I, $2, false))'
      WHEN 'free_json' THEN '(%1$I::text ~* $3 AND contains_value(%1$I, $2, true))'
      WHEN 'json_text' THEN '(%1$I ~* $3 AND contains_value(%1$I::jsonb, $2, false))' END, column_name)
  $$;

  CREATE FUNCTION without_value_sql(column_name text, kind text) RETURNS text
  LANGUAGE sql IMMUTABLE AS $$
    -- The assignment to a column, with the pattern as $2. Tags that contain a value are removed.
    SELECT format(CASE kind
      WHEN 'text' THEN '%1$I = regexp_replace(%1$I, $2, ''[…]'', ''gi'')'
      WHEN 'list' THEN '%1$I = ARRAY(SELECT item FROM unnest(%1$I) WITH ORDINALITY AS e (item, position)
        WHERE item !~* $2 ORDER BY position)'
      WHEN 'json' THEN '%1$I = without_value(%1$I, $2, false)'
      WHEN 'free_json' THEN '%1$I = without_value(%1$I, $2, true)'
      WHEN 'json_text' THEN '%1$I = without_value(%1$I::jsonb, $2, false)::text' END, column_name)
  $$;`;

const rowsSql = `
  CREATE FUNCTION find_values(
    wanted_project text, wanted_table text, wanted_pattern text, hint text, patterns text[])
  RETURNS TABLE (resource_id text, object_id text, fields text[], value_indexes integer[])
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  -- Finds the rows of a table that contain a value: the pattern of all values, and those of each.
  DECLARE
    condition text;
    named text;
    numbered text;
  BEGIN
    IF wanted_project IS DISTINCT FROM current_setting('app.project_id', true) THEN
      RAISE EXCEPTION 'The transaction belongs to another project.';
    END IF;
    SELECT string_agg(contains_value_sql(c.column_name, c.kind), ' OR '),
      string_agg(format('CASE WHEN %s THEN %L END', contains_value_sql(c.column_name, c.kind),
        c.column_name), ', '),
      string_agg(replace(contains_value_sql(c.column_name, c.kind), '$2', 'one.pattern'), ' OR ')
    INTO condition, named, numbered
    FROM erasable_columns() c WHERE c.table_name = wanted_table;
    IF condition IS NULL THEN RETURN; END IF;
    RETURN QUERY EXECUTE format('
      SELECT coalesce(row->>''id'', row->>''object_id'', row->>''job_id'', row->>''pack_id'', row->>''delivery_id'',
          row->>''image_id'', ''''),
        CASE %2$L WHEN ''object'' THEN row->>''id'' WHEN ''image'' THEN row->>''object_id''
          WHEN ''object_text'' THEN row->>''object_id'' WHEN ''passage'' THEN row->>''object_id''
          WHEN ''job_page'' THEN (SELECT j.source_object_id FROM job j
            WHERE j.project_id = $1 AND j.id = row->>''job_id'') END,
        fields, value_indexes
      FROM (SELECT to_jsonb(t) AS row, array_remove(ARRAY[%4$s], NULL) AS fields,
          ARRAY(SELECT (one.at - 1)::integer FROM unnest($4) WITH ORDINALITY AS one (pattern, at)
            WHERE %5$s) AS value_indexes
        FROM %1$I t WHERE project_id = $1 AND (%3$s)) found',
      wanted_table, wanted_table, condition, named, numbered)
      USING wanted_project, wanted_pattern, hint, patterns;
  END
  $$;

  CREATE FUNCTION erase_values(
    wanted_project text, wanted_table text, wanted_pattern text, hint text, kept_objects text[],
    most integer)
  RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  -- Removes the values from rows of a table, except those of objects that are kept. Returns how many rows
  -- were changed.
  DECLARE
    condition text;
    assignments text;
    erased integer;
  BEGIN
    IF wanted_project IS DISTINCT FROM current_setting('app.project_id', true) THEN
      RAISE EXCEPTION 'The transaction belongs to another project.';
    END IF;
    SELECT string_agg(contains_value_sql(c.column_name, c.kind), ' OR '),
      string_agg(without_value_sql(c.column_name, c.kind), ', ')
    INTO condition, assignments
    FROM erasable_columns() c WHERE c.table_name = wanted_table;
    IF condition IS NULL THEN RETURN 0; END IF;
    SELECT assignments || coalesce(string_agg(CASE a.attname WHEN 'version' THEN ', version = version + 1'
        ELSE ', updated_at = now()' END, ''), '') INTO assignments
    FROM pg_attribute a WHERE a.attrelid = to_regclass('public.' || wanted_table)
      AND a.attname IN ('version', 'updated_at') AND NOT a.attisdropped;
    -- In a partitioned table, other rows may have the same ctid; without a value, they do not change.
    EXECUTE format('UPDATE %1$I SET %2$s WHERE project_id = $1 AND (%3$s) AND ctid = ANY (ARRAY(
        SELECT ctid FROM %1$I WHERE project_id = $1 AND (%3$s) AND %4$s LIMIT $5))',
      wanted_table, assignments, condition, CASE wanted_table
        WHEN 'object' THEN 'id <> ALL ($4)'
        WHEN 'image' THEN 'object_id <> ALL ($4)'
        WHEN 'object_text' THEN 'object_id <> ALL ($4)' WHEN 'passage' THEN 'object_id <> ALL ($4)'
        WHEN 'job_page' THEN 'NOT EXISTS (SELECT FROM job j WHERE j.project_id = $1 AND j.id = job_id
          AND j.source_object_id = ANY ($4))'
        ELSE '$4 IS NOT NULL' END)
      USING wanted_project, wanted_pattern, hint, kept_objects, most;
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN erased;
  END
  $$;

  CREATE FUNCTION find_text(wanted_project text, given text[])
  RETURNS TABLE (resource_id text, object_id text, fields text[], value_indexes integer[])
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    -- Finds the objects whose text contains a value, by the words of their search index, because only the
    -- beginning of a page is stored as text. Of a page that is stored as a set of words, all must be there.
    SELECT x.object_id, x.object_id, '{text}'::text[], array_agg(DISTINCT (v.at - 1)::integer)
    FROM unnest(given) WITH ORDINALITY AS v (value, at)
    JOIN object_text x ON x.project_id = wanted_project
      AND (x.vector @@ phraseto_tsquery('library', plain_words(v.value))
        OR x.last_position IS NULL AND x.vector @@ plainto_tsquery('library', plain_words(v.value)))
    WHERE wanted_project = current_setting('app.project_id', true)
    GROUP BY x.object_id
  $$;

  CREATE FUNCTION erase_derived(wanted_project text, wanted_pattern text, erased text[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  -- Removes what was derived from the values: stored responses, which may contain them encrypted, words for
  -- corrections, headers of uploads, and counts of tags.
  BEGIN
    IF wanted_project IS DISTINCT FROM current_setting('app.project_id', true) THEN
      RAISE EXCEPTION 'The transaction belongs to another project.';
    END IF;
    DELETE FROM idempotency WHERE project_id = wanted_project
      AND (encrypted OR body ~* wanted_pattern OR headers::text ~* wanted_pattern);
    -- Words that others contain are added again with their next change.
    DELETE FROM image_word WHERE project_id = wanted_project AND word IN (
      SELECT unnest(tsvector_to_array(to_tsvector('library', plain_words(v)))) FROM unnest(erased) AS v);
    UPDATE upload u SET given = '' WHERE project_id = wanted_project
      AND (filename LIKE '%[…]%' OR metadata::text LIKE '%[…]%');
    PERFORM image_count_fold(wanted_project), object_count_fold(wanted_project);
  END
  $$;

  REVOKE ALL ON FUNCTION erasable_columns, contains_value, without_value, contains_value_sql, without_value_sql,
    find_values, find_text, erase_values, erase_derived FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION erasable_columns, find_values, find_text, erase_values, erase_derived TO worker;`;
