import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockPatiently } from './patience.ts';

/** Pictures of pages count towards the quota of bytes, as long as they are kept. */
export class PictureUsage1000000000113 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION picture_usage() RETURNS trigger LANGUAGE plpgsql AS $$
      -- What usage_change does for objects. A picture has its bytes only once it is drawn.
      DECLARE
        project text := coalesce(NEW.project_id, OLD.project_id);
        added bigint;
      BEGIN
        INSERT INTO usage_delta (project_id, resource, delta)
        VALUES (project, 'storage_bytes', coalesce(NEW.bytes, 0) - coalesce(OLD.bytes, 0))
        RETURNING id INTO added;
        IF added % 32 = 0 THEN PERFORM usage_fold(project); END IF;
        RETURN NULL;
      END
      $$;
      ${lockPatiently('object_variant', 'SHARE ROW EXCLUSIVE')}
      CREATE TRIGGER picture_insert AFTER INSERT ON object_variant FOR EACH ROW
        WHEN (NEW.variant LIKE 'page:%' AND NEW.bytes IS NOT NULL) EXECUTE FUNCTION picture_usage();
      CREATE TRIGGER picture_update AFTER UPDATE OF bytes ON object_variant FOR EACH ROW
        WHEN (NEW.variant LIKE 'page:%' AND NEW.bytes IS DISTINCT FROM OLD.bytes)
        EXECUTE FUNCTION picture_usage();
      CREATE TRIGGER picture_delete AFTER DELETE ON object_variant FOR EACH ROW
        WHEN (OLD.variant LIKE 'page:%' AND OLD.bytes IS NOT NULL) EXECUTE FUNCTION picture_usage();

      DO $$
      DECLARE
        one record;
      BEGIN
        FOR one IN SELECT id FROM project LOOP
          PERFORM set_config('app.project_id', one.id, true);
          INSERT INTO usage_delta (project_id, resource, delta)
          SELECT one.id, 'storage_bytes', sum(bytes) FROM object_variant
          WHERE project_id = one.id AND variant LIKE 'page:%' AND bytes IS NOT NULL
          HAVING count(*) > 0;
        END LOOP;
        PERFORM set_config('app.project_id', '', true);
      END
      $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $$
      DECLARE
        one record;
      BEGIN
        FOR one IN SELECT id FROM project LOOP
          PERFORM set_config('app.project_id', one.id, true);
          INSERT INTO usage_delta (project_id, resource, delta)
          SELECT one.id, 'storage_bytes', -sum(bytes) FROM object_variant
          WHERE project_id = one.id AND variant LIKE 'page:%' AND bytes IS NOT NULL
          HAVING count(*) > 0;
        END LOOP;
        PERFORM set_config('app.project_id', '', true);
      END
      $$;
      DROP TRIGGER picture_insert ON object_variant;
      DROP TRIGGER picture_update ON object_variant;
      DROP TRIGGER picture_delete ON object_variant;
      DROP FUNCTION picture_usage;
    `);
  }
}
