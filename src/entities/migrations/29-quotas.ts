import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What projects use, counted as it changes, and the quotas that an operator gives them. */
export class Quotas1000000000029 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE project_quota (
        project_id text COLLATE "C" NOT NULL,
        resource text NOT NULL,
        most bigint NOT NULL CHECK (most >= 0),
        PRIMARY KEY (project_id, resource)
      );
      CREATE TABLE usage_count (
        project_id text COLLATE "C" NOT NULL,
        resource text NOT NULL,
        used bigint NOT NULL,
        PRIMARY KEY (project_id, resource)
      );
      -- Writers only ever add rows here, so none waits for another; now and then one of them folds
      -- them into the counts.
      CREATE TABLE usage_delta (
        project_id text COLLATE "C" NOT NULL,
        id bigint GENERATED ALWAYS AS IDENTITY,
        resource text NOT NULL,
        delta bigint NOT NULL,
        PRIMARY KEY (project_id, id)
      );
      SELECT wall('{project_quota,usage_count,usage_delta}');
      GRANT SELECT ON project_quota TO api, worker;
      GRANT SELECT, INSERT, UPDATE, DELETE ON usage_count, usage_delta TO api, worker;

      CREATE FUNCTION usage_of(project text, wanted text) RETURNS bigint
      LANGUAGE sql STABLE AS $$
        SELECT coalesce((SELECT sum(used) FROM (
          SELECT c.used FROM usage_count c WHERE c.project_id = project AND c.resource = wanted
          UNION ALL
          SELECT d.delta FROM usage_delta d WHERE d.project_id = project AND d.resource = wanted) u), 0)::bigint
      $$;

      CREATE FUNCTION usage_fold(project text) RETURNS void LANGUAGE plpgsql AS $$
      -- Adds the changes to the counts, unless somebody else is at it: then nobody waits.
      BEGIN
        IF NOT pg_try_advisory_xact_lock(hashtextextended('usage ' || project, 0)) THEN RETURN; END IF;
        WITH taken AS (
          DELETE FROM usage_delta WHERE project_id = project RETURNING resource, delta)
        INSERT INTO usage_count (project_id, resource, used)
        SELECT project, resource, sum(delta) FROM taken GROUP BY resource
        ON CONFLICT (project_id, resource) DO UPDATE SET used = usage_count.used + excluded.used;
      END
      $$;

      CREATE FUNCTION usage_change() RETURNS trigger LANGUAGE plpgsql AS $$
      -- Its arguments are what a row counts for.
      DECLARE
        one record;
        sign integer;
        size bigint;
        last bigint;
      BEGIN
        IF TG_OP = 'INSERT' THEN one := NEW; sign := 1; ELSE one := OLD; sign := -1; END IF;
        IF TG_TABLE_NAME = 'object' THEN size := one.bytes;
        ELSIF TG_TABLE_NAME = 'upload' THEN size := one.length;
        END IF;
        WITH added AS (
          INSERT INTO usage_delta (project_id, resource, delta)
          SELECT one.project_id, changed.resource,
            CASE changed.resource WHEN 'storage_bytes' THEN sign * size ELSE sign END
          FROM unnest(TG_ARGV) AS changed (resource) RETURNING id)
        SELECT max(id) INTO last FROM added;
        -- Three rows at most were added: one of them is the first after a round number.
        IF last % 32 < 3 THEN PERFORM usage_fold(one.project_id); END IF;
        RETURN NULL;
      END
      $$;

      CREATE TRIGGER usage_change AFTER INSERT OR DELETE ON object
        FOR EACH ROW EXECUTE FUNCTION usage_change('objects', 'storage_bytes');
      CREATE TRIGGER usage_change AFTER INSERT OR DELETE ON collection
        FOR EACH ROW EXECUTE FUNCTION usage_change('collections');
      CREATE TRIGGER usage_begin AFTER INSERT ON upload
        FOR EACH ROW WHEN (NEW.state = 'uploading') EXECUTE FUNCTION usage_change('uploads', 'objects', 'storage_bytes');
      CREATE TRIGGER usage_end AFTER UPDATE OF state ON upload
        FOR EACH ROW WHEN (OLD.state = 'uploading' AND NEW.state <> 'uploading')
        EXECUTE FUNCTION usage_change('uploads', 'objects', 'storage_bytes');
      CREATE TRIGGER usage_delete AFTER DELETE ON upload
        FOR EACH ROW WHEN (OLD.state = 'uploading') EXECUTE FUNCTION usage_change('uploads', 'objects', 'storage_bytes');
      CREATE TRIGGER usage_begin AFTER INSERT ON api_key
        FOR EACH ROW WHEN (NEW.revoked_at IS NULL) EXECUTE FUNCTION usage_change('api_keys');
      CREATE TRIGGER usage_end AFTER UPDATE OF revoked_at ON api_key
        FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
        EXECUTE FUNCTION usage_change('api_keys');
      CREATE TRIGGER usage_begin AFTER INSERT ON job
        FOR EACH ROW WHEN (NEW.finished_at IS NULL) EXECUTE FUNCTION usage_change('jobs_in_flight');
      CREATE TRIGGER usage_end AFTER UPDATE OF finished_at ON job
        FOR EACH ROW WHEN (OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL)
        EXECUTE FUNCTION usage_change('jobs_in_flight');
      CREATE TRIGGER usage_delete AFTER DELETE ON job
        FOR EACH ROW WHEN (OLD.finished_at IS NULL) EXECUTE FUNCTION usage_change('jobs_in_flight');

      CREATE FUNCTION quota_claim(project text, wanted text, more bigint, by_default bigint) RETURNS void
      LANGUAGE plpgsql AS $$
      -- Refuses what would take a project beyond its quota. Far from it nobody waits; near it those
      -- who come at once come one after the other, each to its commit.
      DECLARE
        most bigint := coalesce((SELECT q.most FROM project_quota q
          WHERE q.project_id = project AND q.resource = wanted), by_default);
        used bigint := usage_of(project, wanted);
      BEGIN
        IF used + greatest(more * 64, most / 10) <= most THEN RETURN; END IF;
        PERFORM pg_advisory_xact_lock(hashtextextended('quota ' || project, 0));
        -- A statement of its own, so that it sees what the holder of the lock before us committed.
        used := usage_of(project, wanted);
        IF used + more <= most THEN RETURN; END IF;
        RAISE EXCEPTION USING ERRCODE = 'QT001', MESSAGE = format('The quota of %s is used up.', wanted),
          DETAIL = jsonb_build_object('quota', wanted, 'limit', most, 'used', used, 'wanted', more)::text;
      END
      $$;

      DO $$
      DECLARE
        one record;
      BEGIN
        FOR one IN SELECT id FROM project LOOP
          PERFORM set_config('app.project_id', one.id, true);
          INSERT INTO usage_count (project_id, resource, used)
          SELECT one.id, resource, used FROM (
            SELECT 'objects' AS resource, count(*) AS used FROM object
            UNION ALL SELECT 'storage_bytes', coalesce(sum(bytes), 0) FROM object
            UNION ALL SELECT 'collections', count(*) FROM collection
            UNION ALL SELECT 'api_keys', count(*) FROM api_key WHERE project_id = one.id AND revoked_at IS NULL
            UNION ALL SELECT 'jobs_in_flight', count(*) FROM job WHERE finished_at IS NULL) counted;
          INSERT INTO usage_delta (project_id, resource, delta)
          SELECT one.id, r.resource, CASE r.resource WHEN 'storage_bytes' THEN u.length ELSE 1 END
          FROM upload u, (VALUES ('uploads'), ('objects'), ('storage_bytes')) AS r (resource)
          WHERE u.state = 'uploading';
        END LOOP;
        PERFORM set_config('app.project_id', '', true);
      END
      $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION usage_change CASCADE;
      DROP FUNCTION quota_claim, usage_fold, usage_of;
      DROP TABLE project_quota, usage_count, usage_delta;
    `);
  }
}
