import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/** Counters of objects by state, media type, month and tag, kept by the transactions that change them. */
export class ObjectCounts1000000000090 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(lockPatiently('object'));
    await runner.query(`
      -- As for images: what was counted up to the last fold, and what changed since. Changes are rows
      -- of their own, so that writers do not wait for each other.
      CREATE TABLE object_count (
        project_id text COLLATE "C" NOT NULL,
        facet text NOT NULL CHECK (facet IN ('state', 'mime', 'month', 'tag')),
        value text COLLATE "C" NOT NULL,
        count bigint NOT NULL,
        PRIMARY KEY (project_id, facet, value)
      );
      CREATE TABLE object_count_delta (
        project_id text COLLATE "C" NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        facet text NOT NULL,
        value text COLLATE "C" NOT NULL,
        delta bigint NOT NULL,
        PRIMARY KEY (project_id, id)
      );
      SELECT wall('{object_count,object_count_delta}');
      GRANT SELECT, INSERT, UPDATE, DELETE ON object_count, object_count_delta TO api, worker;

      CREATE FUNCTION object_facets(state text, mime text, created_at timestamptz, tags text[])
      RETURNS TABLE (facet text, value text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
        -- What an object counts for: facets exclude the trash. Months are in UTC.
        SELECT 'state', state
        UNION ALL SELECT 'mime', mime WHERE state <> 'trashed'
        UNION ALL SELECT 'month', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM')
          WHERE state <> 'trashed'
        UNION ALL SELECT 'tag', tag FROM unnest(tags) tag WHERE state <> 'trashed'
      $$;

      CREATE FUNCTION object_count_change() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        project text;
        changes integer;
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO object_count_delta (project_id, facet, value, delta)
          SELECT a.project_id, f.facet, f.value, count(*)
          FROM added a, object_facets(a.state, a.mime, a.created_at, a.tags) f GROUP BY 1, 2, 3;
          GET DIAGNOSTICS changes = ROW_COUNT;
          SELECT project_id INTO project FROM added LIMIT 1;
        ELSIF TG_OP = 'DELETE' THEN
          INSERT INTO object_count_delta (project_id, facet, value, delta)
          SELECT r.project_id, f.facet, f.value, -count(*)
          FROM removed r, object_facets(r.state, r.mime, r.created_at, r.tags) f GROUP BY 1, 2, 3;
          GET DIAGNOSTICS changes = ROW_COUNT;
          SELECT project_id INTO project FROM removed LIMIT 1;
        ELSE
          INSERT INTO object_count_delta (project_id, facet, value, delta)
          SELECT c.project_id, c.facet, c.value, sum(c.delta) FROM (
            SELECT a.project_id, f.facet, f.value, 1 AS delta
            FROM added a, object_facets(a.state, a.mime, a.created_at, a.tags) f
            UNION ALL
            SELECT r.project_id, f.facet, f.value, -1
            FROM removed r, object_facets(r.state, r.mime, r.created_at, r.tags) f) c
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

      CREATE FUNCTION object_count_fold(project text) RETURNS void LANGUAGE plpgsql AS $$
      -- Adds the changes to the counts, unless another transaction is doing it: none waits.
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
        DELETE FROM object_count WHERE project_id = project
          AND facet IN ('state', 'mime', 'month', 'tag') AND count = 0;
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

      -- The objects that are there already.
      DO $$
      DECLARE
        project text;
      BEGIN
        FOR project IN SELECT id FROM project LOOP
          PERFORM set_config('app.project_id', project, true);
          INSERT INTO object_count (project_id, facet, value, count)
          SELECT o.project_id, f.facet, f.value, count(*)
          FROM object o, object_facets(o.state, o.mime, o.created_at, o.tags) f
          WHERE o.project_id = project GROUP BY 1, 2, 3;
        END LOOP;
        PERFORM set_config('app.project_id', '', true);
      END
      $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER object_count_added ON object;
      DROP TRIGGER object_count_changed ON object;
      DROP TRIGGER object_count_removed ON object;
      DROP FUNCTION object_count_change;
      DROP FUNCTION object_count_fold;
      DROP TABLE object_count, object_count_delta;
      DROP FUNCTION object_facets;
    `);
  }
}
